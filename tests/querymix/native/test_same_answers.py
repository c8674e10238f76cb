"""The native path decides as plain Python does, byte for byte."""

import json
import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.bounded_cache import LONGEST
from querymix.core.classify import CachingClassifier
from querymix.core.identifiers import Detector
from querymix.core.knowledge import CATEGORIES, COMMON, FIRST_NAME, STOP, SURNAME, Term
from querymix.core.packed_weights import FIELDS
from querymix.core.records import Query
from querymix.core.terms import TermsClassifier
from querymix.core.unknown import Reduce
from querymix.knowledge.bundle import Bundle
from querymix.knowledge.layout import HEADER_BEGIN, LENGTH, MAGIC
from querymix.knowledge.writing import bundle_bytes

from tests.known import linked, term, word_lists
from tests.querymix.native.comparing import (
    HOSTS,
    LISTED,
    MARKS,
    SEEDS,
    SPACES,
    UNUSUAL,
    MadeUp,
    any_seed,
    compare,
    native_engine,
    plain_classifier,
)

DEFAULT = Bundle()
FREQUENT = [name for name, _ in DEFAULT.counts(3_000_000)]
ENGINE = native_engine(DEFAULT)
PLAIN = plain_classifier(DEFAULT)
LONGER = [
    "san francisco", "new york city", "how to", "the of the", "free antivirus", "san diego zoo", "for sale by owner",
    "real estate", "jennifer lopez", "jennifer brown", "bill gates", "lindenweg 3", "karl-marx-allee 34",
    "gardnfurniture",
]  # fmt: skip
WORDS = ("game", "soccer", "ball", "the", "of", "mary", "smith", "alpha", "beta", "gamma", "www2", "t-shirts", "don't")

word = st.sampled_from([*FREQUENT, *LONGER, *LISTED, *SEEDS, *HOSTS])
piece = st.one_of(
    word,
    word.map(str.upper),
    word.map(str.title),
    st.tuples(word, word).map("".join),
    st.integers(0, 20_000).map(str),
    st.sampled_from([*MARKS, *SPACES, *UNUSUAL]),
    st.text(st.characters(max_codepoint=127), max_size=12),
)
text = st.builds(str.join, st.sampled_from([" ", " ", "", ", "]), st.lists(piece, max_size=14))
host = st.sampled_from(["", "example.com", "google.com", "müller.de", "x y", "-"])


@given(st.lists(text | st.text(), max_size=8))
def test_texts_of_words_marks_hosts_digits_and_odd_space_are_decided_as_in_python(texts: list[str]) -> None:
    assert compare(ENGINE, PLAIN, texts).wrong == 0


@given(st.lists(st.tuples(text, host), max_size=8))
def test_a_clicked_host_is_a_term_as_in_python(rows: list[tuple[str, str]]) -> None:
    assert compare(ENGINE, PLAIN, [row[0] for row in rows], [row[1] for row in rows]).wrong == 0


def test_thousands_of_made_up_texts_are_decided_as_in_python() -> None:
    seed = any_seed()
    terms = [*FREQUENT, *LONGER] * 3 + [name for name, _ in islice(DEFAULT.terms(), 0, 60_000, 7)]
    found = compare(ENGINE, PLAIN, list(islice(MadeUp(seed, terms), 5_000)))
    assert (seed, found.wrong) == (seed, 0)
    assert found.mine > 4_000
    assert 500 < found.doubted < found.mine


def random_bundle(draw: random.Random, path: Path) -> Bundle:
    """Return a bundle of a few words, in which many weigh the same."""

    def known(name: str) -> Term:
        weights = [draw.choice((-127, -5, 0, 0, 1, 1, 2, 127)) for _ in CATEGORIES] if draw.random() < 0.6 else []
        category = draw.choice(("", "Arts", "Arts/Music", "Sports/Soccer", "Business/Banks"))
        tags = (
            0 if " " in name or draw.random() < 0.3 else draw.choice((STOP, COMMON, FIRST_NAME, SURNAME, COMMON | STOP))
        )
        right = draw.choice(("", "", "", "soccer", "the game", "fußball", "nowhere")) if " " not in name else ""
        return term(category, weights, tags=tags, recommendation=right, references=draw.choice((0, 10**6, 10**9)))

    names = {*WORDS[: draw.randrange(3, len(WORDS))], "fußball", "example.com", "shop.example.org", "socer"}
    names |= {" ".join(draw.choices(WORDS, k=draw.choice((2, 2, 3, 4)))) for _ in range(12)}
    pieces = draw.choice((b"", bytes(draw.choice((0, 100, 128, 200)) or 1 for _ in range(8 * FIELDS)), bytes(64)))
    bias = [draw.choice((0, 0, 1, -20)) for _ in CATEGORIES]
    terms = linked({name: known(name) for name in sorted(names)})  # in one order, whatever PYTHONHASHSEED says
    path.write_bytes(bundle_bytes(terms.items(), [], bias, word_lists(), pieces))
    return Bundle(path)


