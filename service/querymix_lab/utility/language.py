"""Language: how well a model of the log's words foretells the words of later queries.

A word's chance is half how often it followed the word before it, half how often it was asked at all, one more than
counted; it is the latter alone where the word before it, or the beginning of a query, was never seen. Words that the
original has not are one word. Measured is the perplexity, two to the mean of the bits a word: of so many words, all as
likely, a guess would be as hard. Less is better. Baseline: every word of the original is as likely.

Source: Chen and Goodman 1999 (interpolated word pairs; perplexity on what was not learned from).
"""

from collections import Counter
from itertools import chain, pairwise
from math import log2
from typing import Final

from querymix_lab.utility.lines import Lines, Parts, askings
from querymix_lab.utility.scoring import Perplexity, Scores

TASK: Final = "language model"
_START: Final = ""


def language(parts: Parts, seed: int) -> list[Scores]:
    """Return the perplexity of the words of the test part."""
    vocabulary = {word for line in parts.original for word in line.text.split(" ")}
    original, released = (_Model(side, vocabulary) for side in (parts.original, parts.released))
    blind = log2(len(vocabulary) + 1)
    scores = Perplexity(TASK, "perplexity of the words", "a language model of what is asked")
    for line in askings(parts.test):
        names = _words(line.text, vocabulary)
        scores.add_sums(line.user, (original.bits(names), released.bits(names), blind * len(names), len(names)))
    return [scores]


def _words(text: str, vocabulary: set[str]) -> list[str | None]:
    return [word if word in vocabulary else None for word in text.split(" ")]


class _Model:
    def __init__(self, lines: Lines, vocabulary: set[str]) -> None:
        self._pairs: Counter[tuple[str | None, str | None]] = Counter()
        for line in lines:
            self._pairs.update(pairwise(chain((_START,), _words(line.text, vocabulary))))
        self._before: Counter[str | None] = Counter()
        self._words: Counter[str | None] = Counter()
        for (before, word), count in self._pairs.items():
            self._before[before] += count
            self._words[word] += count
        self._all = self._words.total() + len(vocabulary) + 1

    def bits(self, names: list[str | None]) -> float:
        """Return the bits of a query's words."""
        return -sum(log2(self._chance(*pair)) for pair in pairwise(chain((_START,), names)))

    def _chance(self, before: str | None, word: str | None) -> float:
        alone = (self._words[word] + 1) / self._all
        seen = self._before[before]
        return (self._pairs[before, word] / seen + alone) / 2 if seen else alone
