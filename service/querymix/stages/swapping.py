"""Surrogates for the queries of a stream: each query has its own, and its rows and repeats the same.

Rules:
- Rows of one user, text and time are one query (querymix.core.gathering): with a surrogate each they would be several.
- A query that its user asks again `within` so many seconds is known as a repeat by its text (querymix.core.history), so
  it has the same surrogate until then.
- So the last `most` queries that something was swapped in are remembered, in memory alone, until one comes that is an
  hour later, or `within` and an hour: they are as they came. What is forgotten early, by a restart too, or is read by
  another process, gets another surrogate, and counts as another query.
"""

from typing import TYPE_CHECKING, Final

from querymix.core.records import Classification, Query

if TYPE_CHECKING:
    from querymix.core.surrogates import Surrogates
    from querymix.core.surrogates.swapping import Swapped

MOST: Final = 1 << 16


class Swapping:
    """Puts surrogates into queries. `surrogates` draws them; `within` is 0 where repeats are no matter."""

    def __init__(self, surrogates: "Surrogates", within: float = 0.0, most: int = MOST) -> None:
        self._surrogates = surrogates
        self._within = within
        self._most = most
        self._last: dict[tuple[str, str], tuple[float, Swapped]] = {}

    def __repr__(self) -> str:
        return f"Swapping({len(self._last)} queries)"

    def __call__(self, query: Query, topic: Classification, released: str) -> "Swapped":
        """Return the text that a query leaves with; `released` is what the rules left of it once it was cut."""
        key, at = (query[0], query[1]), query[3]
        before = self._last.pop(key, None)
        if before is not None and abs(at - before[0]) <= self._within:
            swapped = before[1]
        elif released == topic[3]:
            swapped = self._surrogates(query[1], topic[5])
        else:
            swapped = self._surrogates.into(released, query[1], topic[5])
        self._last[key] = at, swapped
        oldest = next(iter(self._last))
        while len(self._last) > self._most or at - self._last[oldest][0] > self._within + self._surrogates.remembered:
            del self._last[oldest]
            oldest = next(iter(self._last))
        return swapped
