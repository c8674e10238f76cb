"""Shares, as all studies count them."""

from math import sqrt
from typing import NamedTuple


def share(part: int, whole: int) -> float:
    """Return which share of `whole` is `part`, 0 where there is nothing."""
    return part / whole if whole else 0.0


class Part(NamedTuple):
    """So many of so many."""

    part: int
    whole: int

    @property
    def share(self) -> float:
        """Between 0 and 1; 0 of nothing."""
        return share(self.part, self.whole)

    @property
    def interval(self) -> tuple[float, float]:
        """The share's 95 % interval; 0 to 1 of nothing. Source: Wilson 1927, the score interval."""
        if not self.whole:
            return 0.0, 1.0
        z = 1.96
        scale = 1 + z * z / self.whole
        middle = (self.share + z * z / (2 * self.whole)) / scale
        reach = z / scale * sqrt(self.share * (1 - self.share) / self.whole + (z / (2 * self.whole)) ** 2)
        return max(0.0, middle - reach), min(1.0, middle + reach)
