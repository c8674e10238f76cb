"""A released line tells when its trigger and its query were due."""

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.codecs.aol import AolCodec

from loadtest.measure.stamps import Stamps, stamp

ORIGIN = 1_795_862_700_123
DAY = 86_400_000


@settings(deadline=None)
@given(first=st.integers(0, 6 * DAY), later=st.integers(0, DAY // 2))
def test_both_moments_come_back_to_the_millisecond(first: int, later: int) -> None:
    lines = [stamp(b"7\tblue cheese\t2006-03-01 07:00:00\t3\thttp://www.example.com", ORIGIN, ORIGIN + due)
             for due in (first, first + later)]  # fmt: skip
    decoded = AolCodec().decode([line.decode() for line in lines], "raw", 0)
    assert decoded.refusals == []
    query, trigger = decoded.queries
    line = "\t".join([trigger.user, query.text, str(trigger.time), str(query.rank), str(query.url)])
    assert Stamps(ORIGIN).read(line) == (ORIGIN + first + later, ORIGIN + first)


def test_user_query_and_click_stay_as_they_are() -> None:
    line = stamp(b"7\tblue cheese\t2006-03-01 07:00:00\t3\thttp://www.example.com", ORIGIN, ORIGIN + 1500)
    user, query, time, rank, url = line.split(b"\t")
    assert (user, query, url) == (b"7", b"blue cheese", b"http://www.example.com")
    assert datetime.fromisoformat(time.decode()) == datetime(2000, 1, 1, 0, 25)
    assert int(rank) == ORIGIN + 1500


@pytest.mark.parametrize(
    "line",
    [
        "7\tq\t2006-03-01 07:00:00\t3\thttp://example.com",
        "7\tq\t2026-11-28 07:00:00\t\t",
        f"7\tq\t2026-11-28 07:00:00\t{ORIGIN}\t",
        "7\tq\t2000-01-01 00:00:01\t12\t",
        "7\tq\tyesterday\t12\t",
        "7\tq",
        "",
    ],
)
def test_lines_of_others_have_no_stamps(line: str) -> None:
    assert Stamps(ORIGIN).read(line) is None


def test_a_line_that_is_no_log_cannot_be_stamped() -> None:
    with pytest.raises(ValueError, match="not enough values"):
        stamp(b"7\tq", ORIGIN, ORIGIN)
