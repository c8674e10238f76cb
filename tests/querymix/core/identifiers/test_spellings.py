"""A long word is known with one slip, unless that is a word of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.identifiers.seen import see
from querymix.core.identifiers.spellings import ACCENTS, OWN_WORDS, UMLAUTS, mistyped, spelled, spellings

MARKS = "'.-/%&+#_@`()\\, \xa0°º€\u2014\u0301\u200b"
TYPED = st.text(sorted({*"abz019ØÅÄÉł\u043f\u03b1", *MARKS, *map(chr, ACCENTS)}), max_size=12)


@given(TYPED)
def test_a_word_of_a_list_is_spelled_as_it_is_seen(text: str) -> None:
    low = text.lower()
    assert spellings(text) == {see(low).text, see(low.translate(UMLAUTS)).text}
    assert spelled(text) == {one for word in text.split() for one in spellings(word)}


@pytest.mark.parametrize("slip", ["fuhreschein", "fuhrerschien", "fuhrarschein"])
def test_a_long_word_is_known_with_a_slip_inside(slip: str) -> None:
    assert slip in mistyped({"fuhrerschein"})


@pytest.mark.parametrize("word", ["uhrerschein", "fuhrerschei"])
def test_its_first_and_last_letter_are_right(word: str) -> None:
    assert word not in mistyped({"fuhrerschein"})


def test_a_short_word_is_known_as_it_is_only() -> None:
    assert mistyped({"cuenta", "plz"}) == {"cuenta", "plz"}


def test_a_slip_that_is_a_word_of_its_own_is_none() -> None:
    assert "patents" in OWN_WORDS
    assert "patents" not in mistyped(spelled("patentes"))
