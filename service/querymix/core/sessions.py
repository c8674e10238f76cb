"""The queries of one session put together: with the unit `session` they are pooled, drawn and released as one.

Rules:
- A session is up to `session_most` queries of one user that go to one pool, each with all its rows, and by the log's
  own times each less than `session_gap` from the one before.
- It waits until a clock's reading is `session_gap` (and the wait for click rows) from its last query's, to either side,
  until it has all its queries or `MAX_ROWS` rows, or until `MAX_SESSIONS` others wait. Then it enters its pool as one
  user entry and one query entry, whose further rows are the rest of it (querymix.core.gathering).
- So it is complete before it can be drawn: one that came later would tell, sent under the same user, who the owner is.
- Each query counts for its user's profile under its own category, whatever its pool.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from querymix.core.gathering import MAX_ROWS
from querymix.core.pieces import pieces
from querymix.core.records import Origin, Query, freeze_all, thaw_all
from querymix.core.rules import Rules

MAX_SESSIONS: Final = 1 << 16
"""Sessions that wait, at most."""

_QUERIES: Final = 3
"""Where the queries begin in a waiting session."""

Session = list[Any]
"""A session that waits: its pool's category, arrival of its first query by the hold clock, the clock's reading at its
last, and its queries: of each its own category and its rows."""


class Sessions:
    """The sessions of one stream that may still get queries, those that have waited longest first."""

    __slots__ = ("most", "rows", "waiting")

    def __init__(self, most: int = MAX_SESSIONS) -> None:
        self.most = most
        self.waiting: OrderedDict[tuple[str, int], Session] = OrderedDict()
        """By user and pool."""
        self.rows: Counter[int] = Counter()
        """Rows that wait, by category."""

    def add(
        self, category: int, own: int, rows: list[Query], arrived: float, reading: float, rules: Rules
    ) -> list[Session]:
        """Let a whole query join its session or begin one; return the sessions that wait no longer."""
        waiting, gap, done = self.waiting, rules.session_gap, list[Session]()
        key = rows[0][0], category
        session = waiting.get(key)
        if session is not None:
            apart = rows[0][3] - session[-1][1][3]
            # Not >=, since a time may be NaN.
            if not -gap < apart < gap or len(rows) + sum(map(len, session[_QUERIES:])) > MAX_ROWS:
                done.append(self._take(key))
                session = None
        if session is None:
            session = waiting[key] = [category, arrived, reading]
        session.append([own, *rows])
        session[2] = reading
        self.rows[category] += len(rows)
        waiting.move_to_end(key)
        if len(session) - _QUERIES >= rules.session_most:
            done.append(self._take(key))
        elif len(waiting) > self.most:
            done.append(self.next())
        return done

    def due(self, reading: float, wait: float) -> bool:
        """Say whether the session that has waited longest waits no longer."""
        return bool(self.waiting) and not -wait < reading - next(iter(self.waiting.values()))[2] < wait

    def next(self) -> Session:
        """Remove and return the session that has waited longest."""
        return self._take(next(iter(self.waiting)))

    def take_late(self, limit: float) -> list[Session]:
        """Remove and return the sessions that arrived before `limit`."""
        return [self._take(key) for key in [key for key, session in self.waiting.items() if session[1] < limit]]

    def _take(self, key: tuple[str, int]) -> Session:
        session = self.waiting.pop(key)
        self.rows[session[0]] -= sum(len(query) - 1 for query in session[_QUERIES:])
        return session

    def earliest(self, now: float) -> float:
        """Return when the first query of those that wait arrived, or `now` where none does."""
        arrived: list[float] = [session[1] for session in self.waiting.values()]
        return min([now, *arrived])

    def queries(self) -> Iterator[Query]:
        """Yield every row that waits."""
        for session in self.waiting.values():
            for _, *rows in session[_QUERIES:]:
                yield from rows

    def restamp(self, moment: Callable[[float], float]) -> None:
        """Let each session have arrived at the `moment` that is given for its own."""
        for session in self.waiting.values():
            session[1] = moment(session[1])

    def frozen(self) -> Iterator[list[Any]]:
        """Yield what waits as plain data, for `restoring`; to be used before it changes."""
        for session in self.waiting.values():
            yield [*session[:_QUERIES], *([own, freeze_all(rows)] for own, *rows in session[_QUERIES:])]

    def restoring(self, state: Mapping[str, Any]) -> Iterator[None]:
        """Take over, in pieces, what `frozen` described under `sessions`, where nothing waits yet."""
        for piece in pieces(state.get("sessions", ())):
            for category, arrived, reading, *queries in piece:
                session = [category, arrived, reading]
                session += [[own, *thaw_all(list(map(list, rows)))] for own, rows in queries]
                self.waiting[session[_QUERIES][1][0], category] = session
                self.rows[category] += sum(len(query) - 1 for query in session[_QUERIES:])
            yield


def parts_of(session: Session) -> tuple[list[Query], tuple[int, ...], Origin, Query]:
    """Return a session's rows, the own category of each, the origin of its user entry, and its last query.

    The own categories are left out where all are the pool's.
    """
    queries: list[Any] = session[_QUERIES:]
    rows = [row for _, *some in queries for row in some]
    owns = tuple([own for own, *some in queries for _ in some])
    origins = tuple([query[0] for query in queries])
    origin: Origin = origins if len(origins) > 1 else origins[0]
    return rows, owns if any(own != session[0] for own in owns) else (), origin, queries[-1][1]
