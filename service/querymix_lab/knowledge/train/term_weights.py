"""From phrases and models to the files of weights.

Rules:
- One thread and the same versions give the same files: set OMP_NUM_THREADS and OPENBLAS_NUM_THREADS to 1.
- All languages are learned together, since one base serves them: what a word says that several share ("gift") is
  learned from all their texts. A term's weights stand in the file of the first language, English first, that has it.
- Phrases in English have the scores of a teacher that reads three models, other English texts those of one that reads
  the smaller two. All other languages have a teacher that reads the universal one.
- A phrase's target is `TRUE` its labels and the rest the teacher's scores; a listed term's `TRUE_LISTED`.
- A term whose largest weight is below `MIN_WORD` (a word) or `MIN_LONGER` weighs nothing: its words say the same. Where
  it is a text itself its row of zeros is kept, which says that it was taught; any other is left out.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from querymix.core.packed_weights import steps

from querymix_lab.knowledge.sources.default import Inputs
from querymix_lab.knowledge.sources.languages import ENGLISH, KNOWN, known_words
from querymix_lab.knowledge.sources.wordnet import WordNet
from querymix_lab.knowledge.train.encoder import Floats, encoded
from querymix_lab.knowledge.train.examples import Phrase, Reading, TextSet, listed, phrases, unlabelled
from querymix_lab.knowledge.train.made_up_texts import made_up_texts
from querymix_lab.knowledge.train.piece_table import learned_table
from querymix_lab.knowledge.train.student import fit, grams, soft, vocabulary
from querymix_lab.knowledge.train.teacher import KernelRidge
from querymix_lab.knowledge.train.universal import universal

HEAT: Final = 0.2
TRUE: Final = 0.3
"""Share of a phrase's own labels in its target; the rest is the teacher's."""
PHRASE_WEIGHT: Final = 2.0
TRUE_LISTED: Final = 0.7
"""The same for a listed term: a teacher that only reads it knows little of most names."""
LISTED_WEIGHT: Final = 1.0
MADE_UP_WEIGHT: Final = 0.3
FREQUENT: Final = 15_000
"""Words of a further language that count `FREQUENT_WEIGHT`; its rarer ones count `RARE_WEIGHT`."""
FREQUENT_WEIGHT, RARE_WEIGHT = 0.5, 0.3
MIN_WORD: Final = 0.03
MIN_LONGER: Final = 0.3
_LANDMARKS: Final = 5_000
_SHORTEST: Final = 3
"""Letters of the shortest word that teaches the table of word pieces."""

Weights = dict[str, tuple[int, ...]]


class Models(NamedTuple):
    """Where the sentence models are, and what keeps their embeddings."""

    large: Path
    small: Path
    cache: Path

    def both(self, texts: Sequence[str]) -> Floats:
        """Return the embeddings by the smaller two models, side by side."""
        return np.concatenate([encoded(self.small, texts, self.cache), universal(texts, self.cache)], axis=1)

    def all(self, texts: Sequence[str]) -> Floats:
        """Return the embeddings by all three."""
        return np.concatenate([encoded(self.large, texts, self.cache), self.both(texts)], axis=1)


class Part(NamedTuple):
    """Texts of one language for the student."""

    language: str
    texts: Sequence[str]
    scores: Floats
    """The teacher's, texts x categories."""
    targets: Floats
    weights: Floats
    """What each text counts."""


class Taught(NamedTuple):
    """What was learned: each language's term weights in steps, and the table of word pieces."""

    weights: dict[str, Weights]
    pieces: bytes


def teach(
    folder: Path, inputs: Inputs, models: Models, languages: Collection[str], say: Callable[[str], None]
) -> Taught:
    """Learn the weights of English and of some further languages.

    `folder` holds the phrases of each language. Raises SourceError or ConfigError where a file is missing.
    """
    examples = {language: phrases(folder / f"{language}.tsv") for language in (ENGLISH, *languages)}
    parts = _english(examples[ENGLISH], inputs, models, say)
    if languages:
        parts += _others(examples, models, say)
    reading = Reading(inputs.unigrams)
    split = [reading.tokens(text, part.language) for part in parts for text in part.texts]
    terms = vocabulary(split)
    say(f"{len(split):,} texts and {len(terms):,} terms to learn")
    learned = fit(split, _joined([part.targets for part in parts]), _joined([part.weights for part in parts]), terms)
    kept = kept_weights(terms, learned, {" ".join(tokens) for tokens in split})
    say(f"{len(kept):,} terms kept")
    return Taught(_by_language(kept, parts, split), _pieces(parts, split))


