"""Words that the knowledge base does not know, reduced to words that it does.

Rules, the first that applies:
1. A wrong spelling that the base has a recommendation for is replaced by it.
2. A host is its parent where the base knows that; else its labels are taken, without "www" and the endings.
3. A word is split where punctuation stands inside it; an "'s" is dropped.
4. A word of at least `LEAST_SEGMENTED` letters is split into frequent words where their chances multiplied are better
   than those of a word of random letters ("homedepot" -> "home depot").
5. A word of at least `LEAST_CORRECTED` letters one edit (a letter left out, put in, changed, or two swapped; never the
   first one) away from a frequent word becomes the most frequent such word.
6. Else it stays, and the base does not know it.

A known word is never touched. Answers are remembered, a bounded number of them.

Source: papers/streaming-profiles-2016.txt, section 3.3.1 (recommendations); Norvig, "Natural Language Corpus Data"
(segmentation by unigram chances).
"""

import math
import re
from collections.abc import Iterable
from typing import Final

from service.core.classify import parents
from service.core.knowledge import UNKNOWN, Knowledge
from service.core.text import is_host

LEAST_SEGMENTED: Final = 6
LEAST_CORRECTED: Final = 5
MOST_REMEMBERED: Final = 1 << 16
LONGEST: Final = 48
"""Characters of the longest word that is looked at: the work grows with the square of its length."""
_LONGEST_PIECE: Final = 16
_TOTAL: Final = 1_024_908_267_229.0
"""Words in the text that the base's references were counted in."""
_PARTS: Final = re.compile(r"[^a-z0-9\u0080-\U0010ffff]+")
_MARKS: Final = frozenset(
    ("www", "com", "net", "org", "http", "https", "html", "htm", "edu", "gov", "co", "uk", "info", "biz", "us")
)
# A short word is a piece only where it is very frequent: "st" and "re" would split anything.
_LEAST: Final = {1: 4e9, 2: 2.5e8, 3: 2.5e7}
LEAST_COUNT: Final = 50_000
"""References of the rarest word that counts as frequent."""
_LEAST_TARGET: Final = 5e6
_TARGET_CHANCE: Final = math.log(_LEAST_TARGET / _TOTAL)


class Reduce:
    """Reduces unknown words to known ones.

    `knowledge` answers for terms; `counts` gives how often each frequent word stands in the web.
    """

    def __init__(self, knowledge: Knowledge, counts: Iterable[tuple[str, int]]) -> None:
        self._knowledge = knowledge
        self._chances: dict[str, float] = {}
        self._shortened: dict[str, str] = {}
        for word, count in counts:
            size = len(word)
            if not word.isascii() or not word.isalpha() or count < _LEAST.get(size, LEAST_COUNT):
                continue
            if size > 1 or word in "ai":
                self._chances[word] = math.log(count / _TOTAL)
            if size >= LEAST_CORRECTED - 1 and count >= _LEAST_TARGET:
                for at in range(1, size):
                    short = word[:at] + word[at + 1 :]
                    before = self._shortened.get(short)
                    if before is None or self._chances[word] > self._chances[before]:
                        self._shortened[short] = word
        self._remembered: dict[str, tuple[str, ...]] = {}

    def __call__(self, word: str) -> tuple[str, ...]:
        """Return the known words that an unknown one stands for, or itself."""
        pieces = self._remembered.get(word)
        if pieces is None:
            pieces = self._reduce(word) if len(word) <= LONGEST else ()
            if len(self._remembered) >= MOST_REMEMBERED:
                self._remembered.clear()
            if len(word) <= LONGEST:
                self._remembered[word] = pieces
        return pieces

    def _reduce(self, word: str) -> tuple[str, ...]:
        knowledge = self._knowledge
        term = knowledge[word]
        if term is not UNKNOWN:
            return tuple(term.recommendation.split(" ")) if term.recommendation else (word,)
        if "." in word and is_host(word):
            for parent in parents(word):
                if knowledge[parent] is not UNKNOWN:
                    return (parent,)
        out: list[str] = []
        for part in _PARTS.split(word.replace("'s", "").replace("'", "")):
            if part and part not in _MARKS:
                out += self._part(part)
        return tuple(out)

    def _part(self, part: str) -> Iterable[str]:
        if part.startswith("www") and len(part) > 6:
            part = part[3:]
        term = self._knowledge[part]
        if term is not UNKNOWN:
            return (term.recommendation or part).split(" ")
        if not (part.isascii() and part.isalpha()):
            return (part,)
        if len(part) >= LEAST_SEGMENTED:
            pieces = self.segment(part)
            if len(pieces) > 1 and max(map(len, pieces)) >= 3 and len(part) >= 2.5 * len(pieces):
                return pieces
        return (self.correct(part) or part,)

    def segment(self, word: str) -> list[str]:
        """Return the most likely pieces of a glued word, none where they are no likelier than random letters."""
        chances = self._chances
        best: list[tuple[float, int] | None] = [(0.0, 0)]
        for end in range(1, len(word) + 1):
            found: tuple[float, int] | None = None
            for start in range(max(0, end - _LONGEST_PIECE), end):
                before = best[start]
                if before is not None:
                    chance = chances.get(word[start:end])
                    if chance is not None and (found is None or before[0] + chance > found[0]):
                        found = (before[0] + chance, start)
            best.append(found)
        last = best[-1]
        if last is None or last[0] <= -math.log(10) * (len(word) * 1.15 + 6):
            return []
        pieces = []
        end = len(word)
        while end:
            step = best[end]
            assert step is not None  # noqa: S101 - each end was reached from its start
            pieces.append(word[step[1] : end])
            end = step[1]
        return pieces[::-1]

    def correct(self, word: str) -> str:
        """Return the most frequent word one edit away from a wrong one, empty where there is none."""
        if len(word) < LEAST_CORRECTED:
            return ""
        chances, shortened, last = self._chances, self._shortened, len(word) - 1
        near = {shortened[word]} if word in shortened else set()
        for at in range(1, len(word)):
            without = word[:at] + word[at + 1 :]
            if len(without) >= LEAST_CORRECTED - 1 and chances.get(without, -99.0) > _TARGET_CHANCE:
                near.add(without)
            other = shortened.get(without)
            if other is not None and other[0] == word[0] and _is_changed(word, other):
                near.add(other)
            if at < last:
                swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
                if chances.get(swapped, -99.0) > _TARGET_CHANCE:
                    near.add(swapped)
        return max(near, key=lambda other: (chances[other], other), default="")


def _is_changed(word: str, other: str) -> bool:
    """Tell whether two words differ in one letter, the length being equal."""
    return len(word) == len(other) and sum(map(str.__ne__, word, other)) == 1
