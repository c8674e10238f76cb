"""The trail attack: the times at which one person searched point to the id that the person's lines stand under.

Each search leaves its searcher's id in a pool, and the id leaves the pool some time later. How long that takes, and
how often it comes to it, the attacker learns from a run of its own over a similar log. So it knows at what rate lines
should stand under the person's id, and compares each id's lines with that rate: the log likelihood ratio of a Poisson
process with it to one that goes as all released lines do. With the categories of the searches, the same by category.

Ids of a period: the candidates are the ids of the period that a search lies in, and what the person asked in the 30
days before counts too. Ids of a release or of a line: as many as leave in a day are the candidates.

The attacker knows n times at which the person searched (or all), how long ids last, and the released log.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from querymix.core.rules import Rules

from querymix_lab.attacks.logs import Floats, Ints, Log
from querymix_lab.attacks.scoring import Row, TooShortError, interval
from querymix_lab.attacks.simulated import Period, Simulated, simulate

KNOWS: Final = "when one person searched"
KNOWN: Final[tuple[int | None, ...]] = (1, 5, 10, 20, 50, None)
"""Numbers of searches that the attacker knows; None: all."""
PEOPLE: Final = 200
PERIODS: Final = 25
PEOPLE_OF_A_PERIOD: Final = 40
_DAY: Final = 86_400.0
_BEFORE: Final = 30 * _DAY
"""Searches so long before a period count in it."""
_EDGES: Final = np.concatenate([[0.0], np.geomspace(1.0, 40 * _DAY, 57)])
"""Delays in seconds between which all are as likely."""
_PRIOR: Final = 50.0
"""Delays of all categories that are added to those of one."""
_NEAR: Final = 1_800.0
"""Seconds to either side within which lines tell how many leave."""
_REST: Final = 0.02
"""Least share of an id's lines that no known search explains."""


@dataclass(frozen=True)
class Delays:
    """How long ids stay in a pool: by category, in the last row of all; shapes (categories + 1, edges) and so on."""

    below: Floats
    """Share of the searches whose id has left after each of `_EDGES`."""

    def within(self, category: int, first: Floats, last: Floats) -> Floats:
        """Return the probability that an id leaves between two delays."""
        row = self.below[category]
        chance: Floats = np.interp(last, _EDGES, row) - np.interp(first, _EDGES, row)
        return chance


def delays(simulated: Simulated, categories: int) -> Delays:
    """Return the delays of a run in which it is known who stands where.

    Of one user's lines of a category the first is taken for its first search's, and so on.
    """
    asked, released = simulated.asked, simulated.released
    came, left = _numbered(asked, asked.times), _numbered(released, simulated.moments)
    _, askings, lines = np.intersect1d(came, left, return_indices=True)
    waits = simulated.moments[lines] - asked.times[askings]
    counts = np.zeros((categories + 1, len(_EDGES) - 1))
    at = np.clip(np.searchsorted(_EDGES, waits, "right") - 1, 0, counts.shape[1] - 1)
    np.add.at(counts, (asked.categories[askings] + 2, at), 1.0)
    counts[-1] = counts.sum(axis=0)
    totals = np.append(np.bincount(asked.categories + 2, minlength=categories), len(asked)).astype(np.float64)
    prior = counts[-1] / max(1.0, totals[-1])
    shares = (counts + _PRIOR * prior) / (totals + _PRIOR)[:, None]
    return Delays(np.concatenate([np.zeros((len(shares), 1)), np.cumsum(shares, axis=1)], axis=1))


def _numbered(log: Log, times: Floats) -> Ints:
    """Return a number for each line that is the same for the n-th of one user and category in any log."""
    groups = log.users * 64 + log.categories + 2
    order = np.lexsort((times, groups))
    ordered = groups[order]
    firsts = np.searchsorted(ordered, ordered)
    numbers = np.empty(len(log), dtype=np.int64)
    numbers[order] = ordered * (1 << 32) + np.arange(len(log)) - firsts
    return numbers


@dataclass(frozen=True)
class _Window:
    """The lines of one period, which is all that is looked at for a person."""

    start: float
    end: float
    times: Floats
    categories: Ints
    users: Ints
    ids: Ints
    """Places in `owners`."""
    owners: Ints
    """Whose each id is: what the attacker wants."""
    usual: Floats
    """By line: the share of all lines that leave in its cell of time."""
    usual_there: Floats
    """The same, of its category and in its cell."""


