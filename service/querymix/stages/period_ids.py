"""The ids that lines leave under in a local run and in the library: new in each period, by the hold clock.

    releases -> PeriodIds -> releases under other users -> lines

Rules:
- A release has the period of the moment at which the pools let it out, whichever batch it is in, and however long it
  waits for its cell of time; never an earlier one than what left before it. Where the clock begins again with an
  earlier log, so do the periods, under new keys.
- One key lives at a time. It is in the state, so that who goes on within the period goes on under the same ids. It is
  dropped at the first batch of a later period, once nothing waits that has to leave before.
- What a state's batch wrote is in the state too: no id is made again for it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from operator import le
from typing import Any

from querymix.core.draw import random_key
from querymix.core.periods import Ids, Period, check_period, number_of, with_ids
from querymix.core.records import Release
from querymix.stages.releasing import Releasing


class _Current:
    """A period, its key, and the ids under that."""

    __slots__ = ("ids", "key", "number")

    def __init__(self, number: int, key: bytes) -> None:
        self.number = number
        self.key = key
        self.ids = Ids(key)


class PeriodIds:
    """Ids of one stream. Raises ConfigError where the period is none."""

    def __init__(self, period: Period) -> None:
        self.period = check_period(period)
        self._current: _Current | None = None

    def __repr__(self) -> str:
        return f"PeriodIds({self.period})"

    def __call__(self, releases: Sequence[Release], now: float | None, *, waiting: bool) -> Sequence[Release]:
        """Return the releases under the ids that they leave with.

        `now` is what the hold clock says, None before its first reading; `waiting`: others wait for their cell of time.
        """
        period, current = self.period, self._current
        if period is None or isinstance(period, str):
            return with_ids(releases, period)
        last = number_of(period, now or 0.0)
        if current is not None and current.number > last:
            self.forget()
        out = self._in_periods(releases, period, last) if releases else releases
        current = self._current
        if current is not None and current.number != last and not waiting:
            self.forget()
        return out

    def of(self, releases: Sequence[Release], releasing: Releasing, *, last: bool = False) -> Sequence[Release]:
        """Return what a stage has let out under the ids that it leaves with; after the `last` the key is dropped."""
        out = self(releases, releasing.pooling.clock.now, waiting=releasing.cells.waiting > 0)
        if last:
            self.forget()
        return out

    def _in_periods(self, releases: Sequence[Release], period: float, last: int) -> list[Release]:
        """Return each release under its id, and keep the key of the latest period."""
        current = self._current
        first = -(1 << 62) if current is None else current.number
        known = {} if current is None else {first: current}
        out: list[Release] = []
        for number, length in _runs([release[7] for release in releases], period, first, last):
            if number not in known:
                known[number] = _Current(number, random_key())
            some = releases[len(out) : len(out) + length]
            out += with_ids(some, period, known[number].ids)
        self._current = known[max(known)]
        return out

    def forget(self) -> None:
        """Drop the key: what leaves from here on has other ids."""
        self._current = None

    def snapshot(self) -> list[Any] | None:
        """Return the state as plain data, for `restore`; it holds the key."""
        current = self._current
        return None if current is None else [self.period, current.number, current.key.hex()]

    def restore(self, state: Sequence[Any] | None) -> None:
        """Take over a state; its key is of no use where it is of another kind of period.

        Raises ValueError where it cannot be read.
        """
        if not state or state[0] != self.period:
            return
        _, number, key = state
        if type(number) is not int or len(found := bytes.fromhex(key)) != len(random_key()):
            raise ValueError("the ids of a period cannot be read")
        self._current = _Current(number, found)


def _runs(moments: Sequence[float], period: float, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the periods of moments, of `first` to `last`, each with how many one after the other are of it."""
    low, high = number_of(period, min(moments)), number_of(period, max(moments))
    if max(first, low) >= min(last, high):  # as nearly always
        yield min(last, max(first, low)), len(moments)
        return
    if all(map(le, moments, islice(moments, 1, None))):
        start = 0
        while start < len(moments):
            number = min(last, max(first, number_of(period, moments[start])))
            end = len(moments) if number == last else bisect_left(moments, (number + 1) * period, start)
            yield number, end - start
            start = end
        return
    numbers = [min(last, max(first, number_of(period, moment))) for moment in moments]
    for number, run in groupby(numbers):
        yield number, sum(1 for _ in run)
