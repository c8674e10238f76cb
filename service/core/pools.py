"""The anonymizer: per category a pool of users and of queries, paired at random.

Rules:
- Each arrival adds one user and one query to its category's pool and lets out at most one pair, so both multisets
  have the same size and each user leaves as often as it came.
- `distinct` (default): a pair leaves only while the pool holds at least k + 1 distinct users, counted over the
  pooled users and over the owners of the pooled queries alike, and never a query with its own user. The user is
  uniform over the pooled users. Then an owner is drawn, uniformly over the distinct owners other than that user, and
  then one of its pooled queries, uniformly.
- The draw by `entry` (weaker) takes the query uniformly over the pooled queries that are not the user's: whoever has
  much in the pool is likely to be the owner.
- `paper`: Algorithm 2 as printed. At size k one user and one query leave, drawn independently, so a user can get its
  own query back; where every pooled user is the same, k grows to ceil(k * delta) instead. With delta 1 that rule is
  off, the paper's "A(NR)", and the pair leaves.
- What is held longer than `max_hold` seconds is waited for, suppressed, or merged into the shared pool `OTHER`;
  from there it leaves as soon as that pool is deep enough. Nothing ever leaves below the threshold.

Guarantee of `distinct` with the draw by owner: whoever knows the whole content of the pool, with everybody's names and
numbers of queries but nothing of the texts, names the owner of a released query with probability 1/k at most, at every
release. Proof: given the content and the released user, the owner is uniform over the distinct owners other than that
user; there are k + 1 distinct owners at least, so k of those at least.

Source: Pàmies-Estrems, Castellà-Roca and Viejo 2016, Working at the Web Search Engine Side to Generate
Privacy-Preserving User Profiles, Algorithm 2.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from service.core.account import Account
from service.core.draw import Draw
from service.core.pool import Pool
from service.core.records import OTHER, Query, Release
from service.core.rules import Rules

_Pair = Callable[[int, Pool, Query], Release | None]
_new: Final = tuple.__new__  # half the time of calling the class


class Pools:
    """The pools of one stream, or of one partition of it.

    `draw` is where chance comes from: the operating system's generator unless it is a test or a study.
    """

    def __init__(self, rules: Rules, draw: Draw) -> None:
        self.rules = rules.check()
        self.draw = draw
        self._read_rules()
        self._pools: dict[int, Pool] = {}

    def _read_rules(self) -> None:
        self._distinct = self.rules.mode == "distinct"
        by_owner = self._distinct and self.rules.draw == "owner"
        self._pair: _Pair = self._pair_by_owner if by_owner else self._pair_by_entry

    def __iter__(self) -> Iterator[tuple[int, Pool]]:
        return iter(sorted(self._pools.items()))

    @property
    def held(self) -> int:
        """Queries held in all pools."""
        return sum(map(len, self._pools.values()))

    @property
    def account(self) -> Account:
        """What became of the logs that arrived; they are taken off those that wait for a pool."""
        released = sum(pool.released for pool in self._pools.values())
        suppressed = sum(pool.suppressed for pool in self._pools.values())
        held = self.held
        return Account(
            released=released, held=held, suppressed_by_hold=suppressed, waiting=-released - held - suppressed
        )  # fmt: skip

    @property
    def own_returned(self) -> int:
        """Releases of a query under its own user."""
        return sum(pool.own_returned for pool in self._pools.values())

    def arrive(self, category: int, query: Query, now: float) -> Release | None:
        """Add a classified query to its pool and let out at most one pair.

        `now` is the moment of arrival in seconds, by whatever clock `expire` will be asked with.
        """
        pool = self._pools.get(category)
        if pool is None:
            pool = self._pools[category] = Pool(self.rules.k)
        user = query[0]
        pool.put((user, category, now), (user, query, now))
        return self._pair(category, pool, query)

    def _pair_by_owner(self, category: int, pool: Pool, trigger: Query) -> Release | None:
        owners, k = pool.owners, pool.k
        distinct = len(owners)
        if distinct <= k or len(pool.user_counts) <= k:
            return None
        below = self.draw.below
        user, origin, _ = pool.take_user(below(len(pool.users)))
        own = pool.owner_rows.get(user)
        if own is None:
            row = owners[below(distinct)]
        else:
            distinct -= 1
            number = below(distinct)
            row = owners[number if number < own[0] else number + 1]
        size = len(row) - 1
        _, query, _ = pool.take_query(row[1 if size == 1 else 1 + below(size)])
        spread = pool.spread
        spread[distinct] = spread.get(distinct, 0) + 1
        return _new(Release, (user, origin, query, category, trigger, distinct))

    def _pair_by_entry(self, category: int, pool: Pool, trigger: Query) -> Release | None:
        if self._distinct:
            if len(pool.owners) <= pool.k or len(pool.user_counts) <= pool.k:
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
        if owner == user:
            pool.own_returned += 1
        return _new(Release, (user, origin, query, category, trigger, distinct))

    def _grow(self, pool: Pool) -> bool:
        """Let k grow where every pooled user is the same; say whether it did."""
        if len(pool.user_counts) > 1:
            return False
        grown = self.rules.grown(pool.k)
        if grown == pool.k:
            return False
        pool.k = grown
        return True

    def expire(self, now: float, trigger: Query) -> list[Release]:
        """Apply the hold policy to what has been held for longer than `max_hold` at `now`.

        Where an entry has waited too long, the oldest users and the oldest queries of its pool leave it in equal
        numbers. Returns the pairs that a merge lets out of the shared pool; `trigger` gives them their time.
        """
        bound = self.rules.bound
        if bound is None:
            return []
        out: list[Release] = []
        for category, pool in list(self):
            late = 0 if category == OTHER else pool.late(now - bound)
            if not late:
                continue
            moved = pool.take_oldest(late)
            if self.rules.hold_policy == "suppress":
                pool.suppressed += late
                continue
            pool.merged += late
            other = self._pools.setdefault(OTHER, Pool(self.rules.k))
            for user, query in moved:
                other.put(user, query)
                release = self._pair(OTHER, other, trigger)
                if release is not None:
                    out.append(release)
        return out

    def move_on(self, since: float, by: float) -> None:
        """Make entries that arrived after `since` younger by `by` seconds, after a jump of the hold clock."""
        for pool in self._pools.values():
            pool.move_on(since, by)

    def follow(self, rules: Rules) -> None:
        """Let other rules hold from now on; a k that paper mode has grown does not shrink.

        Raises Misconfigured where a value is out of range.
        """
        if rules == self.rules:
            return
        self.rules = rules.check()
        self._read_rules()
        for pool in self._pools.values():
            pool.k = rules.k if self._distinct else max(rules.k, pool.k)

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state as plain lists, numbers and texts, for `restore`."""
        return {str(category): pool.snapshot() for category, pool in self}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over a state that `snapshot` gave."""
        self._pools = {int(category): Pool.restored(frozen) for category, frozen in state.items()}
