"""Times cut to a grid: the beginning of the cell, in the form that each time came in."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import UnreadableRecordError
from querymix.codecs.grid import Grid
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.codecs.record_times import moment
from querymix.core.records import Query, Release

HOUR, DAY = 3600, 86400


def at_of(time: str | float) -> float:
    """Return the moment of a time, also of those that only the AOL codec reads."""
    try:
        return moment(time)
    except UnreadableRecordError:
        return AolCodec().decode([f"user\ttext\t{time}"], "", 1).queries[0].at


@pytest.mark.parametrize(
    ("seconds", "time", "cut"),
    [
        (HOUR, "2006-03-01 07:17:12", "2006-03-01 07:00:00"),
        (HOUR, "2006/03/01 07:17:12", "2006/03/01 07:00:00"),
        (DAY, "2006/03/01T07:17:12Z", "2006/03/01T00:00:00Z"),
        (DAY, " 2006/03/01 ", " 2006/03/01 "),
        (DAY, "01/Mar/2006:07:17:12 +0200", "01/Mar/2006:02:00:00 +0200"),
        (600, "2006-03-01 07:17:12", "2006-03-01 07:10:00"),
        (DAY, "2006-03-01 07:17:12", "2006-03-01 00:00:00"),
        (7 * DAY, "2006-03-01 07:17:12", "2006-02-23 00:00:00"),
        (HOUR, "1969-12-31 23:59:59", "1969-12-31 23:00:00"),
        (7 * DAY, "0001-01-01 00:10:00", "0001-01-02 00:00:00"),
        (HOUR, "0987-01-01 00:10:00", "0987-01-01 00:00:00"),
        (HOUR, "9999-12-31T23:59:59-05:00", "9999-12-31T23:00:00-05:00"),
        (HOUR, "2006-03-01T07:17:12.345Z", "2006-03-01T07:00:00.000Z"),
        (HOUR, "2006-03-01T07:17:12,5 UTC", "2006-03-01T07:00:00,0 UTC"),
        (HOUR, "2006-03-01t07:17:12+05:30", "2006-03-01t06:30:00+05:30"),
        (HOUR, "2006-03-01 00:17:12-0530", "2006-02-28 23:30:00-0530"),
        (HOUR, "2006-03-01 07:17:12+01", "2006-03-01 07:00:00+01"),
        (DAY, "2006-03-01T07:17:12+02:00", "2006-03-01T02:00:00+02:00"),
        (HOUR, " 2006-03-01 07:17 ", " 2006-03-01 07:00 "),
        (HOUR, "2006-03-01", "2006-03-01"),
        (7 * DAY, "2006-03-01", "2006-02-23"),
        (HOUR, "1141197432", "1141196400"),
        (HOUR, "1141197432.123", "1141196400.000"),
        (HOUR, "1141197432123", "1141196400000"),
        (HOUR, 1141197432, 1141196400),
        (HOUR, 1141197432.75, 1141196400.0),
        (HOUR, 1141197432123, 1141196400000),
        (HOUR, 1141197432123456, 1141196400000000),
        (HOUR, 1141197432123456789, 1141196400000000000),
        (HOUR, 0, 0),
    ],
)
def test_a_time_becomes_the_beginning_of_its_cell_in_its_own_form(seconds: int, time: str, cut: str) -> None:
    grid = Grid(seconds)
    for _ in range(2):
        released = grid.cut(time, at_of(time))
        assert (released, type(released)) == (cut, type(cut))
        assert grid.cut(cut, at_of(cut)) == cut


moments = st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1))


def test_the_signs_of_a_date_stay_where_both_kinds_are_in_one_cell() -> None:
    grid, times = Grid(HOUR), ("2006-03-01 07:17:12", "2006/03/01 07:17:12", "2006-03-01T07:17:12")
    assert [grid.cut(time, moment(time)) for time in times] == [time[:14] + "00:00" for time in times]


offsets = st.sampled_from(["", "Z", "+01:00", "-05", "+0530", "-11:45"])


@given(moments, offsets, st.sampled_from(["", ".5", ",123456"]), st.sampled_from([1, 60, 900, HOUR, DAY, 10 * DAY, 77]))
def test_any_time_that_is_read_is_cut_to_the_grid_and_by_less_than_a_cell(
    at: datetime, zone: str, fraction: str, seconds: int
) -> None:
    written = at.strftime("%Y-%m-%dT%H:%M:%S") + fraction + zone
    cut = Grid(seconds).cut(written, moment(written))
    assert len(str(cut)) == len(written)
    assert moment(cut) % seconds == 0
    assert 0 <= moment(written) - moment(cut) < seconds


@given(st.integers(200_000_000, 4_000_000_000), st.sampled_from([1, 10**3, 10**6, 10**9]), st.sampled_from([60, DAY]))
def test_any_number_is_cut_in_its_unit(at: int, unit: int, seconds: int) -> None:
    number = at * unit + unit // 3
    for time in (number, str(number)):
        cut = Grid(seconds).cut(time, float(at))
        assert type(cut) is type(time)
        assert int(cut) == at // seconds * seconds * unit


@pytest.mark.parametrize("policy", ["trigger", "query"])
def test_codecs_write_the_cut_time_of_the_policy(policy: str) -> None:
    at = datetime(2006, 3, 1, 7, 17, tzinfo=UTC).timestamp()
    asked, came = "2006-03-01 05:17:00", "2006-03-01 07:17:00"
    shown = "2006-03-01 07:00:00" if policy == "trigger" else "2006-03-01 05:00:00"
    trigger = Query("", "", came, at)
    aol = AolCodec(time=policy, precision=3600)  # type: ignore[arg-type]
    assert aol.encode([Release("u", 1, Query("o", "q", asked, at), 1, trigger, 5)]) == [f"u\tq\t{shown}"]
    codec = JsonLinesCodec(time=policy, precision=3600)  # type: ignore[arg-type]
    (query,) = codec.decode([f'{{"time":"{asked}","user":"o","query":"q"}}'], "-", 1).queries
    assert codec.encode([Release("u", 1, query, 1, trigger, 5)]) == [f'{{"time":"{shown}","user":"u","query":"q"}}']
