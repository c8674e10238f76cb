"""Words come out of a query lower case and bare, hosts whole."""

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from querymix.core.text import folded, is_empty, is_host, words

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
        ("\u00bfhoteles baratos? \u00a1f\u00fatbol!", ["hoteles", "baratos", "f\u00fatbol"]),
        (
            "\u201evertrag\u201c \u201amiete\u2018 \u00abbail\u00bb \u2039loyer\u203a",
            ["vertrag", "miete", "bail", "loyer"],
        ),
        ("l\u2019assurance d\u2032auto women\u2019s o\u00b4neill", ["l'assurance", "d'auto", "women's", "o'neill"]),
        ("t\u2011shirt wi\u2013fi e\u2010bike", ["t-shirt", "wi-fi", "e-bike"]),
        ("hotel\u2014paris\u2026 1 \u2013 2", ["hotel", "paris", "1", "2"]),
        ("kranken\u00adversicherung au\u200dto \ufeffreise", ["krankenversicherung", "auto", "reise"]),
        ("pizza\U0001f355 \U0001f468\u200d\U0001f373rezept iphone\u00ae", ["pizza", "rezept", "iphone"]),
        ("\uff43\uff48\uff45\uff41\uff50\u3000flights\uff1f", ["\uff43\uff48\uff45\uff41\uff50", "flights"]),
        ("f\udcfcr m\udcdcnchen \udc84hotel\udc93", ["f\u00fcr", "m\u00fcnchen", "hotel"]),
        ("chanel n\u00b05 100\u20ac 10\u00d715", ["chanel", "n\u00b05", "100\u20ac", "10\u00d715"]),
        ("\u0939\u093f\u0928\u094d\u0926\u0940", ["\u0939\u093f\u0928\u094d\u0926\u0940"]),
        ("FU\u1e9eBALL", ["fu\u00dfball"]),
        ("\U0001f355", []),
        ("\u00bfqu\u00e9 hora es? \u00a1ya!", ["qu\u00e9", "hora", "es", "ya"]),
        ("\u201eder spiegel\u201c \u2039le monde\u203a\u2026", ["der", "spiegel", "le", "monde"]),
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


@pytest.mark.parametrize(
    "text", ["F\u00fcr m\u00e1s th\u00e9", "\u0130stanbul \u0141\u00f3d\u017a \u1ed9", "ni\u00f1o & a\u00e7\u00e3o"]
)
def test_accents_that_were_typed_after_their_letters_make_the_same_words(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text)) == words(text)


def test_a_text_of_piled_up_marks_is_read_without_putting_them_in_order() -> None:
    assert len(words("e" + "\u0301\u0327" * 50_000)) == 1


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


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("café", "cafe"),
        ("straße", "strasse"),
        ("müller", "muller"),
        ("œuvre", "oeuvre"),
        ("smørrebrød", "smorrebrod"),
        ("łódź", "lodz"),
        ("d\u2019été", "d\u2019ete"),
        ("İzmir".lower(), "izmir"),
        ("москва", "москва"),
        ("ещё", "ещё"),
        ("東京", "東京"),
        ("a\ud800é", "a\ud800e"),
        ("\uff43\uff48\uff45\uff41\uff50 \uff12", "cheap 2"),
        ("o\ufb01cina", "oficina"),
        ("\u0133sbaan", "ijsbaan"),
    ],
)
def test_a_word_loses_the_marks_of_its_latin_letters(word: str, expected: str) -> None:
    assert folded(word) == expected


@example("\u01ee\u01fc")
@given(st.text(st.characters(max_codepoint=0x24F)))
def test_a_word_folds_to_the_same_whether_its_marks_are_typed_with_their_letters_or_after_them(text: str) -> None:
    once = folded(text.lower())
    assert folded(unicodedata.normalize("NFD", text.lower())) == once == folded(once)


@given(st.text(st.characters(codec="ascii")))
def test_plain_letters_stay_as_they_are(text: str) -> None:
    assert folded(text) is text
