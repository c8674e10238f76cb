"""What a run notices of its log: in bounded memory, and no user id is shown but a placeholder of a fixed list."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.pseudonyms import Pseudonyms
from querymix.core.records import Query, Refusal
from querymix.local.noticed import PLACEHOLDERS, Noticed


def rows(users: list[str], begin: float = 0.0) -> list[tuple[int, Query]]:
    return [(0, Query(user, "golf", "", begin + number)) for number, user in enumerate(users)]


@given(st.lists(st.lists(st.sampled_from("abcdefghijklmnop")), max_size=9), st.integers(1, 6), st.integers(1, 20))
def test_no_user_with_much_of_the_log_is_missed_and_none_is_counted_too_often(
    batches: list[list[str]], kept: int, k: int
) -> None:
    noticed = Noticed(k, kept=kept)
    for users in batches:
        noticed.note(rows(users))
    counts = Counter(user for users in batches for user in users)
    total = counts.total()
    assert noticed.records == total
    assert noticed.few_users == (len(counts) if len(counts) <= k else None)
    heaviest = noticed.heaviest
    most = max(counts.values(), default=0)
    if most > total / kept:
        assert heaviest is not None
        assert most - total / kept <= heaviest.records <= most
        assert heaviest.share == heaviest.records / total


def test_the_memory_does_not_grow_with_the_users() -> None:
    noticed = Noticed(20, kept=50)
    for begin in range(0, 20_000, 100):
        noticed.note(rows([str(number) for number in range(begin, begin + 100)]))
    assert len(noticed._counts) <= 2 * 50
    assert len(noticed._some) <= 20 + 100
    assert noticed.few_users is None


@pytest.mark.parametrize(
    "word", ["null", "NULL", "None", "n/a", "(null)", "undefined", "guest", "-", "0", "0000", "NaN"]
)
def test_a_placeholder_is_named_and_also_under_its_pseudonym(word: str) -> None:
    users = [word] * 6 + [str(number) for number in range(4)] * (word != "0")
    plain, hidden = Noticed(3), Noticed(3, (key := Pseudonyms(b"0123456789abcdef")).__getitem__)
    plain.note(rows(users))
    hidden.note(rows([key[user] for user in users]))
    for noticed in (plain, hidden):
        assert noticed.heaviest is not None
        assert noticed.heaviest.placeholder == word
        assert (word, 6) in [(one.placeholder, one.records) for one in noticed.placeholders]


@given(st.text(min_size=1))
def test_no_other_user_id_is_ever_shown(user: str) -> None:
    noticed = Noticed(3)
    noticed.note(rows([user] * 5))
    assert noticed.heaviest is not None
    assert noticed.heaviest.placeholder == (user if user in PLACEHOLDERS else "")
    assert user in PLACEHOLDERS or user not in map(str, noticed.placeholders)


def test_the_span_is_from_the_earliest_to_the_latest_in_whatever_order() -> None:
    noticed = Noticed(3)
    assert noticed.span == 0.0
    noticed.note(rows(["a", "b"], begin=500.0))
    noticed.note(rows(["a", "b"], begin=100.0))
    assert noticed.span == 401.0


def test_reasons_are_counted_by_the_rule_and_not_by_the_place() -> None:
    noticed = Noticed(3)
    noticed.refuse(Refusal("log", n, f"the line is no JSON: unexpected character at character {n}") for n in range(9))
    noticed.refuse([Refusal("log", 10, "the user is missing")])
    assert noticed.reasons(5) == [("the line is no JSON: unexpected character", 9), ("the user is missing", 1)]
    noticed.refuse(Refusal("log", n, f"reason {n}") for n in range(10_000))
    assert len(noticed.reasons(10_000)) <= 200
