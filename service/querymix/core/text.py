"""How a query's text becomes words.

Rules:
- Words are lower case. Punctuation at their ends is dropped; inside it stays ("at&t", "women's", "t-shirts").
- A word that is a host keeps its dots and loses "www." ("www.example.com" -> "example.com").
- Brackets, quotes, commas and slashes between words part them; a URL is reduced to its host.
"""

import re
from typing import Final

from querymix.core.user_ids import shown

_ENDS: Final = "\"'`.,;:!?()[]{}<>|*+=~^_-/\\&%$#@\u2018\u2019\u201c\u201d\u00ab\u00bb"
_URL: Final = re.compile(r"(?:[a-z]{3,8}:/+)(?:[^\s/@]*@)?([^\s/:?#]+)[^\s]*")
_PARTS: Final = re.compile(r"[\s\"(),;:!?\[\]{}<>|*+=~/\\\x00-\x1f]+")
_HOST: Final = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z]{2,8}")


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
    cleaned = []
    for part in _PARTS.split(_URL.sub(r" \1 ", text)):
        word = part.strip(_ENDS)
        if word:
            cleaned.append(word.removeprefix("www.").lstrip(_ENDS) if "." in word else word)
    return cleaned


def is_host(word: str) -> bool:
    """Say whether a word is a host, such as "example.com"."""
    return "." in word and _HOST.fullmatch(word) is not None
