"""When a log was due, written into the log itself, so that its release tells how long it took.

A released line carries its query's own rank and, under `--time-policy trigger` (the default), the time of the arrival
that set the release off. So every line of a load test gets
- as its rank, the moment at which it was due, in milliseconds since 1970;
- as its time, that moment too, with a second for each millisecond since the run's origin, counted from the year 2000:
  the form has no fractions of seconds.
Latency beyond the hold runs from when the trigger was due, less the wait for its rows (`--click-wait`), latency with
the hold from when the query was due. Both run from when a log was due and not from when it was sent (no coordinated
omission), to when a consumer that reads committed records has the release. Driver and follower run on one machine, so
one clock times both.
"""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from querymix.codecs.base import Hours, Seconds

BASE: Final = datetime(2000, 1, 1)
_DAY: Final = 86_400
_MIN: Final = 10**12
"""No rank of a real log is that large; as milliseconds since 1970 it is in 2001."""
_LONGEST: Final = 7 * _DAY * 1000
"""Milliseconds that a run lasts, at most: records of today are 26 years of seconds away from `BASE`."""
_CLOCKS: Final = tuple(
    b" %02d:%02d:%02d" % (hour, minute, second) for hour in range(24) for minute in range(60) for second in range(60)
)


@lru_cache(1 << 12)
def _date(number: int) -> bytes:
    return f"{BASE + timedelta(days=number):%Y-%m-%d}".encode()


def stamp(line: bytes, origin: int, due: int) -> bytes:
    """Return an AOL line with its stamps; `origin` and `due` are milliseconds since 1970.

    Raises ValueError where the line has not five fields.
    """
    user, query, _, _, url = line.split(b"\t")
    day, second = divmod(due - origin, _DAY)
    return b"%s\t%s\t%s%s\t%d\t%s" % (user, query, _date(day), _CLOCKS[second], due, url)


class Stamps:
    """Reads stamps; `origin` is the run's."""

    def __init__(self, origin: int) -> None:
        self._origin = origin
        self._hours = Hours()
        self._seconds = Seconds()
        self._shift = origin - int((BASE - datetime(1970, 1, 1)).total_seconds())

    def read(self, line: str) -> tuple[int, int] | None:
        """Return when a released line's trigger and its query were due, in milliseconds since 1970.

        None where the line has no stamps, as lines of others have not: ranks are small, and times are of their day.
        """
        try:
            _, _, time, rank, _ = line.split("\t")
            due, trigger = int(rank), self._shift + int(self._hours[time[:13]] + self._seconds[time[13:]])
        except ValueError:
            return None
        return (trigger, due) if due > _MIN and self._origin <= trigger < self._origin + _LONGEST else None
