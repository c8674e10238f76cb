"""What a pool still lacks before it lets something out, and when it may have that.

Rules:
- A pool lets no pair out before k + 1 distinct users count, over its users and over the owners of its queries alike; in
  the mode `paper` before k entries are there, of two users at least.
- With `established`, somebody counts from that time after first being seen on. Pools note who counts when the user
  comes again, and all at once at each look of the hold policy; so the look is what can be foretold.
- Whether others will come cannot be foretold, nor for how many of `reserve` more a release waits, which is chance.
- It names no user, and a large pool is not walked whole: of `MOST` users, those that came first.
"""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final, NamedTuple

from querymix.core.pool import Pool
from querymix.core.pools import Pools

MOST: Final = 500
"""Users of a pool that are asked when they were first seen, and twice as many as are needed."""


class Outlook(NamedTuple):
    """One pool. Times are in seconds from now."""

    category: int
    held: int
    """Queries."""
    users: int
    """Distinct ones that are pooled, or that own a pooled query if those are fewer."""
    counted: int
    """Those of them that count: the established ones where that is asked for, else all."""
    missing: int
    """Users missing to k + 1 that count; entries in the mode `paper`."""
    needed: int
    """k + 1; k in the mode `paper`."""
    first_in: float | None
    """When the first of them counts; None where nobody is there."""
    ready_in: float | None
    """When enough of them count for a release to be possible, 0 where they do; None where others have to come first."""
    oldest: float
    """Age of the oldest query held."""


def outlook(pools: Pools, category: int, pool: Pool, now: float, next_look: Callable[[float], float]) -> Outlook:
    """Return what a pool lacks at the moment `now` of the hold clock; `next_look` tells the first look from one on."""
    rules = pools.rules
    oldest = max(0.0, now - min((entry[2] for entry in pool.queries), default=now))
    users = min(len(pool.user_counts), len(pool.owners))
    if rules.mode == "paper":
        missing = max(pool.k - len(pool), int(users == 1), 0)
        first, ready = _at_once(users > 0), _at_once(missing == 0)
        return Outlook(category, len(pool), users, users, missing, pool.k, first, ready, oldest)
    needed, since, counted = pool.k + 1, rules.established, users
    first, ready = _at_once(users > 0), _at_once(users >= needed)
    if since is not None:
        counted = min(pool.known_users, pool.known_owners)
        ready = _at_once(counted >= needed)
        if ready is None:
            moments = _moments(pools, pool, since, now)
            first = max(0.0, moments[0] - now) if moments else None
            if len(moments) >= needed:
                ready = max(0.0, next_look(max(now, moments[needed - 1])) - now)
    return Outlook(category, len(pool), users, counted, max(0, needed - counted), needed, first, ready, oldest)


def _at_once(so: bool) -> float | None:
    return 0.0 if so else None


def _moments(pools: Pools, pool: Pool, since: float, now: float) -> list[float]:
    """Return from when on the n-th user of a pool counts, for each n: over its users and its owners alike."""
    most = max(MOST, 2 * (pool.k + 1))
    known: dict[str, float] = {}

    def moments(names: Iterable[str]) -> list[float]:
        for name in islice(names, most):
            if name not in known:
                seen = pools.first_seen(name)
                known[name] = (now if seen is None else seen) + since
        return sorted(known[name] for name in islice(names, most))

    return list(map(max, zip(moments(pool.user_counts), moments(pool.owner_rows), strict=False)))
