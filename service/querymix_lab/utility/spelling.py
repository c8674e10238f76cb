"""Spelling correction learned from the log: the words of the log, and how often each was asked.

A word is corrected to the learned word at most one edit away that is asked most, unless it is itself asked at least
1 / `RATIO` times as often. Scored by success at 1 on made-up misspellings, one typing error in a word that the original
taught, and on rewrites: a user asks again within five minutes, with one word changed by one edit: the second spelling
is right. Baseline: any learned word one edit away, at random.

Source: Cucerzan and Brill 2004 (the log's word frequencies as a language model; rewrites as its test).
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Final

from rapidfuzz.distance import OSA

from querymix_lab.evaluation.recommendations import edited
from querymix_lab.knowledge.edits import OneEdit
from querymix_lab.utility.lines import Lines, Parts, askings, pairs
from querymix_lab.utility.scoring import Scores

RATIO: Final = 50
SHORTEST: Final = 5
MAX: Final = 4_000
"""Made-up misspellings that are tried."""
SOON: Final = 5 * 60.0
TASK: Final = "spelling correction"


def spelling(parts: Parts, seed: int) -> list[Scores]:
    """Return success at 1 on made-up misspellings and on rewrites."""
    original, released = _Model(parts.original), _Model(parts.released)
    chance = random.Random(seed)
    test = askings(parts.test)
    made = Scores(TASK, "success at 1, made-up", "correcting typing errors")
    rewritten = Scores(TASK, "success at 1, rewrites", "correcting what users correct themselves")
    cases = [(line.user, word) for line in test for word in _long_words(line.text) if word in original.counts]
    for user, word in chance.sample(cases, min(MAX, len(cases))):
        wrong = edited(word, chance)
        if wrong != word and wrong not in original.counts:
            _add(made, user, wrong, word, original, released, chance)
    for user, wrong, word in rewrites(test):
        _add(rewritten, user, wrong, word, original, released, chance)
    return [made, rewritten]


def rewrites(lines: Lines) -> Iterator[tuple[str, str, str]]:
    """Yield (user, word, word after) where a user soon asks the same query with one word changed by one edit."""
    for first, second in pairs(lines, SOON):
        before, after = first.text.split(" "), second.text.split(" ")
        if len(before) != len(after):
            continue
        changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
        if len(changed) == 1:
            wrong, right = changed[0]
            if _plain(wrong) and _plain(right) and OSA.distance(wrong, right, score_cutoff=1) == 1:
                yield first.user, wrong, right


def _add(
    scores: Scores, user: str, wrong: str, right: str, original: "_Model", released: "_Model", chance: random.Random
) -> None:
    guess = chance.choice(original.near(wrong) or [wrong])
    said = (original.correct(wrong), released.correct(wrong), guess)
    scores.add(user, *(float(word == right) for word in said))


def _plain(word: str) -> bool:
    return len(word) >= SHORTEST and word.isascii() and word.isalpha()


def _long_words(text: str) -> list[str]:
    return [word for word in text.split(" ") if _plain(word)]


class _Model:
    def __init__(self, lines: Lines) -> None:
        self.counts = Counter(word for line in lines for word in line.text.split(" ") if word.isalpha())
        self._words = OneEdit(word for word in self.counts if len(word) >= SHORTEST - 1)

    def near(self, word: str) -> list[str]:
        """Return the learned words one edit away, in a fixed order."""
        return sorted(other for other in self._words.near(word) if OSA.distance(word, other, score_cutoff=1) == 1)

    def correct(self, word: str) -> str:
        """Return the word that is meant by `word`."""
        best = max(self.near(word), key=lambda other: self.counts[other], default=word)
        return best if self.counts[best] > RATIO * self.counts.get(word, 0) else word
