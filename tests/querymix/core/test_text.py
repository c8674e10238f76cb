"""Words come out of a query lower case and bare, hosts whole."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from querymix.core.text import is_empty, is_host, words

PUNCTUATION = "\"'.,;:!?()[]{}<>|*+=~^_-/\\&%$#@"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("european soccer barcelona players", ["european", "soccer", "barcelona", "players"]),
        ("  Novak   DJOKOVIC ", ["novak", "djokovic"]),
        ("women's t-shirts at&t", ["women's", "t-shirts", "at&t"]),
        ('"champions league" (final)', ["champions", "league", "final"]),
        ("lyrics,chords/tabs", ["lyrics", "chords", "tabs"]),
        ("what is love?", ["what", "is", "love"]),
        ("www.example.com", ["example.com"]),
        ("http://www.example.com/a/b?c=d#e", ["example.com"]),
        ("http://someone:word@example.com:8080/a", ["example.com"]),
        ("see https://example.com now", ["see", "example.com", "now"]),
        ("-", []),
        ("", []),
        ("... !!! ---", []),
        ("caf\u00e9 \u201cnoir\u201d", ["caf\u00e9", "noir"]),
    ],
)
def test_a_query_becomes_its_bare_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@settings(deadline=None)
@given(st.lists(st.sampled_from([*PUNCTUATION, *"aB1.. ", "www.", "\u00e9", "\udc80"])).map("".join))
@example("www.-x.com")
def test_no_word_is_empty_upper_case_or_ends_in_punctuation(text: str) -> None:
    for word in words(text):
        assert word
        assert word == word.lower()
        assert word == word.strip(PUNCTUATION)
        assert not any(character.isspace() for character in word)


@settings(deadline=None)
@given(st.text())
def test_any_text_has_words_in_lower_case(text: str) -> None:
    assert all(word and word == word.lower() for word in words(text))


@settings(deadline=None)
@given(st.lists(st.from_regex(r"[a-z0-9]+", fullmatch=True)))
def test_plain_words_come_out_as_they_went_in_with_or_without_punctuation_around(plain: list[str]) -> None:
    assert words(" ".join(plain)) == plain
    assert words(", ".join(f'"{word}"' for word in plain)) == plain


@pytest.mark.parametrize("word", ["example.com", "shop.example.co", "a-b.info", "my_shop.org"])
def test_a_dotted_name_is_a_host(word: str) -> None:
    assert is_host(word)


@pytest.mark.parametrize("word", ["example", "3.14", ".com", "example.", "a..com", "example.c", "exa mple.com", ""])
def test_what_is_no_dotted_name_is_no_host(word: str) -> None:
    assert not is_host(word)


def test_a_text_of_piled_up_marks_is_told_from_an_empty_one_without_putting_them_in_order() -> None:
    """Which takes time that grows with the square of their number: this was half a minute."""
    assert not is_empty("\u0301\u0327" * 50_000)
    assert is_empty("\u200b" * 50_000 + "-")
