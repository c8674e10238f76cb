"""Finds the numbers of all schemes in one walk over a query's groups of letters and digits.

Rules:
- From each group with a digit on, and from up to two of letters before it, groups are put together as long as some
  pattern begins so (patterns.py).
- Beside one of its words (anywhere in the query) a number counts whatever its check says, in any groups. The word may
  stand right before it: "pesel44051401359".
- Without a word its check has to be right, and one of these has to hold: chance passes it in 1 % at most, or it has
  letters; or its groups are telling; or it is the whole query. What other things have the form of is told as the whole
  query only.
- Without a word a number is none beside the words of products, laws and units (`NO_CODE`, `of_a_thing`), and digits
  alone are none where something else was found before: a card, a device, a phone with a plus sign or its word.
- A word never hinders: it only adds.

What is found is named by the scheme whose word is there, or by that with the rarest chance.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import (
    NO_CODE,
    YEARS,
    article,
    of_a_thing,
    plain_groups,
    plain_number,
    product_code,
    timestamp,
)
from querymix.core.identifiers.recognizers.national.patterns import FEWEST, GAP, NEXT, PATTERN, Patterns
from querymix.core.identifiers.recognizers.national.said import Said
from querymix.core.identifiers.recognizers.national.scheme import Scheme
from querymix.core.identifiers.recognizers.phone import ASKED_WORDS, WORDS
from querymix.core.identifiers.shared import MOMENT_WORDS, a_moment, of_a_product
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText

_GROUP: Final = r"(?<![0a])a{0,16}0[0a]{0,24}(?![0a])"
GROUP: Final = expression(_GROUP)
"""A group with a digit, in a pattern."""
SPOT: Final = expression(rf"{_GROUP}(?:(?<=[0a]{{6}})|(?={GAP}(?:a{{0,6}}0|aa?(?![0a])))|(?=\. ?aaa\.))")
"""One of six signs, or with another group behind it ("12.abc.345/01de-35"): no number is shorter."""
GLUED: Final = expression(r"(?<![0a])(?:a{2,24}-)?(a{2,24})0[0a]{0,24}(?![0a])")
"""Letters with digits right behind them, and what a dash parts from them ("steuer-id12345678911")."""
BEFORE: Final = expression(r"(?<![0a])(?:(a{1,6})[ ./-])?(a{1,6})[ ./-]$")
LETTERS_BEFORE: Final = 14
"""Characters of two groups of letters before a group with a digit."""
AROUND: Final = " .,;:?!'\"()[]{}<>|-_=/*#&~"
"""What may stand around a number that is the whole query."""
LONGEST: Final = 24
"""Letters and digits of the longest number, its country's code included."""
ARTICLE: Final = expression("kb[0-9]{6,7}")
"""One of Microsoft's knowledge base."""
ONLY_YEARS: Final = expression(r"(?:(?:19|20)[0-9]{2}(?:[^0-9]{1,3}(?=[0-9])|$)){2,6}")


class Window(NamedTuple):
    """Groups beside each other."""

    start: int
    end: int
    code: str
    """Its letters and digits."""
    parted: bool
    """Whether there are several groups."""


class Engine:
    """Finds what is of one of `schemes`."""

    def __init__(self, schemes: Iterable[Scheme]) -> None:
        self._schemes = sorted(schemes, key=lambda one: one.chance)

    @cached_property
    def _said(self) -> Said:
        """Made when it is first asked for, as the patterns: most queries have no such number."""
        return Said(self._schemes)

    @cached_property
    def _patterns(self) -> Patterns:
        return Patterns(self._schemes)

    def of(self, code: str) -> tuple[Scheme, ...]:
        """Return the schemes that compact lower-case text has a shape of."""
        return self._patterns.of(code)

    def find(self, query: QueryText, finds: Findings) -> None:
        """Add the numbers of persons."""
        text = query.spaced
        pattern = text.translate(PATTERN)
        spans = self._spans(pattern)
        found: Findings = []
        if spans:
            begin, covered = len(text) - len(text.lstrip(AROUND)), Covered(finds, query)
            size = len(text.rstrip(AROUND))
            for start, end in spans:
                made = pattern[start:end]
                enough, whole = self._patterns.rows(made)
                schemes, first = enough, start
                if end == size and start <= begin + 3:  # alone, or behind the country's code: "nz 49-098-576"
                    country = text[begin:start].rstrip(AROUND)
                    named = tuple(one for one in whole if one.kind[:2] == country)
                    schemes = (named or enough) if country else whole
                    first = begin if named else start
                if schemes and _apart(text, start, end) and ("a" in made or not _in_a_row(text, start, end)):
                    window = _window(text, start, end)
                    best = _first(schemes, window, text[start:end])
                    if best is not None and not _harmless(query, window, covered, sure=best.sure):
                        found.append(Identifier(best.kind, first, end))
        if said := self._said.kinds(query):
            for start, end in {*spans, *_free(pattern)}:
                code = _window(text, start, end).code
                words = [one for one in self._patterns.of(code) if one.kind in said]
                if words and _apart(text, start, end):
                    best = min(words, key=lambda one: (not _right(one, code), one.chance, one.kind))
                    found.append(Identifier(best.kind, start, end))
        if "a0" in pattern:
            found += self._glued(text, pattern)
        finds += found

    def _glued(self, text: str, pattern: str) -> Iterator[Identifier]:
        """Yield numbers right behind their word; one that begins with letters has to have a right check."""
        for match in GLUED.finditer(pattern):
            begin, end = match.span(1)
            for start, kinds in self._said.before(text[match.start() : begin], text[begin:end]):
                for first, last in self._patterns.spans(pattern, begin + start, match.end()):
                    code = _window(text, first, last).code
                    rows = [one for one in self._patterns.of(code) if one.kind in kinds]
                    best = next((one for one in rows if first == end or _right(one, code)), None)
                    if best is not None and _apart(text, first, last, glued=True):
                        yield Identifier(best.kind, first, last)

    def _spans(self, pattern: str) -> list[tuple[int, int]]:
        """Return where a pattern of a scheme stands."""
        spans: list[tuple[int, int]] = []
        for group in SPOT.finditer(pattern):
            at, end = group.span()
            spans += self._patterns.spans(pattern, at, end)
            if at > 1 and pattern[at - 2] == "a":
                before = BEFORE.search(pattern, max(0, at - LETTERS_BEFORE), at)
                if before is not None:
                    for start in (before.start(1), before.start(2)):
                        if start >= 0:
                            spans += self._patterns.spans(pattern, start, end)
        return spans


