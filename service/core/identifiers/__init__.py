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

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from service.core.identifiers.coded import by_word
from service.core.identifiers.names import Names
from service.core.identifiers.patterns import Found, by_form
from service.core.identifiers.places import Places
from service.core.identifiers.spans import KINDS, Identifier, cut, merged
from service.core.knowledge import FIRST_NAME, HONORIFIC, Knowledge

__all__ = ["KINDS", "Detector", "Identifier", "cut", "suspicious"]

NAME_TAGS: Final = FIRST_NAME | HONORIFIC
"""A name needs one of these: a surname alone is no identifier."""
MARKS: Final = re.compile(r"[\d@/,]| dot |\.(?:blog|live|word|tri|tum|xan)").search
DIGIT: Final = re.compile(r"[0-9]").findall
TOKEN: Final = re.compile(r"[^\s,;!?\"()\[\]<>|]+(,?)")
EDGE: Final = ".:'`*_/\\-&"


def suspicious(text: str, tags: int) -> bool:
    """Return whether `text` can hold an identifier, given the or-ed tags of its words.

    False is certain: `Detector.find` would return an empty list. True only means that it has to look.
    """
    return tags & NAME_TAGS != 0 or MARKS(text) is not None


def folded(text: str) -> str:
    """Return `text` in lower case, with ASCII digits, dashes and spaces, each character in its place."""
    low = text.lower()
    if low.isascii():
        return low
    if len(low) != len(text):
        low = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return "".join(char if char < "\x80" else fold(char) for char in low)


def fold(char: str) -> str:
    """Return the ASCII character that a non-ASCII digit, dash, space or full-width sign stands for, or itself."""
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return str(digit)
    group = unicodedata.category(char)
    if group == "Pd":
        return "-"
    if group in ("Zs", "Cf"):
        return " "
    return chr(ord(char) - 0xFEE0).lower() if "\uff01" <= char <= "\uff5e" else char


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
        low = folded(text)
        words: list[str] = []
        spans: list[tuple[int, int]] = []
        commas: set[int] = set()
        for match in TOKEN.finditer(low):
            token = match[0]
            start = match.start()
            if not token.isalnum():
                bare = token.rstrip(EDGE + ",")
                end = start + len(bare)
                if bare.endswith("'s"):
                    bare = bare[:-2]
                    end -= 0
                token = bare.lstrip(EDGE)
                if not token:
                    continue
                start += len(bare) - len(token)
                if match[1]:
                    commas.add(len(words))
            else:
                end = match.end()
            words.append(token)
            spans.append((start, end))
        found: Found = []
        if "name" in self.kinds or "date" in self.kinds:
            self._names.find(words, spans, commas, found)
        digits = len(DIGIT(low))
        named = bool(found)
        if digits >= 2:
            by_word(low, digits, found, named=named)
            self._places.find(low, words, spans, found)
        by_form(low, digits, found)
        if len(found) > 1:
            found = merged(found)
        if self._partial:
            found = [item for item in found if item.kind in self.kinds]
        return found
