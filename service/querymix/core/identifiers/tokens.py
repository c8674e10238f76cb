"""A query as the recognizers see it: its text in lower case, its tokens and their places.

Rules:
- The text is normalized before (seen.py); lower case keeps every character in its place.
- Beside digits an underscore parts tokens and numbers as a space does: "card_4111..."; so does the "#" of "mrn#411".
- A token is what stands between spaces and most punctuation; its edges lose punctuation, its end a possessive "'s"
  (which its span keeps). Places are worked out only when something is found.
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.shared import masked_forms
from querymix.core.knowledge import Knowledge

TOKEN: Final = re.compile(r"[^\s,;:=!?\"()\[\]{}<>|]+,?")
EDGE: Final = ".'`*_/\\-&~+"
EDGES: Final = frozenset(EDGE + "#")
PARTS: Final = frozenset(",;:=!?\"()[]{}<>|'")
"""Characters that part tokens, or end a possessive."""
DIGITS: Final = b"0123456789"
NUMBER_SIGN: Final = expression(r"(?<=[a-z])#(?=[0-9])|(?:(?<=\bgeb)|(?<=\btel)|(?<=\bnr))\.(?=[0-9])")
"""As in "mrn#1234567", "geb.12.03.1975"."""
ELIDED: Final = expression("(?:d|l|n|un|all|dall|dell|nell|sull)'(?=[a-z])")
PARTING: Final = frozenset("_#.")
FEWEST_SHARED: Final = 5
"""Digits of a code that everyone shares."""
LETTERS: Final = b"abcdefghijklmnopqrstuvwxyz "


def lowered(text: str) -> str:
    """Return `text` in lower case, each character in its place."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return low


def _bare(match: re.Match[str]) -> tuple[str, int, int]:
    """Return a token without the punctuation at its edges, and its place."""
    token = match[0]
    start, end = match.span()
    if token.isalnum():
        return token, start, end
    bare = token.rstrip(EDGE + ",")
    end = start + len(bare)
    token = bare.removesuffix("'s").lstrip(EDGE)
    if not token:
        token, bare, end = match[0].rstrip(","), match[0], match.end()
    start += len(bare) - len(bare.lstrip(EDGE)) if token.strip(EDGE) else 0
    if token[0] == "#" and token[1:2].isalpha():
        token, start = token[1:], start + 1
    return token, start, end


def _is_dressed(word: str) -> bool:
    """Say whether punctuation has to be taken off a word."""
    return word[0] in EDGES or (word[-1] in EDGES and word[-1] != "#")


class QueryText:
    """A query's normalized text and its tokens.

    `cased` is the text as `seen.see` returns it; `plain` tells that it is letters and spaces only. With `joined` no
    underscore parts words, as in the name of an account.
    """

    __slots__ = (
        "_longest", "_spans", "_vocabulary", "cased", "digits", "knowledge", "marks", "plain",
        "spaced", "text", "words",
    )  # fmt: skip

    def __init__(self, cased: str, knowledge: Knowledge, *, plain: bool = False, joined: bool = False) -> None:
        self.cased = cased
        """The text with its capitals, which checksums of some codes need."""
        self.knowledge = knowledge
        self.text = cased.lower() if plain else lowered(cased)
        self.spaced = self.text
        """The text to look for numbers in: a space for what parts them, `MASK` for each character of a shared code."""
        self.plain = plain
        """Whether it is certain that there are only letters and spaces."""
        self._spans: list[tuple[int, int]] | None = None
        self._vocabulary: frozenset[str] | None = None
        self._longest = -1
        self.words = self.text.split()
        self.digits = 0
        """How many ASCII digits there are."""
        self.marks: frozenset[str] = frozenset()
        """The ASCII marks that there are, and "0" where there are digits."""
        if not plain:
            content = self.text.encode("utf-8", "surrogatepass").translate(None, LETTERS)
            marks = content.translate(None, DIGITS)
            self.digits = len(content) - len(marks)
            self.marks = frozenset(marks.decode("ascii", "ignore") + "0" * (self.digits > 0))
            if self.digits >= FEWEST_SHARED:
                self.spaced = masked_forms(self.text)
            if self.digits and not joined and not PARTING.isdisjoint(self.marks):
                self.spaced = NUMBER_SIGN.sub(" ", self.spaced).replace("_", " ")
            if self.spaced is not self.text:
                self.words = self.spaced.split()
            if not PARTS.isdisjoint(self.marks) or (
                not EDGES.isdisjoint(self.marks) and any(map(_is_dressed, self.words))
            ):
                self.words = self._tokens()

    def joined(self) -> "QueryText":
        """Return the same query with underscores that part no words."""
        whole = "_" not in self.marks or not self.digits
        return self if whole else QueryText(self.cased, self.knowledge, joined=True)

    @property
    def vocabulary(self) -> frozenset[str]:
        """The query's words as a set, made when first asked for; "identite" is one in "carte d'identite"."""
        if self._vocabulary is None:
            self._vocabulary = frozenset(self.words)
            if "'" in self.marks:
                self._vocabulary |= frozenset(self.unelided)
        return self._vocabulary

    @property
    def unelided(self) -> list[str]:
        """The words without what French and Italian elide before them: "identite" for "d'identite"."""
        return [ELIDED.sub("", word) for word in self.words] if "'" in self.marks else self.words

    @property
    def longest(self) -> int:
        """How many characters the longest stretch without a space has."""
        if self._longest < 0:
            self._longest = max(map(len, self.text.split()), default=0)
        return self._longest

    def says(self, words: frozenset[str]) -> bool:
        """Return whether the query holds one of `words`."""
        vocabulary = self._vocabulary
        return not (self.vocabulary if vocabulary is None else vocabulary).isdisjoint(words)

    def __repr__(self) -> str:
        """Tell sizes only."""
        return f"QueryText({len(self.text)} characters, {len(self.words)} words)"

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the characters from token `first` to token `last`, both included."""
        if self._spans is None:
            self._spans = [match.span() for match in re.finditer(r"\S+", self.spaced)]
        return self._spans[first][0], self._spans[last][1]

    def _tokens(self) -> list[str]:
        words: list[str] = []
        spans: list[tuple[int, int]] = []
        at = 0
        text = self.spaced
        for piece in text.split(" "):
            begin, at = at, at + len(piece) + 1
            if piece.isalnum():
                words.append(piece)
                spans.append((begin, at - 1))
                continue
            for match in TOKEN.finditer(text, begin, at - 1):
                token, start, end = _bare(match)
                words.append(token)
                spans.append((start, end))
        self._spans = spans
        return words
