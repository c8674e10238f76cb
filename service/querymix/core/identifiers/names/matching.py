"""The shapes of names in a text of signs, one character a word.

Rules:
- A sign stands for all roles of a word and for what follows it (shapes.sign).
- All shapes are followed at once, with a bit for each word of each: a bit that is set says that the shape stands up to
  here. A shape with a repeated or a missing word has bits for each of its lengths. To make a regular expression of all
  shapes would take a tenth of a second.
- Of one shape the longest counts. What begins at a place depends on the next `LONGEST` signs alone. Queries repeat each
  other's signs, so answers are remembered, a bounded number of them.

Source: R. Baeza-Yates, G. H. Gonnet: A new approach to text searching. CACM 35 (10), 1992 (Shift-And).
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from querymix.core.expressions import expression
from querymix.core.identifiers.names.shapes import BREAK, COMMA, NOTHING, ROLES, SHAPES, WORDS, followed

LONGEST: Final = 10
"""Words of a name that are looked at, before what goes along."""
MOST: Final = 4
"""Words that one with a plus stands for."""

Part = tuple[str, tuple[int, ...]]
"""What a shape asks of a word: a role, and what may stand after it."""


def lines(roles: str, *, ends: bool = True) -> Iterator[list[Part]]:
    """Yield what a shape asks of its words in each of its lengths, the longest first.

    `ends` tells that a break may stand after the last word.
    """
    *before, last = roles.split()
    if last.endswith("?"):
        yield from lines(roles[:-1], ends=ends)
        yield from lines(" ".join(before), ends=ends)
        return
    made: list[list[Part]] = [[]]
    for word in before:
        part = (word.rstrip("+,"), (COMMA,) if "," in word else (NOTHING,))
        times = range(MOST, 0, -1) if "+" in word else (1,)
        made = [[*line, *[part] * count] for line in made for count in times]
    after = (COMMA,) if "," in last else (NOTHING, BREAK, COMMA) if ends else (NOTHING,)
    yield from ([*line, (last.rstrip(","), after)] for line in made)


@cache
def _signs(role: str) -> tuple[str, ...]:
    """Return the signs that can be `role`, with nothing after them."""
    asks = ROLES[role]
    return tuple(one for one, word in WORDS.items() if word.after == NOTHING and asks(word))


@cache
def _class(role: str, after: tuple[int, ...]) -> str:
    """Return the class of the signs that can be `role` with `after` after them: in ranges, which compile sooner."""
    codes = sorted(ord(followed(one, behind)) for one in _signs(role) for behind in after)
    begins = [code for code, before in zip(codes, [-1, *codes], strict=False) if code != before + 1]
    ends = [code for code, behind in zip(codes, [*codes[1:], -1], strict=True) if code + 1 != behind]
    return "[" + "".join(f"{chr(begin)}-{chr(end)}" for begin, end in zip(begins, ends, strict=True)) + "]"


def any_of(shapes: Iterable[str], *, ends: bool = True, then: str = "") -> re.Pattern[str]:
    """Return an expression of a few shapes: it matches where any of them stands, and `then` after it."""
    made = ["".join(_class(*part) for part in line) for shape in shapes for line in lines(shape, ends=ends)]
    return expression(f"(?:{'|'.join(made)}){then}")


class _Bits(dict[str, int]):
    """The bits that a sign leaves set, made when it is first met."""

    def __init__(self, shapes: Iterable[str]) -> None:
        super().__init__()
        self.begins = 0
        self.ends = 0
        self.shapes: dict[int, int] = {}
        """The number of a shape by the bit of its last word."""
        self._parts: dict[Part, int] = {}
        bit = 1
        for number, shape in enumerate(shapes):
            for line in lines(shape):
                self.begins |= bit
                for part in line:
                    self._parts[part] = self._parts.get(part, 0) | bit
                    bit <<= 1
                self.ends |= bit >> 1
                self.shapes[bit >> 1] = number
                bit <<= 1  # one that no sign leaves set, so that no line goes on into the next

    def __missing__(self, one: str) -> int:
        word, bits = WORDS[one], 0
        for (role, after), places in self._parts.items():
            if word.after in after and ROLES[role](word):
                bits |= places
        self[one] = bits
        return bits


_BITS: Final = _Bits(shape.roles for shape in SHAPES)
_BEGINS: Final = _BITS.begins
_ENDS: Final = _BITS.ends


def first_place(signs: str, at: int = 0) -> int:
    """Return the first place from `at` on where a name can begin, or -1."""
    for place in range(at, len(signs)):
        state, end = _BEGINS & _BITS[signs[place]], place + 1
        while state:
            if state & _ENDS:
                return place
            if end == len(signs):
                break
            state = (state << 1) & _BITS[signs[end]]
            end += 1
    return -1


first_of_all: Final = lru_cache(maxsize=1 << 13)(first_place)
"""The same, remembered: most queries have roles that another one had."""

_TITLE: Final = any_of(["title", "honorific"], ends=False)


class Candidate(NamedTuple):
    """A name by its shape alone: `size` words, of which `skipped` are a title before it."""

    size: int
    skipped: int
    counts: str


@lru_cache(maxsize=1 << 14)
def candidates(signs: str) -> tuple[Candidate, ...]:
    """Return the names that begin at the first of `signs`, the longest first. At most `LONGEST` signs are needed."""
    starts = (0, 1) if _TITLE.match(signs) else (0,)
    matches = {
        Candidate(end, start, SHAPES[number].counts)
        for start in starts
        for number, end in _longest(signs, start).items()
    }
    return tuple(sorted(matches, reverse=True))


def _longest(signs: str, start: int) -> dict[int, int]:
    """Return the numbers of the shapes that begin at `start`, each with the place after its longest."""
    found: dict[int, int] = {}
    state = _BEGINS
    for place in range(start, len(signs)):
        state &= _BITS[signs[place]]
        ended = state & _ENDS
        while ended:
            last = ended & -ended
            found[_BITS.shapes[last]] = place + 1
            ended ^= last
        if not state:
            break
        state <<= 1
    return found
