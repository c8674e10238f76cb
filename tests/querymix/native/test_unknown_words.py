"""Unknown words in Rust (unknown.rs, guesses.rs): the same as in Python, for any word of ASCII."""

import string
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.guesses import Guesses
from querymix.core.knowledge import COMMON, Term
from querymix.core.packed_weights import from_bytes
from querymix.core.unknown import LONGEST, Reduce
from querymix.knowledge.bundle import Bundle

from tests.querymix.native.comparing import native_engine

BUNDLE = Bundle()


ENGINE = native_engine(BUNDLE)
REDUCE = Reduce(BUNDLE, BUNDLE.counts)
GUESSES = Guesses(BUNDLE, BUNDLE.piece_weights)
FREQUENT = [word for word, _ in BUNDLE.counts(10**7) if word.isascii()]
PARTS = [word for word in islice(FREQUENT, 4000) if len(word) > 3 and BUNDLE[word].tags & COMMON]


def reduced(word: str) -> tuple[str, ...]:
    """Return what Rust reduces a word to; what it leaves is Python's."""
    found = ENGINE.reduce(word)
    return REDUCE(word) if found is None else tuple(found)


def guessed(word: str) -> Term:
    """Return what Rust guesses of a word; what it leaves is what is known of it."""
    known = BUNDLE[word]
    found = ENGINE.guess(word)
    if found is None:
        return known
    content, begin = found
    head = known if begin is None else BUNDLE[word[begin:]]
    weights = from_bytes(content) if content else 0
    return known._replace(weights=weights, category=head.category, path=head.path)


frequent = st.sampled_from(FREQUENT)
ending = st.sampled_from(["", "s", "es", "n", "en", "er", "x"])
letters = st.text(string.ascii_lowercase, max_size=LONGEST + 2)
anything = st.text(st.characters(max_codepoint=127), max_size=LONGEST + 2)
marked = st.lists(
    st.one_of(frequent, st.sampled_from(["d'", "l'", "dell'", "'s", "www", ".com", "-", "_"])), max_size=4
)
hosts = st.tuples(st.sampled_from(["", "www.", "www", "shop."]), frequent, st.sampled_from([".com", ".co.uk", ".c"]))
glued = st.lists(frequent, min_size=2, max_size=5).map("".join)
compounds = st.tuples(*[st.sampled_from(PARTS), ending] * 3).map("".join)


@st.composite
def misspelled(draw: st.DrawFn) -> str:
    word = draw(st.one_of(frequent, glued))
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(word)))
        new = draw(
            st.sampled_from(["", *string.ascii_lowercase, word[at - 1 : at], word[at + 1 : at + 2] + word[at : at + 1]])
        )
        word = word[:at] + new + word[at + draw(st.integers(0, len(new))) :]
    return word


any_word = st.one_of(misspelled(), glued, compounds, hosts.map("".join), marked.map("".join), letters, anything)


@settings(max_examples=600, deadline=None)
@given(any_word)
def test_any_word_of_ascii_characters_is_reduced_and_guessed_as_python_does_it(word: str) -> None:
    assert reduced(word) == REDUCE(word)
    assert guessed(word) == GUESSES[word]


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("kitchan", ["kitchen"]),
        ("kithcen", ["kitchen"]),
        ("gardenfurniture", ["garden", "furniture"]),
        ("cheapgardenfurniture", ["cheap", "garden", "furniture"]),
        ("wwwkitchan.gardenfurniture.com", ["kitchen", "garden", "furniture"]),
        ("l'accommodation's", ["accommodation"]),
        ("zqxjkvbn", ["zqxjkvbn"]),
        ("", []),
        ("x" * (LONGEST + 1), []),
    ],
)
def test_a_word_is_reduced(word: str, pieces: list[str]) -> None:
    assert ENGINE.reduce(word) == pieces


def test_words_of_the_base_are_what_python_says_they_are() -> None:
    words = [word for word, _ in islice(BUNDLE.counts(0), 0, None, 25) if word.isascii()]
    assert len(words) > 15_000
    for word in words:
        assert reduced(word) == REDUCE(word)
        assert guessed(word) == GUESSES[word]


@pytest.mark.parametrize("word", ["caf\u00e9", "gardenfurniture\u00e9", "\u043c\u043e\u0441\u043a\u0432\u0430"])
def test_words_with_other_letters_are_left_to_python(word: str) -> None:
    assert ENGINE.reduce(word) is None
    assert ENGINE.guess(word) is None


def test_python_makes_no_tables_where_rust_answers() -> None:
    def unread(_: int) -> list[tuple[str, int]]:
        raise AssertionError("the tables were made")

    asking = Reduce(BUNDLE, unread, ENGINE.likeliest)
    for word in ("kithcen", "gardenfurniture", "caf\u00e9", "caf\u00e9-gardenfurniture", "l'accommodaton", "zqxjkvbn"):
        assert asking(word) == REDUCE(word)


def test_guesses_ask_rust() -> None:
    asked = []

    def guess(word: str) -> tuple[bytes, int | None] | None:
        asked.append(word)
        found: tuple[bytes, int | None] | None = ENGINE.guess(word)
        return found

    words = [
        "kinderfahrradanh\u00e4nger",
        "gardenzilla",
        "zqxjkvbn",
        "Kithcen",
        "the",
        "12345",
        "h\u00e4userb\u00fccher",
    ]
    asking = Guesses(BUNDLE, BUNDLE.piece_weights, guess)
    assert [asking[word] for word in words] == [GUESSES[word] for word in words]
    assert "gardenzilla" in asked


def test_many_threads_may_ask_for_the_first_word_at_once() -> None:
    engine = native_engine(BUNDLE)
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(engine.reduce, ["gardenfurniture"] * 64)) == [["garden", "furniture"]] * 64
