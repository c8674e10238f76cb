"""When each record is due: the arrival processes.

Rules:
- Pure: no clock. Times due are seconds after the start, and never go back.
- Open loop: when a log is due depends on its number or on its own time, never on what became of those before.
- `by` is the inverse of `due`: log n is due at t if and only if `by(t)` is n + 1 or more, but for rounding.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from typing import Final, Protocol

from querymix.core.errors import ConfigError

_HIGHEST: Final = 1e9
"""Records a second; a higher rate is a slip of the keyboard."""


class Arrivals(Protocol):
    """An arrival process."""

    def due(self, first: int, ats: Sequence[float]) -> list[float]:
        """Return when records are due, in seconds after the start.

        `first` is the number of the first of them, counted from 0 over all rounds; `ats` are their own times in
        seconds, in order.
        """
        ...

    def by(self, seconds: float) -> float | None:
        """Return how many records are due so many seconds after the start, None where only the records' own times tell.

        The source may be at its end before that.
        """
        ...


@dataclass(frozen=True, slots=True)
class Steady:
    """`rate` records a second. Raises ConfigError for a rate that is none."""

    rate: float

    def __post_init__(self) -> None:
        """Check the rate."""
        _check(self.rate)

    def due(self, first: int, ats: Sequence[float]) -> list[float]:
        """Return number / rate."""
        rate = self.rate
        return [number / rate for number in range(first, first + len(ats))]

    def by(self, seconds: float) -> float:
        """Return rate * seconds, and the log that is due at once."""
        return 1 + self.rate * seconds if seconds >= 0 else 0.0


@dataclass(frozen=True, slots=True)
class Ramped:
    """A rate that goes evenly from `low` to `high` within `over` seconds, and stays there. It may fall as well."""

    low: float
    high: float
    over: float

    def __post_init__(self) -> None:
        """Check the rates and the time."""
        _check(self.low)
        _check(self.high)
        _check_time(self.over)

    def due(self, first: int, ats: Sequence[float]) -> list[float]:
        """Return when the area under the rate reaches each number."""
        low, high, over = self.low, self.high, self.over
        ramp = (low + high) / 2 * over
        slope = (high - low) / over
        times = []
        for number in range(first, first + len(ats)):
            if number < ramp:
                # The root of low * t + slope * t * t / 2 = number, in the form that a small slope does not spoil.
                times.append(2 * number / (low + sqrt(max(0.0, low * low + 2 * slope * number))))
            else:
                times.append(over + (number - ramp) / high)
        return times

    def by(self, seconds: float) -> float:
        """Return the area under the rate."""
        if seconds < 0:
            return 0.0
        within = min(seconds, self.over)
        return (
            1 + (self.low + (self.high - self.low) / self.over * within / 2) * within + self.high * (seconds - within)
        )


@dataclass(frozen=True, slots=True)
class Spiky:
    """`rate` records a second, and `peak` for the last `lasting` seconds of each `every` seconds."""

    rate: float
    peak: float
    every: float
    lasting: float

    def __post_init__(self) -> None:
        """Check the rates and the times."""
        _check(self.rate)
        _check(self.peak)
        _check_time(self.every)
        _check_time(self.lasting)
        if self.lasting >= self.every:
            raise ConfigError("a spike has to be shorter than the time from one to the next")

    def due(self, first: int, ats: Sequence[float]) -> list[float]:
        """Return when the area under the rate reaches each number."""
        rate, peak, every = self.rate, self.peak, self.every
        calm = every - self.lasting
        before = rate * calm
        period = before + peak * self.lasting
        times = []
        for number in range(first, first + len(ats)):
            periods, rest = divmod(number, period)
            within = rest / rate if rest < before else calm + (rest - before) / peak
            times.append(periods * every + within)
        for place, (one, two) in enumerate(pairwise(times), 1):
            if two < one:  # by rounding, where one period ends
                times[place] = one
        return times

    def by(self, seconds: float) -> float:
        """Return the area under the rate."""
        if seconds < 0:
            return 0.0
        calm = self.every - self.lasting
        periods, within = divmod(seconds, self.every)
        area = self.rate * min(within, calm) + self.peak * max(0.0, within - calm)
        return 1 + periods * (self.rate * calm + self.peak * self.lasting) + area


@dataclass(slots=True)
class Recorded:
    """As the records' own times say, `speed` times as fast.

    `before` tells how many records have a time up to a given one; without it a backlog is known only as far as the log
    was read. A log whose time goes back is due with the one before it.
    """

    speed: float = 1.0
    before: Callable[[float], float | None] | None = field(default=None, repr=False)
    _begin: float | None = field(default=None, init=False, repr=False)
    _last: float = field(default=0.0, init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the speed."""
        if not 0 < self.speed <= _HIGHEST:
            raise ConfigError("the speed has to be a number above 0, such as 1, 0.5 or 100")

    def due(self, first: int, ats: Sequence[float]) -> list[float]:
        """Return (time - first time) / speed."""
        if self._begin is None:
            self._begin = ats[0] if ats else None
        begin, speed, last = self._begin or 0.0, self.speed, self._last
        times = [(at - begin) / speed for at in ats]
        if times and (times[0] < last or any(two < one for one, two in pairwise(times))):
            for place, time in enumerate(times):
                times[place] = last = max(last, time)
        if times:
            self._last = times[-1]
        return times

    def by(self, seconds: float) -> float | None:
        """Ask the source."""
        if self.before is None or self._begin is None:
            return None
        return self.before(self._begin + seconds * self.speed)


def _check(rate: float) -> None:
    if not 0 < rate <= _HIGHEST:
        raise ConfigError(f"a rate has to be above 0 and at most {_HIGHEST:,.0f} records a second")


def _check_time(seconds: float) -> None:
    if not 0 < seconds < _HIGHEST:
        raise ConfigError("a time has to be above 0, such as 30s, 10m or 2h")
