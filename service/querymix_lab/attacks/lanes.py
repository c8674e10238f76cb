"""How long users stay in pools, counted in lines of a category: what an attacker learns from a run of its own.

A search leaves its searcher's id in the pool of its category. At each line that leaves the pool the id goes with the
same chance, so distances in lines are alike by day and by night, where those in seconds are not.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from querymix.core.rules import Rules

from querymix_lab.attacks.logs import Floats, Ints
from querymix_lab.attacks.simulated import Simulated, simulate

_PRIOR: Final = 20.0
"""Searches of all categories that are added to those of one."""
_PARTS: Final = 4
"""Parts of a line in which distances are told apart."""
_ALL: Final = -9
"""Stands for all categories."""


@dataclass(frozen=True)
class Lane:
    """The lines of one category, in n cells of time; arrays are by cell."""

    share: float
    """Of all lines."""
    cells: Floats
    """Their beginnings; a second each where times are not cut."""
    starts: Ints
    """Lines before each."""
    counts: Ints
    left: Floats
    """Share of the searches whose id has left before so many lines: at distances of 1 / `_PARTS` of a line."""

    def before(self, distances: Floats) -> Floats:
        """Return the probability that an id leaves at a shorter distance than these, in lines; of any shape."""
        share: Floats = self.left[np.clip(distances * _PARTS, 0, len(self.left) - 1).astype(np.int32)]
        return share

    def places(self, times: Floats, cell: float) -> Floats:
        """Return how many lines came before each search; what a cell does not tell is as even in it."""
        at = np.searchsorted(self.cells, times, "right") - 1
        part = np.clip((times - self.cells[at]) / cell, 0.0, 1.0)
        even = part if cell > 1.0 else np.floor(part)
        came: Floats = np.where(at < 0, 0.0, self.starts[at] + self.counts[at] * even)
        return came


def lanes_of(simulated: Simulated, rules: Rules, seed: int, cell: float) -> dict[int, Lane]:
    """Return the lanes of all categories; distances are learned from a run of the attacker's own."""
    left = _left(simulate(simulated.asked, rules, seed=seed + 1_000), np.random.default_rng(seed))
    released, lanes = simulated.released, {}
    for places in released.pools():
        category = int(released.categories[places[0]])
        cells, counts = np.unique(np.floor(released.times[places] / cell) * cell, return_counts=True)
        share = len(places) / len(released)
        lanes[category] = Lane(share, cells, np.cumsum(counts) - counts, counts, left.get(category, left[_ALL]))
    return lanes


def _left(simulated: Simulated, rng: np.random.Generator) -> dict[int, Floats]:
    """Return by category the share of searches whose id has left before so many lines, see `Lane.left`."""
    asked = simulated.asked
    askings, lines = _leaving(simulated, rng)
    ranks = np.zeros(len(simulated.released), dtype=np.int64)
    distances = np.empty(len(askings))
    for places in simulated.released.pools():
        ordered = places[np.argsort(simulated.moments[places], kind="stable")]
        these = np.flatnonzero(asked.categories[askings] == simulated.released.categories[places[0]])
        before = np.searchsorted(simulated.moments[ordered], asked.times[askings[these]])
        ranks[ordered] = np.arange(len(ordered))
        distances[these] = ranks[lines[these]] - before
    edges = np.unique(np.geomspace(1, max(2.0, distances.max(initial=0) + 2), 50).astype(np.int64))
    edges = np.concatenate([[0], edges])
    common = np.histogram(distances, edges)[0] / max(1, len(asked))
    out = {}
    for category in (_ALL, *np.unique(asked.categories).tolist()):
        waits = distances if category == _ALL else distances[asked.categories[askings] == category]
        of = len(asked) if category == _ALL else int((asked.categories == category).sum())
        shares = (np.histogram(waits, edges)[0] + _PRIOR * common) / (of + _PRIOR)
        sums = np.concatenate([[0.0], np.cumsum(shares)])
        out[category] = np.interp(np.arange(int(edges[-1]) * _PARTS + 1) / _PARTS, edges, sums)
    return out


def _leaving(simulated: Simulated, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return places of searches and of the lines at which their ids left: of those that wait any is as likely."""
    asked, released = simulated.asked, simulated.released
    times = np.concatenate([asked.times, simulated.moments])
    users, categories = (
        np.concatenate(pair) for pair in ((asked.users, released.users), (asked.categories, released.categories))
    )
    order = np.argsort(times, kind="stable")  # what leaves at a moment comes after what arrives then
    chance = rng.random(len(times)).tolist()
    waiting: dict[tuple[int, int], list[int]] = {}
    found: list[tuple[int, int]] = []
    for event, user, category in zip(order.tolist(), users[order].tolist(), categories[order].tolist(), strict=True):
        there = waiting.setdefault((user, category), [])
        if event < len(asked):
            there.append(event)
        elif there:
            found.append((there.pop(int(chance[event] * len(there))), event))
    askings, lines = np.array(found, dtype=np.int64).reshape(-1, 2).T
    return askings, lines - len(asked)
