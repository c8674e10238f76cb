"""The patterns that the numbers of all schemes have: what is "0" for each digit, "a" for each letter, and marks.

Rules:
- Every pattern of every scheme stands in one dictionary, so a further scheme costs nothing: there is no expression of
  all.
- The patterns of a shape of which many places may be either a letter or a digit are not spelled out (Brazil's newer
  CNPJ has 4,096): they are found by their sizes, "00.000.000/0000-00", and then held against the shape.
- A pattern tells which schemes count anywhere and which as the whole query only (engine.py).
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate, product
from typing import Final, NamedTuple

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.national.scheme import RARE, Scheme, telling

PATTERN: Final = str.maketrans(dict.fromkeys("123456789", "0") | dict.fromkeys("bcdefghijklmnopqrstuvwxyz", "a"))
SIZES: Final = str.maketrans("adlx", "0000")
WIDE: Final = 8
"""Places of a shape that may be either, from which on its patterns are not spelled out."""
GAP: Final = r"(?: ?[-./(] ?| )"
"""What may stand between two groups; a bracket as in "a123456(3)"."""
NEXT: Final = expression(GAP + r"[0a]{1,16}(?![0a])")
ANY_MARK: Final = (" ", ".", "-", "/", " - ")
"""What "~" stands for; the last one between two groups only."""
FEWEST: Final = 9
"""Digits of a number without letters that is told as the whole query (in groups one less): fewer are a date, an amount,
an article."""
ONE_CHECK: Final = 0.13
ONE_LETTER: Final = 0.35
"""Of random strings, the share from which on a whole query tells nothing either: there is no check digit, or the first
or last letter may be nearly any."""
_SIZES: Final = expression("[0-9]{1,2}")


class Rows(NamedTuple):
    """The schemes of a pattern, those with the rarest chance first."""

    enough: tuple[Scheme, ...] = ()
    """Of which a right check is enough."""
    whole: tuple[Scheme, ...] = ()
    """Of which it is where there is nothing else in the query, those and others."""


NO_ROWS: Final = Rows()


class Patterns:
    """The patterns of schemes, those with the rarest chance first."""

    def __init__(self, schemes: Iterable[Scheme]) -> None:
        self._shapes: dict[str, tuple[Scheme, ...]] = {}
        self._rows: dict[str, Rows] = {}
        self._wide: dict[str, Rows] = {}
        self._begins: set[str] = set()
        self._wide_begins: set[str] = set()
        for one in schemes:
            adding = _Adding(one)
            for places in one.places:
                wide = places.count("x") >= WIDE
                table, begins = (self._wide, self._wide_begins) if wide else (self._rows, self._begins)
                for shape in (places.translate(SIZES),) if wide else _shapes(places):
                    self._shapes[shape] = (*self._shapes.get(shape, ()), one)
                    adding.add(table, [shape], "~")
                    begins.add(shape)
                    for groups in one.groups:
                        adding.add(table, _patterns(shape, groups, begins), groups)

    def of(self, code: str) -> tuple[Scheme, ...]:
        """Return the schemes that compact lower-case text has a shape of."""
        pattern = code.translate(PATTERN)
        sizes = pattern.translate(SIZES)
        found = self._shapes.get(pattern, ())
        return found if sizes not in self._wide else _fitting({*found, *self._shapes[sizes]}, pattern)

    def rows(self, made: str) -> Rows:
        """Return the schemes that a pattern is of."""
        rows = self._rows.get(made, NO_ROWS)
        wide = self._wide.get(made.translate(SIZES)) if "a" in made else None
        if wide is None:
            return rows
        code = "".join(filter(str.isalnum, made))
        return Rows((*rows.enough, *_fitting(wide.enough, code)), (*rows.whole, *_fitting(wide.whole, code)))

    def spans(self, pattern: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield where a pattern of a scheme stands from `start` on, whose first group ends at `end`."""
        while True:
            made = pattern[start:end]
            known, begun = made in self._rows, made in self._begins
            if not begun and "a" in made:
                sizes = made.translate(SIZES)
                known, begun = sizes in self._wide, sizes in self._wide_begins
            if not begun:
                return
            if known:
                yield start, end
            more = NEXT.match(pattern, end)
            if more is None:
                return
            end = more.end()


class _Adding:
    """Adds a scheme to tables of patterns, with the same rows for all that had the same before."""

    def __init__(self, one: Scheme) -> None:
        self._one = one
        self._sure = one.sure
        self._made: dict[tuple[int, bool, bool], tuple[Rows, Rows]] = {}
        """What was there, by its place in memory, and what is there now."""

    def add(self, table: dict[str, Rows], patterns: Iterable[str], groups: str) -> None:
        """Add patterns; "~" is in `groups` where the marks are not the scheme's own."""
        one, own = self._one, "~" not in groups
        enough = self._sure or (own and (one.chance <= RARE or telling(groups)))
        for pattern in patterns:
            whole = own or self._sure or one.chance <= _limit(pattern)
            before = table.get(pattern, NO_ROWS)
            made = self._made.get((id(before), enough, whole))
            if made is None:
                rows = Rows((*before.enough, one) if enough else before.enough, before.whole)
                made = before, rows._replace(whole=(*before.whole, one)) if whole else rows
                self._made[id(before), enough, whole] = made
            table[pattern] = made[1]


def _limit(pattern: str) -> float:
    """Return up to which chance a whole query with a pattern tells something."""
    if "a" in pattern:
        return ONE_LETTER
    figures = pattern.count("0")
    return ONE_CHECK if figures >= FEWEST - (figures < len(pattern)) else 0


def _fitting(schemes: Iterable[Scheme], code: str) -> tuple[Scheme, ...]:
    """Return the schemes that have the shape of a pattern without marks."""
    return tuple(one for one in schemes if any(_fits(places, code) for places in one.places))


def _fits(places: str, code: str) -> bool:
    return len(places) == len(code) and all(
        place == "x" or (place == "d") is (sign == "0") for place, sign in zip(places, code, strict=True)
    )


def _shapes(places: str) -> Iterator[str]:
    """Yield the patterns of a shape without marks, with a digit and with a letter where either may be."""
    for signs in product(*({"d": "0", "l": "a", "x": "0a"}[place] for place in places)):
        yield "".join(signs)


def _patterns(shape: str, groups: str, begins: set[str]) -> Iterator[str]:
    """Yield the patterns that a shape has in groups; none where their sizes are not its length.

    What ends with a group or is whole is added to `begins`.
    """
    sizes, gaps = _parts(groups)
    if sum(sizes) == len(shape):
        ends = list(accumulate(sizes))
        pieces = [shape[end - size : end] for size, end in zip(sizes, ends, strict=True)]
        for marks in gaps:
            pattern = ""
            for piece, mark in zip(pieces, marks, strict=True):
                pattern += piece
                begins.add(pattern)
                pattern += mark
            begins.add(pattern)
            yield pattern


@cache
def _parts(groups: str) -> tuple[list[int], list[list[str]]]:
    """Return the sizes of groups, and what may stand behind each: a list for each mark that "~" stands for."""
    groups = groups.removesuffix("!")
    marks = ANY_MARK[: 5 if groups.count("~") == 1 else 4] if "~" in groups else ("~",)
    sizes = [int(size) for size in _SIZES.findall(groups)]
    return sizes, [_SIZES.split(groups.replace("~", mark))[1:] for mark in marks]
