"""How a query's text becomes words.

Rules:
- Words are lower case. Punctuation at their ends is dropped; inside it stays ("at&t", "women's", "t-shirts").
- A word that is a host keeps its dots and loses "www." ("www.example.com" -> "example.com").
- Brackets, quotes, commas and slashes between words part them; a URL is reduced to its host.
- A text is read as it shows: without characters that take no room (soft hyphens, joiners), accents that were typed
  after their letters on them, apostrophes and hyphens of every kind as ASCII, bytes that were not UTF-8 as Latin-1.
  Other marks that are not ASCII part words: quotes, inverted question marks, long dashes, emoji.
- Words of another language are known by their folded form: Latin letters without marks, so that it is one whether the
  marks were typed or not.

service/native/src/classify/words.rs and engine.rs (`is_empty`) do the same for ASCII: what changes here changes there.
"""

import re
import unicodedata
from itertools import chain
from typing import Final

from querymix.core.user_ids import shown

_ENDS: Final = "\"'`.,;:!?()[]{}<>|*+=~^_-/\\&%$#@"
_URL: Final = re.compile(r"(?:[a-z]{3,8}:/+)(?:[^\s/@]*@)?([^\s/:?#]+)[^\s]*")
_PARTS: Final = re.compile(r"[\s\"(),;:!?\[\]{}<>|*+=~/\\\x00-\x1f]+")
_HOST: Final = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z]{2,8}")
_TYPED_AFTER: Final = re.compile(r"[^\W\d_][\u0300-\u036f]{1,4}")
"""A letter and the marks behind it. Bounded: to put many in order takes time that grows with the square of them."""
_SIGN: Final = re.compile(r"[^\w\s\x00-\x7f\u00b0\u0300-\u036f]")
_APOSTROPHES: Final = frozenset("\u00b4\u2018\u2019\u201b\u2032\u2035\uff07\uff40")
_LONG_DASHES: Final = frozenset("\u2014\u2015\u2e3a\u2e3b")
_READ_AS: Final = {"Pd": "-", "Po": " ", "Pi": " ", "Pf": " ", "Ps": " ", "Pe": " ", "So": " ", "Sk": " ", "Me": ""}
"""What a sign is read as by its general category; those of other categories stay as they are."""
_PLAIN: Final = {
    "ß": "ss", "œ": "oe", "æ": "ae", "þ": "th", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "\u0131": "i", "ħ": "h",
}  # fmt: skip
"""Latin letters that have no form without a mark in Unicode."""
_FULL_WIDTH: Final = (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
"""Digits and letters as wide as a Chinese character."""


def _folds() -> dict[int, str]:
    """Return what each Latin letter with a mark or of another width folds to, and nothing for each mark by itself."""
    folds = str.maketrans(_PLAIN) | dict.fromkeys(range(0x300, 0x370), "")  # the combining marks
    for code in chain(range(0xC0, 0x250), range(0x1E00, 0x1F00), range(0xFB00, 0xFB07), _FULL_WIDTH):
        plain = unicodedata.normalize("NFKD", chr(code)).translate(folds)
        if plain != chr(code):
            folds[code] = plain.lower()
    return folds


_FOLDS: Final = _folds()


def is_empty(text: str) -> bool:
    """Say whether a query asks for nothing: it is empty or blank, or a lone "-", which logs write for no text."""
    return shown(text) in ("", "-")


def words(text: str) -> list[str]:
    """Return the words of a query in their order."""
    text = text.lower()
    parts = text.split()
    if "".join(parts).isalnum() or not parts:
        return parts
    return _careful_words(text)


def _careful_words(text: str) -> list[str]:
    if not text.isascii():
        text = _SIGN.sub(_read_as, _TYPED_AFTER.sub(_composed, shown(text)))
    cleaned = []
    for part in _PARTS.split(_URL.sub(r" \1 ", text)):
        word = part.strip(_ENDS)
        if word:
            cleaned.append(word.removeprefix("www.").lstrip(_ENDS) if "." in word else word)
    return cleaned


def _composed(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", match[0])


def _read_as(match: re.Match[str]) -> str:
    """Return what a sign that is not ASCII is read as."""
    sign = match[0]
    if 0xDC80 <= ord(sign) <= 0xDCFF:  # a byte that was not UTF-8
        letter = bytes([ord(sign) - 0xDC00]).decode("cp1252", "ignore").lower()
        return letter if letter.isalnum() else " "
    if sign in _APOSTROPHES:
        return "'"
    return " " if sign in _LONG_DASHES else _READ_AS.get(unicodedata.category(sign), sign)


def folded(word: str) -> str:
    """Return a lower-case word in its folded form ("café" -> "cafe", "straße" -> "strasse").

    Letters of other scripts stay as they are.
    """
    return word if word.isascii() else word.translate(_FOLDS)


def is_host(word: str) -> bool:
    """Say whether a word is a host, such as "example.com"."""
    return "." in word and _HOST.fullmatch(word) is not None
