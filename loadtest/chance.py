"""Where a made-up log's chance comes from: even draws that depend on seed, user and session alone, and cost little.

A generator of its own for each session would cost more than the session's rows. So there is one table of even draws,
and each session reads it from a place of its own, every number moved by a distance of its own, round the circle from 0
to 1 (Cranley and Patterson 1976, "Randomization of Number Theoretic Methods"). Place and distance are the bits of a
linear congruential generator that begins, for each user, with the user's number mixed as SplitMix64 does (Steele, Lea
and Flood 2014, "Fast Splittable Pseudorandom Number Generators"), and makes a step each session. Good enough to make
records up, and for nothing that has to stay secret.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from loadtest.world import Draw

_SIZE: Final = 1 << 16
_AT_ONCE: Final = 16
_MASK: Final = (1 << 64) - 1


class Chance:
    """Gives the draws of each session; `draw` fills the table. A user's state is one whole number."""

    def __init__(self, seed: int, draw: Draw) -> None:
        self._seed = _mixed(seed & _MASK) ^ _mixed(seed >> 64)
        table = [draw() for _ in range(_SIZE)]
        self._table = table + table[:_AT_ONCE]

    def first(self, user: int) -> tuple[Draw, int]:
        """Return the first draws of a user, and its state."""
        return self.next(_mixed(self._seed ^ _mixed(user)))

    def next(self, state: int) -> tuple[Draw, int]:
        """Return the draws of a user's next session, and its state after that."""
        state = (state * 0xD1342543DE82EF95 + 0x9E3779B97F4A7C15) & _MASK
        return chain.from_iterable(self._blocks(state >> 48, (state & 0xFFFFFFFFFFFF) / (1 << 48))).__next__, state

    def _blocks(self, place: int, distance: float) -> Iterator[list[float]]:
        table, back = self._table, distance - 1.0
        while True:
            yield [
                moved if (moved := number + back) >= 0.0 else moved + 1.0 for number in table[place : place + _AT_ONCE]
            ]
            place = (place + _AT_ONCE) & (_SIZE - 1)


def _mixed(number: int) -> int:
    number = (number + 0x9E3779B97F4A7C15) & _MASK
    number = ((number ^ number >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    number = ((number ^ number >> 27) * 0x94D049BB133111EB) & _MASK
    return number ^ number >> 31
