"""Shares, as all studies count them."""

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
