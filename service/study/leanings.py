"""Compiles how words lean: from spaCy's tagger over made-up texts to three small numbers a word (service.core.grammar).

Rules:
- The texts are made up in query style: `EACH` about each of the `WORDS` most frequent words of the web, `DRAWN` about
  words drawn by the square root of their count. Their neighbours are drawn from the web's pairs, from the terms of the
  own topic lists and from `FRAMES`, the beginnings of common questions. No real query has a part in them.
- A logistic regression learns when spaCy takes a word for a noun, a proper noun or an adjective, from the word, the one
  before and the one after. Each of the three speaks by itself and by its endings and its parts of speech in WordNet, so
  that a rare word leans like its kind. The sums of a word's weights are its three numbers; a text's edges say nothing.
- A word that stands in the texts fewer than `LEAST_SEEN` times is not listed, nor a number.
- The same packages, lists and model give the same list (ten minutes):
  python -m service.study.leanings > service/knowledge/lists/leanings.tsv

Source: spaCy's en_core_web_sm 3.8.0 (MIT) as reference tagger; papers/streaming-profiles-2016.txt, section 3.3.1.
"""

import random
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from service.core.grammar import AFTER, BEFORE, OWN, STEP
from service.knowledge.sources import web
from service.knowledge.sources.default import Inputs, installed
from service.knowledge.sources.wordnet import WordNet
from service.knowledge.sources.words import own_lists, plain_list, topics
from service.study.linguistics import CONTENT, reference

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from spacy.language import Language

WORDS: Final = 60_000
EACH: Final = 10
DRAWN: Final = 650_000
LONGEST: Final = 10
LEAST_SEEN: Final = 3
EPOCHS: Final = 4
BATCH: Final = 256
RATE: Final = 0.2
NOUNS: Final = 6_000
"""Among so many of the most frequent words are the nouns that fill a place for which the web's pairs name none."""
_FRAMES: Final = """
    how to;how to;how to;how to make;how do i;how do you;how does;how can i;how much does;how long does;how many;
    what is;what is a;what is the;what are;what are the;what does;what causes;where is;where to;where can i;
    where can you;when is;when did;when was;who is;who was;who invented;why do;why does;can you;is;are;do;does;
    i need to;list of;history of;pictures of;symptoms of;causes of;effects of;map of;types of;
    free;cheap;used;best;new;buy;find;the;a;in
"""
FRAMES: Final = tuple(frame.split() for frame in _FRAMES.split(";"))
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
        found = list(counts)
        return cls([word for word, _ in found], list(accumulate(count**0.5 for _, count in found)))


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
        self._after = {word: _Drawn.of(found) for word, found in after.items()}
        self._before = {word: _Drawn.of(found) for word, found in before.items()}
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
            yield self.about(self._draw(self.frequent))

    def about(self, word: str) -> list[str]:
        """Return a text that holds `word`, unless it is a function word at an end."""
        chance, choice = self._random.random, self._random.choice
        text = [word]
        if chance() < 0.08:
            return text
        if chance() < 0.6:
            text.insert(0, self._beside(self._before, word))
        if chance() < 0.6:
            text.append(self._beside(self._after, word))
            while text[-1] in self.stop and len(text) < 8:
                text.append(self._beside(self._after, text[-1]))
        if chance() < 0.25:
            text += self._piece()
        if chance() < 0.15:
            text = self._piece() + text
        if chance() < 0.1:
            text = choice(FRAMES) + text
        if chance() < 0.15:
            text += [choice(JOINING), *self._piece()]
        while len(text) > 1 and text[-1] in self.stop and chance() < 0.9:
            text.pop()
        while len(text) > 1 and text[0] in JOINING and text[0] != "the" and chance() < 0.8:
            text.pop(0)
        return text[:LONGEST]

    def _draw(self, words: _Drawn) -> str:
        return self._random.choices(words.words, cum_weights=words.sums)[0]

    def _beside(self, neighbours: Mapping[str, _Drawn], word: str) -> str:
        found = neighbours.get(word)
        return self._draw(found) if found and self._random.random() < 0.9 else self._random.choice(self._nouns)

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
        """Return by what a word speaks: itself, its endings, and its kind."""
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


