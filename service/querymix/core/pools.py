"""The anonymizer: per category a pool of users and of queries, paired at random.

>>> pools = Pools(Rules(k=2, click_wait=0, reserve=0), seeded_draw(1))
>>> for time, user in enumerate(["ann", "bob", "eve"]):
...     release = pools.arrive(15, Query(user, f"soccer {time}", time, time), time)
>>> release.user != release.query.user, release.anonymity_set, pools.held
(True, 2, 2)

Rules (those of an option stand with it, in querymix.core.rules):
- Each unit that arrives (a query, or a session) adds its user and itself to its category's pool and lets out at most
  one pair. Nothing leaves below the threshold, and what is suppressed does not depend on what is drawn next.
- `distinct`: a pair leaves only where there are more than k + X distinct users (X: querymix.core.reserve), counted over
  the pooled users and over the owners of the pooled queries alike. The user is uniform over the pooled users, then the
  owner over the distinct owners but that user, then the query over the owner's. With the draw by `entry` the query is
  uniform over the pooled ones that are not the user's.
- `paper`: Algorithm 2 as printed. At size k one user and one query leave, drawn independently; where every pooled user
  is the same, k grows to ceil(k * delta) instead, with a delta above 1.
- With `established`, k counts only users first seen so long ago. The others' queries are pooled and drawn all the same.

What `distinct` with the draw by owner guarantees, against whom: docs/guarantees.md. Given that pool and the released
user, the owner is uniform over k other ids at least; with `established` no maker of new accounts can leave k out.

Source: Pàmies-Estrems et al. 2016, Algorithm 2.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat
from typing import Final

from querymix.core.draw import Draw
from querymix.core.gathering import MAX_WAITING, ROWS
from querymix.core.pool import Pool
from querymix.core.pool_state import PoolState
from querymix.core.records import OTHER, Origin, Query, Release
from querymix.core.reserve import kept_back
from querymix.core.rules import Rules
from querymix.core.sessions import Session, parts_of

_Pair = Callable[[int, Pool, Query, float], Release | None]
_MAX_TOGETHER: Final = 500
"""Rows of the same time that are put together without `Gathering`."""
_ALONE: Final[tuple[tuple[Query, ...], tuple[int, ...]]] = ((), ())
_new: Final = tuple.__new__  # half the time of calling the class


class Pools(PoolState):
    """The pools of one stream, or of one partition of it.

    `draw` is where chance comes from: the operating system's generator unless it is a test or a study.
    """

    def __init__(self, rules: Rules, draw: Draw) -> None:
        super().__init__(rules.check(), draw)
        self._read_rules()

    def _read_rules(self) -> None:
        rules = self.rules
        self._distinct = rules.mode == "distinct"
        self._most = 1 + (rules.reserve if rules.established is None else 0)  # where some do not count, `_deep` decides
        by_owner = self._distinct and rules.draw == "owner"
        self._pair: _Pair = self._pair_by_owner if by_owner else self._pair_by_entry
        self._dedupes = rules.dedupe is not None
        self._established = rules.established is not None

    def take(
        self, rows: Iterable[tuple[int, Query]], now: float, reading: float, owns: Sequence[int] = ()
    ) -> list[Release]:
        """Take in rows with their pools' categories, each of which joins its query or begins one.

        Returns what they set off. `now` is the moment of arrival in seconds, by whatever clock `expire` will be asked
        with, `reading` the clock's own reading, `owns` are the rows' own categories where they differ. What waits for
        further rows enters its pool when `settle` lets it.
        """
        gather, wait, put, out = self._gather, self.rules.click_wait, self._put, list[Release]()
        alone = not owns and self.rules.unit == "query"
        for (category, query), own in zip(rows, owns or repeat(None), strict=False):
            if wait:
                gather(category, query, now, reading, category if own is None else own)
            elif self._dedupes and self._repeated(query, now):
                pass
            elif not alone:
                out += self._go_on(category, category if own is None else own, [query], now, reading)
            elif (release := put(category, category, query, now, query)) is not None:
                out.append(release)
        return out

    def take_timed(self, rows: Sequence[tuple[int, Query]], times: Sequence[float]) -> list[Release]:
        """Take in rows as time goes on, by their own `times`, and return what they set off.

        It is as if each were taken in alone, after those that have waited for their rows then were let on. Where the
        next time is far enough, a row and those of the same time before it wait for nobody, and enter their pools.
        """
        wait, out, together = self.rules.click_wait, list[Release](), list[tuple[int, Query]]()
        waiting, joined, pair, dedupes = self._gathering.waiting, self._gathering.joined, self._pair, self._dedupes
        pools = {} if dedupes or self._established else self._pools
        for row, at, next_at in zip(rows, times, [*times[1:], *times[-1:]], strict=True):
            if waiting and (not -wait < at - waiting[0][3] < wait or len(waiting) >= MAX_WAITING):
                out += self.settle(at)
            if waiting or (wait and -wait < next_at - at < wait):
                if at == next_at and not (waiting or dedupes) and len(together) < _MAX_TOGETHER:
                    together.append(row)
                    continue
                for category, query in (*together, row):
                    self._gather(category, query, at, at, category)
                together.clear()
            else:
                for category, query in joined(together, row) if together else (row,):
                    if category not in pools:
                        out += self._arrive_alone(category, query, at)
                        continue
                    # As `arrive` does, without a call: this is the hot path.
                    pool, user = pools[category], query[0]
                    pool.put((user, category, at), (user, query, at))
                    release = pair(category, pool, query, at)
                    if release is not None:
                        out.append(release)
        for category, query in together:
            self._gather(category, query, times[-1], times[-1], category)
        return out

    def _arrive_alone(self, category: int, query: Query, at: float) -> Iterable[Release]:
        return () if self._dedupes and self._repeated(query, at) else filter(None, (self.arrive(category, query, at),))

    def settle(self, reading: float) -> list[Release]:
        """Let what has waited for its rows, or for further queries, enter its pool; return what is set off."""
        gathering, wait, put, out = self._gathering, self.rules.click_wait, self._put, list[Release]()
        waiting, following, joins = gathering.waiting, gathering.next, self.rules.unit == "session"
        # Not >=, since a time may be NaN.
        while waiting and (not -wait < reading - waiting[0][3] < wait or len(waiting) >= MAX_WAITING):
            unit = following()
            if joins or unit[5] != unit[0]:
                gathering.further[unit[0]] -= len(unit) - ROWS
                out += self._go_on(unit[0], unit[5], [unit[1], *unit[ROWS:]], unit[2], unit[3])
                continue
            if len(unit) > ROWS:
                gathering.hold(unit[0], unit[1], unit[ROWS:])
            release = put(unit[0], unit[0], unit[1], unit[2], unit[1])
            if release is not None:
                out.append(release)
        sessions, wait = self._sessions, self.rules.session_wait
        while sessions.due(reading, wait):
            out += self._enter(sessions.next())
        return out

    def _go_on(self, category: int, own: int, rows: list[Query], now: float, reading: float) -> list[Release]:
        """Let a whole query join its session where there are any, else enter its pool."""
        if self.rules.unit == "query":
            return self._enter([category, now, reading, [own, *rows]])
        return list(chain(*map(self._enter, self._sessions.add(category, own, rows, now, reading, self.rules))))

    def _enter(self, session: Session, *, draws: bool = True) -> list[Release]:
        """Put queries that waited into their pool as one; return the pair that they set off."""
        category, now = session[0], session[1]
        rows, owns, origin, last = parts_of(session)
        if owns or len(rows) > 1:
            self._gathering.hold(category, rows[0], rows[1:], owns)
            self._gathering.further[category] += len(rows) - 1
        release = self._put(category, origin, rows[0], now, last, draws=draws)
        return [] if release is None else [release]

    def arrive(self, category: int, query: Query, now: float) -> Release | None:
        """Put a whole query into its pool and let out at most one pair.

        `now` is the moment of arrival in seconds, by whatever clock `expire` will be asked with.
        """
        return self._put(category, category, query, now, query)

    def _put(
        self, category: int, origin: Origin, query: Query, now: float, trigger: Query, *, draws: bool = True
    ) -> Release | None:
        pool = self._pools.get(category)
        if pool is None:
            pool = self._pools[category] = Pool(self.rules.k)
        user = query[0]
        pool.put((user, origin, now), (user, query, now))
        if not draws:
            pool.forget_oldest()
            return None
        if self._established and not self._deep(pool, (user,), now):
            return None
        return self._pair(category, pool, trigger, now)

    def _pair_by_owner(self, category: int, pool: Pool, trigger: Query, now: float) -> Release | None:
        owners, below, size = pool.owners, self.draw.below, len(pool.users)
        distinct, users = len(owners), len(pool.user_counts)
        above = (distinct if distinct < users else users) - pool.k
        if above >= self._most:
            place = below(size)
        elif above <= 0 or (place := below(size * self._most)) >= size * above:  # X and the user at once
            return None
        else:
            place %= size
        user, origin, _ = pool.take_user(place)
        own = pool.owner_rows.get(user)
        if own is None:
            row = owners[below(distinct)]
        else:
            distinct -= 1
            number = below(distinct)
            row = owners[number if number < own[0] else number + 1]
        if self._established:
            distinct = pool.known_owners - (own is not None and user in pool.known)
        size = len(row) - 1
        owner, query, _ = pool.take_query(row[1 if size == 1 else 1 + below(size)])
        spread = pool.spread
        spread[distinct] = spread.get(distinct, 0) + 1
        further, owns = _ALONE
        if owner in self._gathering.held:  # most often not, and a look at the query's own fields would cost more
            further, owns = self._gathering.close(query)
            pool.further_released += len(further)
        return _new(Release, (user, origin, query, category, trigger, distinct, further, now, owns))

    def _pair_by_entry(self, category: int, pool: Pool, trigger: Query, now: float) -> Release | None:
        if self._distinct:
            if kept_back(min(len(pool.owners), len(pool.user_counts)) - pool.k, self._most - 1, self.draw):
                return None
        elif len(pool) < pool.k or self._grow(pool):
            return None
        below, queries, distinct, size = self.draw.below, pool.queries, len(pool.owners), len(pool)
        user, origin, _ = pool.take_user(below(size))
        place = below(size)
        own = pool.owner_rows.get(user) if self._distinct else None
        pool.note_entries(0 if own is None else len(own) - 1)
        if own is not None:
            distinct -= 1
            while queries[place][0] == user:
                place = below(size)
        owner, query, _ = pool.take_query(place)
        further, owns = self._gathering.close(query)
        pool.further_released += len(further)
        if owner == user:
            pool.own_returned += 1 + len(further)
        return _new(Release, (user, origin, query, category, trigger, distinct, further, now, owns))

    def expire(self, now: float, trigger: Query, until: float | None = None) -> list[Release]:
        """Apply the hold policy to what will be held for too long `until` the next look, and look who is established.

        Returns the pairs that a merge lets out of the shared pool; `trigger` gives them their time.
        """
        self._history.forget(now)
        if self._established:
            for pool in self._pools.values():
                self._look_for_established(pool, now)
        if (bound := self.rules.bound) is None:
            return []
        limit = (now if until is None else until) - bound
        for session in self._sessions.take_late(limit):
            self._enter(session, draws=False)
        coming = self.earliest(now)
        if self.rules.hold_policy == "trim":
            for pool in self._pools.values():
                for entry in pool.take_late(limit, coming):
                    pool.suppressed += 1 + len(self._gathering.close(entry[1])[0])
            return []
        # What a merge has left in the shared pool is late too once it is off, though not in decisions of old versions.
        kept = OTHER if self.rules.hold_policy == "merge" or until is None else None
        return self._by_both(now, limit, coming, trigger, kept)

    def _by_both(self, now: float, limit: float, coming: float, trigger: Query, kept: int | None) -> list[Release]:
        """Let the oldest users and queries of each pool but `kept` leave it in equal numbers, where either is late."""
        out: list[Release] = []
        for category, pool in list(self):
            late = 0 if category == kept else pool.late(limit, coming)
            if not late:
                continue
            moved = pool.take_oldest(late)
            if self.rules.hold_policy == "suppress":
                pool.suppressed += sum(1 + len(self._gathering.close(query[1])[0]) for _, query in moved)
                continue
            pool.merged += late
            other = self._pools.setdefault(OTHER, Pool(self.rules.k))
            for user, query in moved:
                other.put(user, query)
                if self._established and not self._deep(other, (user[0], query[0]), now):
                    continue
                release = self._pair(OTHER, other, trigger, now)
                if release is not None:
                    out.append(release)
        return out

    def follow(self, rules: Rules) -> None:
        """Let other rules hold from now on; a k that paper mode has grown does not shrink.

        Raises ConfigError where a value is out of range.
        """
        if rules == self.rules:
            return
        self.rules = rules.check()
        self._read_rules()
        self._history.follow(rules)
        for pool in self._pools.values():
            pool.k = rules.k if self._distinct else max(rules.k, pool.k)
            pool.forget_oldest()
            if not self._established:
                pool.forget_established()
