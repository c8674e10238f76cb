"""How a pair is drawn from one pool: whether something leaves, which user, and whose query.

Rules:
- What each way of drawing guarantees stands in querymix.core.pools.
- Numbers are drawn in one order, and only where something can leave: recorded, they decide the same again.
- Where all users count and owners are drawn, as most often, what comes takes the place of what leaves (`_through`). It
  comes to the same as to put it and then to draw, number by number and place by place.
  service/native/src/pools/pairing.rs does the same: what changes here changes there too.
"""

from collections.abc import Callable
from typing import Any, Final

from querymix.core.draw import Draw
from querymix.core.pool import Pool
from querymix.core.pool_state import PoolState
from querymix.core.records import Origin, Query, Release
from querymix.core.reserve import kept_back
from querymix.core.rules import Rules
from querymix.native_path import module

_Step = Callable[[int, Pool, Query, float], Release | None]
_Closed = tuple[tuple[Query, ...], tuple[int, ...]]
_ALONE: Final[_Closed] = ((), ())
_new: Final = tuple.__new__  # half the time of calling the class


class Pairing(PoolState):
    """Pools whose pairs are drawn by their rules."""

    def __init__(self, rules: Rules, draw: Draw) -> None:
        super().__init__(rules.check(), draw)
        self._read_rules()

    def _read_rules(self) -> None:
        rules = self.rules
        self._distinct = rules.mode == "distinct"
        self._most = 1 + (rules.reserve if rules.established is None else 0)  # where some do not count, `_deep` decides
        by_owner = self._distinct and rules.draw == "owner"
        self._pair: _Step = self._pair_by_owner if by_owner else self._pair_by_entry
        self._dedupes = rules.dedupe is not None
        self._established = rules.established is not None
        self._come: _Step = self._through if by_owner and not self._established else self._put
        usual = by_owner and not self._established and not self._dedupes and rules.unit == "query"
        self._native: Any = module() if usual else None

    def _put(self, category: int, pool: Pool, query: Query, now: float) -> Release | None:
        user = query[0]
        pool.put((user, category, now), (user, query, now))
        return self._let_out(category, pool, user, query, now)

    def _let_out(self, category: int, pool: Pool, user: str, trigger: Query, now: float) -> Release | None:
        if self._established and not self._deep(pool, (user,), now):
            return None
        return self._pair(category, pool, trigger, now)

    def _through(self, category: int, pool: Pool, query: Query, now: float) -> Release | None:
        """Do as `Pool.put` and `_pair_by_owner` do, for less: what comes takes the place of what leaves."""
        user, users, counts, owners, rows = query[0], pool.users, pool.user_counts, pool.owners, pool.owner_rows
        draw, most, last, size = self.draw, self._most, len(pool.queries), len(users) + 1
        counts[user] = counts[user] + 1 if user in counts else 1
        mine = rows.get(user)
        if mine is None:
            mine = rows[user] = [len(owners), last]
            rank = 1
            owners.append(mine)
        else:
            rank = len(mine)
            mine.append(last)
        distinct, seen = len(owners), len(counts)
        above = (distinct if distinct < seen else seen) - pool.k
        if above >= most:
            place = draw.below(size)
        elif above <= 0 or (place := draw.below(size * most)) >= size * above:  # X and the user at once
            users.append((user, category, now))
            pool.queries.append((user, query, now))
            pool.ranks.append(rank)
            return None
        else:
            place %= size
        origin: Origin = category
        if place < size - 1:
            entry = users[place]
            users[place] = (user, category, now)
            user, origin, _ = entry
        if counts[user] > 1:
            counts[user] -= 1
        else:
            del counts[user]
        own = rows.get(user)
        if own is None:
            row = owners[draw.below(distinct)]
        else:
            distinct -= 1
            number = draw.below(distinct)
            row = owners[number if number < own[0] else number + 1]
        size = len(row) - 1
        place = row[1] if size == 1 else row[1 + draw.below(size)]
        pool.spread[distinct] = pool.spread.get(distinct, 0) + 1
        left = pool.exchange(place, row, (query[0], query, now), rank, mine)
        further, owns = self._closed(pool, left) if left[0] in self._gathering.held else _ALONE
        return _new(Release, (user, origin, left, category, query, distinct, further, now, owns))

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
        further, owns = self._closed(pool, query) if owner in self._gathering.held else _ALONE
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
        further, owns = self._closed(pool, query)
        if owner == user:
            pool.own_returned += 1 + len(further)
        return _new(Release, (user, origin, query, category, trigger, distinct, further, now, owns))

    def _closed(self, pool: Pool, query: Query) -> _Closed:
        """Return the rows after the first of a query that leaves, and the own category of each of its rows."""
        closed = self._gathering.close(query)
        pool.further_released += len(closed[0])
        return closed