class Tagged(NamedTuple):
    """Every word of the texts with its neighbours, as numbers, and whether spaCy takes it for content."""

    words: list[str]
    """The words by number; the first is `EDGE`."""
    before: "array[int]"
    here: "array[int]"
    after: "array[int]"
    content: "array[int]"


def tagged(texts: Iterable[list[str]], pipeline: "Language") -> Tagged:
    """Tag texts with spaCy."""
    from spacy.tokens import Doc  # noqa: PLC0415 - an optional extra

    numbers = {EDGE: 0}
    found = Tagged([], *(array("i") for _ in range(4)))
    for doc in pipeline.pipe((Doc(pipeline.vocab, words=text) for text in texts), batch_size=1024):
        places = [0, *(numbers.setdefault(token.text, len(numbers)) for token in doc), 0]
        found.before.extend(places[:-2])
        found.here.extend(places[1:-1])
        found.after.extend(places[2:])
        found.content.extend(token.pos_ in CONTENT for token in doc)
    found.words.extend(numbers)
    return found


def fit(features: "NDArray[Any]", content: "NDArray[Any]", size: int) -> "NDArray[Any]":
    """Return the weights of a logistic regression, by Adagrad; a row of `features` holds numbers of weights."""
    import numpy as np  # noqa: PLC0415 - an optional extra

    weights, squares = np.zeros(size), np.full(size, 1e-6)
    draw = np.random.default_rng(0)
    for _ in range(EPOCHS):
        order = draw.permutation(len(features))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            chosen = features[rows]
            error = 1 / (1 + np.exp(-weights[chosen].sum(1))) - content[rows]
            touched, place = np.unique(chosen.ravel(), return_inverse=True)
            slope = np.bincount(place, weights=np.repeat(error, chosen.shape[1]))
            squares[touched] += slope * slope
            weights[touched] -= RATE * slope / np.sqrt(squares[touched])
    return weights


def leanings(found: Tagged, features: Callable[[str], Sequence[str]]) -> dict[str, tuple[int, int, int]]:
    """Return of each word how it leans itself, and what it says of the word after and of the word before it.

    `features` tells by what a word speaks.
    """
    import numpy as np  # noqa: PLC0415 - an optional extra

    columns: dict[tuple[int, str], int] = {}
    roles = []
    for role in range(3):
        rows = [[columns.setdefault((role, name), len(columns)) for name in features(w)] for w in found.words]
        longest = max(map(len, rows))
        roles.append(np.array([row + row[-1:] * (longest - len(row)) for row in rows]))
    seen = [np.array(part) for part in (found.here, found.before, found.after)]
    occurrences = np.concatenate([role[part] for role, part in zip(roles, seen, strict=True)], axis=1)
    weights = fit(occurrences, np.array(found.content), len(columns))
    own, before, after = (weights[role].sum(1) for role in roles)
    sums = (own + before[0] + after[0], before - before[0], after - after[0])
    rounded = [
        np.clip(np.rint(values / STEP), bounds[0], bounds[-1]).astype(int).tolist()
        for values, bounds in zip(sums, (OWN, BEFORE, AFTER), strict=True)
    ]
    counts = np.bincount(seen[0], minlength=len(found.words))
    return {
        word: numbers
        for word, numbers, count in zip(found.words, zip(*rounded, strict=True), counts, strict=True)
        if count >= LEAST_SEEN and web.is_word(word)
    }


def lines(found: Mapping[str, tuple[int, int, int]]) -> Iterator[str]:
    """Yield the list's lines: the three numbers, and all words that have them."""
    groups: defaultdict[tuple[int, int, int], list[str]] = defaultdict(list)
    for word in sorted(found):
        groups[found[word]].append(word)
    yield "# How words lean to being a noun or an adjective: own, what it says of the word after, of the word before."
    yield "# Compiled by `python -m service.study.leanings`; see there."
    for numbers, words in sorted(groups.items()):
        yield "\t".join((*map(str, numbers), " ".join(words)))


def _main() -> None:
    pipeline = reference()
    pipeline.disable_pipes("parser", "lemmatizer")
    texts = Texts(installed(), seed=1)
    sys.stdout.write("\n".join(lines(leanings(tagged(texts, pipeline), texts.features))) + "\n")


if __name__ == "__main__":
    _main()
