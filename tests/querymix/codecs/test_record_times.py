"""Times are read in the one way that they can be meant, and refused where there are two."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.codecs.base import UnreadableRecordError
from querymix.codecs.record_times import moment

AT = 1_141_197_432.0
"""2006-03-01 07:17:12 UTC."""

ours = st.datetimes(datetime(1990, 1, 1), datetime(2099, 1, 1), timezones=st.just(UTC))


def moment_or_rule(value: object) -> float | str:
    """Return the moment, or the rule that the value breaks."""
    try:
        return moment(value)
    except UnreadableRecordError as error:
        return str(error)


@pytest.mark.parametrize("unit", [1, 10**3, 10**6, 10**9])
@pytest.mark.parametrize("form", [int, str])
def test_a_number_since_1970_tells_its_unit_by_its_size_and_is_read_alike_as_a_text(unit: int, form: type) -> None:
    assert moment(form(int(AT) * unit)) == AT


@given(ours, st.sampled_from([1, 10**3, 10**6, 10**9]))
def test_any_moment_of_this_age_comes_back_from_each_unit_unless_it_looks_like_a_date(at: datetime, unit: int) -> None:
    number = round(at.timestamp()) * unit
    read = moment_or_rule(number)
    assert "may be a date" in read if isinstance(read, str) else read == pytest.approx(number / unit)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2006-03-01 07:17:12", AT),
        ("2006-03-01T07:17:12", AT),
        ("2006-03-01t07:17:12z", AT),
        ("2006-03-01T07:17:12Z", AT),
        ("2006-03-01 07:17:12 UTC", AT),
        ("2006-03-01 07:17:12 GMT", AT),
        ("2006-03-01 08:17:12+01:00", AT),
        ("2006-03-01 08:17:12 +0100", AT),
        ("2006-03-01 08:17:12 +0100 UTC", AT),
        ("2006-03-01T02:17:12-05", AT),
        ("2006-03-01T07:17:12.5", AT + 0.5),
        ("2006-03-01T07:17:12,5Z", AT + 0.5),
        ("2006-03-01T07:17:12.500000000Z", AT + 0.5),
        ("2006/03/01 07:17:12", AT),
        ("2006/03/01T07:17:12Z", AT),
        (" 2006/03/01 07:17:12.5 +00:00", AT + 0.5),
        ("2006/03/01 07:17", AT - 12),
        ("2006/03/01", 1_141_171_200.0),
        ("2006-03-01T07:17", AT - 12),
        ("2006-03-01", 1_141_171_200.0),
        ("1141197432.5", AT + 0.5),
        ("1141197432500.25", AT + 0.50025),
        (" 1141197432 ", AT),
        ("9999-12-31T23:59:59Z", 253_402_300_799.0),
        ("1970-01-01T00:00:00Z", 0.0),
    ],
)
def test_a_text_of_iso_8601_or_a_number_is_read(text: str, at: float) -> None:
    assert moment(text) == pytest.approx(at)


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("20060301", "may be a date"),
        (20060301, "may be a date"),
        ("20060301071712", "may be a date"),
        (20060301071712, "may be a date"),
        ("20060301071712123", "may be a date"),
        ("200603010717", "may be a date"),
        ("2006", "may be a date"),
        ("0", "may be a date"),
        ("0171201230", "may be a date"),
        ("03/01/2006 07:17:12", "may be mistaken"),
        ("01.03.2006 07:17", "may be mistaken"),
        ("3/1/06 7:17 AM", "may be mistaken"),
        ("1.3.2006", "may be mistaken"),
        ("2006/3/1 7:17", "may be mistaken"),
        ("2006/03-01 07:17:12", "neither"),
        ("2006/02/31 07:17:12", "no such date"),
        ("1969/03/01 07:17:12", "before 1970"),
        ("01/Mrz/2006:07:17:12 +0000", "neither"),
        ("31/Feb/2006:07:17:12 +0000", "no such date"),
        ("01/Mar/1906:07:17:12 +0000", "before 1970"),
        ("Wed, 01 Mar 2006 07:17:12 GMT", "neither"),
        ("06-03-01 07:17:12", "may be mistaken"),
        ("2006-03-01 07:17:12 PM", "neither"),
        ("2006-W09-3", "neither"),
        ("2006-060", "neither"),
        ("2006-3-1 7:17:12", "may be mistaken"),
        ("2006-03-01 07:17:12 EST", "neither"),
        ("\u0662\u0660\u0660\u0666-03-01 07:17:12", "neither"),
        ("1e9", "neither"),
        ("1,141,197,432", "neither"),
        ("inf", "neither"),
        ("", "neither"),
        ("-", "neither"),
        (None, "neither"),
        (True, "neither"),
        ("2006-02-29 00:00:00", "no such date"),
        ("2006-13-01 00:00:00", "no such date"),
        ("0000-01-01 00:00:00", "no such date"),
        ("2006-03-01 23:59:60", "no such date"),
        ("2006-03-01 25:00:00", "no such date"),
        ("2006-03-01 24:00:00", "hour 24"),
        ("1969-12-31 23:59:59", "before 1970"),
        ("0001-01-01T00:00:00+12:00", "before 1970"),
        (-1, "before 1970"),
        ("-1141197432", "before 1970"),
        (1e20, "beyond nanoseconds"),
        (1e300, "beyond nanoseconds"),
        ("11411974320000000000000", "beyond nanoseconds"),
    ],
)
def test_what_can_be_meant_in_two_ways_or_in_none_is_refused_with_its_rule(value: object, rule: str) -> None:
    with pytest.raises(UnreadableRecordError, match=rule):
        moment(value)


@given(st.one_of(st.text(), st.integers(), st.floats(), st.none(), st.from_regex(r"[0-9:TZ +./-]{1,30}")))
def test_whatever_comes_is_a_moment_since_1970_or_refused_without_being_shown(value: object) -> None:
    read = moment_or_rule(value)
    assert read.startswith("the time") if isinstance(read, str) else 0 <= read < 2.6e11
