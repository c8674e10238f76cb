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
- Where queries are pooled alone, drawn by owner and all counted, service/native/src/pools/mod.rs does what
  `take_frames`, `take_timed` and `settle` do, over the same objects and with the same numbers. What changes here, in
  `_through`, in `Draw.below` or in `Gathering` changes there too.

What `distinct` with the draw by owner guarantees, against whom: docs/guarantees.md. Given that pool and the released
user, the owner is uniform over k other ids at least; with `established` no maker of new accounts can leave k out.

Source: Pàmies-Estrems et al. 2016, Algorithm 2.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from typing import Final

from querymix.core.gathering import MAX_WAITING, ROWS
from querymix.core.pairing import Pairing
from querymix.core.pool import Pool
from querymix.core.records import OTHER, Query, Release
from querymix.core.rules import Rules
from querymix.core.sessions import Session, parts_of

_MAX_TOGETHER: Final = 500
"""Rows of the same time that are put together without `Gathering`."""


class Pools(Pairing):
    """The pools of one stream, or of one partition of it.

    `draw` is where chance comes from: the operating system's generator unless it is a test or a study.
    """

    def take(
        self, rows: Iterable[tuple[int, Query]], now: float, reading: float, owns: Sequence[int] = ()
    ) -> list[Release]:
        """Take in rows with their pools' categories, each of which joins its query or begins one.

        Returns what they set off. `now` is the moment of arrival in seconds, by whatever clock `expire` will be asked
        with, `reading` the clock's own reading, `owns` are the rows' own categories where they differ. What waits for
        further rows enters its pool when `settle` lets it.
        """
        gather, wait, out = self._gather, self.rules.click_wait, list[Release]()
        alone = not owns and self.rules.unit == "query"
        for (category, query), own in zip(rows, owns or repeat(None), strict=False):
            if wait:
                gather(category, query, now, reading, category if own is None else own)
            elif self._dedupes and self._repeated(query, now):
                pass
            elif not alone:
                out += self._go_on(category, category if own is None else own, [query], now, reading)
            elif (release := self.arrive(category, query, now)) is not None:
                out.append(release)
        return out

    def take_frames(
        self, frames: Iterable[tuple[int, list[Query]] | tuple[int, list[Query], list[int]]], now: float, reading: float
    ) -> list[Release]:
        """Take in frames, as `take` does: of each the pool's category, rows, and their own categories, if others."""
        if self._native is not None:
            taken: list[Release] = self._native.take_frames(self, Release, frames, now, reading)
            return taken
        out = list[Release]()
        for frame in frames:
            category, queries, owns = frame if len(frame) == 3 else (*frame, [])
            out += self.take(zip(repeat(category), queries, strict=False), now, reading, owns)
        return out

    def take_timed(self, rows: Sequence[tuple[int, Query]], times: Sequence[float]) -> list[Release]:
        """Take in rows as time goes on, by their own `times`, and return what they set off.

        It is as if each were taken in alone, after those that have waited for their rows then were let on. Where the
        next time is far enough, a row and those of the same time before it wait for nobody, and enter their pools.
        """
        taken: list[Release] | None = None
        if self._native is not None and not self._sessions.waiting:
            taken = self._native.take_timed(self, Release, rows, times)
        return self._take_timed(rows, times) if taken is None else taken

    def _take_timed(self, rows: Sequence[tuple[int, Query]], times: Sequence[float]) -> list[Release]:
        wait, out, together = self.rules.click_wait, list[Release](), list[tuple[int, Query]]()
        waiting, joined, come, dedupes = self._gathering.waiting, self._gathering.joined, self._come, self._dedupes
        pools = {} if dedupes else self._pools
        for row, at, next_at in zip(rows, times, [*times[1:], *times[-1:]], strict=True):
            if waiting and (not -wait < at - waiting[0][3] < wait or len(waiting) >= MAX_WAITING):
                out += self.settle(at)
            if next_at - at < wait or waiting:
                if at == next_at and not (waiting or dedupes) and len(together) < _MAX_TOGETHER:
                    together.append(row)
                    continue
                for category, query in (*together, row):
                    self._gather(category, query, at, at, category)
                together.clear()
            elif not together and row[0] in pools:  # as most often
                category, query = row
                if (release := come(category, pools[category], query, at)) is not None:
                    out.append(release)
            else:
                out += self._arrive_all(joined(together, row) if together else (row,), at)
        for category, query in together:
            self._gather(category, query, times[-1], times[-1], category)
        return out

    def _arrive_all(self, rows: Iterable[tuple[int, Query]], at: float) -> list[Release]:
        passed = (row for row in rows if not (self._dedupes and self._repeated(row[1], at)))
        return list(filter(None, [self.arrive(category, query, at) for category, query in passed]))

    def settle(self, reading: float) -> list[Release]:
        """Let what has waited for its rows, or for further queries, enter its pool; return what is set off."""
        if self._native is not None and not self._sessions.waiting:
            settled: list[Release] = self._native.settle(self, Release, reading)
            return settled
        gathering, wait, out = self._gathering, self.rules.click_wait, list[Release]()
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
            if (release := self.arrive(unit[0], unit[1], unit[2])) is not None:
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
        pool, user = self._pool(category), rows[0][0]
        pool.put((user, origin, now), (user, rows[0], now))
        if not draws:
            pool.forget_oldest()
            return []
        release = self._let_out(category, pool, user, last, now)
        return [] if release is None else [release]

    def arrive(self, category: int, query: Query, now: float) -> Release | None:
        """Put a whole query into its pool and let out at most one pair.

        `now` is the moment of arrival in seconds, by whatever clock `expire` will be asked with.
        """
        return self._come(category, self._pool(category), query, now)

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
