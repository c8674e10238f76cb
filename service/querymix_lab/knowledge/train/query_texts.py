"""Made-up texts in query style, for a tagger to read (tag_log_odds.py). No real query has a part in them.

`EACH` texts are about each of the `WORDS` most frequent words of the web, `DRAWN` about words that are drawn by the
square root of their count. A word's neighbours are drawn from the web's pairs, from the terms of the own topic lists
and from `FRAMES`, the beginnings of common questions. The same packages, lists and seed give the same texts.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from querymix_lab.knowledge.sources import web
from querymix_lab.knowledge.sources.default import Inputs
from querymix_lab.knowledge.sources.files import LISTS, rows
from querymix_lab.knowledge.sources.wordnet import WordNet
from querymix_lab.knowledge.sources.words import own_lists, plain_list, topics

WORDS: Final = 60_000
EACH: Final = 10
DRAWN: Final = 650_000
LONGEST: Final = 10
NOUNS: Final = 6_000
"""Among so many of the most frequent words are the nouns that fill a place for which the web's pairs name none."""
FRAMES: Final = tuple(frame.split() for _, (frame,) in rows(LISTS / "frames.txt", "frame"))
JOINING: Final = ("in", "for", "of", "and", "with", "the", "to", "from", "by", "on", "at")
EDGE: Final = "|"
"""What stands before a text's first word and after its last."""


class _Drawn(NamedTuple):
    """Words to draw from, with running sums of their weights."""

    words: Sequence[str]
    sums: Sequence[float]

    @classmethod
    def of(cls, counts: Iterable[tuple[str, int]]) -> "_Drawn":
        """Weigh words by the square roots of their counts."""
        listed = list(counts)
        return cls([word for word, _ in listed], list(accumulate(count**0.5 for _, count in listed)))


class Texts:
    """Makes up texts in query style; the same seed gives the same texts."""

    def __init__(self, inputs: Inputs, seed: int) -> None:
        self._random = random.Random(seed)
        self.stop = frozenset(plain_list(inputs.lists / "stop.txt"))
        self.wordnet = WordNet(inputs.wordnet)
        counts = [(word, count) for word, count in web.unigrams(inputs.unigrams).items() if word.isalnum()][:WORDS]
        self.frequent = _Drawn.of(counts)
        after: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        before: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for (first, second), count in web.bigrams(inputs.bigrams).items():
            after[first].append((second, count))
            before[second].append((first, count))
        self._after = {word: _Drawn.of(others) for word, others in after.items()}
        self._before = {word: _Drawn.of(others) for word, others in before.items()}
        terms = {term for path in own_lists(inputs.lists) for _, term in topics(path)}
        self._topics = [term.split() for term in sorted(terms) if term.replace(" ", "").isalnum()]
        nouns = self.wordnet.senses["noun"]
        self._nouns = [
            word for word in self.frequent.words[:NOUNS] if len(word) > 3 and word in nouns and word not in self.stop
        ]

    def __iter__(self) -> Iterator[list[str]]:
        for word in self.frequent.words:
            for _ in range(EACH):
                yield self.about(word)
        for _ in range(DRAWN):
            yield self.about(self.frequent_word())

    def about(self, word: str) -> list[str]:
        """Return a text that holds `word`, unless it is a function word at an end."""
        if self._random.random() < 0.08:
            return [word]
        text = self._trimmed(self._extended(self._with_neighbours(word)))
        return text[:LONGEST]

    def _with_neighbours(self, word: str) -> list[str]:
        chance = self._random.random
        text = [word]
        if chance() < 0.6:
            text.insert(0, self._beside(self._before, word))
        if chance() < 0.6:
            text.append(self._beside(self._after, word))
            while text[-1] in self.stop and len(text) < 8:
                text.append(self._beside(self._after, text[-1]))
        return text

    def _extended(self, text: list[str]) -> list[str]:
        chance, choice = self._random.random, self._random.choice
        if chance() < 0.25:
            text += self._piece()
        if chance() < 0.15:
            text = self._piece() + text
        if chance() < 0.1:
            text = choice(FRAMES) + text
        if chance() < 0.15:
            text += [choice(JOINING), *self._piece()]
        return text

    def _trimmed(self, text: list[str]) -> list[str]:
        """Take most of the function words from a text's ends."""
        chance = self._random.random
        while len(text) > 1 and text[-1] in self.stop and chance() < 0.9:
            text.pop()
        while len(text) > 1 and text[0] in JOINING and text[0] != "the" and chance() < 0.8:
            text.pop(0)
        return text

    def frequent_word(self) -> str:
        """Return a frequent word of the web."""
        return self._draw(self.frequent)

    def _draw(self, words: _Drawn) -> str:
        return self._random.choices(words.words, cum_weights=words.sums)[0]

    def _beside(self, neighbours: Mapping[str, _Drawn], word: str) -> str:
        beside = neighbours.get(word)
        return self._draw(beside) if beside and self._random.random() < 0.9 else self._random.choice(self._nouns)

    def _piece(self) -> list[str]:
        kind = self._random.random()
        if kind < 0.3:
            return list(self._random.choice(self._topics))
        text = [self._draw(self.frequent)]
        if kind >= 0.5:
            text.append(self._beside(self._after, text[0]))
            if kind < 0.7:
                text.append(self._beside(self._after, text[1]))
        return text

    def features(self, word: str) -> tuple[str, ...]:
        """Return the features of a word: itself, its endings, and its kind."""
        if word == EDGE:
            return (word,)
        if word.isdigit():
            kind = "number"
        elif any(map(str.isdigit, word)):
            kind = "digits"
        elif word in self.stop:
            kind = "stop"
        else:
            other, senses = word in self.wordnet.other_words, self.wordnet.senses
            kind = f"{other} {word in senses['noun'] or word in senses['adj']}"
        longer = f"-{word[-4:]}" if len(word) > 5 else f"#{len(word)}"
        return word, f"-{word[-2:]}", f"-{word[-3:]}", longer, f"={kind}"
