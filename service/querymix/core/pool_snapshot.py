"""How one pool is written down, and read again: owners and queries keep their places, which drawn numbers mean."""

from collections.abc import Iterator, Mapping
from typing import Any

from querymix.core.pieces import pieces
from querymix.core.pool import Pool
from querymix.core.records import freeze, thaw


def frozen_pool(pool: Pool) -> dict[str, Any]:
    """Return the state as plain data, for `restoring_pool`; entries are iterators, to be used before they change."""
    return {
        "k": pool.k,
        "users": map(list, pool.users),
        "queries": _frozen_queries(pool),
        "anonymity": sorted(pool.spread.items()),
        "own_returned": pool.own_returned,
        "suppressed": pool.suppressed,
        "merged": pool.merged,
        "further_released": pool.further_released,
        **({"known": sorted(pool.known)} if pool.known else {}),
    }


def _frozen_queries(pool: Pool) -> Iterator[list[Any]]:
    for (owner, query, arrived), rank in zip(pool.queries, pool.ranks, strict=True):
        yield [owner, freeze(query), arrived, rank, pool.owner_rows[owner][0]]


def restoring_pool(pool: Pool, state: Mapping[str, Any]) -> Iterator[None]:
    """Take over, in pieces, what `frozen_pool` described, as a new pool. Rows of queries in `state` are used up."""
    for piece in pieces(zip(state["users"], state["queries"], strict=True)):
        for (user, origin, came), (owner, query, asked, *_) in piece:
            entry = user, tuple(origin) if isinstance(origin, list) else origin, came
            pool.put(entry, (owner, thaw(list(query)), asked))
        yield
    # Owners and their queries in the order that they had: a number that is drawn means one of them.
    for piece in pieces(enumerate(state["queries"])):
        for place, (owner, _, _, rank, seat) in piece:
            row = pool.owner_rows[owner]
            row[0], row[rank] = seat, place
            pool.ranks[place] = rank
            pool.owners[seat] = row
        yield
    pool.spread = dict(state["anonymity"])
    pool.own_returned = state["own_returned"]
    pool.suppressed = state["suppressed"]
    pool.merged = state["merged"]
    pool.further_released = state["further_released"]
    for name in state.get("known", ()):
        pool.establish(name)
