"""When each log is due: the arrival processes.

Rules:
- Pure: no clock. Times due are seconds after the start, and never go back.
- Open loop: when a log is due depends on its number or on its own time, never on what became of those before.
"""

from collections.abc import Sequence
from typing import Final, Protocol


class Arrivals(Protocol):
    """An arrival process."""

    def due(self, first: int, ats: Sequence[float]) -> list[float]:
        """Return when logs are due, in seconds after the start.

        `first` is the number of the first of them, counted from 0 over all rounds; `ats` are their own times in
        seconds, in order.
        """
        ...

    def by(self, seconds: float) -> float | None:
        """Return how many logs are due so many seconds after the start, None where only the logs' own times tell."""
        ...
