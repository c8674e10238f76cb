"""The shapes of names as regular expressions over signs, one character a word.

Rules:
- A sign stands for all roles of a word and for what follows it (shapes.sign), so a role is a class of characters.
- What begins at a place depends on the next `LONGEST` signs alone. Queries repeat each other's signs, so answers are
  remembered, a bounded number of them.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, NamedTuple

from querymix.core.identifiers.names.shapes import BREAK, COMMA, NOTHING, ROLES, SHAPES, WORDS

LONGEST: Final = 10
"""Words of a name that are looked at, before what goes along."""


@cache
def _class(role: str, after: tuple[int, ...]) -> str:
    """Return the class of the signs that can be `role` with `after` after them: in ranges, which compile sooner."""
    asks = ROLES[role]
    codes = sorted(ord(one) for one, word in WORDS.items() if asks(word) and word.after in after)
    begins = [code for code, before in zip(codes, [-1, *codes], strict=False) if code != before + 1]
    ends = [code for code, behind in zip(codes, [*codes[1:], -1], strict=True) if code + 1 != behind]
    return "[" + "".join(f"{chr(begin)}-{chr(end)}" for begin, end in zip(begins, ends, strict=True)) + "]"


def pattern(roles: str, *, ends: bool = True) -> str:
    """Return the regular expression of a shape, over the characters that `sign` gives.

    `ends` tells that a break may stand after the last word.
    """
    *before, last = roles.split()
    if last.endswith("?"):
        return f"(?:{pattern(roles[:-1], ends=ends)}|{pattern(' '.join(before), ends=ends)})"
    inner = [
        _class(part.rstrip("+,"), (COMMA,) if "," in part else (NOTHING,)) + "{1,4}" * ("+" in part) for part in before
    ]
    free = (COMMA,) if "," in last else (NOTHING, BREAK, COMMA) if ends else (NOTHING,)
    return "".join(inner) + _class(last.rstrip(","), free)


def any_of(shapes: Iterable[str], *, ends: bool = True, then: str = "") -> re.Pattern[str]:
    """Return one expression that matches where any of `shapes` does, and `then` after it."""
    return re.compile(f"(?:{'|'.join(pattern(shape, ends=ends) for shape in shapes)}){then}")


_ANY: Final = any_of(shape.roles for shape in SHAPES)


def first_place(signs: str, at: int = 0) -> int:
    """Return the first place from `at` on where a name can begin, or -1."""
    match = _ANY.search(signs, at)
    return match.start() if match else -1


first_of_all: Final = lru_cache(maxsize=1 << 13)(first_place)
"""The same, remembered: most queries have roles that another one had."""

_TITLE: Final = any_of(["title", "honorific"], ends=False)
_COMPILED: Final = tuple((any_of([shape.roles]), shape.counts) for shape in SHAPES)


class Candidate(NamedTuple):
    """A name by its shape alone: `size` words, of which `skipped` are a title before it."""

    size: int
    skipped: int
    counts: str


@lru_cache(maxsize=1 << 14)
def candidates(signs: str) -> tuple[Candidate, ...]:
    """Return the names that begin at the first of `signs`, the longest first. At most `LONGEST` signs are needed."""
    starts = (0, 1) if _TITLE.match(signs) else (0,)
    matches = [
        Candidate(match.end(), start, counts)
        for start in starts
        for shape, counts in _COMPILED
        if (match := shape.match(signs, start))
    ]
    return tuple(sorted(set(matches), reverse=True))
