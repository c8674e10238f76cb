"""User ids: one person's spellings are one user, and two people stay two."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.user_ids import normal_user, normal_users

BLANKS = [" ", "\t", "\u00a0", "\u2003", "\u3000", "\u2028", "\x85"]
UNSEEN = [
    "\u200b",
    "\u200c",
    "\u200d",
    "\u2060",
    "\ufeff",
    "\u00ad",
    "\u200e",
    "\u202e",
    "\u2066",
    "\ufe0f",
    "\u034f",
    "\x00",
    "\x7f",
]
ids = st.text(
    st.one_of(st.sampled_from([*BLANKS, *UNSEEN, "e", "\u0301", "\u00e9", "\ud800", "\udcff"]), st.characters())
)


@pytest.mark.parametrize("blank", BLANKS)
def test_white_space_at_the_ends_makes_no_new_user(blank: str) -> None:
    assert {normal_user(one) for one in ("1007", f"{blank}1007", f"1007{blank}", f"{blank}{blank}1007 {blank}")} == {
        "1007"
    }


@pytest.mark.parametrize("unseen", UNSEEN)
def test_what_takes_no_room_makes_no_new_user_wherever_it_stands(unseen: str) -> None:
    assert {normal_user(one) for one in (f"{unseen}ann", f"a{unseen}nn", f"ann{unseen}", f"ann {unseen} ")} == {"ann"}
    assert normal_user(f"{unseen} {unseen}") == ""


def test_the_forms_of_one_letter_are_one_user() -> None:
    assert normal_user("Jose\u0301") == normal_user("Jos\u00e9") == normal_user("Jose\u200b\u0301") == "Jos\u00e9"
    assert normal_user("\u212b") == normal_user("A\u030a") == "\u00c5"


def test_what_may_tell_two_people_apart_stays() -> None:
    people = [
        "ann",
        "Ann",
        "ann lee",
        "annlee",
        "ann  lee",
        "\u0430nn",
        "1007",
        "01007",
        "\uff11007",
        "a\ufffd",
        "\udce9",
        "\udca01",
    ]
    assert list(map(normal_user, people)) == people


@given(ids)
def test_the_normal_form_of_a_normal_form_is_itself(user: str) -> None:
    once = normal_user(user)
    assert normal_user(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert once == once.strip()


@given(st.lists(ids))
def test_many_are_as_each_of_them(users: list[str]) -> None:
    assert normal_users(users) == list(map(normal_user, users))


@given(st.lists(st.text(st.characters(min_codepoint=33, max_codepoint=126))))
def test_plain_ids_are_left_as_they_are(users: list[str]) -> None:
    assert normal_users(users) is users