@pytest.mark.parametrize("seed", range(20))
def test_bundles_with_ties_biases_hosts_and_word_pieces_are_read_as_in_python(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    bundle = random_bundle(draw, tmp_path / "some.bundle")
    confidence = draw.choice((0.0, 0.0, 0.1, 0.4))
    engine, plain = native_engine(bundle, confidence), plain_classifier(bundle, confidence)
    texts = [" ".join(draw.choices([*WORDS, "soccre", "gamesoccer", "zyzzx"], k=draw.randrange(7))) for _ in range(300)]
    hosts = [draw.choice(("", "", "example.com", "shop.example.org", "soccer")) for _ in texts]
    found = compare(engine, plain, texts, hosts)
    assert found.wrong == 0
    assert found.mine > 100
    bundle.close()


def test_a_bundle_of_format_5_is_decided_over_without_word_pieces(tmp_path: Path) -> None:
    content = bundle_bytes(linked({"game": term("Games"), "the": term(tags=STOP)}).items(), [], word_lists=word_lists())
    (length,) = LENGTH.unpack_from(content, len(MAGIC))
    header = json.loads(content[HEADER_BEGIN : HEADER_BEGIN + length]) | {"format": 5}
    del header["piece_bytes"]
    begin = json.dumps(header).encode()
    path = tmp_path / "old.bundle"
    path.write_bytes(MAGIC + LENGTH.pack(len(begin)) + begin + content[HEADER_BEGIN + length :])
    bundle = Bundle(path)
    texts = ["the game", "the unheardof", "game", "", "-"]
    assert compare(native_engine(bundle), plain_classifier(bundle), texts).wrong == 0


def classifier(engine: Any) -> TermsClassifier:
    """Return a classifier over the default bundle."""
    reduce = Reduce(DEFAULT, DEFAULT.counts, engine.likeliest if engine else None)
    return TermsClassifier(
        DEFAULT, Detector(DEFAULT), reduce, DEFAULT.bias, pieces=DEFAULT.piece_weights, engine=engine
    )


@pytest.fixture(scope="module")
def both() -> tuple[CachingClassifier, CachingClassifier]:
    """Return a classifier with an engine, and one without."""
    return classifier(ENGINE), classifier(None)


@given(st.lists(st.tuples(text, st.sampled_from([None, "", "http://www.google.com/", "http://x.example.com/y"]))))
def test_a_batch_is_classified_as_in_python(
    both: tuple[CachingClassifier, CachingClassifier], rows: list[tuple[str, str | None]]
) -> None:
    queries = [Query("1", text, 0, 0.0, url=url) for text, url in rows]
    quick, plain = both
    assert quick.each(queries) == plain.each(queries)
    assert quick.each(queries) == [plain(query.text, query.url) for query in queries]


def test_what_holds_an_identifier_is_cut_in_a_batch(both: tuple[CachingClassifier, CachingClassifier]) -> None:
    queries = [
        Query("1", text, 0, 0.0) for text in ("call jennifer brown 212-555-0147", "jennifer brown", "-", "soccer")
    ]
    assert [(topic.text, topic.removed) for topic in both[0].each(queries)] == [
        ("call", ("name", "phone")), ("", ("name",)), ("", ()), ("soccer", ()),
    ]  # fmt: skip


def test_a_batch_of_long_or_foreign_texts_is_python_s(both: tuple[CachingClassifier, CachingClassifier]) -> None:
    queries = [
        Query("1", text, 0, 0.0) for text in ("soccer " * LONGEST, "münchen", "\udc80 soccer", "http://a.example/")
    ]
    assert both[0].each(queries) == both[1].each(queries)
