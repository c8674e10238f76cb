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

from collections.abc import Sequence
from typing import Any

from querymix.core.draw import random_key
from querymix.core.periods import Period, check_period, number_of, with_ids
from querymix.core.pseudonyms import Pseudonyms
from querymix.core.records import Release
from querymix.stages.releasing import Releasing


class PeriodIds:
    """Ids of one stream. Raises ConfigError where the period is none."""

    def __init__(self, period: Period) -> None:
        self.period = check_period(period)
        self._number: int | None = None
        """The period that `_key` is of."""
        self._key = b""
        self._ids = Pseudonyms(b"")

    def __repr__(self) -> str:
        return f"PeriodIds({self.period})"

    def __call__(self, releases: Sequence[Release], now: float | None, *, waiting: bool) -> Sequence[Release]:
        """Return the releases under the ids that they leave with.

        `now` is what the hold clock says, None before its first reading; `waiting`: others wait for their cell of time.
        """
        period = self.period
        if period is None or isinstance(period, str):
            return with_ids(releases, period)
        last = number_of(period, now or 0.0)
        if self._number is not None and self._number > last:
            self.forget()
        numbers = self._numbers(releases, period, last)
        out: Sequence[Release] = releases
        if numbers:
            lowest, highest = min(numbers), max(numbers)
            out = self._under(releases, lowest) if lowest == highest else self._each_under(releases, numbers)
        if not waiting and self._number != last:
            self.forget()
        return out

    def of(self, releases: Sequence[Release], releasing: Releasing) -> Sequence[Release]:
        """Return what a stage has let out under the ids that it leaves with."""
        return self(releases, releasing.pooling.clock.now, waiting=releasing.cells.waiting > 0)

    def _numbers(self, releases: Sequence[Release], period: float, last: int) -> list[int]:
        """Return the period of each release: that of its moment, but none that is over and none that is to come."""
        moments = [release[7] for release in releases]
        if not moments:
            return []
        first = number_of(period, min(moments)) if self._number is None else self._number
        highest = min(last, max(first, number_of(period, max(moments))))
        if highest == min(last, max(first, number_of(period, min(moments)))):
            return [highest] * len(moments)  # as nearly always
        return [min(last, max(first, number_of(period, moment))) for moment in moments]

    def _each_under(self, releases: Sequence[Release], numbers: Sequence[int]) -> list[Release]:
        """Return releases of several periods under their ids, in the order that they have."""
        out = list(releases)
        for number in sorted(set(numbers)):
            places = [place for place, one in enumerate(numbers) if one == number]
            for place, release in zip(places, self._under([releases[place] for place in places], number), strict=True):
                out[place] = release
        return out

    def _under(self, releases: Sequence[Release], number: int) -> Sequence[Release]:
        if number != self._number:
            self._key, self._number = random_key(), number
            self._ids = Pseudonyms(self._key)
        return with_ids(releases, self.period, self._ids)

    def forget(self) -> None:
        """Drop the key: what leaves from here on has other ids."""
        self._number, self._key, self._ids = None, b"", Pseudonyms(b"")

    def snapshot(self) -> list[Any] | None:
        """Return the state as plain data, for `restore`; it holds the key."""
        return None if self._number is None else [self.period, self._number, self._key.hex()]

    def restore(self, state: Sequence[Any] | None) -> None:
        """Take over a state; its key is of no use where it is of another kind of period.

        Raises ValueError where it cannot be read.
        """
        if not state or state[0] != self.period:
            return
        _, number, key = state
        if type(number) is not int or len(found := bytes.fromhex(key)) != len(random_key()):
            raise ValueError("the ids of a period cannot be read")
        self._number, self._key = number, found
        self._ids = Pseudonyms(self._key)