def _windows(simulated: Simulated, period: Period, cell: float, rng: np.random.Generator) -> Iterator[_Window]:
    length = period if isinstance(period, float) else None if period is None else _DAY
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
    usual = _usual(log.times, cell)
    there = np.empty(len(log))
    for places in log.pools():
        # Few lines of a category are near, so what all categories do counts too.
        share = len(places) / len(log)
        there[places] = 0.5 * share * usual[places] + 0.5 * share * _usual(log.times[places], cell)
    return _Window(start, end, log.times, log.categories, log.users, ids.reshape(-1), log.users[firsts], usual, there)


def _usual(times: Floats, cell: float) -> Floats:
    """Return for each line the share of the lines that leave in a cell of time like its own."""
    near = 0.0 if cell >= 2 * _NEAR else _NEAR
    ordered = np.sort(times)
    count = np.searchsorted(ordered, times + cell + near) - np.searchsorted(ordered, times - near)
    share: Floats = np.maximum(count, 1) * (cell / (cell + 2 * near)) / len(times)
    return share


def _rates(window: _Window, delay: Delays, times: Floats, categories: Ints | None, cell: float) -> tuple[Floats, float]:
    """Return by line how many lines of the person are expected in its cell, and how many in the whole window."""
    rates = np.zeros(len(window.times))
    expected = 0.0
    for category in np.unique(categories) if categories is not None else (-1,):
        if categories is None:
            asked, places, row = times, np.arange(len(rates)), -1
        else:
            asked, places = times[categories == category], np.flatnonzero(window.categories == category)
            row = int(category) + 2
        expected += float(
            delay.within(row, np.maximum(window.start - asked, 0), np.maximum(window.end - asked, 0)).sum()
        )
        cells, which = np.unique(window.times[places], return_inverse=True)
        sums = np.zeros(len(cells))
        for at in asked.tolist():
            first, last = np.searchsorted(cells, [at - cell + 1e-9, at + _EDGES[-1]])
            waits = cells[first:last] - at
            sums[first:last] += delay.within(row, np.maximum(waits, 0.0), waits + cell)
        rates[places] = sums[which]
    return rates, expected


def _named(window: _Window, rates: Floats, expected: float, usual: Floats) -> Ints:
    """Return the likeliest ids, most often one."""
    lines = np.bincount(window.ids).astype(np.float64)
    rest = np.maximum(lines - expected, _REST * lines) / lines
    ratios = np.log(rest[window.ids] + rates / (lines[window.ids] * usual))
    score = np.bincount(window.ids, ratios) + (1 - rest) * lines
    return np.flatnonzero(score == score.max())


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
    rng, cell = np.random.default_rng(seed), precision or 1.0
    size = int(simulated.asked.categories.max(initial=0)) + 3
    delay = delays(simulate(simulated.asked, rules, seed=seed + 1_000), size)
    windows = list(_windows(simulated, period, cell, rng))
    most = people if period is None else PEOPLE_OF_A_PERIOD
    trials = [(window, person) for window in windows for person in _people(simulated, window, period, most, rng)]
    return [
        _row(simulated, delay, trials, number, with_categories, cell, rng)
        for number in known
        for with_categories in (False, True)
    ]


def _people(
    simulated: Simulated, window: _Window, period: Period, most: int | None, rng: np.random.Generator
) -> Ints:  # fmt: skip
    asked = simulated.asked
    there = asked.users[(asked.times >= window.start) & (asked.times < window.end)]
    return rng.permutation(np.intersect1d(there, window.users))[:most]


def _row(
    simulated: Simulated,
    delay: Delays,
    trials: list[tuple[_Window, int]],
    number: int | None,
    with_categories: bool,
    cell: float,
    rng: np.random.Generator,
) -> Row:
    asked = simulated.asked
    width = int(asked.users.max(initial=0)) + 1
    right, tried, chance = np.zeros(width), np.zeros(width), 0.0
    for window, person in trials:
        there = np.flatnonzero(
            (asked.users == person) & (asked.times >= window.start - _BEFORE) & (asked.times < window.end)
        )
        if number is not None:
            if len(there) < number:
                continue
            there = rng.choice(there, number, replace=False)
        categories = asked.categories[there] if with_categories else None
        rates, expected = _rates(window, delay, asked.times[there], categories, cell)
        best = _named(window, rates, expected, window.usual_there if with_categories else window.usual)
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
