"""What a recognizer is."""

from collections.abc import Callable
from typing import NamedTuple

from querymix.core.identifiers.spans import Findings
from querymix.core.identifiers.tokens import QueryText

Look = Callable[[QueryText, Findings], None]


class Recognizer(NamedTuple):
    """One way to find identifiers."""

    find: Look
    """Adds what it finds in a query; what others found before is there already (names first)."""
    digits: int = 0
    """Fewest digits of a query in which it can find anything: it is not asked about others."""
    stretch: int = 0
    """Fewest characters of the longest stretch without a space."""
    marks: str = ""
    """Marks of which such a query has at least one ("0" stands for any digit); none where that does not matter."""
    words: frozenset[str] = frozenset()
    """Words of which such a query has at least one; none where that does not matter."""
    plain: bool = False
    """Whether it can find anything where there are only letters and spaces."""
