"""All recognizers over one query.

Rules:
- `suspicious` answers from the text's characters and the or-ed tags of its words whether `Detector.find` can find
  anything at all; most queries end there.
- The text is normalized once (seen.py). Names are looked for first, then each recognizer that the number of digits
  lets in. Finds are made whole and merged, so that no part of one remains; a kind that is switched off is dropped
  last, so that its text is not cut under another kind's name.
- Nothing here keeps, logs or raises text. Time is linear in the text's length.

Source: 45 CFR 164.514(b)(2)(i), the HIPAA Safe Harbor identifiers.
"""

from collections.abc import Iterable
from typing import Final

from service.core.identifiers.names import Names
from service.core.identifiers.recognizers import ALL
from service.core.identifiers.seen import see
from service.core.identifiers.spans import KINDS, Finds, Identifier, merged, whole
from service.core.identifiers.tokens import QueryText
from service.core.knowledge import FIRST_NAME, HONORIFIC, Knowledge

NAME_TAGS: Final = FIRST_NAME | HONORIFIC
"""A name needs one of these, and a word more: a surname or a given name alone is no identifier."""


def suspicious(text: str, tags: int) -> bool:
    """Return whether `text` can hold an identifier, given the or-ed tags of its words (`text.lower().split()`).

    False is certain: `Detector.find` would find nothing. True only means that it has to look.
    """
    if (tags & NAME_TAGS and " " in text) or not text.isascii() or not text.replace(" ", "").isalpha():
        return True
    return spelled(text.lower())


def spelled(low: str) -> bool:
    """Return whether plain letters in lower case can hold an address that is spelled out, or a key."""
    return "dot" in low or " at " in low or "arroba" in low or "akia" in low


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
        self._knowledge = knowledge
        self._names = Names(knowledge)
        self._partial = len(self.kinds) < len(KINDS)

    def find(self, text: str) -> list[Identifier]:
        """Return the identifiers of `text`, sorted and disjoint."""
        finds: Finds = []
        if text.isascii() and text.replace(" ", "").isalpha():
            seen = None
            query = QueryText(text, self._knowledge, plain=True)
            self._names.find(query, finds)
            if spelled(query.text):
                for look in PLAIN:
                    look(query, finds)
        else:
            seen = see(text)
            query = QueryText(seen.text, self._knowledge)
            self._names.find(query, finds)
            _look(query, finds)
        if finds:
            finds = [whole(find, query.text) for find in finds]
            if len(finds) > 1:
                finds = merged(finds)
            if seen is not None and seen.moved:
                finds = merged(Identifier(kind, *seen.span(start, end)) for kind, start, end in finds)
            if self._partial:
                finds = [find for find in finds if find.kind in self.kinds]
        return finds


def _look(query: QueryText, finds: Finds) -> None:
    """Ask the recognizers that can find anything in a query that is not plain."""
    digits, size, marks, vocabulary = query.digits, len(query.text), query.marks, query.vocabulary
    for fewest, shortest, signs, words, look in TABLE:
        if digits < fewest:
            break
        if not (size < shortest or (signs and marks.isdisjoint(signs)) or (words and vocabulary.isdisjoint(words))):
            look(query, finds)


TABLE: Final = sorted(((one.digits, one.length, one.marks, one.words, one.find) for one in ALL), key=lambda row: row[0])
"""The recognizers in the order of the digits they need: the first that needs more than there are ends the search."""
PLAIN: Final = tuple(one.find for one in ALL if one.plain)
