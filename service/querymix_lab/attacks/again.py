"""The again attack: a log that is released several times names more owners each time.

Nothing leaves before it is asked. So the earliest that a text left in any release bounds when it was asked, and the
earliest of a user's first, second, ... releases in a category bounds when that user asked there. The more releases,
the nearer both come to the truth. A text's owner is the user whose bounds lie nearest to the text's, counted in the
category's moments, and under which the text never left.

The attacker needs the releases, under ids that are the same in all of them, the classifier and about k. It works on
texts that leave once at most in each release. Releases under ids of a period, or on a grid of times, give it less.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from querymix.core.rules import Rules
from querymix.core.score import width

from querymix_lab.attacks.attacked import named
from querymix_lab.attacks.logs import Floats, Ints, Log
from querymix_lab.attacks.scoring import Guesses, Row
from querymix_lab.attacks.simulated import Simulated, simulate

KNOWS: Final = "the classifier, about how large k is, and all releases of the log"
_REACH: Final = 6
_SHARE: Final = 0.1
"""What all of a category's releases weigh, as against one of the nearest."""


def again(
    simulated: Simulated, rules: Rules, seed: int, times: Sequence[int] = (1, 2, 5, 20), ks: Sequence[int] = (5, 50)
) -> list[Row]:
    """Return the attack's figures over the lines of texts that left once.

    Args:
        simulated: the first release, under ids that last; the others are simulated here.
        rules: of the first release.
        seed: what the others' chance begins with.
        times: how often the log is released; a row for each.
        ks: one row for a further release at each of these k: somebody tried several settings.

    Raises TooShortError where there are no such lines.
    """
    first = simulated.released
    more = [simulate(simulated.asked, rules, seed=seed + 2 * number).released for number in range(1, max(times))]
    rows = []
    for count in times:
        found = guess([first, *more[: count - 1]], [rules.k] * count)
        rows.append(named(simulated, f"again ({count} releases)" if count > 1 else "again (once)", KNOWS, found))
    if ks:
        others = [
            simulate(simulated.asked, rules._replace(k=k), seed=seed + 2 * number + 1).released
            for number, k in enumerate(ks)
        ]
        name = f"again (at k = {', '.join(map(str, sorted([rules.k, *ks])))})"
        rows.append(named(simulated, name, KNOWS, guess([first, *others], [rules.k, *ks])))
    return rows


def guess(releases: Sequence[Log], ks: Sequence[int]) -> Guesses:
    """Return owners for the first release's lines whose text each release holds at most once.

    `ks` holds the k of each release.
    """
    n = max(1.0, 1.5 / sum(1 / width(k) for k in ks))
    texts = 1 + max(int(log.texts.max(initial=0)) for log in releases)
    users = 1 + max(int(log.users.max(initial=0)) for log in releases)
    once = np.ones(texts, dtype=bool)
    asked = np.full(texts, np.inf)
    under = np.full((len(releases), texts), -1, dtype=np.int64)
    for number, log in enumerate(releases):
        once &= np.bincount(log.texts, minlength=texts) <= 1
        np.minimum.at(asked, log.texts, log.times)
        under[number, log.texts] = log.users
    first, rows = releases[0], list[tuple[int, int, float]]()
    for category in np.unique(first.categories):
        lines = np.flatnonzero((first.categories == category) & once[first.texts])
        pools = [log.take(np.flatnonzero(log.categories == category)) for log in releases]
        for line, weights in _nearest(pools, asked[first.texts[lines]], n, users):
            text = first.texts[lines[line]]
            weights[under[:, text][under[:, text] >= 0]] = 0.0
            best, whole = int(weights.argmax()), float(weights.sum())
            if whole:
                rows.append((int(lines[line]), best, float(weights[best]) / whole))
    return Guesses.of(rows)


def _nearest(pools: Sequence[Log], asked: Floats, n: float, users: int) -> Iterator[tuple[int, Floats]]:
    """Yield (place, weights of all users) for each moment of `asked` in one category, by how near each user asked."""
    names, moments = _earliest(pools)
    ticks = np.unique(np.concatenate([pool.times for pool in pools]))
    own, at = np.searchsorted(ticks, moments), np.searchsorted(ticks, asked)
    share: Floats = _SHARE * np.bincount(names, minlength=users) / len(names)
    first = np.searchsorted(own, at - _REACH * n)
    last = np.searchsorted(own, at + _REACH * n, side="right")
    for place, moment in enumerate(at.tolist()):
        near = slice(first[place], last[place])
        weights = np.exp(-np.abs(own[near] - moment) / n)
        yield place, share + np.bincount(names[near], weights, users)


def _earliest(pools: Sequence[Log]) -> tuple[Ints, Floats]:
    """Return (users, moments) by moment: each user's first, second, ... release in the pool where it was earliest."""
    parts = []
    for pool in pools:
        order = np.lexsort((pool.times, pool.users))
        users = pool.users[order]
        starts = np.flatnonzero(np.append(True, users[1:] != users[:-1])[: len(users)])
        numbers = np.arange(len(users)) - np.repeat(starts, np.diff(np.append(starts, len(users))))
        parts.append(np.stack([users.astype(np.float64), numbers, pool.times[order]]))
    users, numbers, times = np.concatenate(parts, axis=1)
    order = np.lexsort((times, numbers, users))
    pairs = np.stack([users[order], numbers[order]])
    earliest = order[np.append(True, (pairs[:, 1:] != pairs[:, :-1]).any(axis=0))[: len(order)]]
    earliest = earliest[np.argsort(times[earliest], kind="stable")]
    return users[earliest].astype(np.int64), times[earliest]