def _english(examples: list[Phrase], inputs: Inputs, models: Models, say: Callable[[str], None]) -> list[Part]:
    texts, labels = [phrase.text for phrase in examples], _labels(examples)
    say(f"{len(texts):,} phrases in English")
    known = models.all(texts)
    first = KernelRidge(known, labels, gamma=0.5, ridge=1.0)
    own = first(known)
    sets = unlabelled(inputs.unigrams, inputs.bigrams, WordNet(inputs.wordnet))
    read = {some.name: first(models.all(some.texts[: some.read])) for some in sets if some.read}
    say("first teacher done")
    scores = _joined([own, *read.values()])
    taught = texts + [text for some in sets for text in some.texts[: some.read]]
    second = KernelRidge(models.both(taught), scores, gamma=0.5, ridge=0.3, landmarks=_LANDMARKS)
    say("second teacher done")
    names = listed(inputs.lists)
    parts = [
        _labelled(ENGLISH, examples, own, TRUE, PHRASE_WEIGHT),
        _labelled(ENGLISH, names, second(models.both([one.text for one in names])), TRUE_LISTED, LISTED_WEIGHT),
    ]
    made_up = TextSet("made-up texts", made_up_texts(inputs, texts), 0, MADE_UP_WEIGHT)
    for some in [*sets, made_up]:
        scored = second(models.both(some.texts))
        scored[: some.read] = read.get(some.name, scored[:0])
        parts.append(_unlabelled(ENGLISH, some, scored))
    say("English texts scored")
    return parts


def _others(examples: dict[str, list[Phrase]], models: Models, say: Callable[[str], None]) -> list[Part]:
    known = {language: universal([one.text for one in some], models.cache) for language, some in examples.items()}
    labels = _joined([_labels(some) for some in examples.values()])
    teacher = KernelRidge(_joined(list(known.values())), labels, gamma=1.0, ridge=1.0, landmarks=_LANDMARKS)
    parts = []
    for language, some in examples.items():
        if language != ENGLISH:
            parts.append(_labelled(language, some, teacher(known[language]), TRUE, PHRASE_WEIGHT))
            words = known_words(language)[:KNOWN]
            for place, weight in ((slice(FREQUENT), FREQUENT_WEIGHT), (slice(FREQUENT, None), RARE_WEIGHT)):
                part = TextSet("words", words[place], 0, weight)
                parts.append(_unlabelled(language, part, teacher(universal(part.texts, models.cache))))
            say(f"{len(some):,} phrases and {len(words):,} words of {language} scored")
    return parts


def _labelled(language: str, examples: list[Phrase], scores: Floats, true: float, weight: float) -> Part:
    targets = _mixed(scores, _labels(examples), true)
    return Part(language, [one.text for one in examples], scores, targets, np.full(len(examples), weight, np.float32))


def _unlabelled(language: str, some: TextSet, scores: Floats) -> Part:
    return Part(language, some.texts, scores, soft(scores, HEAT), np.full(len(some.texts), some.weight, np.float32))


def _by_language(kept: Weights, parts: list[Part], split: list[list[str]]) -> dict[str, Weights]:
    """Return the terms by the first language that has them in a text."""
    found: dict[str, Weights] = {}
    texts = iter(split)
    done: set[str] = set()
    for part in parts:
        own = found.setdefault(part.language, {})
        for _ in part.texts:
            for term in grams(next(texts)):
                if term not in done and term in kept:
                    done.add(term)
                    own[term] = kept[term]
    return found


def _pieces(parts: list[Part], split: list[list[str]]) -> bytes:
    """Return the table of word pieces, learned from the texts of one word."""
    words: dict[str, Floats] = {}
    texts = iter(split)
    for part in parts:
        for score in part.scores:
            tokens = next(texts)
            if len(tokens) == 1 and len(tokens[0]) >= _SHORTEST and tokens[0].isalpha() and tokens[0].isascii():
                words.setdefault(tokens[0], score)
    return learned_table(list(words), np.array(list(words.values()), np.float32), HEAT)


def _joined(parts: Sequence[Floats]) -> Floats:
    joined: Floats = np.concatenate(parts).astype(np.float32)
    return joined


def _labels(examples: Iterable[Phrase]) -> Floats:
    """Return the labels of examples, rows x categories."""
    labels: Floats = np.array([example.labels for example in examples], np.float32)
    return labels


def _mixed(scores: Floats, labels: Floats, true: float) -> Floats:
    """Return distributions between a teacher's scores and labels, whose share is `true`."""
    mixed: Floats = (1 - true) * soft(scores, HEAT) + true * labels / labels.sum(1, keepdims=True)
    return mixed


def kept_weights(terms: Sequence[str], learned: Floats, texts: Collection[str]) -> Weights:
    """Return the terms to keep and their weights in steps; `learned` is in nats, terms x categories."""
    kept: Weights = {}
    nothing = (0,) * learned.shape[1]
    for term, values, most in zip(terms, learned, np.abs(learned).max(1), strict=True):
        if most >= (MIN_LONGER if " " in term else MIN_WORD):
            kept[term] = tuple(steps(float(value)) for value in values)
        elif term in texts:
            kept[term] = nothing
    return kept
