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
SPELLED: Final = ("dot", " at ", "akia", "arroba")
"""What shows in plain letters that something other than a name may be there."""


def suspicious(text: str, tags: int) -> bool:
    """Return whether `text` can hold an identifier, given the or-ed tags of its words (`text.lower().split()`).

    False is certain: `Detector.find` would find nothing. True only means that it has to look.
    """
    if (tags & NAME_TAGS and " " in text) or not text.isascii() or not text.replace(" ", "").isalpha():
        return True
    low = text.lower()
    return any(sign in low for sign in SPELLED)


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
        seen = see(text)
        query = QueryText(seen.text, self._knowledge)
        finds: Finds = []
        self._names.find(query, finds)
        if query.plain:
            for look in PLAIN:
                look(query, finds)
        else:
            digits = query.digits
            for needed, look in BY_DIGITS:
                if digits < needed:
                    break
                look(query, finds)
        if finds:
            finds = merged(whole(find, query.text) for find in finds)
            if seen.moved:
                finds = merged(Identifier(kind, *seen.span(start, end)) for kind, start, end in finds)
            if self._partial:
                finds = [find for find in finds if find.kind in self.kinds]
        return finds


BY_DIGITS: Final = sorted(((one.digits, one.find) for one in ALL), key=lambda pair: pair[0])
"""The recognizers in the order of the digits they need: the first that needs more than there are ends the search."""
PLAIN: Final = tuple(one.find for one in ALL if one.plain)
