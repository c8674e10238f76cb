"""How the commonest queries, words and categories fare. The figures name none of them.

Sources: thesis (Erola 2013), sections 5.3.2.5 and 5.5.2.1.
"""

from collections import Counter
from typing import Final, NamedTuple

from querymix_lab.batch.base import Log
from querymix_lab.batch.measures.views import View

TOP: Final = 10


class Frequencies(NamedTuple):
    """How the commonest things of the original fare."""

    preserved: float
    """Per cent of their occurrences that are still there: min of both numbers over that of the original."""
    still_on_top: int
    """How many of them are among the commonest of the released log."""


def frequencies(original: Log, released: Log, view: View, top: int = TOP) -> Frequencies:
    """Return how the `top` commonest things of the original fare. Of equal ones the first in the log come first."""
    before, after = (Counter(thing for row in log.rows for thing in view(row)) for log in (original, released))
    commonest = dict(before.most_common(top))
    kept = sum(min(count, after[thing]) for thing, count in commonest.items())
    still = commonest.keys() & dict(after.most_common(top))
    return Frequencies(100 * kept / max(1, sum(commonest.values())), len(still))
