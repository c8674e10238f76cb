"""Random numbers: uniform, without bias, and cheap enough for one or two draws a log.

Rules:
- What protects people comes from the operating system's generator, read in blocks.
- A seeded generator makes figures come out the same again, and protects nobody: no release of the service is its.
- A number is used once and forgotten; a process that is forked off reads its own.

Reduction: D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29(1), 2019.
"""

import os
import random
from collections.abc import Callable, Iterable
from typing import Final
from weakref import WeakSet

_WORDS: Final = 4096
_MASK: Final = 0xFFFF_FFFF
_WIDE_MASK: Final = 0xFFFF_FFFF_FFFF_FFFF
Words = tuple["Draw", list[int], list[int] | None]
"""The draw that reads words, those that it has read, of which the last is used first, and where numbers are noted."""


class Draw:
    """Uniform integers out of a source of random bytes. `read` answers a number of bytes with that many random ones."""

    __slots__ = ("__weakref__", "_block", "_read")

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._block: list[int] = []

    def below(self, n: int) -> int:
        """Return an integer drawn uniformly from 0 to n - 1, for 1 <= n <= 2**64."""
        block = self._block
        if not block:
            block.extend(memoryview(self._read(4 * _WORDS)).cast("I"))
        product = block.pop() * n
        if product & 0xFFFF_FFFF < n:
            if n > _MASK + 1:
                return self._below_wide(n)
            # Rare: this low part may belong to the few values that would come up once too often.
            refuse = (_MASK + 1 - n) % n
            while product & _MASK < refuse:
                product = self._word() * n
        return product >> 32

    def _below_wide(self, n: int) -> int:
        """Draw as `below` does, out of two words at once."""
        refuse = (_WIDE_MASK + 1 - n) % n
        while (product := ((self._word() << 32) | self._word()) * n) & _WIDE_MASK < refuse:
            pass
        return product >> 64

    def words(self) -> Words | None:
        """Return what service/native/src/pools/draw.rs draws from; None where it has to call `below`."""
        return (self, self._block, None) if type(self) is Draw else None

    def forget(self) -> None:
        """Drop the numbers that were read and not used yet."""
        self._block.clear()

    def _word(self) -> int:
        if not self._block:
            self._block.extend(memoryview(self._read(4 * _WORDS)).cast("I"))
        return self._block.pop()


class RecordingDraw(Draw):
    """Draws from another one, and remembers what was drawn."""

    __slots__ = ("_source", "drawn")

    def __init__(self, source: Draw) -> None:
        self._source = source
        self.drawn: list[int] = []

    def below(self, n: int) -> int:
        """Return an integer drawn uniformly from 0 to n - 1."""
        number = self._source.below(n)
        self.drawn.append(number)
        return number

    def words(self) -> Words | None:
        """Return those of the source, and where what is drawn is noted."""
        words = self._source.words()
        return (*words[:2], self.drawn) if words is not None and words[2] is None else None


class RepeatingDraw(Draw):
    """Draws again what was drawn before."""

    __slots__ = ("_drawn",)

    def __init__(self, drawn: Iterable[int]) -> None:
        self._drawn = iter(drawn)

    def below(self, n: int) -> int:
        """Return the next number that was drawn. Raises ValueError where there is none, or none below `n`."""
        number = next(self._drawn, n)
        if not 0 <= number < n:
            raise ValueError("these numbers were drawn for another decision")
        return number


_SYSTEM: Final = WeakSet[Draw]()


def system_draw() -> Draw:
    """Return a draw from the operating system's generator: the only one that protects people."""
    draw = Draw(os.urandom)
    _SYSTEM.add(draw)
    return draw


def random_key() -> bytes:
    """Return 16 bytes from the operating system's generator."""
    return os.urandom(16)


def random_bytes(size: int) -> bytes:
    """Return so many bytes from the operating system's generator."""
    return os.urandom(size)


def _forget() -> None:
    """Else a forked process and the one that it left would draw the same numbers."""
    for draw in _SYSTEM:
        draw.forget()


os.register_at_fork(after_in_child=_forget)


def seeded_draw(seed: int) -> Draw:
    """Return a draw that repeats itself for the same seed. Its state can be recovered from what it emits."""
    return Draw(random.Random(seed).randbytes)
