"""The time of a log as seconds since 1970 (UTC), for forms that may hold more than one way to write it.

Rules:
- A text is a date and a time of ISO 8601: "2006-03-01 07:17:12", with T or a space, a fraction, and a zone (Z, UTC or
  an offset). Without a zone it is UTC.
- Slashes for the hyphens are read too where the year is first, "2006/03/01 07:17:12": then the month is next.
- So is a text as web servers write it, with its zone: "10/Oct/2006:13:55:36 -0700".
- A number, also as a text, counts since 1970. Its size tells the unit: below 10**11 seconds, then milli-, micro- and
  nanoseconds. Each range begins in March 1973 and ends in the year 5138.
- Refused is what can be read in two ways: digits that are also a date (20060301, 20060301071712), other orders of day,
  month and year, two-digit years, AM and PM. So are times before 1970, hour 24 and second 60.
"""

import re
from datetime import UTC, datetime
from typing import Final

from querymix.codecs.base import Hours, Seconds, UnreadableRecordError
from querymix.core.expressions import expression

_UNITS: Final = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER: Final = expression(r"-?[0-9]+(?:[.,][0-9]+)?", re.ASCII)
_MIN_DIGITS: Final = 9
"""Digits of a text that counts since 1970: fewer may be a year, a date or a time of day."""
_ISO: Final = expression(
    r"(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(?:([Zz]|UTC|GMT)|([+-]\d\d(?::?\d\d)?)(?: UTC)?)?)?",
    re.ASCII,
)
SERVER: Final = expression(r"(\d\d)/([A-Z][a-z]{2})/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})", re.ASCII)
"""The time of an access log: day, name of the month, year, time of day and zone."""
MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_USUAL: Final = len("YYYY-MM-DD HH:MM:SS")
_DATE: Final = expression(r"(?:19|20|21)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])", re.ASCII)
_DATE_DIGITS: Final = (8, 12, 14, 17)
_SLASHED: Final = expression(r"(\d{4})/(\d\d)/(\d\d)(?=[Tt ]|$)", re.ASCII)
_ORDER: Final = expression(
    r"(?:\d{1,2}([-/. ])\d{1,2}\1(?:\d{4}|\d\d)|\d{4}([-/])(?:\d\2\d\d?|\d\d\2\d))\b.*", re.ASCII
)
_FORM: Final = "the time is neither of the form YYYY-MM-DD HH:MM:SS (ISO 8601) nor a number since 1970"
_ANOTHER_ORDER: Final = (
    "the time has a form in which day and month may be mistaken: write it as YYYY-MM-DD HH:MM:SS "
    "(in a spreadsheet give the column the format yyyy-mm-dd hh:mm:ss, and export it again)"
)
_TWO_WAYS: Final = "the time is digits that may be a date or a number since 1970: write it as YYYY-MM-DD HH:MM:SS"
_EARLY: Final = "the time is before 1970"


class _Hours(Hours):
    """The same with a T for the space, slashes for the hyphens, and from 1970 on."""

    def __missing__(self, hour: str) -> float:
        if hour < "1970":
            raise UnreadableRecordError(_EARLY)
        day = hour[:10].replace("/", "-") if hour[4:5] == hour[7:8] == "/" else hour[:10]
        begin = super().__missing__(f"{day}{' ' if hour[10:11] == 'T' else hour[10:11]}{hour[11:]}")
        self.keep(hour, begin)
        return begin


_HOURS: Final = _Hours()
_SECONDS: Final = Seconds()


def moment(value: object) -> float:
    """Return the seconds since 1970 of a time field. Raises UnreadableRecordError, with the rule that it breaks."""
    if isinstance(value, str):
        # What nearly every record has; the way below gives the same, more slowly.
        if len(value) == _USUAL or (len(value) == _USUAL + 1 and value[-1] in "Zz"):
            try:
                return _HOURS[value[:13]] + _SECONDS[value[13:_USUAL]]
            except UnreadableRecordError:
                pass
        text = hyphened(value.strip())
        if (iso := _ISO.fullmatch(text)) is not None:
            return _written(iso)
        server = SERVER.fullmatch(text)
        return _counted_text(text) if server is None else _served(server)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _counted(value, str(int(value)) if 0 <= value < _UNITS[-1][0] else "")
    raise UnreadableRecordError(_FORM)


def hyphened(text: str) -> str:
    """Return a time with hyphens in its date where it has slashes and the year is first, else as it is."""
    return _SLASHED.sub(r"\1-\2-\3", text, count=1) if text[4:5] == "/" else text


def _served(match: re.Match[str]) -> float:
    day, month, year, clock, zone = match.groups()
    if month not in MONTHS:
        raise UnreadableRecordError(_FORM)
    return _at(f"{year}-{MONTHS.index(month) + 1:02}-{day}", clock, zone)


def _written(iso: re.Match[str]) -> float:
    day, clock, _, offset = iso.groups()
    return _at(day, clock, offset)


def _at(day: str, clock: str | None, offset: str | None) -> float:
    if clock is not None and clock.startswith("24"):
        raise UnreadableRecordError("the time has hour 24: write 00:00 of the next day")
    try:
        at = datetime.fromisoformat(f"{day}T{(clock or '00:00').replace(',', '.')}{offset or '+00:00'}")
    except ValueError:
        raise UnreadableRecordError("the time is of the right form, but there is no such date or hour") from None
    seconds = (at - _EPOCH).total_seconds()
    if seconds < 0:
        raise UnreadableRecordError(_EARLY)
    return seconds


def _counted_text(value: str) -> float:
    if not _NUMBER.fullmatch(value):
        raise UnreadableRecordError(_ANOTHER_ORDER if _ORDER.fullmatch(value) else _FORM)
    digits = value.lstrip("-").replace(",", ".").partition(".")[0]
    if len(digits) < _MIN_DIGITS or digits.startswith("0"):
        raise UnreadableRecordError(_TWO_WAYS)
    return _counted(float(value.replace(",", ".")), digits)


def _counted(number: float, digits: str) -> float:
    if number < 0:
        raise UnreadableRecordError(_EARLY)
    if len(digits) in _DATE_DIGITS and _DATE.match(digits):
        raise UnreadableRecordError(_TWO_WAYS)
    return number / unit_of(number)


def unit_of(number: float) -> float:
    """Return how many of a number's units are a second, told by its size.

    Raises UnreadableRecordError where it is too large.
    """
    for end, unit in _UNITS:
        if number < end:
            return unit
    raise UnreadableRecordError("the time is a number beyond nanoseconds since 1970")
