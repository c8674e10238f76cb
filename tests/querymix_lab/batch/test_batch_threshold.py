"""Threshold: who has to ask a text, within which time, and which clicks leave with it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix_lab.batch.base import Log, Options, Row
from querymix_lab.batch.threshold import common, text_of, threshold

from tests.querymix_lab.batch.made import START, log, log_of, logs, row

DAY = 86_400.0


def test_a_text_stays_if_enough_users_asked_it_however_they_wrote_it() -> None:
    before = log_of({"a": ["Weather", "own"], "b": ["weather "], "c": ["WEATHER", "news"], "d": ["news"]})
    outcome = threshold(before, Options(users=3), seeded_draw(1))
    assert [each.query.text for each in outcome.released.rows] == ["Weather", "weather ", "WEATHER"]
    assert (outcome.account.kept, outcome.account.suppressed) == (3, 3)


def test_one_user_who_asks_often_is_one_user() -> None:
    assert threshold(log_of({"a": ["x"] * 50, "b": ["x"]}), Options(users=3), seeded_draw(1)).released.rows == []


def test_the_users_have_to_ask_within_the_window() -> None:
    asked = [("a", 0), ("b", 10), ("c", 11), ("d", 12), ("a", 40)]
    before = log(*(row(user, "x", at=START + day * DAY) for user, day in asked))
    kept = threshold(before, Options(users=3, window=5 * DAY), seeded_draw(1)).released.rows
    assert sorted(each.place for each in kept) == [1, 2, 3]
    assert len(threshold(before, Options(users=3, window=50 * DAY), seeded_draw(1)).released.rows) == 5


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 20)), max_size=12), st.integers(1, 4), st.integers(0, 9)
)
def test_the_sliding_window_equals_trying_every_window(asked: list[tuple[str, int]], users: int, window: int) -> None:
    rows = log(*(row(user, "x", at=START + at) for user, at in asked)).rows
    expected: set[int] = set()
    for begin in rows:
        inside = [each for each in rows if 0 <= each.query.at - begin.query.at <= window]
        if len({each.user for each in inside}) >= users:
            expected.update(each.place for each in inside)
    assert set(common(rows, users, window)) == expected


def test_a_clicked_host_stays_only_if_as_many_users_clicked_it() -> None:
    clicked = {"a": "http://common.com/a", "b": "http://www.common.com/b", "c": "http://rare.com/me"}
    before = log(*(row(user, "x", url=url, rank="1") for user, url in clicked.items()))
    outcome = threshold(before, Options(users=2), seeded_draw(1))
    assert [each.query.url for each in outcome.released.rows] == ["http://common.com/a", "http://www.common.com/b", ""]
    assert "1 released lines lost" in outcome.notes[0]


def test_the_released_time_is_the_day_unless_the_second_is_asked_for() -> None:
    before = log(*(row(user, "x", at=START + 3_661) for user in "ab"))
    assert threshold(before, Options(users=2), seeded_draw(1)).released.rows[0].query.time == "2006-03-01 00:00:00"
    assert (
        threshold(before, Options(users=2, times="query"), seeded_draw(1)).released.rows[0].query.time
        == "2006-03-01 01:01:01"
    )


@settings(max_examples=60, deadline=None)
@given(logs, st.integers(2, 4))
def test_any_log_balances_and_holds_no_text_of_fewer_users(before: Log, users: int) -> None:
    outcome = threshold(before, Options(users=users), seeded_draw(1))
    assert outcome.account.total == len(before.rows)
    assert outcome.account.written == len(outcome.released.rows) == outcome.account.kept
    asked: dict[str, set[str]] = {}
    for each in before.rows:
        asked.setdefault(text_of(each), set()).add(each.user)
    kept: list[Row] = list(outcome.released.rows)
    assert all(len(asked[text_of(each)]) >= users for each in kept)
    assert len(kept) == sum(len(asked[text_of(each)]) >= users for each in before.rows)


@pytest.mark.parametrize("rows", [[], [row("a", "")]])
def test_an_empty_log_and_an_empty_text_do_no_harm(rows: list[Row]) -> None:
    assert threshold(Log(rows), Options(users=2), seeded_draw(1)).released.rows == []
