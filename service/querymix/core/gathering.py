"""The rows of one query, one a click, put together, and the further rows of what is held: what leaves is whole.

>>> gathering, rows = Gathering(), [Query("ann", "soccer", "", 7.0, rank) for rank in "12"]
>>> gathering.joined([(15, rows[0])], (15, rows[1])), gathering.close(rows[0])
([(15, Query(...))], ((Query(...),), ()))

Rules:
- Rows of one user, text and time are one query: pooled, drawn and counted once, with the first row's category. Its rows
  leave together, one after the other, under one user.
- A query waits for its rows until a clock's reading is `click_wait` seconds from the first row's, to either side, or
  `MAX_WAITING` others came. So it is complete before it can be drawn, however its rows are cut into batches.
- A row that comes later is a query of its own: sent after its query under the same user, it would tell who the owner is
  to whoever sees that somebody asks at that moment.
- A whole query may be put together with others of its session before it enters its pool (querymix.core.sessions); the
  further rows of that unit are then the rest of the session.
- service/native/src/pools/gathering.rs does the same over the same dicts: what changes here changes there too.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from querymix.core.pieces import pieces
from querymix.core.records import Query, freeze, freeze_all, thaw, thaw_all

MAX_WAITING: Final = 1 << 14
MAX_ROWS: Final = 1000
"""Of one query. Those beyond are suppressed, so that no release grows without bound."""

_HEAD: Final = 2
"""Where the rows begin in what is held."""
ROWS: Final = 6
"""Where the rows after the first begin in a waiting query."""

Key = tuple[str, str, float]
Waiting = list[Any]
"""A query that waits for its rows: its pool's category, first row, arrival by the hold clock, the clock's reading then,
key, its own category, and its rows after the first."""


class Gathering:
    """The queries whose rows are being gathered, and the further rows of those that are held."""

    __slots__ = ("further", "held", "units", "waiting")

    def __init__(self) -> None:
        self.waiting: deque[Waiting] = deque()
        self.units: dict[Key, Waiting] = {}
        """The same."""
        self.held: dict[str, dict[tuple[str, float], list[Any]]] = {}
        """By user, of each query in a pool that has several rows or another category (by text and time of the first
        row): the pool's category, the own one of each row (empty: the pool's), and the rows after the first. Where two
        are the same query, of which one came too late, the rows go with the first that leaves."""
        self.further: Counter[int] = Counter()
        """Rows after the first, by category."""

    def join(self, unit: Waiting, query: Query) -> bool:
        """Add a row to a query that waits, and say whether there was room."""
        if len(unit) - ROWS + 1 == MAX_ROWS:
            return False
        unit.append(query)
        self.further[unit[0]] += 1
        return True

    def joined(self, rows: list[tuple[int, Query]], last: tuple[int, Query]) -> list[tuple[int, Query]]:
        """Return the queries of rows of the same time, after which no more of their rows come, with their categories.

        Their further rows are held from now on, and `rows` is emptied. It comes to the same as to let them wait, for
        less.
        """
        units: dict[tuple[str, str], list[Any]] = {}
        rows.append(last)
        for category, query in rows:
            name = (query[0], query[1])
            if name in units:
                units[name].append(query)
            else:
                units[name] = [category, query]
        rows.clear()
        for category, query, *further in units.values():
            if further:
                self.hold(category, query, further)
                self.further[category] += len(further)
        return [(unit[0], unit[1]) for unit in units.values()]

    def next(self) -> Waiting:
        """Remove and return the query that has waited longest; its rows still count, and are to be held."""
        unit = self.waiting.popleft()
        del self.units[unit[4]]
        return unit

    def hold(self, category: int, query: Query, further: list[Query], owns: tuple[int, ...] = ()) -> None:
        """Hold what is to leave with a query of a category's pool; `owns` are the categories of all its rows."""
        moment = (query[1], query[3])
        mine = self.held.setdefault(query[0], {})
        found = mine.get(moment)
        if found is None:
            mine[moment] = [category, owns, *further]
            return
        if owns or found[1]:
            before = found[1] or (found[0],) * (len(found) - _HEAD + 1)
            found[1] = (*before, *(owns[1:] or (category,) * len(further)))
        found.extend(further)

    def close(self, query: Query) -> tuple[tuple[Query, ...], tuple[int, ...]]:
        """Return what leaves with a query that leaves its pool, and the own categories of all its rows."""
        mine = self.held.get(query[0])
        if mine is None:
            return (), ()
        moment = (query[1], query[3])
        found = mine.pop(moment, None)
        if found is None:
            return (), ()
        if not mine:
            del self.held[query[0]]
        category, owns, *rows = found
        self.further[category] -= len(rows)
        return tuple(rows), owns

    def earliest(self, now: float) -> float:
        """Return when the first of those that wait arrived, or `now` where none does."""
        arrived: list[float] = [unit[2] for unit in self.waiting]
        return min([now, *arrived])

    def rows(self) -> Iterator[Query]:
        """Yield the queries that wait with all their rows, and the further rows of those in the pools."""
        for unit in self.waiting:
            yield unit[1]
            yield from unit[ROWS:]
        for mine in self.held.values():
            for found in mine.values():
                yield from found[_HEAD:]

    def restamp(self, moment: Callable[[float], float]) -> None:
        """Let each query that waits have arrived at the `moment` that is given for its own."""
        for unit in self.waiting:
            unit[2] = moment(unit[2])

    def frozen(self) -> dict[str, Iterator[list[Any]]]:
        """Return the state as plain data, for `restoring`; to be used before it changes."""
        return {"waiting": self._frozen_waiting(), "further": self._frozen_further()}

    def _frozen_waiting(self) -> Iterator[list[Any]]:
        for unit in self.waiting:
            own = [] if unit[5] == unit[0] else [unit[5]]
            yield [unit[0], freeze(unit[1]), *unit[2:4], freeze_all(unit[ROWS:]), *own]

    def _frozen_further(self) -> Iterator[list[Any]]:
        for user in sorted(self.held):
            for (text, at), found in sorted(self.held[user].items()):
                category, owns, *rows = found
                if owns or any([(row[1], row[3]) != (text, at) for row in rows]):  # noqa: C419 - a list is faster here
                    yield [category, user, text, at, owns, freeze_all(rows)]
                    continue
                for row in rows:
                    yield [category, freeze(row)]

    def restoring(self, state: Mapping[str, Any]) -> Iterator[None]:
        """Take over, in pieces, what `frozen` described, where nothing is gathered yet."""
        for piece in pieces(state["waiting"]):
            for category, row, arrived, reading, rows, *own in piece:
                query = thaw(list(row))
                key = key_of(query)
                unit = [category, query, arrived, reading, key, *(own or [category])]
                unit += thaw_all(list(map(list, rows)))
                self.waiting.append(unit)
                self.units[key] = unit
                self.further[category] += len(rows)
            yield
        for piece in pieces(state["further"]):
            for category, *rest in piece:
                if len(rest) == 1:  # a click row, which names its query
                    query = thaw(list(rest[0]))
                    self.hold(category, query, [query])
                    self.further[category] += 1
                else:
                    user, text, at, owns, some = rest
                    further = thaw_all(list(map(list, some)))
                    self.hold(category, Query(user, text, "", at), further, tuple(owns))
                    self.further[category] += len(further)
            yield


def key_of(query: Query) -> Key:
    """Return what the rows of one query have in common."""
    return (query[0], query[1], query[3])
