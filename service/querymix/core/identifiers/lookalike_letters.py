"""Characters that stand for ASCII ones without being a compatibility form of them, and letters that look Latin.

Source: Unicode UTS #39 (confusables), the lower-case and upper-case letters of Cyrillic, Greek and Armenian in it.
"""

from typing import Final

from querymix.core.identifiers.tables import rows


def _seen_as(kind: str) -> dict[str, str]:
    """Return what the characters of one kind are seen as (data/lookalikes.tsv)."""
    found = [row for row in rows("lookalikes.tsv") if row[0] == kind]
    return {chr(int(code, 16)): seen for _, seen, codes in found for code in codes.split(" ")}


LATIN_LOOKALIKES: Final = _seen_as("letter")
"""Letters of other scripts and the Latin ones they look like."""

LATIN_OTHERS: Final = _seen_as("latin")
"""Latin letters that have no decomposition, as they are typed without them."""

ASCII_MARKS: Final = _seen_as("mark")
"""Marks, invisible letters, and letters and digits in circles and squares."""
