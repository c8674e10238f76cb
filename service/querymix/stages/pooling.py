"""From classified queries to releases: the pools, their hold policy and the clock that it goes by, for both runtimes.

Rules:
- `max_hold` counts by the hold clock (querymix.core.hold_clock). Its readings are the records' own times where a log is
  replayed (`querymix run`), so that a replay holds as long as the real stream would have; on Kafka they are the
  service's clock, since a partition without records must release or suppress what it holds all the same.
- Where the records are known to be in time order (`in_order`: files that a run has sorted), the clock is their times.
  Else a gap is believed after some readings, which is how much longer than `max_hold` a query may be held.
- What is held is looked at each twentieth of `max_hold`, and what would be held too long before the next look goes. So
  nothing that is drawn has been held longer, and nothing goes more than a twentieth early. A query that waits for its
  rows is let on before a look. Who is established is looked at each tenth of that time, or of `dedupe`, too; all at
  moments that do not depend on how the log is batched.
- Rows go to the pools as whole queries (querymix.core.gathering), or whole sessions (querymix.core.sessions); a local
  run ends the wait for further rows when its input ends.
- Where sessions leave together, a local run decides here which pool a query goes to; on Kafka the classifier has, and
  its frames say so (querymix.stages.placing).
- The state names the format of the logs (`Codec.format`): what is held can only be written by a codec of that format.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, inf
from typing import Any, Final

from querymix.codecs.frames import Frame, check_format
from querymix.core.account import Account
from querymix.core.draw import Draw
from querymix.core.hold_clock import HoldClock
from querymix.core.outlook import Outlook, outlook
from querymix.core.pools import Pools
from querymix.core.records import Query, Release, freeze, thaw
from querymix.core.rules import Rules
from querymix.stages.placing import Placing

VERSION: Final = 3
"""Of decisions: how a step is decided."""
OLD_VERSION: Final = 2
"""That of querymix 0.1.0 to 0.3.0, whose decisions can be decided again."""
_HOLD_LOOKS: Final = 20
"""Looks at what is held in a `max_hold`."""
_LOOKS: Final = 10
"""Looks in one of the other times."""
_REACHES: Final = 4
"""Reaches of the hold clock in a `max_hold`."""
_MIN_REACH: Final = 2.0
"""Seconds: the service reads its clock once a second, and many records know no smaller time."""
_NO_BOUND: Final = 3600.0
"""What the reach is measured by while there is no `max_hold`: arrivals are stamped for a later one."""


class Pooling:
    """The second stage, over one stream's pools, or those of one partition of it.

    `log_format` is `Codec.format` of the logs; empty: any.
    """

    def __init__(self, rules: Rules, draw: Draw, log_format: str = "", *, in_order: bool = False) -> None:
        self.pools = Pools(rules, draw)
        self.placing = Placing()
        self.log_format = log_format
        self.in_order = in_order
        """Whether no query is earlier than those before it, and all times count as right."""
        self.clock = HoldClock()
        self.last: Query | None = None
        """The last query that arrived: it gives its time to what the hold policy lets out."""
        self._look_at: float | None = None
        self._version = VERSION
        self._follow()

    def _follow(self) -> None:
        rules, hold_looks = self.pools.rules, _HOLD_LOOKS if self._version == VERSION else _LOOKS
        times = ((rules.bound, hold_looks), (rules.established, _LOOKS), (rules.dedupe, _LOOKS))
        self._period = min((time / looks for time, looks in times if time is not None), default=None)
        self._reach = inf if self.in_order else max(_MIN_REACH, (rules.bound or _NO_BOUND) / _REACHES)

    @property
    def account(self) -> Account:
        """What became of the queries that arrived; they are taken off those that wait for a pool."""
        return self.pools.account

    def __call__(self, classified: Iterable[tuple[int, Query]]) -> list[Release]:
        """Return the releases that the classified queries set off, in their order; the clock reads their times."""
        rows = list(classified)
        times = [query[3] for _, query in rows]
        if self.in_order and times and self.clock.now is not None and self.clock.at(times[0], inf) < self.clock.now:
            self._begin_again(times[0])
        out: list[Release] = []
        if self.pools.rules.unit == "session":
            return self._by_session(rows)
        if self.clock.read_all(times, self._reach):
            if self._period is None:
                return self.pools.take_timed(rows, times)
            start = 0
            while start < len(rows):
                out += self._look(times[start], times[start], rows[start][1])
                due = self._look_at is None or self._look_at <= times[start]  # nothing is held yet: look again
                end = start + 1 if due else bisect_left(times, self._look_at or 0.0, start + 1)
                out += self.pools.take_timed(rows[start:end], times[start:end])
                start = end
        else:
            for row in rows:
                out += self.read(row[1].at, row[1])
                out += self.pools.take((row,), self.clock.now or 0.0, row[1].at)
                out += self.pools.settle(row[1].at)
        return out

    def _by_session(self, rows: Iterable[tuple[int, Query]]) -> list[Release]:
        rules, out = self.pools.rules, list[Release]()
        for category, query in rows:
            pool, at = self.placing.pool_of(category, query, rules), query[3]
            out += self.read(at, query)
            out += self.pools.settle(at)
            out += self.pools.take(((pool, query),), self.clock.now or 0.0, at, () if pool == category else (category,))
        return out

    def _begin_again(self, now: float) -> None:
        """Let the clock begin at another log's first time, though what is held came later by an earlier log's."""
        self.clock = HoldClock(now)
        self.pools.put_back(now)
        self._look_at = None

    def finish(self) -> list[Release]:
        """Return the releases of what waits for further rows or queries, at the end of a log."""
        return self.pools.settle(inf)

    def take(self, frames: Sequence[Frame], reading: float) -> list[Release]:
        """Return the releases that frames of classified queries set off; they arrive at `reading`."""
        out = self.read(reading, self.last)
        out += self.pools.take_frames(frames, self.clock.now or 0.0, reading)
        self.last = next((frame[1][-1] for frame in reversed(frames) if frame[1]), self.last)
        return out + self.pools.settle(reading)

    def read(self, reading: float, trigger: Query | None) -> list[Release]:
        """Read the clock, and look at what is held too long where it is time to.

        `trigger` gives its time to what a merge lets out; without one nothing has arrived yet.
        """
        exact = self._version == VERSION
        jump = self.clock.read(reading, self._reach, exact=exact)
        if jump is not None:
            self.pools.move_on(jump, exact=exact)
        return [] if trigger is None else self._look(self.clock.now, reading, trigger, jumped=jump is not None)

    def _look(self, now: float | None, reading: float, trigger: Query, *, jumped: bool = False) -> list[Release]:
        if self._period is None or now is None or not self.pools.held:
            return []
        if self._look_at is not None and now < self._look_at:
            return []
        self._look_at = until = now + self._period
        if self._version == OLD_VERSION:
            return self.pools.expire(now, trigger)
        # What waits sets off releases at its own time, so it goes first and gives its time to others.
        pools, out = self.pools, list[Release]()
        if jumped:  # and draws from what is known now to be held too long
            out += pools.expire(now, pools.first_waiting or trigger, until)
        out += pools.settle(reading)
        return out + pools.expire(now, pools.first_waiting or trigger, until)

    def due(self, reading: float) -> bool:
        """Say whether the clock should be read though no query has arrived."""
        if self.pools.gathering_complete_due(reading):
            return True
        if self._period is None or self.pools.held == 0:
            return False
        moment, now = self.clock.at(reading, self._reach), self.clock.now
        if now is None or abs(moment - now) > self._reach / 2:  # else a clock that nobody reads would see a gap
            return True
        return (self._look_at is None or moment >= self._look_at) and self.pools.expire_due(moment + self._period)

    def hold_age(self, reading: float) -> float:
        """Return for how many seconds the oldest query has been held, 0 where none is; `reading` is the clock's.

        By the hold clock, as the hold policy counts: a reading that was put back does not shorten it.
        """
        now = self._moment(reading)
        oldest = min((entry[2] for _, pool in self.pools for entry in pool.queries), default=now)
        oldest = min(oldest, self.pools.earliest(now))
        return max(0.0, now - oldest)

    def outlooks(self, reading: float) -> Iterator[Outlook]:
        """Yield what each pool still lacks before it lets something out; `reading` is the clock's."""
        now = self._moment(reading)
        for category, pool in self.pools:
            yield outlook(self.pools, category, pool, now, self._next_look)

    def _moment(self, reading: float) -> float:
        return max(self.clock.at(reading, self._reach), self.clock.now or 0.0)

    def _next_look(self, moment: float) -> float:
        """Return when what is held is looked at for the first time from a moment on, where somebody reads the clock."""
        if self._period is None or self._look_at is None or moment == inf:
            return moment
        return self._look_at + max(0, ceil((moment - self._look_at) / self._period)) * self._period

    def follow(self, rules: Rules, version: int = VERSION) -> None:
        """Let other rules hold from now on, in the way of this `version`.

        Raises ConfigError where a value is out of range.
        """
        changed = (rules, version) != (self.pools.rules, self._version)
        self.pools.follow(rules)
        self._version = version
        self._follow()
        if rules.unit == "query":
            self.placing.clear()
        if version == VERSION and self._look_at is not None:
            latest = (self.clock.now or 0.0) + (self._period or 0.0)
            if changed or self._look_at > latest:  # by other rules, or in the way of an older version
                self._look_at = None

    def claim(self, written: str) -> None:
        """Raise ConfigError where queries are held that were read in another format; `written` names it."""
        check_format(written, list(self.pools.queries()), self.log_format, "the state")

    def snapshot(self) -> dict[str, Any]:
        """Return the state as plain data, for `restore`."""
        return self.frozen() | self.pools.snapshot()

    def frozen(self) -> dict[str, Any]:
        """Return the state as `snapshot` does, but for what may be long: iterators, to be used before it changes."""
        return {
            "format": self.log_format,
            **self.pools.frozen(),
            "clock": self.clock.snapshot(),
            "look_at": self._look_at,
            "last": None if self.last is None else freeze(self.last),
            "placing": self.placing.snapshot(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over a state that `snapshot` gave.

        Raises ConfigError where it holds queries of another format.
        """
        for _ in self.loading(state):
            pass
        self.claim(state["format"])

    def loading(self, state: Mapping[str, Any]) -> Iterator[None]:
        """Take over, in pieces, a state whose queries may be of any format, to repeat what followed it."""
        yield from self.pools.restoring(state)
        self.placing.restore(state)
        self._look_at = state["look_at"]
        last = state["last"]
        self.last = None if last is None else thaw(list(last))
        self.clock = HoldClock.restored(state["clock"])
