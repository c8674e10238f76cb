"""The arrivals attack: who watches who asks when, and in which category, follows each pool from its first query on.

What the attacker does not see is which owner's query left at each release. Particles are guesses at it: each one holds,
for one category's pool, how many queries each owner has there. They are weighed by what the attacker does see:

- at an arrival the owner has one query more, and something leaves or nothing does. It leaves where more than k + X
  owners (and users) wait, X uniform over 0..r: with a reserve r of 0 that is certain, with a larger one it is likelier
  the more owners there are.
- at a release the owner is uniform over the particle's owners but the released user. It is drawn in proportion to
  what it makes of the next arrival, so that few particles are lost.
- at each look at what is held too long, what came too early leaves every particle that still has it.

Each query is taken for a unit of its own, and whoever waits counts. With `--unit session` and with `--established` that
is not so, and a better attack may be possible: there the figures are no upper bound.

A line's owner is read once `LAG` more lines of its category have left, since what follows tells of it.

The attacker knows who asked when and in which category, the released log, k and r, whose each released id is, and the
moment of each line. With ids of a period or a grid of times an attacker knows less than that, so the figures are an
upper bound there. Only what no attacker sees is left out: texts, and what is drawn.

Source: Gordon et al. 1993 (the bootstrap filter); Pitt and Shephard 1999 (draws that look one step ahead).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt
from querymix.core.rules import Rules

from querymix_lab.attacks.logs import Floats, Ints
from querymix_lab.attacks.particles import Particles
from querymix_lab.attacks.scoring import Guesses, Row, TooShortError
from querymix_lab.attacks.simulated import Simulated

KNOWS: Final = "who asked when and in which category, whose each id is, k and the reserve"
PARTICLES: Final = 2_000
"""In a category with as many queries as most; thin ones get up to `_MORE` times as many, for the same time."""
_MORE: Final = 4
THIN: Final = 0.5
"""Categories with fewer queries than this share of what a category has on average are thin."""
SUREST: Final = (0.1, 0.01)
_HOLD_LOOKS: Final = 20
"""Looks at what is held in a `max_hold` (querymix.stages.pooling)."""


@dataclass(frozen=True)
class _Stream:
    """What happens in one category: n arrivals in the order of their times; arrays are by arrival."""

    users: Ints
    lines: Ints
    """The line that each arrival set off; -1: none."""
    left: Ints
    """The user that line stands under; -1: none."""
    looks: Ints
    """How many looks at what is held came before the arrival."""
    deaths: Ints
    """The number of the look at which the query is held too long."""


def arrivals(
    simulated: Simulated,
    rules: Rules,
    seed: int,
    *,
    particles: int = PARTICLES,
    sample: int | None = None,
) -> list[Row]:  # fmt: skip
    """Return the figures of all lines, of the surest tenth and hundredth, and the same of thin categories.

    Args:
        simulated: what was released, of `rules` in `distinct` mode.
        rules: of the pools; the attacker knows k and the reserve, which is the r that X is drawn from 0 to.
        seed: of the attacker's own chance.
        particles: how many; more find more.
        sample: only the first so many arrivals of each category; None: all.

    Raises TooShortError where nothing was released.
    """
    if not len(simulated.released):
        raise TooShortError("arrivals: nothing was released")
    guesses = guessed(simulated, rules, seed, particles=particles, sample=sample)
    sizes = np.bincount(simulated.asked.categories + 2)
    few = sizes[simulated.released.categories[guesses.lines] + 2] < THIN * sizes[sizes > 0].mean()
    rows = list(_rows(simulated, "arrivals", guesses))
    if few.any():
        thin = Guesses(guesses.lines[few], guesses.users[few], guesses.confidence[few])
        rows += _rows(simulated, "arrivals, thin categories", thin)
    return rows


def _rows(simulated: Simulated, name: str, guesses: Guesses) -> Iterator[Row]:
    order = np.argsort(-guesses.confidence, kind="stable")
    for share, of in ((1.0, ""), *((share, f", surest {share:.0%}") for share in SUREST)):
        some = order[: max(1, round(share * len(order)))]
        chosen = Guesses(guesses.lines[some], guesses.users[some], guesses.confidence[some])
        yield simulated.score(name + of, KNOWS, chosen)._asdict()


def guessed(
    simulated: Simulated,
    rules: Rules,
    seed: int,
    *,
    particles: int = PARTICLES,
    sample: int | None = None,
) -> Guesses:  # fmt: skip
    """Return for each line the likeliest owner, surest by its posterior; arguments are those of `arrivals`."""
    rng = np.random.default_rng(seed)
    pools = list(simulated.asked.pools())
    mean = len(simulated.asked) / max(1, len(pools))
    found: list[tuple[int, int, float]] = []
    for places in pools:
        count = round(particles * min(_MORE, max(1.0, mean / len(places))))
        stream = _stream(simulated, rules, places[:sample])
        found += _follow(stream, rules.k, rules.reserve, Particles(count, _buckets(rules), rng))
    return Guesses.of(found)


def _buckets(rules: Rules) -> int:
    return 1 if rules.bound is None else _HOLD_LOOKS + 3


def _stream(simulated: Simulated, rules: Rules, places: npt.NDArray[np.intp]) -> _Stream:
    """Return what happened in the category whose queries stand at `places` of the asked log."""
    asked, released = simulated.asked.take(places), simulated.released
    # A unit of several queries leaves at once; its first line stands for it.
    _, firsts = np.unique(simulated.units, return_index=True)
    here = firsts[released.categories[firsts] == asked.categories[0]]
    here = here[np.argsort(simulated.moments[here], kind="stable")]
    moments = simulated.moments[here]
    # Of arrivals of one moment the last ones set off what left then: a pool that lets nothing out grows.
    back = np.searchsorted(moments, moments, "right") - np.arange(len(moments))
    setters = np.searchsorted(asked.times, moments, "right") - back
    fits = (setters >= 0) & (asked.times[np.maximum(setters, 0)] == moments)
    lines = np.full(len(asked), -1, dtype=np.int64)
    lines[setters[fits]] = here[fits]
    left = np.full(len(asked), -1, dtype=np.int64)
    left[lines >= 0] = released.users[lines[lines >= 0]]
    looks = _looks(simulated.asked.times, rules)
    period = (rules.bound or 0.0) / _HOLD_LOOKS
    limits = looks + period - (rules.bound or 0.0)
    before = np.searchsorted(looks, asked.times, "right")
    return _Stream(asked.users, lines, left, before, np.searchsorted(limits, asked.times, "right"))


def _looks(times: Floats, rules: Rules) -> Floats:
    """Return the moments of the looks at what is held, none where nothing is done about it."""
    if rules.bound is None or len(times) < 2:
        return np.zeros(0)
    looks, at = [], 1
    while at < len(times):
        looks.append(float(times[at]))
        at = int(np.searchsorted(times, times[at] + rules.bound / _HOLD_LOOKS))
    return np.array(looks)


def _follow(stream: _Stream, k: int, reserve: int, cloud: Particles) -> Iterator[tuple[int, int, float]]:
    """Yield (line, likeliest owner, posterior) of one category's lines."""
    waiting: dict[int, int] = {}
    columns = (stream.users.tolist(), stream.lines.tolist(), stream.left.tolist(), stream.deaths.tolist())
    looks = stream.looks.tolist()
    look, told = 0, False
    lines: list[int] = []
    for place, (user, line, left, death) in enumerate(zip(*columns, strict=True)):
        while look < looks[place]:
            for owner, number in cloud.drop(look):
                waiting[owner] = max(0, waiting.get(owner, 0) - number)
            look += 1
        cloud.put(user, death)
        waiting[user] = waiting.get(user, 0) + 1
        if not told:
            cloud.weigh(chance(np.minimum(cloud.size, _users(waiting)), k, reserve, released=left >= 0))
        told = False
        if line < 0:
            continue
        waiting[left] = max(0, waiting.get(left, 0) - 1)
        following = place + 1
        if following < len(looks) and looks[following] == looks[place]:
            # What the next arrival says of those whom two numbers of owners would leave.
            told = True
            after = _users(waiting) + (not waiting.get(columns[0][following]))
            seen = stream.left[following] >= 0
            cloud.take(left, columns[0][following], partial(_next_chance, after, k, reserve, seen))
        else:
            cloud.take(left, None, None)
        lines.append(line)
        if (read := cloud.read()) is not None:
            yield lines[read.number], read.owner, read.weight
    for read in cloud.rest():
        yield lines[read.number], read.owner, read.weight


def _users(waiting: dict[int, int]) -> int:
    return sum(1 for number in waiting.values() if number)


def _next_chance(users: int, k: int, reserve: int, released: bool, owners: Ints) -> Floats:
    return chance(np.minimum(owners, users), k, reserve, released=released)


def chance(owners: Ints, k: int, reserve: int, *, released: bool) -> Floats:
    """Return the probability that something leaves, or that nothing does, by the number of distinct owners."""
    leaves = np.clip((owners - k) / (reserve + 1), 0.0, 1.0)
    return leaves if released else 1.0 - leaves
