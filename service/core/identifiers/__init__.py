"""Personal identifiers in a query: found, cut from the text, and told by kind only.

Rules:
- `suspicious` answers from the text's characters and the or-ed tags of its words whether `Detector.find` can find
  anything at all; most queries end there.
- Three finders work side by side: patterns.py (form and checksum) with coded.py (a word beside), places.py, names.py.
  Their finds are merged, so that no part of an overlapping one remains; a kind that is switched off is dropped last, so
  that its text is not cut under another kind's name.
- Case, non-ASCII digits, dashes and spaces are folded first, character by character, so spans hold in the given text.
- Nothing here keeps, logs or raises text. Time is linear in the text's length.

Source: spec/streaming.md, "HIPAA Safe Harbor identifiers" (45 CFR 164.514(b)(2)(i)).
"""

from collections.abc import Iterable
from typing import Final

from service.core.identifiers.coded import by_word
from service.core.identifiers.names import Names
from service.core.identifiers.patterns import by_form
from service.core.identifiers.places import Places
from service.core.identifiers.spans import KINDS, Found, Identifier, cut, merged
from service.core.identifiers.tokens import Query
from service.core.knowledge import FIRST_NAME, HONORIFIC, Knowledge

__all__ = ["KINDS", "Detector", "Identifier", "cut", "suspicious"]

NAME_TAGS: Final = FIRST_NAME | HONORIFIC
"""A name needs one of these, and a word more: a surname or a given name alone is no identifier."""


def suspicious(text: str, tags: int) -> bool:
    """Return whether `text` can hold an identifier, given the or-ed tags of its words (`text.lower().split()`).

    False is certain: `Detector.find` would find nothing. True only means that it has to look.
    """
    if (tags & NAME_TAGS and " " in text) or not text.isascii() or not text.replace(" ", "").isalpha():
        return True
    return "dot" in text.lower()  # an address spelled out


class Detector:
    """Finds the identifiers of a query. Holds no state between calls.

    Args:
        knowledge: tags and web references of words and phrases.
        kinds: the kinds to report, of `KINDS`.

    Raises:
        ValueError: for an unknown kind.
    """

    def __init__(self, knowledge: Knowledge, kinds: Iterable[str] = KINDS) -> None:
        self.kinds = frozenset(kinds)
        unknown = self.kinds.difference(KINDS)
        if unknown:
            raise ValueError(f"unknown kinds of identifier: {', '.join(sorted(unknown))}; known: {', '.join(KINDS)}")
        self._names = Names(knowledge)
        self._places = Places(knowledge)
        self._partial = len(self.kinds) < len(KINDS)

    def find(self, text: str) -> list[Identifier]:
        """Return the identifiers of `text`, sorted and disjoint."""
        query = Query(text)
        found: Found = []
        self._names.find(query, found)
        if query.digits:
            by_word(query, found, named=bool(found))
            if query.digits > 1 or found:
                self._places.find(query, found)
        if not query.plain or "dot" in query.words:
            by_form(query, found)
        if len(found) > 1:
            found = merged(found)
        if self._partial:
            found = [item for item in found if item.kind in self.kinds]
        return found
