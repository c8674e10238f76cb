"""From phrases and models to the file of weights.

Rules:
- One thread and the same versions give the same file: set OMP_NUM_THREADS and OPENBLAS_NUM_THREADS to 1.
- A listed term's target is 0.7 its label (`TRUE_LISTED`) and 0.3 the second teacher's scores.
- A term whose largest weight is below `MIN_WORD` (a word) or `MIN_LONGER` is left out: its words say the same.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import numpy as np
from querymix.core.packed_weights import SCALE, steps

from querymix_lab.knowledge.sources.default import Inputs
from querymix_lab.knowledge.sources.wordnet import WordNet
from querymix_lab.knowledge.train.encoder import Floats, encoded
from querymix_lab.knowledge.train.examples import Phrase, listed, phrases, tokens, unlabelled
from querymix_lab.knowledge.train.student import fit, soft, vocabulary
from querymix_lab.knowledge.train.teacher import First, Second

HEAT: Final = 0.2
TRUE: Final = 0.3
"""Share of a phrase's own labels in its target; the rest is the teacher's."""
PHRASE_WEIGHT: Final = 2.0
TRUE_LISTED: Final = 0.7
"""The same for a listed term: a teacher that only reads it knows little of most names."""
LISTED_WEIGHT: Final = 1.0
MIN_WORD: Final = 0.03
MIN_LONGER: Final = 0.1


def teach(
    path: Path, inputs: Inputs, large: Path, small: Path, cache: Path, say: Callable[[str], None]
) -> dict[str, tuple[int, ...]]:
    """Return each term's weights in steps.

    `path` holds the phrases, `large` and `small` are the models' folders, `cache` keeps embeddings. Raises SourceError
    or ConfigError where a file is missing.
    """
    examples = phrases(path)
    labels = _labels(examples)
    texts = [phrase.text for phrase in examples]
    say(f"{len(texts):,} phrases")
    small_phrases = encoded(small, texts, cache)
    first = First(np.concatenate([encoded(large, texts, cache), small_phrases], axis=1), labels)
    own_terms = listed(inputs.lists)
    names = [term.text for term in own_terms]
    sets = unlabelled(inputs.unigrams, inputs.bigrams, WordNet(inputs.wordnet))
    embedded = {some.name: encoded(small, some.texts, cache) for some in sets}
    scores = {
        some.name: first(
            np.concatenate([encoded(large, some.texts[: some.read], cache), embedded[some.name][: some.read]], axis=1)
        )
        for some in sets
        if some.read
    }
    own = first(np.concatenate([encoded(large, texts, cache), small_phrases], axis=1))
    say("first teacher done")
    known = [small_phrases, *(embedded[name][: len(part)] for name, part in scores.items())]
    second = Second(np.concatenate(known), np.concatenate([own, *scores.values()]))
    targets = [_mixed(own, labels, TRUE), _mixed(second(encoded(small, names, cache)), _labels(own_terms), TRUE_LISTED)]
    weights = [np.full(len(texts), PHRASE_WEIGHT, np.float32), np.full(len(names), LISTED_WEIGHT, np.float32)]
    split = [list(tokens(text)) for text in (*texts, *names)]
    for some in sets:
        scored = second(embedded[some.name])
        scored[: some.read] = scores.get(some.name, scored[:0])
        targets.append(soft(scored, HEAT))
        weights.append(np.full(len(some.texts), some.weight, np.float32))
        split += [text.split(" ") for text in some.texts]
        say(f"{len(some.texts):,} {some.name} scored")
    terms = vocabulary(split)
    learned = fit(split, np.concatenate(targets).astype(np.float32), np.concatenate(weights), terms)
    say(f"{len(terms):,} terms learned")
    return {term: row for term, values in zip(terms, learned, strict=True) if (row := _kept(term, values))}


def _labels(examples: Iterable[Phrase]) -> Floats:
    """Return the labels of examples, rows x categories."""
    labels: Floats = np.array([example.labels for example in examples], np.float32)
    return labels


def _mixed(scores: Floats, labels: Floats, true: float) -> Floats:
    """Return distributions between a teacher's scores and labels, whose share is `true`."""
    mixed: Floats = (1 - true) * soft(scores, HEAT) + true * labels / labels.sum(1, keepdims=True)
    return mixed


def _kept(term: str, values: Floats) -> tuple[int, ...]:
    """Return a term's weights in steps, none where they hardly matter."""
    least = MIN_LONGER if " " in term else max(MIN_WORD, 0.5 / SCALE)
    return tuple(steps(float(value)) for value in values) if np.abs(values).max() >= least else ()
