"""Compiles tag log-odds (querymix.core.grammar): from spaCy's tagger over made-up texts to three small numbers a word.

Rules:
- A logistic regression learns when spaCy takes a word for a noun, a proper noun or an adjective, from the word, the one
  before and the one after; each has the features itself, its endings and its parts of speech in WordNet. The sums of a
  word's weights are its three numbers; a text's edges add nothing.
- A word that stands in the texts fewer than `MIN_SEEN` times is not listed, nor a number.
- The same packages, lists and model give the same list (ten minutes): docs/knowledge-bundle.md has the command.

Source: Adagrad: Duchi, Hazan, Singer 2011.
"""

import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from querymix.core.grammar import OWN, STEP, TO_NEXT, TO_PREVIOUS

from querymix_lab.knowledge.sources import web
from querymix_lab.knowledge.sources.default import installed
from querymix_lab.knowledge.train.query_texts import EDGE, Texts
from querymix_lab.knowledge.train.reference_tagger import CONTENT, MODEL, reference, tagged

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from spacy.tokens import Doc

MIN_SEEN: Final = 3
EPOCHS: Final = 4
BATCH: Final = 256
RATE: Final = 0.2


class Tagged(NamedTuple):
    """Every word of the texts with its neighbours, as numbers, and whether spaCy takes it for content."""

    words: list[str]
    """The words by number; the first is `EDGE`."""
    before: "array[int]"
    here: "array[int]"
    after: "array[int]"
    content: "array[int]"


def numbered(docs: Iterable["Doc"]) -> Tagged:
    """Return tagged texts as numbers."""
    numbers = {EDGE: 0}
    out = Tagged([], *(array("i") for _ in range(4)))
    for doc in docs:
        places = [0, *(numbers.setdefault(token.text, len(numbers)) for token in doc), 0]
        out.before.extend(places[:-2])
        out.here.extend(places[1:-1])
        out.after.extend(places[2:])
        out.content.extend(token.pos_ in CONTENT for token in doc)
    out.words.extend(numbers)
    return out


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


def log_odds(tagged_texts: Tagged, features: Callable[[str], Sequence[str]]) -> dict[str, tuple[int, int, int]]:
    """Return each word's tag log-odds: its own, what it adds to the next word, and what it adds to the previous one.

    `features` returns the features of a word.
    """
    import numpy as np  # noqa: PLC0415 - an optional extra

    columns: dict[tuple[int, str], int] = {}
    roles = []
    for role in range(3):
        rows = [[columns.setdefault((role, name), len(columns)) for name in features(w)] for w in tagged_texts.words]
        longest = max(map(len, rows))
        roles.append(np.array([row + row[-1:] * (longest - len(row)) for row in rows]))
    seen = [np.array(part) for part in (tagged_texts.here, tagged_texts.before, tagged_texts.after)]
    occurrences = np.concatenate([role[part] for role, part in zip(roles, seen, strict=True)], axis=1)
    weights = fit(occurrences, np.array(tagged_texts.content), len(columns))
    own, before, after = (weights[role].sum(1) for role in roles)
    sums = (own + before[0] + after[0], before - before[0], after - after[0])
    rounded = [
        np.clip(np.rint(values / STEP), bounds[0], bounds[-1]).astype(int).tolist()
        for values, bounds in zip(sums, (OWN, TO_NEXT, TO_PREVIOUS), strict=True)
    ]
    counts = np.bincount(seen[0], minlength=len(tagged_texts.words))
    return {
        word: numbers
        for word, numbers, count in zip(tagged_texts.words, zip(*rounded, strict=True), counts, strict=True)
        if count >= MIN_SEEN and web.is_word(word)
    }


def lines(numbers_of: Mapping[str, tuple[int, int, int]]) -> Iterator[str]:
    """Yield the list's lines: the three numbers, and all words that have them."""
    groups: defaultdict[tuple[int, int, int], list[str]] = defaultdict(list)
    for word in sorted(numbers_of):
        groups[numbers_of[word]].append(word)
    yield "# Tag log-odds of words, in steps of half a nat: own, to the next word, to the previous word."
    yield "# Compiled by `python -m querymix_lab.knowledge.train.tag_log_odds`; see there."
    for numbers, words in sorted(groups.items()):
        yield "\t".join((*map(str, numbers), " ".join(words)))


def _main() -> None:
    texts = Texts(installed(), seed=1)
    docs = tagged(reference(MODEL, "parser", "lemmatizer"), texts)
    sys.stdout.write("\n".join(lines(log_odds(numbered(docs), texts.features))) + "\n")


if __name__ == "__main__":
    _main()
