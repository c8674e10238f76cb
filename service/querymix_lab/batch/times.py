"""Released times: in the form that the record came in, to the day or to the second.

A microaggregation gives several users the same queries, so a query's time is nobody's own; but who has seen one of them
ask (a network, a colleague) knows the second. The day keeps what trends need.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from querymix.codecs.record_times import MONTHS, SERVER, hyphened

from querymix_lab.batch.base import Row

DAY: Final = 86_400.0
_UNITS: Final = ((1e11, 1), (1e14, 10**3), (1e17, 10**6), (1e20, 10**9))
"""What a number since 1970 counts in, by the size that it stays below (querymix.codecs.record_times)."""
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\d(?:(.)(\d\d:\d\d)(:\d\d(?:([.,])(\d+))?)?(.*))?", re.DOTALL)
_OFFSET: Final = re.compile(r"([+-])(\d\d):?(\d\d)?")


def timed(row: Row, policy: str) -> Row:
    """Return a row with its released time; `policy` is `Options.times`."""
    if policy != "day":
        return row
    at = row.query.at // DAY * DAY
    return row._replace(query=row.query._replace(time=like(row.query.time, at), at=at))


def like(time: str | float, at: float) -> str | int | float:
    """Return the moment `at` (seconds since 1970) in the form of `time`, which is one that the codecs read."""
    if not isinstance(time, str):
        unit = next(unit for end, unit in _UNITS if time < end)
        return round(at * unit) if isinstance(time, int) else at * unit
    if (server := SERVER.fullmatch(time.strip())) is not None:
        text = str(like(f"2006-03-01 {server[4]}{server[5]}", at))
        return f"{text[8:10]}/{MONTHS[int(text[5:7]) - 1]}/{text[:4]}:{text[11:19]} {server[5]}"
    if (usual := hyphened(time.strip())) != time.strip():
        text = str(like(usual, at))
        return text[:10].replace("-", "/") + text[10:]
    iso = _ISO.fullmatch(time.strip())
    if iso is None:  # a number since 1970 as a text
        number = time.strip().replace(",", ".")
        return str(like(float(number) if "." in number else int(number), at)).replace(".", "," if "," in time else ".")
    between, clock, seconds, point, fraction, zone = iso.groups()
    offset = _OFFSET.search(zone or "")
    moment = datetime.fromtimestamp(at, UTC)
    if offset:
        moved = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
        moment += moved if offset[1] == "+" else -moved
    text = moment.strftime("%Y-%m-%d")
    if clock is not None:
        text += between + moment.strftime("%H:%M")
        if seconds is not None:
            text += moment.strftime(":%S")
        if fraction:
            text += point + f"{moment.microsecond:06d}".ljust(len(fraction), "0")[: len(fraction)]
        text += zone
    return text
