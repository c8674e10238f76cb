"""How well two attacks on the released log would do, estimated while it is written.

The anonymizer knows the owner of each query that it releases, so it can tell whether an attacker who sees only the
released lines would name it: `d1` undoes the pairing at random (Pàmies-Estrems et al. 2016, Algorithm 3), `kernel`
looks for users whose own lines stand close by. Success above 1/k means that releases hide their owners less than they
should. How nearness counts (`width`, `nearness`) is said here alone: the laboratory's kernel attack on whole logs takes
it from here. Its d1 draws, where this one adds up probabilities.

Rules:
- One line in 16 k is attacked: the one in the middle of a stretch of 8 k + 1 lines of its category; then 8 k lines
  are passed over. So the work for a line does not grow with k, nor the memory with the log.
- `kernel` takes a user's share of the category's lines from those that are kept.
- `d1` is not drawn: of the pool that it rebuilds, a line is still there after so many others with probability
  (1 - 1/k) for each, and the same holds for users. What is added is its probability of success.

A line is what is given as one: the rows of one query may be given once.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import repeat
from math import exp
from operator import mul
from typing import Final, NamedTuple

from querymix.core.records import Release

ATTACKS: Final = ("d1", "kernel")
"""Fields of `Guesses`."""
_REACH: Final = 2
"""How far `kernel` looks to either side, in its N = 2 k: what is farther weighs less than e**-2."""


def width(k: int) -> float:
    """Return the kernel's N for a threshold k, in releases."""
    return 2.0 * k


def nearness(n: float, reach: int) -> list[float]:
    """Return exp(-d / N) for the lines up to `reach` before and after one, d their distance in releases.

    The line itself has 0.
    """
    near = [exp(-abs(distance) / n) for distance in range(-reach, reach + 1)]
    near[reach] = 0.0
    return near


class Guesses(NamedTuple):
    """How many lines were attacked, and how many of their owners each attack named; a success may be a probability."""

    lines: int
    d1: float
    kernel: float

    def plus(self, other: "Guesses") -> "Guesses":
        """Return the sum of both."""
        return Guesses(self.lines + other.lines, self.d1 + other.d1, self.kernel + other.kernel)

    def figures(self) -> dict[str, float]:
        """Return how many lines were attacked, and each attack's success."""
        lines = max(1, self.lines)
        return {"lines": self.lines, "d1": round(self.d1 / lines, 4), "kernel": round(self.kernel / lines, 4)}


NONE: Final = Guesses(0, 0.0, 0.0)


class Score:
    """Attacks what one stream of releases shows, category by category; `k` is that of the pools."""

    def __init__(self, k: int) -> None:
        self._k = k
        self._reach = 2 * _REACH * k
        self._size = 2 * self._reach + 1
        self._near: list[float] = []
        """Made for the first line that is attacked, as it grows with k: a log of few releases needs none."""
        self._left: list[float] = []
        self._windows: dict[int, _Window] = {}

    def __repr__(self) -> str:
        return f"Score(k={self._k})"

    def see(self, releases: Iterable[Release]) -> dict[int, Guesses]:
        """Take in releases in the order in which they are written; return what the attacks came to, by category."""
        together = defaultdict[int, list[Release]](list)
        for release in releases:
            together[release[3]].append(release)
        found: dict[int, Guesses] = {}
        for pool, rows in together.items():
            guesses = self._add(self._windows.setdefault(pool, _Window()), rows)
            if guesses.lines:
                found[pool] = guesses
        return found

    def _add(self, window: "_Window", rows: list[Release]) -> Guesses:
        """Add a category's lines, and attack each stretch that is whole."""
        start, guesses = 0, NONE
        while start < len(rows):
            if window.passed_over:
                some = rows[start : start + window.passed_over]
                window.passed_over -= len(some)
            else:
                some = rows[start : start + self._size - len(window.users)]
                window.users += [release[0] for release in some]
                window.owners += [release[2][0] for release in some]
            start += len(some)
            if len(window.users) == self._size:
                if not self._near:
                    self._weigh()
                guesses = guesses.plus(Guesses(1, self._d1(window), self._kernel(window)))
                window.users, window.owners, window.passed_over = [], [], self._size - 1
        return guesses

    def _weigh(self) -> None:
        k, size = self._k, self._size
        self._near = [weight + 1 / size for weight in nearness(width(k), self._reach)]
        self._left = [(1 - 1 / k) ** age / k for age in range(size - 1, -1, -1)]

    def _kernel(self, window: "_Window") -> bool:
        user, owner = window.users[self._reach], window.owners[self._reach]
        if owner == user or owner not in window.users:
            return False
        weights = _sums(window.users, self._near)
        del weights[user]
        return max(weights, key=weights.__getitem__) == owner

    def _d1(self, window: "_Window") -> float:
        chance = _sums(window.users, self._left).get
        success: float = sum(map(mul, self._left, map(chance, window.owners, repeat(0.0))))
        return success


class _Window:
    """The lines of one category's stretch, as far as it has come."""

    __slots__ = ("owners", "passed_over", "users")

    def __init__(self) -> None:
        self.users: list[str] = []
        self.owners: list[str] = []
        self.passed_over = 0
        """Lines to be passed over before the next stretch."""


def _sums(users: list[str], weights: list[float]) -> dict[str, float]:
    sums: dict[str, float] = {}
    before = sums.get
    for user, weight in zip(users, weights, strict=True):
        sums[user] = before(user, 0.0) + weight
    return sums
