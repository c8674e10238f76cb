"""What a recognizer is, and the usual one: a form, a check, context words.

Example: `Recognizer(by_form("es_dni", FORM, checks), digits=8)`.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText

LONG: Final = 47
"""Characters of a long query: twelve words of three letters."""

Look = Callable[[QueryText, Findings], None]


class Recognizer(NamedTuple):
    """One way to find identifiers."""

    find: Look
    """Adds what it finds in a query; what others found before is there already (names first)."""
    digits: int = 0
    """Fewest digits of a query in which it can find anything: it is not asked about others."""
    stretch: int = 0
    """Fewest characters of the longest stretch without a space."""
    long: bool = False
    """Whether such a query has `LONG` characters or more."""
    marks: str = ""
    """Marks of which such a query has at least one ("0" stands for any digit); none where that does not matter."""
    words: frozenset[str] = frozenset()
    """Words of which such a query has at least one; none where that does not matter."""
    plain: bool = False
    """Whether it can find anything where there are only letters and spaces."""


def _any(_: str) -> bool:
    return True


def by_form(
    kind: str, form: re.Pattern[str], checks: Callable[[str], bool] = _any, words: frozenset[str] = frozenset()
) -> Look:
    """Return what finds `kind` by its form: what passes `checks`, and beside one of `words` any."""

    def find(query: QueryText, finds: Findings) -> None:
        for match in form.finditer(query.text):
            if checks(match[0]) or query.says(words):
                finds.append(Identifier(kind, *match.span()))

    return find
