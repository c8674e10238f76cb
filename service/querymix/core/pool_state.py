"""What the pools hold, what waits to enter them, what became of the rest, and how it is written down.

What leaves is for querymix.core.pools to decide.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf
from operator import itemgetter
from typing import Any, Final

from querymix.core.account import Account
from querymix.core.crowd_window import CrowdWindow
from querymix.core.draw import Draw
from querymix.core.gathering import Gathering
from querymix.core.history import History
from querymix.core.hold_clock import Jump
from querymix.core.pieces import whole
from querymix.core.pool import Pool
from querymix.core.pool_snapshot import frozen_pool, restoring_pool
from querymix.core.records import OTHER, Query
from querymix.core.reserve import kept_back
from querymix.core.rules import Rules
from querymix.core.sessions import Sessions

_key: Final = itemgetter(0, 1, 3)
"""As `key_of` (querymix.core.gathering), for less."""


class PoolState:
    """The pools of one stream by category, the queries and sessions that are put together, and the users' past."""

    def __init__(self, rules: Rules, draw: Draw) -> None:
        self.rules = rules
        self.draw = draw
        self._dedupes = rules.dedupe is not None
        self.repeats = 0
        """Rows suppressed since their user had asked the same a short time before."""
        self._pools: dict[int, Pool] = {}
        self._gathering = Gathering()
        self._sessions = Sessions()
        self._history = History(rules)
        self.crowd: CrowdWindow | None = None
        """Who had what a short time ago, where what leaves is screened by that (querymix.stages.crowding)."""

    def __iter__(self) -> Iterator[tuple[int, Pool]]:
        return iter(sorted(self._pools.items()))

    @property
    def held(self) -> int:
        """Rows held: in all pools, and of queries and sessions that wait for further rows."""
        gathering = self._gathering
        waiting = len(gathering.waiting) + self._sessions.rows.total()
        return sum(map(len, self._pools.values())) + waiting + gathering.further.total()

    def held_in(self, category: int) -> int:
        """Rows held of a category."""
        waiting = sum(1 for unit in self._gathering.waiting if unit[0] == category) + self._sessions.rows[category]
        return len(self._pools[category]) + waiting + self._gathering.further[category]

    def first_seen(self, user: str) -> int | None:
        """Return when a user was first seen, by the hold clock; None where nobody remembers."""
        return self._history.first_seen(user)

    def is_established(self, user: str, now: float) -> bool:
        """Say whether a user counts by the rule `established`, without noting that it was seen."""
        if self.rules.established is None:
            return True
        first = self._history.first_seen(user)
        return first is not None and self._history.long_ago(first, now)

    def queries(self) -> Iterator[Query]:
        """Yield every row held."""
        for pool in self._pools.values():
            yield from (entry[1] for entry in pool.queries)
        yield from self._gathering.rows()
        yield from self._sessions.queries()

    @property
    def account(self) -> Account:
        """What became of the logs that arrived; they are taken off those that wait for a pool."""
        released = sum(pool.released for pool in self._pools.values())
        suppressed = sum(pool.suppressed for pool in self._pools.values())
        held = self.held
        return Account(
            released=released,
            held=held,
            suppressed_by_hold=suppressed,
            suppressed_as_repeats=self.repeats,
            waiting=-released - held - suppressed - self.repeats,
        )

    @property
    def own_returned(self) -> int:
        """Rows released under their own user."""
        return sum(pool.own_returned for pool in self._pools.values())

    def move_on(self, jump: Jump, *, exact: bool = True) -> None:
        """Give what arrived since a jump of the hold clock began its own moment, or (as 0.3.0 did) make it younger."""
        moved, since, by = jump.moved, jump.since, jump.by
        self._restamp((lambda at: moved.get(at, at)) if exact else (lambda at: at + by if at > since else at))
        self._history.move_on(since, by)
        if self.crowd is not None:
            self.crowd.move_on(jump)

    def put_back(self, now: float) -> None:
        """Let nothing have arrived later than `now`, where the hold clock begins again earlier."""
        self._restamp(lambda at: min(at, now))
        self._history.put_back(now)
        if self.crowd is not None:
            self.crowd.put_back(now)

    def _restamp(self, moment: Callable[[float], float]) -> None:
        for pool in self._pools.values():
            pool.restamp(moment)
        self._gathering.restamp(moment)
        self._sessions.restamp(moment)

    def _deep(self, pool: Pool, names: Iterable[str], now: float) -> bool:
        """Let those of `names` count that are established, and say whether enough are there."""
        for name in names:
            if self._history.established(name, now):
                pool.establish(name)
        return not kept_back(min(pool.known_owners, pool.known_users) - pool.k, self.rules.reserve, self.draw)

    def _grow(self, pool: Pool) -> bool:
        """Let k grow where every pooled user is the same; say whether it did."""
        if len(pool.user_counts) > 1 or (grown := self.rules.grown(pool.k)) == pool.k:
            return False
        pool.k = grown
        return True

    def _look_for_established(self, pool: Pool, now: float) -> None:
        """Let those of a pool count that are established by now."""
        history, before, firsts = self._history, pool.firsts, dict[str, int]()
        for name in (pool.user_counts.keys() | pool.owner_rows.keys()) - pool.known:
            first = before.get(name)
            if first is None:  # to hash a name is ten times as much work
                first = history.first(name, now)
            if first is None:
                continue
            if history.long_ago(first, now):
                pool.establish(name)
            else:
                firsts[name] = first
        pool.firsts = firsts

    def _pool(self, category: int) -> Pool:
        pool = self._pools.get(category)
        if pool is None:
            pool = self._pools[category] = Pool(self.rules.k)
        return pool

    def _gather(self, category: int, query: Query, now: float, reading: float, own: int) -> None:
        """Let a row join the query that waits for it, or begin one."""
        gathering = self._gathering
        key: Any = _key(query)  # the same tuple wherever it is used, so that NaN is found again
        unit = gathering.units.get(key)
        if unit is not None:
            if not gathering.join(unit, query):
                self.repeats += 1
            return
        if self._dedupes and self._repeated(query, now):
            return
        gathering.units[key] = unit = [category, query, now, reading, key, own]
        gathering.waiting.append(unit)
        if category not in self._pools:
            self._pool(category)

    def _repeated(self, query: Query, now: float) -> bool:
        again = self._history.repeated(query[0], query[1], now)
        self.repeats += again
        return again

    def gathering_complete_due(self, reading: float) -> bool:
        """Say whether `settle` would let something on."""
        waiting = self._gathering.waiting
        wait = self.rules.click_wait
        if waiting and not -wait < reading - waiting[0][3] < wait:
            return True
        return self._sessions.due(reading, self.rules.session_wait)

    def expire_due(self, until: float) -> bool:
        """Say whether `expire` may find something that is held for too long at `until`."""
        limit, kept = until - (self.rules.bound or inf), OTHER if self.rules.hold_policy == "merge" else None
        late = any(pool.may_be_late(limit) for category, pool in self._pools.items() if category != kept)
        return late or self._sessions.earliest(limit) < limit

    @property
    def first_waiting(self) -> Query | None:
        """The query that has waited longest for its rows."""
        waiting = self._gathering.waiting
        return waiting[0][1] if waiting else None

    def earliest(self, now: float) -> float:
        """Return when the first of those arrived that are in no pool yet, or `now` where there is none."""
        return min(self._gathering.earliest(now), self._sessions.earliest(now))

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state as plain lists, numbers and texts, for `restore`."""
        state = whole(self.frozen())
        return state | {"pools": {category: whole(pool) for category, pool in state["pools"].items()}}

    def frozen(self) -> dict[str, Any]:
        """Return the state as `snapshot` does, but for what may be long: iterators, to be used before it changes."""
        return {
            "pools": {str(category): frozen_pool(pool) for category, pool in self},
            "repeats": self.repeats,
            **self._gathering.frozen(),
            "sessions": self._sessions.frozen(),
            **self._history.frozen(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over a state that `snapshot` gave."""
        for _ in self.restoring(state):
            pass

    def restoring(self, state: Mapping[str, Any]) -> Iterator[None]:
        """Take over, in pieces, a state that `snapshot` gave."""
        self._pools, self._gathering, self._sessions = {}, Gathering(), Sessions()
        for category, frozen in state["pools"].items():
            pool = self._pools[int(category)] = Pool(frozen["k"])
            yield from restoring_pool(pool, frozen)
        self.repeats = state["repeats"]
        yield from self._gathering.restoring(state)
        yield from self._sessions.restoring(state)
        yield from self._history.restoring(state)