def _window(text: str, start: int, end: int) -> Window:
    said = text[start:end]
    if said.isalnum():
        return Window(start, end, said, False)
    return Window(start, end, "".join(filter(str.isalnum, said)), True)


def _apart(text: str, start: int, end: int, *, glued: bool = False) -> bool:
    """Return whether nothing goes on with a number before (but for a word that is `glued` to it) or behind it."""
    before, after = text[start - 1] if start and not glued else " ", text[end : end + 2]
    if before.isalnum() or after[:1].isalnum() or (after[:1] in (".", "-") and after[1:].isdigit()):
        return False
    return not (before in ".-" and start > 1 and text[start - 2].isdigit() and text[start].isdigit())


def _right(one: Scheme, code: str) -> bool:
    return one.checks is None or one.checks(code)


def _first(schemes: Sequence[Scheme], window: Window, text: str) -> Scheme | None:
    """Return the first whose check is right; a short one that is not sure has no year in it."""
    code = window.code
    for best in schemes:
        if best.checks is None or best.checks(code):
            break
    else:
        return None
    short = not best.sure and code.isdigit() and len(code) < FEWEST
    return None if short and YEARS.search(text) is not None else best


class Covered:
    """Where something was found before; made when first asked for, since few queries ask."""

    def __init__(self, finds: Findings, query: QueryText) -> None:
        self._finds, self._query = finds, query
        self._marks: dict[bool, bytearray] = {}

    def __call__(self, start: int, end: int, *, sure: bool) -> bool:
        """Return whether all from `start` to `end` was found; where a scheme is sure, by more than a wide form."""
        marks = self._marks.get(sure)
        if marks is None:
            marks = self._marks[sure] = bytearray(len(self._query.spaced))
            for find in self._finds:
                if not (sure and self._loose(find)):
                    marks[find.start : find.end] = b"\x01" * (find.end - find.start)
        return b"\x00" not in marks[start:end]

    def _loose(self, find: Identifier) -> bool:
        """Return whether a right check tells more than what was found: a code, or a phone that nothing says is one."""
        return find.kind == "code" or (
            find.kind == "phone" and self._query.spaced[find.start] != "+" and not self._query.says(WORDS | ASKED_WORDS)
        )


def _harmless(query: QueryText, window: Window, covered: Covered, *, sure: bool) -> bool:
    """Return whether what stands beside a number, or its digits, tell that it is a thing's."""
    text, start, end, code = query.spaced, window.start, window.end, window.code
    if query.says(NO_CODE) or ARTICLE.fullmatch(code) or of_a_product(text, start, end) or of_a_thing(text, start, end):
        return True
    if not code.isdigit():
        return False
    return (
        plain_number(code)
        or plain_groups(text[start:end])
        or product_code(code)
        or (not sure and not window.parted and article(code))
        or timestamp(code)
        or (a_moment(code) and query.says(MOMENT_WORDS))
        or covered(start, end, sure=sure)
    )


def _in_a_row(text: str, start: int, end: int) -> bool:
    """Return whether digits are an amount, years only, or in groups that go on before or behind."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if before[-1:] in ("$", "\u20ac", "\u00a3") or (after[:1] == "," and after[1:].isdigit()):
        return True
    if before[:1].isdigit() and before[1:] == ",":
        return True
    if text[start:end].isdigit():
        return False
    return (
        (before[:1].isdigit() and before[1:] == " ")
        or (after[:1] == " " and after[1:].isdigit())
        or ONLY_YEARS.fullmatch(text, start, end) is not None
    )


def _free(pattern: str) -> Iterator[tuple[int, int]]:
    """Yield groups beside each other however they are parted: with digits each, or one letter, and not short."""
    for group in GROUP.finditer(pattern):
        start, end = group.span()
        signs = end - start
        while signs <= LONGEST:
            if signs >= FEWEST or end == group.end():
                yield start, end
            more = NEXT.match(pattern, end)
            if more is None or more[0].endswith("aa"):
                break
            signs += sum(map(str.isalnum, more[0]))
            end = more.end()
