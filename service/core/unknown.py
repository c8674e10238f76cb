"""Words that the knowledge base does not know, reduced to words that it does.

Rules, the first that applies:
1. A wrong spelling that the base has a recommendation for is replaced by it.
2. A host is its parent where the base knows that; else its labels are taken, without "www" and the endings.
3. A word is split where punctuation stands inside it; an "'s" that no letter follows is dropped.
4. What is left is the likeliest of three: a right word that nobody knows, frequent words glued together ("homedepot"),
   or a frequent word with one slip in it ("kithcen").
   - A right word of n letters that nobody knows has the chance 10 ** -n: the longer a word, the less it is one.
   - Glued words have the product of their chances, a pair that the base knows has its own where that is larger; times
     10 ** `GLUED`. Three pieces and more only in words of at least `LEAST_OF_MANY` letters, and only where no two
     pieces are likelier than a right word, even where three would be likelier still.
   - A wrong word has the chance of the right one, times 10 ** `SLIP` where a letter was left out or doubled, two were
     swapped, or a vowel stands for a vowel; times 10 ** `OTHER_SLIP` where any other letter was put in or changed. The
     first letter is always right. Only words with a million references are meant (`_LEAST_TARGET`).
   - A word of fewer than `LEAST_CORRECTED` letters stays as it is, one of fewer than `LEAST_SEGMENTED` is not split.
   What comes out is replaced again where the base has a recommendation for it.
5. A word that stays as it is the base does not know.

A known word without a recommendation is never touched. Answers are remembered, a bounded number of them.

Source: papers/streaming-profiles-2016.txt, section 3.3.1 (recommendations); Norvig, "Natural Language Corpus Data"
(segmentation by unigram chances, the chance of an unknown word by its length, a noisy channel of one-letter slips);
Garbe, "SymSpell" (wrong and right word meet in what is left of both with one letter out).
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, islice
from math import log10
from typing import Final

from service.core.classify import parents
from service.core.knowledge import UNKNOWN, Knowledge
from service.core.text import is_host

LEAST_SEGMENTED: Final = 6
LEAST_CORRECTED: Final = 5
LEAST_OF_MANY: Final = 12
MOST_REMEMBERED: Final = 1 << 16
LONGEST: Final = 48
"""Characters of the longest word that is looked at: the work grows with the square of its length."""
# Decimal logarithms of how much oftener each comes about than a word that nobody knows.
GLUED: Final = 1.4
SLIP: Final = 0.3
OTHER_SLIP: Final = -0.9
_LONGEST_PIECE: Final = 16
_TOTAL: Final = 1_024_908_267_229.0
"""Words in the text that the base's references were counted in."""
_PARTS: Final = re.compile(r"[^a-z0-9\u0080-\U0010ffff]+")
_OWNERS: Final = re.compile(r"'s(?![^\W\d_])")
_MARKS: Final = frozenset(
    ("www", "com", "net", "org", "http", "https", "html", "htm", "edu", "gov", "co", "uk", "info", "biz", "us")
)
_VOWELS: Final = frozenset("aeiouy")
LEAST_COUNT: Final = 50_000
"""References of the rarest word that counts as frequent."""
# A short word is a piece only where it is very frequent: "st" and "re" would split anything. One letter never is.
_LEAST: Final = {2: 2.5e8, 3: 2.5e7}
_LEAST_TARGET: Final = 1e6
"""References of the rarest word that a slip is corrected into."""
_TARGET_CHANCE: Final = log10(_LEAST_TARGET / _TOTAL)
_IMPOSSIBLE: Final = -99.0


