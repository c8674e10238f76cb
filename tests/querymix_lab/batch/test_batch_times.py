"""Released times, in the form of the record."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.codecs.record_times import moment
from querymix_lab.batch.times import like, timed

from tests.querymix_lab.batch.made import START, row

NOON = START + 12 * 3600 + 34 * 60 + 56


@pytest.mark.parametrize(
    ("time", "written"),
    [
        ("2006-02-11 01:02:03", "2006-03-01 12:34:56"),
        ("2006-02-11T01:02:03Z", "2006-03-01T12:34:56Z"),
        ("2006-02-11T01:02:03.250+01:00", "2006-03-01T13:34:56.000+01:00"),
        ("2006-02-11T01:02:03,5-0530", "2006-03-01T07:04:56,0-0530"),
        ("2006-02-11 01:02:03 UTC", "2006-03-01 12:34:56 UTC"),
        ("2006-02-11 01:02", "2006-03-01 12:34"),
        ("2006-02-11", "2006-03-01"),
        ("2006/02/11 01:02:03", "2006/03/01 12:34:56"),
        ("11/Feb/2006:01:02:03 +0100", "01/Mar/2006:13:34:56 +0100"),
        (1139619723, 1141216496),
        (1139619723000, 1141216496000),
        (1139619723.5, 1141216496.0),
        ("1139619723", "1141216496"),
        ("1139619723000000", "1141216496000000"),
        ("1139619723.5", "1141216496.0"),
        ("1139619723,5", "1141216496,0"),
    ],
)
def test_a_moment_is_written_in_the_form_of_the_record(time: str | float, written: str | float) -> None:
    assert like(time, NOON) == written
    assert type(like(time, NOON)) is type(written)


FORMS = (
    "2006-02-11 01:02:03", "2006-02-11T01:02:03.250+01:00", "2006-02-11T01:02:03-05", 1139619723, 1139619723000,
    1139619723000000, 1139619723000000000, "1139619723", "2006-02-11T01:02:03z",
)  # fmt: skip


@settings(deadline=None)
@given(st.sampled_from(FORMS), st.integers(int(START), int(START) + 10**8))
def test_what_is_written_is_read_as_the_same_moment(time: str | int, at: int) -> None:
    assert moment(like(time, at)) == at


def test_the_time_of_day_is_dropped_unless_it_is_asked_for() -> None:
    asked = row("a", "x", at=NOON)
    assert timed(asked, "day").query.time == "2006-03-01 00:00:00"
    assert timed(asked, "day").query.at == START
    assert timed(asked, "query") == asked
