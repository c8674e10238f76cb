"""Released times, to the day or to the second."""

from hypothesis import given
from hypothesis import strategies as st
from querymix.codecs.record_times import moment
from querymix_lab.batch.times import at_time, timed

from tests.querymix_lab.batch.made import START, row

NOON = START + 12 * 3600 + 34 * 60 + 56


@given(st.floats(START, START + 10**8))
def test_a_moment_is_written_to_the_second_and_kept(at: float) -> None:
    query = at_time(row("a", "x").query, at)
    assert query.at == at
    assert moment(query.time) == at // 1


def test_the_time_of_day_is_dropped_unless_it_is_asked_for() -> None:
    asked = row("a", "x", at=NOON)
    assert timed(asked, "day").query.time == "2006-03-01 00:00:00"
    assert timed(asked, "day").query.at == START
    assert timed(asked, "query") == asked
