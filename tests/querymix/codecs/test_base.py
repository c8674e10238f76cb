"""What every codec shares: moments, URLs cut to their host, refusals without content."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.codecs.base import LONGEST_LINE, Hours, Seconds, UnreadableRecordError, check_line, refusal
from querymix.core.records import MAX_REFUSED

seconds = st.datetimes().map(lambda moment: moment.replace(microsecond=0))


class Moments:
    """A codec's two tables together."""

    def __init__(self) -> None:
        self.hours, self.seconds = Hours(), Seconds()

    def at(self, text: str) -> float:
        return self.hours[text[:13]] + self.seconds[text[13:]]


def written(moment: datetime) -> str:
    """Write a moment as AOL does."""
    return moment.isoformat(sep=" ", timespec="seconds")


@settings(deadline=None)
@given(st.lists(seconds, min_size=1))
def test_moments_agree_with_datetime_whether_they_are_new_or_remembered(times: list[datetime]) -> None:
    moments = Moments()
    for _ in range(2):
        for time in times:
            assert moments.at(written(time)) == time.replace(tzinfo=UTC).timestamp()


@settings(deadline=None)
@given(seconds, seconds)
def test_a_remembered_hour_and_a_remembered_second_join_rightly(day: datetime, second: datetime) -> None:
    moments = Moments()
    moments.at(written(day))
    moments.at(written(second))
    joined = datetime.combine(day.date(), second.time())
    assert moments.at(written(joined)) == joined.replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "2006-03-01",
        "2006-03-01 07:17",
        "2006-03-01T07:17:12",
        "2006-03-01 07:17:12.5",
        "2006-03-01 07:17:12 ",
        "2006-03-01  07:17:12",
        "2006-3-1 7:17:12",
        "2006-02-29 07:17:12",
        "2006-13-01 07:17:12",
        "2006-03-01 24:00:00",
        "2006-03-01 23:59:60",
        "0000-03-01 07:17:12",
        "QueryTime",
    ],
)
def test_what_is_no_moment_is_unreadable_even_when_its_parts_are_remembered(text: str) -> None:
    moments = Moments()
    moments.at("2006-03-01 07:17:12")
    with pytest.raises(UnreadableRecordError, match="the time is no date and time") as caught:
        moments.at(text)
    assert not text or text not in str(caught.value) or text == "-"


@settings(deadline=None)
@given(st.binary(max_size=2 * MAX_REFUSED))
def test_a_refusal_keeps_the_first_bytes_of_the_record_and_shows_none(raw: bytes) -> None:
    refused = refusal("log.tsv", 7, "the rule", raw.decode("utf-8", "surrogateescape"))
    assert refused.raw == raw[:MAX_REFUSED]
    assert repr(refused) == "Refusal(log.tsv:7: the rule)"


def test_of_many_bytes_a_character_no_more_bytes_are_kept() -> None:
    assert len(refusal("log.tsv", 1, "the rule", "\U0001f600" * MAX_REFUSED).raw) == MAX_REFUSED


def test_a_line_may_be_as_long_as_the_longest_and_no_longer() -> None:
    check_line("x" * LONGEST_LINE)
    with pytest.raises(UnreadableRecordError, match="longer than"):
        check_line("x" * (LONGEST_LINE + 1))


def test_a_line_with_a_nul_is_unreadable() -> None:
    with pytest.raises(UnreadableRecordError, match="NUL"):
        check_line("a\0b")


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_end_inside_a_record_is_refused_since_it_would_come_out_as_two_lines(end: str) -> None:
    with pytest.raises(UnreadableRecordError, match="more than one line"):
        check_line(f"a{end}b")
