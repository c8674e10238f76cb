"""What the pools hold, what became of the rest, and how both are written down; querymix.core.pools decides."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from querymix.core.account import Account
from querymix.core.gathering import Gathering
from querymix.core.history import History
from querymix.core.hold_clock import Jump
from querymix.core.pieces import whole
from querymix.core.pool import Pool
from querymix.core.records import Query
from querymix.core.rules import Rules


class PoolState:
    """The pools of one stream by category, the queries that wait for their rows, and the users' past."""

    def __init__(self, rules: Rules) -> None:
        self.repeats = 0
        """Rows suppressed since their user had asked the same a short time before."""
        self._pools: dict[int, Pool] = {}
        self._gathering = Gathering()
        self._history = History(rules)

    def __iter__(self) -> Iterator[tuple[int, Pool]]:
        return iter(sorted(self._pools.items()))

    @property
    def held(self) -> int:
        """Rows held: in all pools, and of queries that wait for their rows."""
        gathering = self._gathering
        return sum(map(len, self._pools.values())) + len(gathering.waiting) + gathering.further.total()

    def held_in(self, category: int) -> int:
        """Rows held of a category."""
        waiting = sum(1 for unit in self._gathering.waiting if unit[0] == category)
        return len(self._pools[category]) + waiting + self._gathering.further[category]

    def first_seen(self, user: str) -> int | None:
        """Return when a user was first seen, by the hold clock; None where nobody remembers."""
        return self._history.first_seen(user)

    def queries(self) -> Iterator[Query]:
        """Yield every row held."""
        for pool in self._pools.values():
            yield from (entry[1] for entry in pool.queries)
        yield from self._gathering.rows()

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

    def put_back(self, now: float) -> None:
        """Let nothing have arrived later than `now`, where the hold clock begins again earlier."""
        self._restamp(lambda at: min(at, now))
        self._history.put_back(now)

    def _restamp(self, moment: Callable[[float], float]) -> None:
        for pool in self._pools.values():
            pool.restamp(moment)
        self._gathering.restamp(moment)

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

    @property
    def first_waiting(self) -> Query | None:
        """The query that has waited longest for its rows."""
        waiting = self._gathering.waiting
        return waiting[0][1] if waiting else None

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state as plain lists, numbers and texts, for `restore`."""
        state = whole(self.frozen())
        return state | {"pools": {category: whole(pool) for category, pool in state["pools"].items()}}

    def frozen(self) -> dict[str, Any]:
        """Return the state as `snapshot` does, but for what may be long: iterators, to be used before it changes."""
        return {
            "pools": {str(category): pool.frozen() for category, pool in self},
            "repeats": self.repeats,
            **self._gathering.frozen(),
            **self._history.frozen(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over a state that `snapshot` gave."""
        for _ in self.restoring(state):
            pass

    def restoring(self, state: Mapping[str, Any]) -> Iterator[None]:
        """Take over, in pieces, a state that `snapshot` gave."""
        self._pools, self._gathering = {}, Gathering()
        for category, frozen in state["pools"].items():
            pool = self._pools[int(category)] = Pool(frozen["k"])
            yield from pool.restoring(frozen)
        self.repeats = state["repeats"]
        yield from self._gathering.restoring(state)
        yield from self._history.restoring(state)
