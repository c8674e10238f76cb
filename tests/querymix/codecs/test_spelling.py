"""A released value has one spelling: times on a grid or not, ranks, and what safe fields hold."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import TimePolicy
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.codecs.record_times import moment
from querymix.codecs.spelling import TimeForm, Times, form_of_times, valued
from querymix.core.records import Query, Release

HOUR, DAY = 3600, 86400
FORMS: list[TimeForm] = ["iso", "plain", "seconds", "milliseconds", "microseconds", "nanoseconds"]


@pytest.mark.parametrize(
    ("precision", "time", "left"),
    [
        (None, "2006-03-01 07:17:12", "2006-03-01T07:17:12Z"),
        (None, "2006-03-01T07:17:12.999+02:00", "2006-03-01T05:17:12Z"),
        (None, "2006/03/01 07:17", "2006-03-01T07:17:00Z"),
        (None, "2006-03-01", "2006-03-01T00:00:00Z"),
        (None, "10/Oct/2006:13:55:36 -0700", "2006-10-10T20:55:36Z"),
        (None, 1141197432, "2006-03-01T07:17:12Z"),
        (None, 1141197432.75, "2006-03-01T07:17:12Z"),
        (None, "1141197432123", "2006-03-01T07:17:12Z"),
        (None, 1141197432123456789, "2006-03-01T07:17:12Z"),
        (None, 0, "1970-01-01T00:00:00Z"),
        (None, "9999-12-31T23:30:15-05:00", "9999-12-31T23:30:15Z"),
        (600, "2006-03-01 07:17:12", "2006-03-01T07:10:00Z"),
        (HOUR, "2006-03-01T07:17:12+05:30", "2006-03-01T01:00:00Z"),
        (HOUR, "9999-12-31T23:59:59-05:00", "9999-12-31T23:00:00Z"),
        (DAY, "2006-03-01T01:17:12+02:00", "2006-02-28T00:00:00Z"),
        (7 * DAY, "2006-03-01", "2006-02-23T00:00:00Z"),
    ],
)
def test_a_time_leaves_in_utc_to_the_second_or_as_the_beginning_of_its_cell(
    precision: int | None, time: str | float, left: str
) -> None:
    times = Times("iso", precision)
    assert times(moment(time)) == times(moment(time)) == left
    if not left.startswith("9999"):
        assert times(moment(left)) == left


@pytest.mark.parametrize(
    ("precision", "time", "left"),
    [
        (HOUR, "1969-12-31 23:59:59", "1969-12-31 23:00:00"),
        (HOUR, "0987-01-01 00:10:00", "0987-01-01 00:00:00"),
        (7 * DAY, "0001-01-01 00:10:00", "0001-01-01 00:00:00"),
        (HOUR, "9999-12-31 23:59:59", "9999-12-31 23:00:00"),
    ],
)
def test_the_farthest_times_of_the_aol_form_are_cut_too(precision: int, time: str, left: str) -> None:
    codec = AolCodec(precision=precision)
    (query,) = codec.decode([f"1\tone\t{time}"], "log", 1).queries
    assert codec.encode([Release("1", 0, query, 0, query, 21)]) == [f"1\tone\t{left}\t\t"]


moments = st.datetimes(datetime(2001, 9, 10), datetime(2100, 1, 1))


@given(moments, st.sampled_from(FORMS), st.sampled_from([None, 1, 60, 900, HOUR, DAY, 10 * DAY, 77]))
def test_a_written_time_is_read_as_the_beginning_of_its_cell(at: datetime, form: TimeForm, seconds: int | None) -> None:
    exact = at.replace(tzinfo=UTC).timestamp()
    written = Times(form, seconds)(exact)
    assert moment(written) == exact // (seconds or 1) * (seconds or 1)
    assert Times(form, seconds)(moment(written)) == written
    assert form_of_times([written]) == form_of_times([str(written)]) == form


@pytest.mark.parametrize(
    ("times", "form"),
    [
        ([], "iso"),
        ([None, "", "time", "20060301", True, {}, float("nan"), -1, 10**30, "03/01/2006"], "iso"),
        (["time", "2006-03-01 07:17:12"], "plain"),
        (["2006-03-01 07:17", "2006-03-01 07:17:12.5"], "plain"),
        (["2006-03-01T07:17:12", "2006-03-01 07:17:12Z"], "iso"),
        (["2006-03-01"], "iso"),
        (["2006/03/01 07:17:12"], "iso"),
        (["10/Oct/2006:13:55:36 -0700"], "iso"),
        ([0], "seconds"),
        ([1141197432.75], "seconds"),
        ([" 1141197432,75 "], "seconds"),
        (["2006-03-01 07:17:12", 1141197432123, 1141197432123], "milliseconds"),
    ],
)
def test_most_of_the_times_that_can_be_read_tell_their_form(times: list[object], form: str) -> None:
    assert form_of_times(times) == form


def test_more_hours_than_are_remembered_are_written_too() -> None:
    times, begin = Times("iso"), datetime(1970, 1, 1, tzinfo=UTC)
    for hour in range(70_000):
        times(hour * HOUR)
    assert [times(hour * HOUR + 61) for hour in (0, 69_999)] == [
        f"{begin + timedelta(hours=hour, seconds=61):%Y-%m-%dT%H:%M:%SZ}" for hour in (0, 69_999)
    ]


@pytest.mark.parametrize("policy", ["trigger", "query"])
def test_codecs_write_the_cut_time_of_the_policy(policy: TimePolicy) -> None:
    asked, came = "2006-03-01 05:17:00", "2006-03-01 07:17:00"
    hour = 7 if policy == "trigger" else 5
    trigger, query = (Query("o", "q", time, moment(time)) for time in (came, asked))
    for codec, line in (
        (AolCodec(time=policy, precision=3600), f"u\tq\t2006-03-01 0{hour}:00:00\t\t"),
        (
            JsonLinesCodec(time=policy, precision=3600),
            f'{{"user":"u","query":"q","time":"2006-03-01T0{hour}:00:00Z"}}',
        ),
    ):
        assert codec.encode([Release("u", 1, query, 1, trigger, 5)]) == [line]


plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=8,
)


@given(plain)
def test_what_is_in_one_spelling_stays_so(value: Any) -> None:
    once = valued(value)
    assert repr(valued(once)) == repr(once)


@pytest.mark.parametrize("value", [None, "", "NULL", "\\N", [], {}, {"a": None, "b": {"c": ""}}])
def test_what_is_empty_has_no_value(value: Any) -> None:
    assert valued(value) is None


@pytest.mark.parametrize("value", [0, False, "0", "null", [None], {"a": 0}])
def test_what_is_not_empty_has_one(value: Any) -> None:
    assert valued(value) is not None


@pytest.mark.parametrize("form", FORMS)
@given(st.lists(st.floats(-1e11, 1e11) | st.floats(0, 9000), max_size=9), st.sampled_from([None, 600, HOUR]))
def test_a_moment_is_written_the_same_whichever_was_written_before_it(
    form: TimeForm, moments: list[float], precision: float | None
) -> None:
    times = Times(form, precision)
    assert list(map(times, moments)) == [Times(form, precision)(at) for at in moments]
