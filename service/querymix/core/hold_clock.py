"""The hold clock: how much time has passed, told by readings of which some are wrong.

>>> clock = HoldClock()
>>> for reading in (0.0, 5.0, 99_999.0, 6.0):
...     jump = clock.read(reading, reach=10)
>>> clock.now
6.0

A reading is the time of a record, or a service's own clock. The clock never runs back. `reach`, a quarter of `max_hold`
or two seconds if that is more, is the most by which `QUORUM` - 1 wrong readings among any `WINDOW` can change it. The
price: after a gap it waits for `QUORUM` readings, so that it stands behind by the time of `QUORUM` - 1 readings and
`reach` at most. Where all readings are known to be right, `reach` is infinite, and the clock is the last of them.

Rules:
1. A reading ahead by `reach` at most moves the clock at once. NaN, infinity and years beyond 33,000 are no readings.
2. Once `QUORUM` of the last `WINDOW` stand further ahead (a service that was down), the gap has passed. What arrived
   with them came after it: a `Jump` gives those arrivals the moments that their own readings say.
3. Once `MAX` of the last `WINDOW` came behind by more than `reach` (a clock was put back, summer time ended), the clock
   keeps its time and counts on from where they are.
4. A reading that the offset from before that puts within `reach` of the clock is taken so: no time has passed.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Mapping, Sequence
from math import inf, nextafter
from operator import le, sub
from types import MappingProxyType
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
    moved: Mapping[float, float] = MappingProxyType({})
    """What is exact: the moments of those arrivals, by the ones that they were stamped with."""


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

    def read(self, reading: float, reach: float, *, exact: bool = True) -> Jump | None:
        """Take in a reading; `now` is up to date then. A jump that is not `exact` has no `moved`: for old decisions."""
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
        jump = self._jump(self.now, reach, exact)
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

    def at(self, reading: float, reach: float) -> float:
        """Return what the clock would say if this reading were right."""
        moment = reading + self._offset
        if self._before is not None and self.now is not None and moment > self.now:
            other = reading + self._before
            if abs(other - self.now) <= reach:
                return other
        return moment

    def _jump(self, now: float, reach: float, exact: bool) -> Jump | None:
        edge = now + reach - self._offset
        readings = sorted(reading for reading, _ in self._readings)
        if len(readings) < QUORUM or readings[-QUORUM] <= edge:
            return None
        # Wrong readings may stand beyond the gap as well, so no further than `reach` beyond the first of the quorum.
        first = readings[-QUORUM]
        last = readings[bisect_right(readings, first + reach) - 1]
        since = next(stood for reading, stood in self._readings if reading > edge)
        self.now = last + self._offset
        moved = self._read_again(now, self.now) if exact else {}
        return Jump(since, self.now - now, moved)

    def _read_again(self, before: float, now: float) -> dict[float, float]:
        """Let the readings of a gap count up to `now`, and return the moments of what arrived with them."""
        readings, offset = list(self._readings), self._offset
        stamps = [stood for _, stood in readings[1:]] + [nextafter(before, inf)]
        moved = dict[float, float]()
        clock = readings[0][1]
        self._readings.clear()
        for (reading, stood), stamp in zip(readings, stamps, strict=True):
            self._readings.append((reading, clock))
            moment = reading + offset
            if stamp < moment and stamp == nextafter(stood, inf):  # it did not count so far
                clock = max(clock, moment) if moment <= now else nextafter(clock, inf)
                moved[stamp] = moment if moment <= now else clock
            else:
                clock = max(clock, stamp)
                if stamp == stood:  # from before the gap, and stamped as what came before it: that counts as old, too
                    moved.pop(stamp, None)
        self.now = max(now, clock)
        return moved

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
