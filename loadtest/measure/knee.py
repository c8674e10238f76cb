"""The search for the knee: the highest rate of arrivals that the service keeps up with.

Rules:
- Steps grow by a factor until one is not kept; then each step halves (on a logarithmic scale) what is between the
  highest rate that was kept and the lowest that was not.
- A step is kept if at its end no more records wait than came in one second. A rate that is a tenth too high leaves one
  second of arrivals behind in ten seconds.
- Pure: rates and outcomes in, rates out.
"""

from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from loadtest.measure.scenario import Knee

BEHIND: Final = 1.0
"""Seconds of arrivals that may wait at the end of a step."""


@dataclass
class Search:
    """One search; `next_rate` says what to try, `tell` what came of it."""

    plan: Knee
    kept: float = 0.0
    """The highest rate that was kept, 0 before there is one."""
    lost: float | None = None
    """The lowest rate that was not."""
    refined: int = 0
    tried: list[tuple[float, bool]] = field(default_factory=list)

    def next_rate(self) -> float | None:
        """Return the rate of the next step, None once the search is over."""
        plan = self.plan
        if self.lost is None:
            rate = self.kept * plan.growth if self.kept else plan.first
            return None if self.kept >= plan.most else min(rate, plan.most)
        if self.refined >= plan.refine:
            return None
        # Where not even the first step was kept, what is below it is searched.
        return sqrt((self.kept or self.lost / plan.growth**2) * self.lost)

    def tell(self, rate: float, kept: bool) -> None:
        """Take in the outcome of a step."""
        self.tried.append((rate, kept))
        if self.lost is not None:
            self.refined += 1
        if kept:
            self.kept = max(self.kept, rate)
        elif self.lost is None or rate < self.lost:
            self.lost = rate


def was_kept(rate: float, waiting: float) -> bool:
    """Say whether a step at `rate` was kept, if `waiting` records were not taken in at its end."""
    return waiting <= BEHIND * rate
