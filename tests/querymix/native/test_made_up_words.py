"""Unknown words in Rust over made-up bundles: ties, links, letters and rows that the package's bundle lacks."""

from collections.abc import Iterator
from itertools import chain, islice, product
from pathlib import Path
from typing import Any

import pytest
from querymix.core.guesses import Guesses
from querymix.core.knowledge import CATEGORIES, COMMON, NOUN, STOP, Term
from querymix.core.packed_weights import FIELDS, OFFSET, from_bytes
from querymix.core.unknown import MIN_COUNT, Reduce
from querymix.knowledge.bundle import Bundle
from querymix.knowledge.layout import Source
from querymix.knowledge.writing import bundle_bytes, write

from tests.known import linked, term, word_lists
from tests.querymix.native.comparing import native_engine

COUNT = 10**9
TERMS = {
    "barker": Term(NOUN, COUNT),
    "barber": Term(NOUN, COUNT),
    "barter": Term(NOUN, COUNT),
    "barrer": Term(NOUN, COUNT),
    "bar": Term(NOUN, COUNT),
    "ker": Term(NOUN, COUNT),
    "berlin": Term(NOUN, COUNT),
    "bar berlin": Term(NOUN, 2 * COUNT),
    "ba": Term(NOUN, COUNT),
    "rberlin": Term(NOUN, MIN_COUNT),
    "rberli": Term(NOUN, MIN_COUNT - 1),
    "berlon": Term(references=COUNT, recommendation="berlin bar"),
    "cafes": Term(references=COUNT, recommendation="caf\u00e9s"),
    "Capital": Term(NOUN, COUNT),
    "the": Term(STOP, COUNT),
    "haus": term("Home/Houses", [-100] + [3] * (FIELDS - 1), tags=COMMON),
    "boote": term("Recreation/Boating", [-127, 127] + [-7] * (FIELDS - 2), tags=COMMON),
    "bootes": term("Science/Stars", [1] * FIELDS, tags=COMMON),
    "bau": term("Business", tags=COMMON),
    "amt\u00e4": term("Society", tags=COMMON),
}
ALPHABET = (
    "bar",
    "ber",
    "ker",
    "ter",
    "lin",
    "lon",
    "haus",
    "boot",
    "e",
    "s",
    "en",
    "r",
    "ba",
    "cafe",
    "-",
    "'",
    "Cap",
)


@pytest.fixture(scope="module", params=[0, 1, 97])
def bundle(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    """Return a bundle with so many rows of word pieces, of which every third is not known."""
    path = tmp_path_factory.mktemp("made") / "made.bundle"
    rows = [
        bytes((row * place) % 251 + 4 for place in range(FIELDS)) if row % 3 else bytes(FIELDS) for row in range(1, 98)
    ]
    content = bundle_bytes(
        linked(TERMS).items(),
        [Source("made up", "none", len(TERMS))],
        word_lists=word_lists(),
        pieces=b"".join(rows[: request.param]),
    )
    write(path, content)
    made = Bundle(path)
    yield made
    made.close()


def test_words_of_every_kind_are_what_python_says_they_are(bundle: Bundle) -> None:
    engine = native_engine(bundle)
    reduce = Reduce(bundle, bundle.counts)
    guesses = Guesses(bundle, bundle.piece_weights)
    asking = Guesses(bundle, bundle.piece_weights, engine.guess)
    longest = islice(product(ALPHABET, repeat=4), 0, None, 11)
    words = {"".join(parts) for parts in chain(*(product(ALPHABET, repeat=size) for size in range(4)), longest)}
    left = set()
    for word in words:
        found = engine.reduce(word)
        if found is None:
            left.add(word)
        else:
            assert tuple(found) == reduce(word), word
        assert asking[word] == guesses[word], word
        assert guessed(engine, bundle, word) == guesses[word], word
    assert len(words) > 10_000
    assert left
    assert all("cafe" in word for word in left), "a recommendation that is not ASCII is Python's"


def guessed(engine: Any, bundle: Bundle, word: str) -> Term:
    known = bundle[word]
    found = engine.guess(word)
    if found is None:
        return known
    content, begin = found
    head = known if begin is None else bundle[word[begin:]]
    return known._replace(weights=from_bytes(content) if content else 0, category=head.category, path=head.path)


def test_of_corrections_as_likely_the_last_one_in_alphabetical_order_is_taken(bundle: Bundle) -> None:
    assert native_engine(bundle).reduce("barzer") == ["barter"]
    assert Reduce(bundle, bundle.counts)("barzer") == ("barter",)


def test_a_bundle_without_frequent_words_reduces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "rare.bundle"
    write(path, bundle_bytes([("rare", Term(NOUN, 1))], [Source("made up", "none", 1)], word_lists=word_lists()))
    assert native_engine(Bundle(path)).reduce("rarely") == ["rarely"]


def test_weights_that_no_row_can_have_are_left_to_python(tmp_path: Path) -> None:
    path = tmp_path / "odd.bundle"
    row = bytes([0]) + bytes([OFFSET] * (len(CATEGORIES) - 1))
    write(
        path,
        bundle_bytes([("rare", Term(NOUN, 1))], [Source("made up", "none", 1)], word_lists=word_lists(), pieces=row),
    )
    assert native_engine(Bundle(path)).guess("rarely") is None
