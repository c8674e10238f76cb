"""One category's pool: a multiset of users and a multiset of queries, of the same size.

Rules:
- An entry is put in and taken out in constant time; the last entry takes the place of one that leaves.
- A pool knows nothing of rules, and chooses nothing.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from service.core.anonymity import Anonymity, gain, step_of, summarize, surprisal
from service.core.records import Query, freeze, thaw

UserEntry = tuple[str, int, float]
"""(user, category of its query, arrival)."""
QueryEntry = tuple[str, Query, float]
"""(owner, query, arrival)."""


class Pool:
    """One category's pool and what it has done so far."""

    __slots__ = (
        "_surprisal",
        "k",
        "merged",
        "own_returned",
        "owner_counts",
        "queries",
        "released",
        "spread",
        "suppressed",
        "user_counts",
        "users",
    )  # fmt: skip

    def __init__(self, k: int) -> None:
        self.k = k
        self.users: list[UserEntry] = []
        self.queries: list[QueryEntry] = []
        self.user_counts: dict[str, int] = {}
        self.owner_counts: dict[str, int] = {}
        self.spread: dict[int, int] = {}
        """Releases by H in steps (service.core.anonymity)."""
        self.released = 0
        self.own_returned = 0
        self.suppressed = 0
        """Held too long and taken out."""
        self.merged = 0
        """Held too long and moved to the shared pool."""
        self._surprisal = 0

    def __len__(self) -> int:
        return len(self.queries)

    def __repr__(self) -> str:
        return f"Pool({len(self)} held, k={self.k})"

    @property
    def anonymity(self) -> Anonymity:
        """Effective anonymity of this pool's releases so far."""
        return summarize(self.spread)

    def put(self, user: UserEntry, query: QueryEntry) -> None:
        """Add one user entry and one query entry."""
        self.users.append(user)
        self.queries.append(query)
        counts = self.user_counts
        name = user[0]
        counts[name] = counts.get(name, 0) + 1
        counts = self.owner_counts
        name = query[0]
        count = counts.get(name)
        if count is None:
            counts[name] = 1
        else:
            counts[name] = count + 1
            self._surprisal += gain(count)

    def take_user(self, place: int) -> UserEntry:
        """Remove and return the user entry at `place`."""
        users = self.users
        taken = users[place]
        users[place] = users[-1]
        users.pop()
        counts = self.user_counts
        name = taken[0]
        count = counts[name]
        if count > 1:
            counts[name] = count - 1
        else:
            del counts[name]
        return taken

    def take_query(self, place: int) -> QueryEntry:
        """Remove and return the query entry at `place`."""
        queries = self.queries
        taken = queries[place]
        queries[place] = queries[-1]
        queries.pop()
        counts = self.owner_counts
        owner = taken[0]
        count = counts[owner]
        if count > 1:
            counts[owner] = count - 1
            self._surprisal -= gain(count - 1)
        else:
            del counts[owner]
        return taken

    def note_spread(self, own: int) -> None:
        """Count the effective anonymity of a query drawn now from all but the `own` entries of one owner."""
        left = self._surprisal - (surprisal(own) if own > 1 else 0)
        step = step_of(len(self.queries) - own, left)
        self.spread[step] = self.spread.get(step, 0) + 1

    def late(self, limit: float) -> int:
        """Return how many users, or queries if they are more, arrived before `limit`."""
        return max(sum(entry[2] < limit for entry in side) for side in (self.users, self.queries))

    def take_oldest(self, number: int) -> list[tuple[UserEntry, QueryEntry]]:
        """Remove and return the oldest users and the oldest queries, as many of each."""
        users = [self.take_user(place) for place in _oldest(self.users, number)]
        queries = [self.take_query(place) for place in _oldest(self.queries, number)]
        return list(zip(users, queries, strict=True))

    def move_on(self, since: float, by: float) -> None:
        """Make entries that arrived after `since` younger by `by` seconds."""
        self.users = [(*entry[:2], entry[2] + by) if entry[2] > since else entry for entry in self.users]
        self.queries = [(*entry[:2], entry[2] + by) if entry[2] > since else entry for entry in self.queries]

    def snapshot(self) -> dict[str, Any]:
        """Return the state as plain data, for `restored`."""
        return {
            "k": self.k,
            "users": [list(entry) for entry in self.users],
            "queries": [[owner, freeze(query), arrived] for owner, query, arrived in self.queries],
            "spread": sorted(self.spread.items()),
            "released": self.released,
            "own_returned": self.own_returned,
            "suppressed": self.suppressed,
            "merged": self.merged,
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> "Pool":
        """Return the pool that `snapshot` described. Rows of queries in `state` are used up."""
        pool = cls(state["k"])
        for (user, origin, came), (owner, query, asked) in zip(state["users"], state["queries"], strict=True):
            pool.put((user, origin, came), (owner, thaw(list(query)), asked))
        pool.spread = dict(state["spread"])
        pool.released = state["released"]
        pool.own_returned = state["own_returned"]
        pool.suppressed = state["suppressed"]
        pool.merged = state["merged"]
        return pool


def _oldest(entries: Iterable[tuple[Any, Any, float]], number: int) -> list[int]:
    """Return the places of the oldest entries, highest place first so that removals leave the rest in place."""
    ages = sorted((entry[2], place) for place, entry in enumerate(entries))
    return sorted((place for _, place in ages[:number]), reverse=True)
