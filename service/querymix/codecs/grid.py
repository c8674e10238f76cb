"""Released times cut to a grid: each becomes the beginning of its cell, in the form that it came in.

Rules:
- Cells are counted from 1970 (UTC) for all forms and zones alike, so that cells of a day begin at midnight UTC and
  those of a week on a Thursday.
- A text keeps its signs, its zone and its number of digits; a number keeps its type and its unit.
- A text that knows no smaller unit than days or minutes is cut to those once more.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from querymix.codecs.record_times import MONTHS, SERVER, hyphened, unit_of
from querymix.core.bounded_cache import BoundedCache

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST: Final = datetime(1, 1, 2, tzinfo=UTC)
"""The first day that any zone can write."""
_USUAL: Final = len("YYYY-MM-DD HH:MM:SS")
_SECOND: Final = timedelta(seconds=1)
_NUMBER: Final = re.compile(r"(\s*)([0-9]+)([.,][0-9]+)?(\s*)", re.ASCII)
_TEXT: Final = re.compile(
    r"(\s*)(\d{4}-\d\d-\d\d)(?:([Tt ])(\d\d:\d\d)(:\d\d)?([.,]\d+)?"
    r"( ?(?:[Zz]|UTC|GMT|([+-]\d\d)(?::?(\d\d))?(?: UTC)?))?)?(\s*)",
    re.ASCII,
)
_DIGIT: Final = re.compile("[0-9]", re.ASCII)


class Grid(BoundedCache[str]):
    """Cuts times to cells of `seconds`; what texts become is remembered."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = int(seconds)

    def cut(self, time: str | int | float, at: float) -> str | int | float:
        """Return the beginning of the cell of a time that a codec has read, in the same form; `at` is the moment."""
        if isinstance(time, str):
            if len(time) != _USUAL or time[16] != ":":
                return self[time]
            # What nearly every record has: all times of a cell become the same.
            key = f"{time[4]}{time[10]}{at // self._seconds}"
            return self.get(key) or self._keep(key, time)
        width = self._seconds * int(unit_of(time))
        return type(time)(time // width * width)

    def __missing__(self, time: str) -> str:
        return self._keep(time, time)

    def _keep(self, key: str, time: str) -> str:
        number = _NUMBER.fullmatch(time)
        cut = self._written(time) if number is None else self._counted(number)
        self.keep(key, cut)
        return cut

    def _counted(self, number: re.Match[str]) -> str:
        before, whole, fraction, after = number.groups("")
        width = self._seconds * int(unit_of(int(whole)))
        cut = str(int(whole) // width * width).rjust(len(whole), "0")
        return before + cut + _DIGIT.sub("0", fraction) + after

    def _written(self, time: str) -> str:
        if (server := SERVER.fullmatch(time.strip())) is not None:
            day, month, year, clock, zone = server.groups()
            iso = self._written(f"{year}-{MONTHS.index(month) + 1:02}-{day} {clock}{zone}")
            return f"{iso[8:10]}/{MONTHS[int(iso[5:7]) - 1]}/{iso[:4]}:{iso[11:19]} {zone}"
        text = time.lstrip()
        if (usual := hyphened(text)) != text:
            written = self._written(usual)
            return time[: -len(text)] + written[:10].replace("-", "/") + written[10:]
        match = _TEXT.fullmatch(time)
        if match is None:  # no codec reads one
            raise ValueError("this time was read by no codec")
        before, day, sign, clock, seconds, fraction, zone, hours, minutes, after = match.groups("")
        offset = timedelta(hours=int(hours or 0), minutes=int(f"{hours[:1]}{minutes or 0}"))
        at = datetime.fromisoformat(f"{day}T{clock or '00:00'}{seconds or ':00'}+00:00")
        past = (at - _EPOCH - offset) // _SECOND
        begin = max((_FIRST - _EPOCH) // _SECOND, past // self._seconds * self._seconds)
        cut = _EPOCH + (timedelta(seconds=begin) + offset)
        out = before + cut.strftime("%Y-%m-%d").rjust(len(day), "0")
        if clock:
            out += sign + cut.strftime("%H:%M:%S" if seconds else "%H:%M") + _DIGIT.sub("0", fraction) + zone
        return out + after
