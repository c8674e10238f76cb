"""The rows of one query, one a click, put together: what leaves a pool is a whole query.

Rules:
- Rows of one user, text and time are one query. It is pooled once, drawn once and counts once in a profile; its rows
  leave together, one after the other, under one user.
- A query waits `click_wait` seconds for its rows before it enters its pool: until a clock's reading (the log's own
  time in a run, the service's clock on Kafka) is so far from the first row's, to either side, or `MOST_WAITING`
  others came after it. So it is complete before it can be drawn, however its rows are cut into batches.
- A row that comes later is a query of its own. It is not sent after its query under the same user: who sees at that
  moment that somebody asks would know the owner.
- The first row's category is the query's.
"""

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from typing import Any, Final

from service.core.records import Query, freeze, freeze_all, thaw, thaw_all

MOST_WAITING: Final = 1 << 14
MOST_ROWS: Final = 1000
"""Of one query. Those beyond are suppressed, so that no release grows without bound."""

_ROWS: Final = 5
"""Where the rows after the first begin in a waiting query."""

Key = tuple[str, str, float]
Waiting = list[Any]
"""A query that waits for its rows: category, first row, arrival by the hold clock, the clock's reading then, key, and
its rows after the first."""


class Gathering:
    """The queries whose rows are being gathered, and the further rows of those that are held."""

    __slots__ = ("further", "held", "units", "waiting")

    def __init__(self) -> None:
        self.waiting: deque[Waiting] = deque()
        self.units: dict[Key, Waiting] = {}
        """The same."""
        self.held: dict[Key, list[Any]] = {}
        """Of each query in a pool that has several rows: its category, and the rows after the first. Where two are the
        same query, of which one came too late, the rows go with the first that leaves."""
        self.further: Counter[int] = Counter()
        """Rows after the first, by category."""

    def join(self, unit: Waiting, query: Query) -> bool:
        """Add a row to a query that waits, and say whether there was room."""
        if len(unit) - _ROWS + 1 == MOST_ROWS:
            return False
        unit.append(query)
        self.further[unit[0]] += 1
        return True

    def next(self) -> Waiting:
        """Return the query that has waited longest; its rows are held from now on."""
        unit = self.waiting.popleft()
        key: Any = unit[4]
        del self.units[key]
        if len(unit) > _ROWS:
            self.held.setdefault(key, [unit[0]]).extend(unit[_ROWS:])
        return unit

    def close(self, query: Query) -> tuple[Query, ...]:
        """Return the rows after the first of a query that leaves its pool."""
        found = self.held.pop((query[0], query[1], query[3]), None) if self.held else None
        if found is None:
            return ()
        category, *rows = found
        self.further[category] -= len(rows)
        return tuple(rows)

    def rows(self) -> Iterator[Query]:
        """Yield the queries that wait with all their rows, and the further rows of those in the pools."""
        for unit in self.waiting:
            yield unit[1]
            yield from unit[_ROWS:]
        for found in self.held.values():
            yield from found[1:]

    def move_on(self, since: float, by: float) -> None:
        """Make queries that arrived after `since` younger by `by` seconds, after a jump of the hold clock."""
        for unit in self.waiting:
            if unit[2] > since:
                unit[2] += by

    def snapshot(self) -> dict[str, list[Any]]:
        """Return the state as plain data, for `restored`."""
        return {
            "waiting": [[unit[0], freeze(unit[1]), *unit[2:4], freeze_all(unit[_ROWS:])] for unit in self.waiting],
            "further": [[found[0], freeze(row)] for _, found in sorted(self.held.items()) for row in found[1:]],
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> "Gathering":
        """Return what `snapshot` described."""
        found = cls()
        for category, row, arrived, reading, rows in state.get("waiting", ()):
            query = thaw(list(row))
            key: Any = key_of(query)
            unit = [category, query, arrived, reading, key, *thaw_all(list(map(list, rows)))]
            found.waiting.append(unit)
            found.units[key] = unit
            found.further[category] += len(rows)
        for category, row in state.get("further", ()):
            query = thaw(list(row))
            found.held.setdefault(key_of(query), [category]).append(query)
            found.further[category] += 1
        return found


def key_of(query: Query) -> Key:
    """Return what the rows of one query have in common."""
    return (query[0], query[1], query[3])
