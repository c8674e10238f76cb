"""Guesses at what one pool holds: many at once, each with a weight.

Rules:
- A particle has a slot for each owner that it holds queries of. Slots are filled from the first on.
- An owner's queries are told apart only by the look at which they are held too long, which is all that matters later.
- Particles of little weight are replaced by those of much once the effective number falls under a half.
- Each keeps the owners that it drew at the last `LAG` releases, and what it says of one is read after that many. With
  a longer lag too few different particles would be left of those that drew.

Arrays are of shape (slots, particles), since what is done to all particles of a slot is done at once.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np

from querymix_lab.attacks.logs import Floats, Ints

LAG: Final = 10
"""Releases after which one is read: those that follow tell of it."""
_FLOOR: Final = 1e-3
"""Least probability of what is seen: two arrivals of one second may stand the other way round."""
_FEWEST: Final = 0.5
"""Share of particles that count, under which they are drawn anew."""
_MORE: Final = 8
"""Slots that are added where there are too few."""

Evidence = Callable[[Ints], Floats]
"""Numbers of owners -> the probability of what is seen next."""


class Read(NamedTuple):
    """What is said of one release."""

    number: int
    owner: int
    weight: float


class Particles:
    """`count` particles of one pool, whose queries are held too long at one of `looks` looks to come.

    Users are numbers from 0 on.
    """

    def __init__(self, count: int, looks: int, rng: np.random.Generator) -> None:
        self._rng = rng
        self._all = np.arange(count)
        self._names = np.full((0, count), -1, dtype=np.int32)
        """Whose each slot is; -1: nobody's."""
        self._totals = np.zeros((0, count), dtype=np.int32)
        """Queries in each slot."""
        self._held = np.zeros((count, 0, looks), dtype=np.int16)
        """The same by particle, slot and look."""
        self.size: Ints = np.zeros(count, dtype=np.int64)
        """Owners by particle."""
        self._weights: Floats = np.full(count, 1 / count)
        self._drawn = np.full((count, LAG), -1, dtype=np.int32)
        self._released = 0
        self._unread = 0

    @property
    def held(self) -> Ints:
        """Queries by particle."""
        held: Ints = self._totals.sum(axis=0).astype(np.int64)
        return held

    def put(self, owner: int, look: int) -> None:
        """Let an owner have one query more, which is held too long at this look."""
        same = self._names == owner
        there = same.any(axis=0)
        if not there.all() and int(self.size.max()) == len(self._names):
            self._widen()
            same = self._names == owner
        slots = np.where(there, same.argmax(axis=0), self.size)
        self._names[slots, self._all] = owner
        self._totals[slots, self._all] += 1
        self._held[self._all, slots, look % self._held.shape[2]] += 1
        self.size = self.size + ~there

    def weigh(self, chances: Floats) -> None:
        """Take in how likely each particle makes what is seen; shape (particles,)."""
        self._weights = self._weights * np.maximum(chances, _FLOOR)
        self._weights /= self._weights.sum()
        if 1 / (self._weights**2).sum() < _FEWEST * len(self._all):
            self._resample()

    def take(self, user: int, following: int | None, evidence: Evidence | None) -> None:
        """Let one query leave under `user`: its owner is uniform over the others, as far as the next arrival allows.

        `following` is who arrives next, and `evidence` how likely what happens then is by the number of owners.
        """
        width = int(self.size.max())
        names = self._names[:width]
        others = (names >= 0) & (names != user)
        count = others.sum(axis=0)
        # Two kinds of owners: those with whom the pool has one owner fewer at the next arrival, and the rest.
        last = others & (self._totals[:width] == 1)
        fewer, rest = np.ones(len(count)), np.ones(len(count))
        if evidence is not None and following is not None:
            theirs = names == following
            last &= ~theirs
            then = self.size + ~theirs.any(axis=0)
            chances = np.maximum(evidence(np.arange(int(then.max()) + 1)), _FLOOR)
            fewer, rest = chances[np.maximum(then - 1, 0)], chances[then]
        lasts = last.sum(axis=0)
        some, all_of = lasts * fewer, lasts * fewer + (count - lasts) * rest
        of_last = self._rng.random(len(count)) * all_of < some
        chosen = np.where(of_last, last, others & ~last)
        rank = self._rng.random(len(count)) * np.where(of_last, lasts, count - lasts)
        slots = (np.cumsum(chosen, axis=0, dtype=np.int32) <= rank.astype(np.int32)).sum(axis=0)
        slots = np.clip(slots, 0, np.maximum(self.size - 1, 0))
        self._drawn[:, self._released % LAG] = self._names[slots, self._all]
        self._released += 1
        self._remove(slots)
        self.weigh(all_of / np.maximum(count, 1))

    def drop(self, look: int) -> list[tuple[int, int]]:
        """Let go what is held too long at this look; return (owner, number) as the particles have it on average."""
        going = self._held[:, :, look % self._held.shape[2]].T
        if not going.any():
            return []
        gone = []
        for owner in np.unique(self._names[going > 0]).tolist():
            mean = (going * (self._names == owner)).sum(axis=0) @ self._weights
            gone.append((owner, round(float(mean))))
        self._totals -= going
        self._held[:, :, look % self._held.shape[2]] = 0
        alive = self._totals > 0
        order = np.argsort(~alive, axis=0, kind="stable")
        self._names = np.take_along_axis(np.where(alive, self._names, -1), order, axis=0)
        self._totals = np.take_along_axis(self._totals, order, axis=0)
        self._held = self._held[self._all[:, None], order.T]
        self.size = alive.sum(axis=0)
        return gone

    def read(self) -> Read | None:
        """Return what is said of the release `LAG` - 1 before the last, None where there is none yet."""
        return self._read() if self._released - self._unread >= LAG else None

    def rest(self) -> Iterator[Read]:
        """Yield what is said of the releases that were not read."""
        while self._unread < self._released:
            yield self._read()

    def _read(self) -> Read:
        drawn = self._drawn[:, self._unread % LAG]
        weights = np.bincount(drawn + 1, self._weights)
        best = int(np.argmax(weights))
        self._unread += 1
        return Read(self._unread - 1, best - 1, float(weights[best]))

    def _remove(self, slots: Ints) -> None:
        several = np.flatnonzero(self._totals[slots, self._all] > 1)
        rows = self._held[several, slots[several]]
        sums = np.cumsum(rows, axis=1)
        number = self._rng.random(len(several)) * sums[:, -1]
        look = np.minimum((sums <= number[:, None]).sum(axis=1), rows.shape[1] - 1)
        self._held[several, slots[several], look] -= 1
        self._totals[slots, self._all] -= 1
        empty = np.flatnonzero(self._totals[slots, self._all] <= 0)
        at, last = slots[empty], np.maximum(self.size[empty] - 1, 0)
        for array, nothing in ((self._names, -1), (self._totals, 0)):
            array[at, empty] = array[last, empty]
            array[last, empty] = nothing
        self._held[empty, at] = self._held[empty, last]
        self._held[empty, last] = 0
        self.size[empty] = last

    def _widen(self) -> None:
        self._names = np.pad(self._names, ((0, _MORE), (0, 0)), constant_values=-1)
        self._totals = np.pad(self._totals, ((0, _MORE), (0, 0)))
        self._held = np.pad(self._held, ((0, 0), (0, _MORE), (0, 0)))

    def _resample(self) -> None:
        count = len(self._all)
        steps = (np.arange(count) + self._rng.random()) / count
        chosen = np.minimum(np.searchsorted(np.cumsum(self._weights), steps), count - 1)
        self._names, self._totals = self._names[:, chosen], self._totals[:, chosen]
        self._held, self.size, self._drawn = self._held[chosen], self.size[chosen], self._drawn[chosen]
        self._weights = np.full(count, 1 / count)
