"""The trail attack: the times at which one person searched point to the id that the person's lines stand under.

Each search leaves its searcher's id in a pool, and the id leaves the pool some lines later. After how many, and how
often it comes to it, the attacker learns from a run of its own over a similar log, by category. So it knows how likely
each line stands under the person's id, and compares each id's lines with that: the log likelihood ratio of a Poisson
process to one in which any line is as likely as another. Where the categories of the searches are not known, they are
guessed: a search most often sets off a line of its category at its own moment, under whatever id.

Ids of a period: the candidates are the ids of the period that a search lies in, and what the person asked in the 30
days before counts too. Ids of a release or of a line: those of a day's lines are the candidates. People are those who
searched in the period and stand in it under an id: who does not stand there cannot be named.

The attacker knows n times at which the person searched (or all), how long ids last, and the released log.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from querymix.core.periods import Period
from querymix.core.rules import Rules
from scipy.special import gammaln

from querymix_lab.attacks.lanes import Lane, lanes_of
from querymix_lab.attacks.logs import Floats, Ints, Log
from querymix_lab.attacks.scoring import Row, TooShortError, interval
from querymix_lab.attacks.simulated import Simulated

KNOWS: Final = "when one person searched"
KNOWN: Final[tuple[int | None, ...]] = (1, 5, 10, 20, 50, None)
"""Numbers of searches that the attacker knows; None: all."""
PEOPLE: Final = 200
PERIODS: Final = 25
PEOPLE_OF_A_PERIOD: Final = 40
_DAY: Final = 86_400.0
_BEFORE: Final = 30 * _DAY
"""Searches so long before a period count in it."""
_CHUNK: Final = 4_000_000
"""Distances that are looked up at once."""
_NEAR: Final = 1_800.0
"""Seconds to either side within which lines tell how many leave."""
_SETS_OFF: Final = 0.9
"""About how often a search sets off a line."""
_LEAST: Final = 1e-4
"""What a search that is less likely of a category tells of it is left out."""
_EPSILON: Final = 1e-3
"""Seconds by which a time is off at most."""
_REST: Final = 0.02
"""Least share of an id's lines that no known search explains."""
_ALIKE: Final = 1.5
"""Ids with so many times fewer or more lines tell how many ids have as many as one."""


@dataclass(frozen=True)
class _Window:
    """The lines of one period, which is all that is looked at for a person."""

    start: float
    end: float
    lines: Log
    ids: Ints
    """By line: its place in `owners`."""
    owners: Ints
    """Whose each id is: what the attacker wants."""


def _windows(simulated: Simulated, period: Period, cell: float, rng: np.random.Generator) -> Iterator[_Window]:
    length = _DAY if isinstance(period, str) else period
    if length is None:
        start = float(simulated.asked.times[0])
        yield _window(simulated, np.arange(len(simulated.released)), start, simulated.moments.max() + cell, cell)
        return
    left = simulated.moments if cell <= 1.0 else simulated.released.times + cell
    numbers = np.floor(left / length).astype(np.int64)
    for number in rng.permutation(np.unique(numbers))[:PERIODS].tolist():
        back = 0.0 if cell <= 1.0 else cell
        yield _window(
            simulated, np.flatnonzero(numbers == number), number * length - back, (number + 1) * length - back, cell
        )


def _window(simulated: Simulated, lines: npt.NDArray[np.intp], start: float, end: float, cell: float) -> _Window:
    log = simulated.released.take(lines)
    _, firsts, ids = np.unique(simulated.ids[lines], return_index=True, return_inverse=True)
    return _Window(start, end, log, ids.reshape(-1), log.users[firsts])


def _guessed(lanes: dict[int, Lane], lines: Floats, times: Floats, cell: float) -> dict[int, Floats]:
    """Return by category how likely each search is of it, from the lines in its cell; `lines` are all lines' times."""
    near = 0.0 if cell >= 2 * _NEAR else _NEAR
    begins = np.floor(times / cell) * cell
    around = np.searchsorted(lines, begins + cell + near) - np.searchsorted(lines, begins - near)
    usual = np.maximum(around, 1) * cell / (cell + 2 * near)
    weights = {}
    for category, lane in lanes.items():
        at = np.maximum(np.searchsorted(lane.cells, begins + _EPSILON) - 1, 0)
        there = np.where(np.abs(lane.cells[at] - begins) < _EPSILON, lane.counts[at], 0)
        weights[category] = lane.share * (1 - _SETS_OFF + _SETS_OFF * there / (lane.share * usual))
    total = np.sum(list(weights.values()), axis=0)
    return {category: weight / total for category, weight in weights.items()}


