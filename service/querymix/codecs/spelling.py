"""How a released value is written: in one spelling for all producers, so that a line does not tell who wrote it.

Rules:
- A time is that of its moment, in UTC, to the second: a producer's zone, signs, unit and fraction do not leave. With a
  grid it is the beginning of its cell. Cells are counted from 1970 (UTC), so that those of a day begin at midnight UTC
  and those of a week on a Thursday.
- What has no value is absent, null, an empty text or one of `NULL` alike: `valued` makes all of them None.
- A query's text leaves without blanks around it; those inside are its content.
- A rank is a number where it is a whole one, however it was written; another text stays.
- Of a safe field's value the content stays, and not how JSON was written: keys are sorted, 1.0 is 1.
"""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Any, Final, Literal

from querymix.codecs.base import UnreadableRecordError
from querymix.codecs.record_times import MONTHS, hyphened, moment, unit_of
from querymix.core.bounded_cache import MAX, BoundedCache
from querymix.core.expressions import expression

TimeForm = Literal["iso", "plain", "seconds", "milliseconds", "microseconds", "nanoseconds"]
"""How times leave where the format does not say it: 2006-03-01T07:17:12Z, 2006-03-01 07:17:12, a number since 1970."""
TIME_FORM: Final[TimeForm] = "iso"
NULL: Final = frozenset(("", "\\N", "NULL"))
"""What stands where there is no value: nothing, or what databases export."""
LEAST: Final = -(2**63)
MOST: Final = 2**64 - 1
"""The whole numbers that JSON is read with."""
_EXACT: Final = 2**53
"""From here on two whole numbers may be one number with a fraction."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_HOUR: Final = 3600
_FIRST: Final = (datetime(1, 1, 1, tzinfo=UTC) - _EPOCH) // timedelta(hours=1)
_LAST: Final = (datetime(9999, 12, 31, 23, tzinfo=UTC) - _EPOCH) // timedelta(hours=1)
"""The hours since 1970 that have a date of four digits."""
_PART: Final = [f":{number:02}" for number in range(60)]
_CLOCKS: Final = tuple(minute + second for minute in _PART for second in _PART)
_FACTORS: Final[dict[str, int]] = {"seconds": 1, "milliseconds": 10**3, "microseconds": 10**6, "nanoseconds": 10**9}
_NAMES: Final[dict[int, TimeForm]] = {
    1: "seconds", 10**3: "milliseconds", 10**6: "microseconds", 10**9: "nanoseconds"
}  # fmt: skip
_PLAIN: Final = expression(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d([.,]\d+)?)?", re.ASCII)
_RANK: Final = expression(r"([+-]?\d+)(?:\.0*)?")


class Times:
    """Writes moments (seconds since 1970) in one spelling, cut to cells of `precision` seconds.

    "server" is the form of access logs: 01/Mar/2006:07:17:12 +0000.
    """

    def __init__(self, kind: TimeForm | Literal["server"] = "iso", precision: float | None = None) -> None:
        self._kind: Final = kind
        self._width: Final = max(1, int(precision or 1))
        self._factor: Final = _FACTORS.get(kind, 0)
        self._end: Final = {"iso": "Z", "server": " +0000"}.get(kind, "")
        self._hours: Final[dict[int, str]] = {}
        self._cell, self._last = inf, ""
        """The last cell and how it is written: most moments are of the same as those before them."""

    def __call__(self, at: float) -> str | int:
        """Return a moment as it is released."""
        cell = at // self._width
        if cell == self._cell and not self._factor:
            return self._last
        second = int(cell) * self._width
        if self._factor:
            return second * self._factor
        hour, rest = divmod(second, _HOUR)
        self._last = f"{self._hours.get(hour) or self._hour(hour)}{_CLOCKS[rest]}{self._end}"
        self._cell = cell
        return self._last

    def _hour(self, hour: int) -> str:
        iso = (_EPOCH + timedelta(hours=min(max(hour, _FIRST), _LAST))).isoformat()
        text = iso[:13]
        if self._kind == "plain":
            text = f"{iso[:10]} {iso[11:13]}"
        elif self._kind == "server":
            text = f"{iso[8:10]}/{MONTHS[int(iso[5:7]) - 1]}/{iso[:4]}:{iso[11:13]}"
        if len(self._hours) >= MAX:
            self._hours.clear()
        self._hours[hour] = text
        return text


def form_of_times(values: Iterable[object]) -> TimeForm:
    """Return the form that most of a log's times have, as they stand in it; "iso" where it is none of the others.

    >>> form_of_times([1141197432123, "1141197432", "2006-03-01 07:17:12", 1141197433])
    'seconds'
    """
    forms = Counter(form for value in values if (form := _form_of(value)) is not None)
    return forms.most_common(1)[0][0] if forms else TIME_FORM


def _form_of(value: object) -> TimeForm | None:
    """Return the form of a time; None where it is none."""
    try:
        moment(value)
    except UnreadableRecordError:
        return None
    if isinstance(value, int | float):
        return _NAMES[int(unit_of(value))]
    text = str(value).strip()
    if "-" in hyphened(text) or ":" in text:
        return "plain" if _PLAIN.fullmatch(text) else "iso"
    return _NAMES[int(unit_of(float(text.replace(",", "."))))]


class Ranks(BoundedCache[int | str | None]):
    """From the text of a rank to the rank as it is released; None where it is none."""

    def __missing__(self, rank: str) -> int | str | None:
        text = rank.strip()
        found: int | str | None = None if text in NULL else text
        if (whole := _RANK.fullmatch(text)) is not None:
            number = int(whole[1])
            found = number if LEAST <= number <= MOST else str(number)
        self.keep(rank, found)
        return found


def valued(value: Any) -> Any:
    """Return plain data in one spelling, with a tuple for each list in it; None where it has no value."""
    kind = type(value)
    if kind is str:
        return None if value in NULL else value
    if kind is float:
        return int(value) if value.is_integer() and abs(value) < _EXACT else value
    if kind is list or kind is tuple:
        return tuple([valued(inner) for inner in value]) or None
    if kind is dict:
        return {key: one for key in sorted(value) if (one := valued(value[key])) is not None} or None
    return value