class Reduce:
    """Reduces unknown words to known ones.

    `knowledge` answers for terms; `counts` gives how often each frequent word stands in the web.
    """

    def __init__(self, knowledge: Knowledge, counts: Iterable[tuple[str, int]]) -> None:
        self._knowledge = knowledge
        self._chances = {
            word: log10(count / _TOTAL)
            for word, count in counts
            if count >= _LEAST.get(len(word), LEAST_COUNT) and word.isalpha() and word.isascii()
        }
        shortened: dict[str, str] = {}
        for word, chance in self._chances.items():
            size = len(word)
            # A wrong word has at most one letter more.
            if chance >= _TARGET_CHANCE and size >= LEAST_CORRECTED - 1 and chance + SLIP > -size - 1:
                leads = dict.fromkeys(_shortened(word), word)
                for short in shortened.keys() & leads:
                    leads[short] = f"{shortened[short]} {word}"
                shortened.update(leads)
        self._shortened = shortened
        """From `_shortened` of each word that may have been meant to that word, or to several, parted by spaces."""
        self._remembered: dict[str, tuple[str, ...]] = {}

    def __call__(self, word: str) -> tuple[str, ...]:
        """Return the known words that an unknown one stands for, or itself."""
        pieces = self._remembered.get(word)
        if pieces is None:
            if len(word) > LONGEST:
                return ()
            if len(self._remembered) >= MOST_REMEMBERED:
                self._remembered.clear()
            pieces = self._remembered[word] = self._reduce(word)
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
        if word.isalnum() and not word.startswith("www"):
            return () if word in _MARKS else self._likeliest(word)
        out: list[str] = []
        if "'" in word:
            word = _OWNERS.sub("", word).replace("'", "")
        for part in _PARTS.split(word):
            if part and part not in _MARKS:
                out += self._part(part)
        return tuple(out)

    def _part(self, part: str) -> Iterable[str]:
        if part.startswith("www") and len(part) > 6:
            part = part[3:]
        term = self._knowledge[part]
        if term is not UNKNOWN:
            return (term.recommendation or part).split(" ")
        return self._likeliest(part)

    def _likeliest(self, word: str) -> tuple[str, ...]:
        """Return the likeliest of the three (rule 4)."""
        size = len(word)
        if size < LEAST_CORRECTED or word in self._chances or not (word.isalpha() and word.isascii()):
            return (word,)
        least = -float(size)
        pieces: tuple[str, ...] = ()
        if size >= LEAST_SEGMENTED:
            chance, pieces = self._glued(word, least - GLUED)
            if pieces:
                least = chance + GLUED
        meant = self._meant(word, least)
        if meant:
            pieces = (meant,)
        elif not pieces:
            return (word,)
        return tuple(" ".join(self._knowledge[piece].recommendation or piece for piece in pieces).split(" "))

    def _glued(self, word: str, least: float) -> tuple[float, tuple[str, ...]]:
        """Return the likeliest pieces of a glued word and their chance, no pieces where that is not above `least`."""
        size, chances = len(word), self._chances
        pieces: tuple[str, ...] = ()
        firsts = [at for at in range(2, size - 1) if word[:at] in chances]
        for at in firsts:
            second = chances.get(word[at:])
            if second is not None:
                one, two = word[:at], word[at:]
                chance = chances[one] + second
                pair = self._knowledge[f"{one} {two}"].references
                if pair:
                    chance = max(chance, log10(pair / _TOTAL))
                if chance > least:
                    least, pieces = chance, (one, two)
        return (least, pieces) if pieces or size < LEAST_OF_MANY else self._glued_of_many(word, firsts, least)

    def _glued_of_many(self, word: str, firsts: list[int], least: float) -> tuple[float, tuple[str, ...]]:
        """Do as `_glued` does, for three pieces and more; the first one ends at one of `firsts`."""
        size, get = len(word), self._chances.get
        chances = [_IMPOSSIBLE] * (size + 1)
        begins = [0] * (size + 1)
        for at in firsts:
            chances[at] = self._chances[word[:at]]
        for start in range(firsts[0], size - 1) if firsts else ():
            before = chances[start]
            if before > least:
                for end in range(start + 2, min(start + _LONGEST_PIECE, size) + 1):
                    chance = get(word[start:end])
                    if chance is not None and before + chance > chances[end]:
                        chances[end], begins[end] = before + chance, start
        if chances[size] <= least:
            return least, ()
        pieces, end = [], size
        while end:
            pieces.append(word[begins[end] : end])
            end = begins[end]
        return chances[size], tuple(reversed(pieces))

    def _meant(self, word: str, least: float) -> str:
        """Return the likeliest word that became a wrong one by a slip, empty where its chance is not above `least`."""
        met = self._shortened.keys() & _shortened(word)
        if not met:
            return ""
        near = [other for short in met for other in self._shortened[short].split(" ")]
        chance, meant = max([(self._chances[other] + _slip(word, other), other) for other in near])
        return meant if chance > least else ""


def _shortened(word: str) -> Iterator[str]:
    """Return a word, and what is left of it with one letter out, any but the first one."""
    size = len(word) - 1
    # Of the combinations, the last one is that without the first letter.
    return chain((word,), map("".join, islice(combinations(word, size), size)))


def _slip(word: str, right: str) -> float:
    """Return how likely it is that one slip made `word` of `right`, both having something in common of `_shortened`."""
    if len(word) < len(right):
        return SLIP
    at = 0
    for letter, meant in zip(word, right + " ", strict=False):
        if letter != meant:
            break
        at += 1
    if len(word) > len(right):
        return SLIP if word[at] == word[at - 1] else OTHER_SLIP
    if word[at + 1 :] == right[at + 1 :]:
        return SLIP if word[at] in _VOWELS and right[at] in _VOWELS else OTHER_SLIP
    swapped = word[at] == right[at + 1] and word[at + 1] == right[at] and word[at + 2 :] == right[at + 2 :]
    return SLIP if swapped else _IMPOSSIBLE
