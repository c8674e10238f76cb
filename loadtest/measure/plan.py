"""The arrivals of a scenario's steps, one after the other: one open loop, whatever becomes of a step.

Pure: a step's arrivals begin where those of the step before end, at its second and at its number.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import ceil

from loadtest.measure.scenario import Step
from loadtest.replay.arrivals import Arrivals, Ramped, Steady

Piece = tuple[float, float, float]
"""Seconds, rate at the begin, rate at the end."""


def pieces(steps: Sequence[Step], knee: float | None = None) -> list[Piece]:
    """Return the steps with rates in records a second; `knee` is what those take their share of."""
    found: list[Piece] = []
    for step in steps:
        low = step.rate if step.rate is not None else (step.of_knee or 0.0) * (knee or 0.0)
        high = low if step.to is None else step.to
        seconds = step.seconds if step.seconds is not None else 2 * (step.logs or 0) / (low + high)
        found.append((seconds, low, high))
    return found


class Chained:
    """An arrival process of several pieces; the last goes on for ever."""

    def __init__(self, parts: Sequence[Piece]) -> None:
        self._arrivals: list[Arrivals] = [
            Steady(low) if low == high else Ramped(low, high, seconds) for seconds, low, high in parts
        ]
        self._logs = [0, *accumulate(ceil((low + high) / 2 * seconds) for seconds, low, high in parts)]
        """The number of each piece's first log."""
        self._seconds = [0.0, *accumulate(seconds for seconds, _, _ in parts)]

    @property
    def logs(self) -> int:
        """Logs of all pieces."""
        return self._logs[-1]

    @property
    def seconds(self) -> float:
        """Seconds of all pieces."""
        return self._seconds[-1]

    def due(self, first: int, ats: Sequence[float]) -> list[float]:
        """Return when records are due, in seconds after the start."""
        times: list[float] = []
        number, end = first, first + len(ats)
        while number < end:
            place = min(bisect_right(self._logs, number), len(self._arrivals)) - 1
            last = place == len(self._arrivals) - 1
            few = range(number, end if last else min(end, self._logs[place + 1]))
            begin = self._seconds[place]
            times += [
                begin + time
                for time in self._arrivals[place].due(number - self._logs[place], ats[number - first :][: len(few)])
            ]
            number = few.stop
        return times

    def by(self, seconds: float) -> float | None:
        """Return how many records are due so many seconds after the start."""
        place = max(0, min(bisect_right(self._seconds, seconds), len(self._arrivals)) - 1)
        within = self._arrivals[place].by(seconds - self._seconds[place]) or 0.0
        if place < len(self._arrivals) - 1:
            within = min(within, self._logs[place + 1] - self._logs[place])
        return self._logs[place] + within
