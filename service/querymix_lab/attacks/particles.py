"""Guesses at what one pool holds: many at once, each with a weight.

Rules:
- A particle has a slot for each owner that it holds queries of. Slots are filled from the first on.
- An owner's queries are told apart only by the look at which they are held too long, which is all that matters later.
- Particles of little weight are replaced by those of much once the effective number falls under a half.
- Each keeps the owners that it drew at the last `LAG` releases, and what it says of one is read after that many.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from querymix_lab.attacks.logs import Floats, Ints

LAG: Final = 10
"""Releases after which one is read: those that follow tell of it."""
_FLOOR: Final = 1e-3
"""Least probability of what is seen: two arrivals of one second may stand the other way round."""
_FEWEST: Final = 0.5
"""Share of particles that count, under which they are drawn anew."""

Evidence = Callable[[Ints], Floats]
"""Numbers of owners -> the probability of what is seen next."""


class Read(NamedTuple):
    """What is said of one release."""

    number: int
    owner: int
    weight: float


class Particles:
    """`count` particles of one pool, whose queries are held too long at one of `buckets` looks to come."""

    def __init__(self, count: int, buckets: int, rng: np.random.Generator) -> None:
        self._rng = rng
        self._all = np.arange(count)
        self._names = np.full((count, 32), -1, dtype=np.int32)
        self._held = np.zeros((count, 32, buckets), dtype=np.int16)
        self._totals = np.zeros((count, 32), dtype=np.int32)
        self.size: Ints = np.zeros(count, dtype=np.int64)
        """Owners by particle."""
        self._weights: Floats = np.full(count, 1 / count)
        self._drawn = np.full((count, LAG), -1, dtype=np.int32)
        self._released = 0
        self._unread = 0

    def put(self, owner: int, look: int) -> None:
        """Let an owner have one query more, which is held too long at this look."""
        slots, there = self._find(owner)
        if not there.all():
            if int(self.size.max()) == self._names.shape[1]:
                self._widen()
            slots = np.where(there, slots, self.size)
            self._names[self._all, slots] = owner
            self.size = self.size + ~there
        self._held[self._all, slots, look % self._held.shape[2]] += 1
        self._totals[self._all, slots] += 1

    def weigh(self, chances: Floats) -> None:
        """Take in how likely each particle makes what is seen; shape (count,)."""
        self._weights = self._weights * np.maximum(chances, _FLOOR)
        self._weights /= self._weights.sum()
        if 1 / (self._weights**2).sum() < _FEWEST * len(self._all):
            self._resample()

    def take(self, user: int, following: int | None, evidence: Evidence | None) -> None:
        """Let one query leave under `user`: its owner is uniform over the others, as far as the next arrival allows.

        `following` is who arrives next, and `evidence` how likely what happens then is by the number of owners.
        """
        width = int(self.size.max())
        filled = np.arange(width) < self.size[:, None]
        odds = (filled & (self._names[:, :width] != user)).astype(np.float32)
        if evidence is not None and following is not None:
            single = self._totals[:, :width] == 1
            theirs = self._names[:, :width] == following
            coming = ~theirs.any(axis=1)
            least = int(self.size.min()) - 1
            table = np.maximum(evidence(np.arange(least, width + 2)), _FLOOR)
            fewer = single & ~theirs
            odds *= table[self.size[:, None] + coming[:, None] - fewer - least]
        sums = np.cumsum(odds, axis=1)
        candidates = np.maximum(1, (odds > 0).sum(axis=1))
        total = sums[:, -1]
        slots = np.minimum((sums <= (self._rng.random(len(total)) * total)[:, None]).sum(axis=1), self.size - 1)
        slots = np.maximum(slots, 0)
        self._note(self._names[self._all, slots])
        self._remove(slots)
        self.weigh((total / candidates).astype(np.float64))

    def drop(self, look: int) -> list[tuple[int, int]]:
        """Let go what is held too long at this look; return (owner, number) as most particles have it."""
        bucket = look % self._held.shape[2]
        going = self._held[:, :, bucket]
        gone = []
        for owner in np.unique(self._names[going > 0]).tolist():
            mean = (going * (self._names == owner)).sum(axis=1) @ self._weights
            gone.append((owner, round(float(mean))))
        self._totals -= going
        self._held[:, :, bucket] = 0
        alive = self._totals > 0
        order = np.argsort(~alive, axis=1, kind="stable")
        self._names = np.take_along_axis(np.where(alive, self._names, -1), order, axis=1)
        self._totals = np.take_along_axis(self._totals, order, axis=1)
        self._held = np.take_along_axis(self._held, order[:, :, None], axis=1)
        self.size = alive.sum(axis=1)
        return gone

    def read(self) -> Read | None:
        """Return what is said of the release `LAG` - 1 before the last, None where there is none yet."""
        return self._read() if self._released - self._unread >= LAG else None

    def rest(self) -> Iterator[Read]:
        """Yield what is said of the releases that were not read."""
        while self._unread < self._released:
            yield self._read()

    def _read(self) -> Read:
        owners, which = np.unique(self._drawn[:, self._unread % LAG], return_inverse=True)
        weights = np.bincount(which.reshape(-1), self._weights)
        best = int(np.argmax(weights))
        self._unread += 1
        return Read(self._unread - 1, int(owners[best]), float(weights[best]))

    def _note(self, owners: npt.NDArray[np.int32]) -> None:
        self._drawn[:, self._released % LAG] = owners
        self._released += 1

    def _find(self, owner: int) -> tuple[Ints, npt.NDArray[np.bool_]]:
        same = self._names == owner
        slots = same.argmax(axis=1)
        return slots, same[self._all, slots]

    def _remove(self, slots: Ints) -> None:
        rows = self._held[self._all, slots]
        sums = np.cumsum(rows, axis=1)
        number = self._rng.random(len(slots)) * sums[:, -1]
        bucket = np.minimum((sums <= number[:, None]).sum(axis=1), rows.shape[1] - 1)
        self._held[self._all, slots, bucket] -= 1
        self._totals[self._all, slots] -= 1
        empty = np.flatnonzero(self._totals[self._all, slots] <= 0)
        at, last = slots[empty], np.maximum(self.size[empty] - 1, 0)
        for array, nothing in ((self._names, -1), (self._totals, 0), (self._held, 0)):
            array[empty, at] = array[empty, last]
            array[empty, last] = nothing
        self.size[empty] = last

    def _widen(self) -> None:
        more = self._names.shape[1]
        self._names = np.pad(self._names, ((0, 0), (0, more)), constant_values=-1)
        self._totals = np.pad(self._totals, ((0, 0), (0, more)))
        self._held = np.pad(self._held, ((0, 0), (0, more), (0, 0)))

    def _resample(self) -> None:
        count = len(self._all)
        steps = (np.arange(count) + self._rng.random()) / count
        chosen = np.minimum(np.searchsorted(np.cumsum(self._weights), steps), count - 1)
        self._names, self._totals, self._held = self._names[chosen], self._totals[chosen], self._held[chosen]
        self.size, self._drawn = self.size[chosen], self._drawn[chosen]
        self._weights = np.full(count, 1 / count)
