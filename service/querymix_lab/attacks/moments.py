"""The time attack: when somebody searched tells what category it was.

A release is set off by a query of its own category, at that query's moment. So whoever knows when a person searched
looks up the lines of that moment, or of its cell of the grid: each category is as likely as its share of them. Where
the person's id is known too, its own lines count as well: a user leaves a pool some time after it asked there, most
often soon, so a line weighs 1 / (1 + d / `SOON`), d the seconds since the search, and less where it is before. Both are
taken for independent, given the category.

Of ids of a period the attacker is given the one under which the person next leaves.
"""

from typing import Final

import numpy as np
from querymix.core.rules import Rules
from querymix.stages.cells import on_grid

from querymix_lab.attacks.attacked import found
from querymix_lab.attacks.logs import Floats, Ints
from querymix_lab.attacks.scoring import Row, TooShortError, interval
from querymix_lab.attacks.simulated import Simulated

KNOWS: Final = "when a person searched"
KNOWS_ID: Final = "when a person searched, and its id in the released log"
SOON: Final = 86_400.0
_BEFORE: Final = 0.05
"""What a line before the search weighs, as against one that is as long after it."""
_MOST: Final = 20_000
"""Searches that are looked up."""


def time(simulated: Simulated, _rules: Rules, seed: int, precision: float | None = None) -> list[Row]:
    """Return the share of searches whose category is named, by the moment alone and with the id known.

    `precision` is the grid of the released times, in seconds. Raises TooShortError where nothing was released.
    """
    if not len(simulated.released):
        raise TooShortError("nothing was released: no moment tells anything")
    asked = simulated.asked
    chosen = np.random.default_rng(seed).permutation(len(asked))[:_MOST]
    cells = _cells(simulated, np.array([on_grid(at, precision) for at in asked.times[chosen]]))
    users = asked.users[chosen]
    rows = []
    for name, knows, weights in (
        ("time", KNOWS, cells),
        ("time (id known)", KNOWS_ID, cells * _own(simulated, users, asked.times[chosen])),
    ):
        categories = np.unique(simulated.released.categories)
        right = categories[weights.argmax(axis=1)] == asked.categories[chosen]
        there = np.unique(users)
        hits, searches = (
            np.bincount(users, column)[there].astype(np.float64) for column in (right, np.ones(len(users)))
        )
        low, high = interval(hits, searches)
        base = float((asked.categories[chosen] == _commonest(asked.categories)).mean())
        rows.append(found(name, knows, len(chosen), float(right.mean()), base) | {"low": low, "high": high})
    return rows


def _commonest(categories: Ints) -> int:
    names, counts = np.unique(categories, return_counts=True)
    return int(names[counts.argmax()])


def _cells(simulated: Simulated, moments: Floats) -> Floats:
    """Return the weight of each category for each moment: shape (moments, categories)."""
    released = simulated.released
    names, numbers = np.unique(released.categories, return_inverse=True)
    cells, places = np.unique(released.times, return_inverse=True)
    counts = np.zeros((len(cells) + 1, len(names)))
    np.add.at(counts, (places, numbers), 1.0)
    at = np.searchsorted(cells, moments)
    there = np.where((at < len(cells)) & (cells[np.minimum(at, len(cells) - 1)] == moments), at, len(cells))
    share: Floats = np.bincount(numbers) / len(numbers)
    weights: Floats = counts[there] + 0.01 * share
    return weights


def _own(simulated: Simulated, users: Ints, moments: Floats) -> Floats:
    """Return what the lines under the searcher's id weigh for each search and category, by the category's share.

    The shape is that of `_cells`.
    """
    released = simulated.released
    names, numbers = np.unique(released.categories, return_inverse=True)
    share: Floats = np.bincount(numbers) / len(numbers)
    weights = np.tile(share, (len(users), 1))
    for user in np.unique(users):
        mine = np.flatnonzero(released.users == user)
        mine = mine[np.argsort(released.times[mine], kind="stable")]
        for place in np.flatnonzero(users == user) if len(mine) else ():
            after = np.searchsorted(released.times[mine], moments[place])
            known = mine[simulated.ids[mine] == simulated.ids[mine[min(after, len(mine) - 1)]]]
            distance = released.times[known] - moments[place]
            near = np.where(distance < 0, _BEFORE, 1.0) / (1 + np.abs(distance) / SOON)
            weights[place] += np.bincount(numbers[known], near, len(names))
    return weights / share
