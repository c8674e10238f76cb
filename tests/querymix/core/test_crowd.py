"""The items that a crowd is counted by: texts that differ in form only have the same ones."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from querymix.core.crowd import CountedCrowd, bare, items_of, terms_of

texts = st.text(st.characters(exclude_categories=[]), max_size=20)
"""Any, with halves of characters, which are what a log's broken bytes become."""


@given(texts)
@example("ß\u0301")
@example("\u1f82\u0301")
@example("a \ufdfa b")
@example("caf\udce9 ?")
def test_what_is_read_in_normal_form_is_in_normal_form(text: str) -> None:
    terms = terms_of(text)
    assert terms_of(" ".join(terms)) == terms
    plain = [bare(term) for term in terms]
    assert terms_of(" ".join(plain)) == plain
    assert items_of(" ".join(terms)) == items_of(text)
    assert items_of(" ".join(plain)) <= items_of(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cafe\u0301 Olé", "café  OLÉ"),
        ("ﬁsh ①", "fish 1"),
        ("STRASSE", "straße"),
        ("東京\u3000天気", "東京 天気"),
        ("red\tshoes\n", " Red Shoes"),
    ],
)
def test_forms_of_one_text_have_the_same_items(one: str, other: str) -> None:
    assert unicodedata.normalize("NFD", one) != unicodedata.normalize("NFD", other)
    assert items_of(one) == items_of(other)


@pytest.mark.parametrize(
    ("one", "other"), [("ISTANBUL", "\u0131stanbul"), ("İstanbul", "istanbul"), ("東京天気", "天気")]
)
def test_letters_and_texts_that_differ_are_counted_each_by_itself(one: str, other: str) -> None:
    assert not items_of(one) & items_of(other)


def test_a_plain_count_counts_users_and_not_how_often_they_ask() -> None:
    crowd = CountedCrowd()
    for user in ("ann", "ann", "bob"):
        crowd.add(user, items_of("red shoes"))
    assert [crowd.enough("pair red shoes", users) for users in (2, 3)] == [True, False]
    assert not crowd.enough("term blue", 1)
    assert "red" not in repr(crowd)
