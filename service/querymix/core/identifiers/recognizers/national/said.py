"""Which kinds of numbers of persons a query's words ask for.

Rules:
- Words are looked for as a query is seen (seen.py): without accents, with "ae" or "a" for an umlaut.
- A word's parts may be parted by a space, a dash, a dot, an apostrophe or nothing: "steuer id", "steuer-id",
  "steuerid", "n.i.f.".
- A word of three letters or more may stand right before a number (`before`).
- Scripts that put no spaces between words are searched for the word itself.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.national.scheme import Scheme
from querymix.core.identifiers.spellings import spellings
from querymix.core.identifiers.tokens import QueryText

UNSPACED: Final = expression("[\u0e00-\u0e7f\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_PARTS: Final = expression(r"[-./' ]+")
_PARTING: Final = frozenset("-./'")
_NONE: Final = frozenset[str]()
SHORTEST: Final = 3
"""Letters of a word that stands right before a number."""
MOST: Final = 7
"""Letters that such a number may begin with, and one more."""


def _typed(words: str) -> set[str]:
    """Return how words may be typed, their parts with spaces between.

    Beside Latin letters, Cyrillic ones that look like them are seen as those.
    """
    seen = spellings(words)
    if not all(map(str.isascii, seen)):
        seen |= {one.removesuffix(" a") for one in spellings(f"{words} a")}
    return {" ".join(_PARTS.split(one)).strip() for one in seen}


class Said:
    """Looks up the words of schemes."""

    def __init__(self, schemes: Iterable[Scheme]) -> None:
        self._first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        unspaced: set[tuple[str, str]] = set()
        for kind, words in {(one.kind, words) for one in schemes for words in one.words}:
            for spelled in sorted(_typed(words)):
                if UNSPACED.search(spelled):
                    unspaced.add((spelled, kind))
                    continue
                parts = tuple(spelled.split(" "))
                self._put(parts, kind)
                if len(parts) > 1:
                    self._put(("".join(parts),), kind)
        self._unspaced = tuple(sorted(unspaced))
        self._words = frozenset(self._first)
        self._alone: dict[str, set[str]] = {}
        for first, ends in self._first.items():
            for rest, kind in ends:
                if not rest and len(first) >= SHORTEST:
                    self._alone.setdefault(first, set()).add(kind)

    def _put(self, parts: tuple[str, ...], kind: str) -> None:
        self._first.setdefault(parts[0], []).append((parts[1:], kind))

    def before(self, parted: str, letters: str) -> Iterator[tuple[int, set[str]]]:
        """Yield where a number may begin in or behind `letters`, and the kinds that the word before it asks for.

        `parted` is what a dash parts from the letters: "steuer-" in "steuer-id12345678911".
        """
        joined = parted.replace("-", "") + letters
        for size in range(len(letters), max(0, len(letters) - MOST), -1):
            kinds = self._alone.get(letters[:size]) or self._alone.get(joined[: size + len(joined) - len(letters)])
            if kinds:
                yield size, kinds

    def kinds(self, query: QueryText) -> frozenset[str]:
        """Return the kinds that the query's words ask for."""
        words = query.words
        odd = [word for word in words if not word.isalnum() and word[0].isalpha()] if query.marks & _PARTING else ()
        if odd:
            words = _parted(words)
        if self._words.isdisjoint(words) if odd else not query.says(self._words):
            if query.text.isascii():
                return _NONE
            words = []
        found = {
            kind
            for at, word in enumerate(words)
            for rest, kind in self._first.get(word, ())
            if tuple(words[at + 1 : at + 1 + len(rest)]) == rest
        }
        if self._unspaced and not query.text.isascii():
            found.update(kind for spelled, kind in self._unspaced if spelled in query.text)
        return frozenset(found)


def _parted(words: list[str]) -> list[str]:
    """Return the words with their parts apart, and behind all of them the parts of each word as one."""
    made: list[str] = []
    whole: list[str] = []
    for word in words:
        if word.isalnum():
            made.append(word)
            continue
        parts = [part for part in _PARTS.split(word) if part]
        made += parts
        if len(parts) > 1:
            whole.append("".join(parts))
    return made + whole
