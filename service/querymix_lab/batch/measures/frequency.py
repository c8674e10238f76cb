"""How the commonest queries, words and categories fare. The figures name none of them.

Sources: thesis (Erola 2013), sections 5.3.2.5 and 5.5.2.1.
"""

from collections import Counter
from collections.abc import Hashable
from typing import Final, NamedTuple

from querymix_lab.batch.base import Log
from querymix_lab.batch.measures.views import View

TOP: Final = 10


class Frequencies(NamedTuple):
    """The commonest things of the original, by their rank there."""

    original: list[float]
    """Per cent of all things in the original log, the commonest first."""
    released: list[float]
    """Per cent of all things in the released log, for the same ones."""
    preserved: float
    """Per cent of their occurrences that are still there: min of both numbers over that of the original."""
    still_on_top: int
    """How many of them are among the commonest of the released log."""


def frequencies(original: Log, released: Log, view: View, top: int = TOP) -> Frequencies:
    """Return how the `top` commonest things of the original fare. Of equal ones the first in the log come first."""
    before, after = (Counter(thing for row in log.rows for thing in view(row)) for log in (original, released))
    commonest: list[tuple[Hashable, int]] = before.most_common(top)
    shares = [100 * count / before.total() for _, count in commonest]
    left = after.total() or 1
    kept = sum(min(count, after[thing]) for thing, count in commonest)
    still = {thing for thing, _ in after.most_common(top)}
    return Frequencies(
        shares,
        [100 * after[thing] / left for thing, _ in commonest],
        100 * kept / max(1, sum(count for _, count in commonest)),
        sum(thing in still for thing, _ in commonest),
    )