def _ratios(
    window: _Window, lanes: dict[int, Lane], times: Floats, weights: dict[int, Floats], cell: float
) -> tuple[Floats, float]:
    """Return by line how likely it is the person's, times the lines of the window, and how many are expected in all."""
    ratios, expected = np.zeros(len(window.lines)), 0.0
    for places in window.lines.pools():
        category = int(window.lines.categories[places[0]])
        lane, weight = lanes[category], weights[category]
        some = np.flatnonzero(weight > _LEAST)
        which = np.searchsorted(lane.cells, window.lines.times[places] + _EPSILON) - 1
        first, last = int(which.min()), int(which.max()) + 1
        starts, counts = lane.starts[first:last], lane.counts[first:last]
        came, sums = lane.places(times[some], cell), np.zeros(last - first)
        step = max(1, _CHUNK // len(sums))
        for at in range(0, len(some), step):
            before = came[at : at + step, None]
            sums += weight[some[at : at + step]] @ (
                lane.before(starts + counts - before) - lane.before(starts - before)
            )
        ratios[places] = (sums / counts)[which - first] * len(window.lines)
        expected += float(sums.sum())
    return ratios, expected


def _named(window: _Window, ratios: Floats, expected: float, *, whole: bool) -> Ints:
    """Return the likeliest ids, most often one; `whole`: all of the person's searches are known.

    Somebody else's lines are any number that is seen of ids, and go as all lines do. The person's own go at `rates`,
    and beside them as all lines do: a little where all searches are known, else as many as no known search explains.
    """
    lines = np.bincount(window.ids).astype(np.float64)
    if whole:
        rest = np.full(len(lines), _REST * max(expected, 1.0))
        volume = -expected - _log_chance(lines) - gammaln(lines + 1)
    else:
        rest = np.maximum(lines - expected, _REST * lines)
        volume = lines - rest - lines * np.log(lines)
    score = np.bincount(window.ids, np.log(rest[window.ids] + ratios)) + volume
    return np.flatnonzero(score == score.max())


def _log_chance(lines: Floats) -> Floats:
    """Return for each id the log probability that an id has as many lines, from ids with about as many."""
    ordered = np.sort(lines)
    least, most = np.floor(lines / _ALIKE), np.ceil(lines * _ALIKE)
    near = np.searchsorted(ordered, most, "right") - np.searchsorted(ordered, least)
    chance: Floats = np.log(near / len(lines) / (most - least + 1))
    return chance


def trail(
    simulated: Simulated,
    rules: Rules,
    seed: int,
    *,
    period: Period = None,
    precision: float | None = None,
    people: int | None = PEOPLE,
    known: Sequence[int | None] = KNOWN,
) -> list[Row]:  # fmt: skip
    """Return how often a person's id is the likeliest, by times and with categories, by number of known searches.

    Args:
        simulated: what was released.
        rules: of the pools, for the attacker's own run.
        seed: of the attacker's chance and of its run.
        period: how long ids last in `simulated`.
        precision: the grid of times in `simulated`, in seconds.
        people: how many are looked for; None: all. Of each of `PERIODS` periods `PEOPLE_OF_A_PERIOD` are.
        known: numbers of searches that the attacker knows; None: all.

    Raises TooShortError where nobody has lines to be found.
    """
    if not len(simulated.released):
        raise TooShortError("trail: nothing was released")
    rng, cell = np.random.default_rng(seed), precision or 1.0
    lanes = lanes_of(simulated, rules, seed, cell)
    windows = list(_windows(simulated, period, cell, rng))
    most = people if period is None else PEOPLE_OF_A_PERIOD
    trials = [(window, person) for window in windows for person in _people(simulated, window, period, most, rng)]
    return [
        _row(simulated, lanes, trials, number, with_categories, cell, rng)
        for number in known
        for with_categories in (False, True)
    ]


def _people(
    simulated: Simulated, window: _Window, period: Period, most: int | None, rng: np.random.Generator
) -> Ints:  # fmt: skip
    asked = simulated.asked
    there = asked.users[(asked.times >= window.start) & (asked.times < window.end)]
    return rng.permutation(np.intersect1d(there, window.lines.users))[:most]


def _row(
    simulated: Simulated,
    lanes: dict[int, Lane],
    trials: list[tuple[_Window, int]],
    number: int | None,
    with_categories: bool,
    cell: float,
    rng: np.random.Generator,
) -> Row:
    asked = simulated.asked
    width = int(asked.users.max(initial=0)) + 1
    lines = np.sort(simulated.released.times)
    right, tried, chance = np.zeros(width), np.zeros(width), 0.0
    for window, person in trials:
        there = np.flatnonzero(
            (asked.users == person) & (asked.times >= window.start - _BEFORE) & (asked.times < window.end)
        )
        if number is not None:
            if len(there) < number:
                continue
            there = np.sort(rng.choice(there, number, replace=False))
        times, categories = asked.times[there], asked.categories[there]
        if with_categories:
            weights = {category: (categories == category).astype(np.float64) for category in lanes}
        else:
            weights = _guessed(lanes, lines, times, cell)
        ratios, expected = _ratios(window, lanes, times, weights, cell)
        best = _named(window, ratios, expected, whole=number is None)
        right[person] += float((window.owners[best] == person).mean())
        tried[person] += 1
        chance += float((window.owners == person).mean())
    if not tried.any():
        raise TooShortError("trail: nobody has lines to be found and so many searches")
    low, high = interval(right[tried > 0], tried[tried > 0])
    name = f"trail, {'all' if number is None else number} known" + (", with categories" if with_categories else "")
    total = float(tried.sum())
    return {
        "attack": name, "knows": KNOWS + (" and in which categories" if with_categories else ""), "lines": int(total),
        "success": float(right.sum() / total), "low": low, "high": high, "baseline": chance / total,
    }  # fmt: skip
