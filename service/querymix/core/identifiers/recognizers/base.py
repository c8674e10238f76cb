"""What a recognizer is, and the usual one: a form, a check, context words.

Example: `Recognizer(by_form("es_dni", FORM, checks), digits=8)`.

Where a number begins and ends is said here, once: `BEGIN` and `END`. A letter or a digit beside it goes on with it, and
so does a digit behind a mark that stands in numbers (`MARKS`); every other mark is a border, and so is an underscore
(`QueryText.spaced`), a dash after a word or a bullet.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from querymix.core.identifiers.shared import of_a_product
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText

MARKS: Final = ".-"
BEGIN: Final = rf"(?<!\w)(?<![0-9][{MARKS}])"
END: Final = rf"(?!\w|[{MARKS}][0-9])"
NO_AMOUNT: Final = r"(?<!\$)"
"""Before what could be an amount of money."""
LONG: Final = 47
"""Characters of a long query: twelve words of three letters."""

Look = Callable[[QueryText, Findings], None]


class Recognizer(NamedTuple):
    """One way to find identifiers, and when it can find anything; several with the same `find` are its alternatives."""

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
    kind: str,
    form: re.Pattern[str],
    checks: Callable[[str], bool] = _any,
    words: frozenset[str] = frozenset(),
    *,
    products: bool = False,
) -> Look:
    """Return what finds `kind` by its form: what passes `checks`, and beside one of `words` any.

    `products` tells that products' numbers have the form too: beside a maker's name it is one of those.
    """

    def find(query: QueryText, finds: Findings) -> None:
        for match in form.finditer(query.spaced):
            said = query.says(words)
            if said or (checks(match[0]) and not (products and of_a_product(query.spaced, *match.span()))):
                finds.append(Identifier(kind, *match.span()))

    return find
