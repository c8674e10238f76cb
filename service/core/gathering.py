"""The rows of one query, one a click, put together: what leaves a pool is a whole query.

Rules:
- Rows of one user, text and time are one query. It is pooled once, drawn once and counts once in a profile; its rows
  leave together, one after the other, under one user.
- A query waits `click_wait` seconds for its rows before it enters its pool: until a clock's reading (the log's own
  time in a run, the service's clock on Kafka) is so far from the first row's, to either side, or `MOST_WAITING`
  others came after it. So it is complete before it can be drawn, however its rows are cut into batches.
- A row that comes later joins its query while that is held. If it has left, the row is a query of its own. It is not
  sent after it under the same user: who sees at that moment that somebody asks would know the owner.
- The first row's category is the query's.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from service.core.records import Query, freeze, thaw

MOST_WAITING: Final = 1 << 14
MOST_ROWS: Final = 1000
"""Of one query. Those beyond are suppressed, so that no release grows without bound."""

Key = tuple[str, str, float]


Waiting = tuple[int, Query, float, float]
"""A query that waits for its rows: category, first row, arrival by the hold clock, the clock's reading then."""


class Gathering:
    """The queries whose rows are being gathered, and the further rows of those that are held."""

    __slots__ = ("further", "units", "waiting")

    def __init__(self) -> None:
        self.waiting: deque[Waiting] = deque()
        self.units: dict[Key, int | list[Any]] = {}
        """Of each held query: its category, or a list of it and the rows after the first."""
        self.further: Counter[int] = Counter()
        """Held rows after the first, by category."""

    def join(self, key: Key, query: Query) -> bool:
        """Add a row to the held query under `key`, and say whether there was room."""
        unit = self.units[key]
        if isinstance(unit, int):
            unit = self.units[key] = [unit]
        if len(unit) == MOST_ROWS:
            return False
        unit.append(query)
        self.further[unit[0]] += 1
        return True

    def open_all(self, held: Iterable[tuple[int, Query]]) -> None:
        """Let later rows join the queries that the pools hold, given with their categories, and those that wait.

        Where two of them are the same query, from a time when each row was one, the rows go with the first that leaves.
        """
        self.units = {key: unit for key, unit in self.units.items() if isinstance(unit, list)}
        for category, query in (*held, *(entry[:2] for entry in self.waiting)):
            self.units.setdefault((query[0], query[1], query[3]), category)

    def close(self, query: Query) -> tuple[Query, ...]:
        """Return the rows after the first of a query that leaves."""
        unit = self.units.pop((query[0], query[1], query[3]), 0)
        return self.leave(unit) if isinstance(unit, list) else ()

    def leave(self, unit: list[Any]) -> tuple[Query, ...]:
        """Return the rows after the first of a query that has left `units`."""
        category, *rows = unit
        self.further[category] -= len(rows)
        return tuple(rows)

    def rows(self) -> Iterator[Query]:
        """Yield the queries that wait, and all further rows."""
        yield from (entry[1] for entry in self.waiting)
        for unit in self.units.values():
            if isinstance(unit, list):
                yield from unit[1:]

    def move_on(self, since: float, by: float) -> None:
        """Make queries that arrived after `since` younger by `by` seconds, after a jump of the hold clock."""
        entries = [(*entry[:2], entry[2] + by, entry[3]) if entry[2] > since else entry for entry in self.waiting]
        self.waiting.clear()
        self.waiting.extend(entries)

    def snapshot(self) -> dict[str, list[Any]]:
        """Return the state as plain data, for `restored`; which queries the pools hold is in their own."""
        more = sorted((key, unit) for key, unit in self.units.items() if isinstance(unit, list))
        return {
            "waiting": [[entry[0], freeze(entry[1]), *entry[2:]] for entry in self.waiting],
            "further": [[unit[0], freeze(row)] for _, unit in more for row in unit[1:]],
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> "Gathering":
        """Return what `snapshot` described, before `open_all`."""
        found = cls()
        for category, row, arrived, reading in state.get("waiting", ()):
            found.waiting.append((category, thaw(list(row)), arrived, reading))
        for category, row in state.get("further", ()):
            query = thaw(list(row))
            key = (query.user, query.text, query.at)
            found.units.setdefault(key, category)
            found.join(key, query)
        return found
