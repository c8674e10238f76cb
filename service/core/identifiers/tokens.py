"""A query as the finders see it: folded text, tokens and their places.

Rules:
- Case, non-ASCII digits, dashes and spaces are folded character by character, so that spans hold in the given text.
- A token is what stands between spaces and most punctuation; its edges lose punctuation, its end a possessive "'s"
  (which its span keeps). Places are worked out only when something is found.
"""

import re
import unicodedata
from typing import Final

TOKEN: Final = re.compile(r"[^\s,;:=!?\"()\[\]<>|]+([,]?)")
EDGE: Final = ".'`*_/\\-&"
PARTS: Final = frozenset(",;:=!?\"()[]<>|'")
"""Characters that part tokens, or end a possessive."""
DIGITS: Final = b"0123456789"


def folded(text: str) -> str:
    """Return `text` in lower case, with ASCII digits, dashes and spaces, each character in its place."""
    low = text.lower()
    if low.isascii():
        return low
    if len(low) != len(text):
        low = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return "".join(char if char < "\x80" else fold(char) for char in low)


def fold(char: str) -> str:
    """Return the ASCII character that a digit, dash, space, full-width or accented letter stands for, or itself."""
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return str(digit)
    group = unicodedata.category(char)
    if group == "Pd":
        return "-"
    if group in ("Zs", "Cf"):
        return " "
    if "\uff01" <= char <= "\uff5e":
        return chr(ord(char) - 0xFEE0).lower()
    base = unicodedata.normalize("NFD", char)[0]
    return base if base.isascii() else char


def _is_dressed(word: str) -> bool:
    """Say whether punctuation has to be taken off a word, or parts it."""
    return not word.isalnum() and (word[0] in EDGE or word[-1] in EDGE or not PARTS.isdisjoint(word))


class Query:
    """A query's folded text and its tokens."""

    __slots__ = ("_spans", "_vocabulary", "commas", "digits", "owners", "plain", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = folded(text)
        self.commas: frozenset[int] = frozenset()
        """Numbers of the tokens that a comma follows."""
        self.owners: frozenset[int] = frozenset()
        """Numbers of the tokens that end in a possessive: a name does not go on after one."""
        self.plain = self.text.isascii() and self.text.replace(" ", "").isalpha()
        """Whether there are only letters and spaces."""
        self._spans: list[tuple[int, int]] | None = None
        self._vocabulary: frozenset[str] | None = None
        self.words = self.text.split()
        self.digits = 0
        if not self.plain:
            if not "".join(self.words).isalnum() and any(map(_is_dressed, self.words)):
                self.words = self._tokens()
            content = self.text.encode("utf-8", "surrogatepass")
            self.digits = len(content) - len(content.translate(None, DIGITS))

    @property
    def vocabulary(self) -> frozenset[str]:
        """The query's words as a set, made when first asked for."""
        if self._vocabulary is None:
            self._vocabulary = frozenset(self.words)
        return self._vocabulary

    def __repr__(self) -> str:
        """Tell sizes only."""
        return f"Query({len(self.text)} characters, {len(self.words)} words)"

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the characters from token `first` to token `last`, both included."""
        if self._spans is None:
            self._spans = [match.span() for match in re.finditer(r"\S+", self.text)]
        return self._spans[first][0], self._spans[last][1]

    def _tokens(self) -> list[str]:
        words: list[str] = []
        spans: list[tuple[int, int]] = []
        commas: set[int] = set()
        owners: set[int] = set()
        for match in TOKEN.finditer(self.text):
            token = match[0]
            start, end = match.span()
            if not token.isalnum():
                if match[1]:
                    commas.add(len(words))
                bare = token.rstrip(EDGE + ",")
                end = start + len(bare)
                token = bare.removesuffix("'s").lstrip(EDGE)
                if not token:
                    token, bare, end = match[0].rstrip(","), match[0], match.end()
                elif bare.endswith("'s"):
                    owners.add(len(words))
                start += len(bare) - len(bare.lstrip(EDGE)) if token.strip(EDGE) else 0
            words.append(token)
            spans.append((start, end))
        self._spans = spans
        self.commas = frozenset(commas)
        self.owners = frozenset(owners)
        return words
