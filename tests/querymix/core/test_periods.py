"""Ids of a period: the form of pseudonyms, one for a user within it, none beyond it."""

import pickle
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.draw import random_key
from querymix.core.errors import ConfigError
from querymix.core.periods import Ids, Period, check_period, number_of, random_ids, with_ids
from querymix.core.records import Query, Release, rows_of

DAY = 86_400.0
WHOLE = 2.0**40


def releases_of(users: Sequence[str], further: int = 0) -> list[Release]:
    query = Query("owner", "soccer", 0, 0.0)
    return [Release(user, 3, query, 3, query, 20, (query,) * further) for user in users]


@given(st.integers(60, 10**7), st.floats(-WHOLE, WHOLE))
def test_a_moment_lies_in_the_period_of_its_number(seconds: int, now: float) -> None:
    number = number_of(seconds, now)
    assert number * seconds <= now < (number + 1) * seconds


@given(st.lists(st.text(max_size=3), max_size=20), st.integers(0, 3))
def test_within_a_period_a_user_has_one_id_and_only_the_user_changes(users: list[str], further: int) -> None:
    before, ids = releases_of(users, further), Ids(random_key())
    after = with_ids(before, DAY, ids)
    assert [release.user for release in after] == [ids[user] for user in users]
    assert [release[1:] for release in after] == [release[1:] for release in before]


@given(st.sets(st.text(max_size=3), min_size=1, max_size=20))
def test_no_id_of_one_period_stands_in_another(users: set[str]) -> None:
    before = releases_of(sorted(users))
    one, other = ({row.user for row in with_ids(before, DAY, Ids(random_key()))} for _ in range(2))
    assert len(one) == len(other) == len(users)
    assert not one & other


@given(st.lists(st.sampled_from(["ann", "bob"]), max_size=20), st.integers(0, 3))
def test_under_session_each_release_has_an_id_and_its_rows_share_it(users: list[str], further: int) -> None:
    before = releases_of(users, further)
    after = with_ids(before, "session")
    assert len({release.user for release in after}) == len(users)
    assert [release[1:] for release in after] == [release[1:] for release in before]


@given(st.lists(st.sampled_from(["ann", "bob"]), max_size=20), st.integers(0, 3))
def test_under_record_each_row_has_an_id(users: list[str], further: int) -> None:
    before = releases_of(users, further)
    after = with_ids(before, "record")
    assert len(after) == len({release.user for release in after}) == rows_of(before) == rows_of(after)


def test_a_user_whose_id_was_forgotten_gets_the_same_again() -> None:
    ids = Ids(random_key())
    first = ids["ann"]
    ids.clear()
    assert ids["ann"] == first


def test_an_id_under_a_key_has_the_form_of_a_pseudonym_and_its_map_shows_nothing() -> None:
    key = random_key()
    ids = Ids(key)
    assert all(ids[user].isdecimal() and int(ids[user]) < 2**63 for user in ("ann", "", "\udcff", "\u00e9"))
    assert repr(ids) == "Ids(4 answers)"
    with pytest.raises(TypeError, match="stay in the process") as raised:
        pickle.dumps(ids)
    assert key.hex() not in str(raised.value)


def test_with_no_period_the_users_stay() -> None:
    before = releases_of(["ann", "bob"])
    assert with_ids(before, None) is before


@pytest.mark.parametrize("period", [DAY, "session", "record"])
def test_no_releases_stay_none(period: Period) -> None:
    assert list(with_ids([], period, Ids(random_key()))) == []


def test_a_time_without_its_ids_is_refused_and_lets_no_user_through() -> None:
    with pytest.raises(ValueError, match="ids of its own"):
        with_ids(releases_of(["ann"]), DAY)


@given(st.binary(min_size=8, max_size=800))
def test_random_ids_have_the_form_of_pseudonyms(drawn: bytes) -> None:
    count = len(drawn) // 8
    found = random_ids(count, lambda size: drawn[:size])
    assert len(found) == count
    assert all(one.isdecimal() and 0 <= int(one) < 2**63 for one in found)


@pytest.mark.parametrize("period", [59.0, 0.0, -60.0, 60.5, float("nan"), float("inf")])
def test_a_period_that_is_no_whole_number_of_seconds_or_too_short_is_refused(period: float) -> None:
    with pytest.raises(ConfigError, match="whole number of seconds, 1m at least"):
        check_period(period)


@pytest.mark.parametrize("period", [60.0, DAY, "session", "record", None])
def test_other_periods_are_taken(period: Period) -> None:
    assert check_period(period) == period
