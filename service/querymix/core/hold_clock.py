"""The hold clock: how much time has passed, told by readings of which some are wrong.

>>> clock = HoldClock()
>>> for reading in (0.0, 5.0, 99_999.0, 6.0):
...     jump = clock.read(reading, reach=10)
>>> clock.now
6.0

A reading is the time of a record, or a service's own clock. The clock never runs back. `reach`, a quarter of `max_hold`
or two seconds if that is more, is the most by which `QUORUM` - 1 wrong readings among any `WINDOW` can change it. The
price: after a gap it waits for `QUORUM` readings, and again where those take longer than `reach`.

Rules:
1. A reading ahead by `reach` at most moves the clock at once. NaN, infinity and years beyond 33,000 are no readings.
2. Once `QUORUM` of the last `WINDOW` stand further ahead (a service that was down), the gap has passed. What arrived
   since the first of them came after it: a `Jump` says by how much those arrivals have to be moved on.
3. Once `MAX` of the last `WINDOW` came behind by more than `reach` (a clock was put back, summer time ended), the clock
   keeps its time and counts on from where they are.
4. A reading that the offset from before that puts within `reach` of the clock is taken so: no time has passed.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Mapping, Sequence
from math import inf, nextafter
from operator import le, sub
from typing import Any, Final, NamedTuple

WINDOW: Final = 31
QUORUM: Final = 16
"""More than half of the window."""
MAX: Final = 24
"""More than three quarters: where some producers send late, the clock keeps to those that do not."""
_FARTHEST: Final = 1e12


class Jump(NamedTuple):
    """Time that passed at once: arrivals stamped later than `since` came after it and are `by` seconds younger."""

    since: float
    by: float


class HoldClock:
    """Counts time in seconds. `now` is where it stands, None before the first reading, which sets it."""

    __slots__ = ("_before", "_offset", "_readings", "now", "setbacks")

    def __init__(self, now: float | None = None) -> None:
        self.now = now
        self._offset = 0.0
        """What to add to a reading."""
        self._before: float | None = None
        """The offset before it last changed."""
        self.setbacks = 0
        """How often it went on from earlier readings: never where the times are in order."""
        self._readings: deque[tuple[float, float]] = deque(maxlen=WINDOW)
        """The last ones, and where the clock stood before each."""

    def read(self, reading: float, reach: float) -> Jump | None:
        """Take in a reading; `now` is up to date then."""
        if not -_FARTHEST < reading < _FARTHEST:
            return None
        if self.now is None:
            self.now = reading
        self._readings.append((reading, self.now))
        moment = reading + self._offset if self._before is None else self.at(reading, reach)
        if moment <= self.now:
            if moment < self.now - reach:
                self._set_back(self.now, reach)
            return None
        if moment <= self.now + reach:
            self.now = moment
            return None
        jump = self._jump(self.now, reach)
        if jump is None:
            # So that what arrives from here on can be told from what was there before.
            self.now = nextafter(self.now, inf)
        return jump

    def read_all(self, readings: Sequence[float], reach: float) -> bool:
        """Take in readings of which each moves the clock to where it stands, and say whether they do; else take none.

        It comes to the same as to read one after the other, for less.
        """
        if self._before is not None or self._offset or not readings:
            return False
        now = readings[0] if self.now is None else self.now
        if (
            not -_FARTHEST < now <= readings[0] <= now + reach
            or not readings[-1] < _FARTHEST
            or not all(map(le, readings, readings[1:]))
        ):
            return False
        if readings[-1] - now > reach and max(map(sub, readings[1:], readings), default=0.0) > reach:
            return False
        last = [now, *readings][-WINDOW - 1 :] if len(readings) >= WINDOW else [now, *readings]
        self._readings.extend(zip(last[1:], last, strict=False))
        self.now = readings[-1]
        return True

    def behind(self, reading: float, reach: float) -> bool:
        """Say whether the clock stands elsewhere than a reading says, so that it needs more of them."""
        return self.now is not None and abs(self.at(reading, reach) - self.now) > reach

    def at(self, reading: float, reach: float) -> float:
        """Return what the clock would say if this reading were right."""
        moment = reading + self._offset
        if self._before is not None and self.now is not None and moment > self.now:
            other = reading + self._before
            if abs(other - self.now) <= reach:
                return other
        return moment

    def _jump(self, now: float, reach: float) -> Jump | None:
        edge = now + reach - self._offset
        readings = sorted(reading for reading, _ in self._readings)
        if len(readings) < QUORUM or readings[-QUORUM] <= edge:
            return None
        # Wrong readings may stand beyond the gap as well, so no further than `reach` beyond the first of the quorum.
        first = readings[-QUORUM]
        last = readings[bisect_right(readings, first + reach) - 1]
        since = next(stood for reading, stood in self._readings if reading > edge)
        self.now = last + self._offset
        return Jump(since, self.now - now)

    def _set_back(self, now: float, reach: float) -> None:
        offset = self._offset
        behind = sorted(reading for reading, stood in self._readings if reading + offset < stood - reach)
        if len(behind) < MAX:
            return
        # Not to the lower ones, which may be wrong: what comes later would seem to be beyond a gap. The clock stood
        # while it waited for the quorum: that time, `reach` at most, has passed.
        last = behind[-1]
        first = behind[bisect_left(behind, last - reach)]
        self.setbacks += 1
        self._before = offset
        self._offset = now - first
        self.now = last + self._offset

    def snapshot(self) -> dict[str, Any]:
        """Return the state as plain data, for `restored`."""
        return {
            "now": self.now,
            "offset": self._offset,
            "before": self._before,
            "readings": list(self._readings),
            "put_back": self.setbacks,
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> "HoldClock":
        """Return the clock that `snapshot` described."""
        clock = cls(state["now"])
        clock._offset = state["offset"]
        clock._before = state["before"]
        clock._readings = deque(map(tuple, state["readings"]), WINDOW)
        clock.setbacks = state["put_back"]
        return clock
