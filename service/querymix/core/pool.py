"""One category's pool: a multiset of users and a multiset of queries, of the same size.

Rules:
- An entry is put in and taken out in constant time; the last entry takes the place of one that leaves.
- So is an owner found by its number, and an owner's query by its own: each owner has a row, which holds its place
  among the owners and then the places of its queries, and each query has a rank, its place in that row. (One list
  and not two fields: this is the hot path.)
- A pool knows nothing of rules, and chooses nothing.
- service/native/src/pools/pairing.rs works on the same lists: what `exchange` does, it does.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from heapq import nsmallest
from math import inf
from typing import Any, Final

from querymix.core.anonymity import Anonymity, gain, of_entries, summarize, surprisal
from querymix.core.records import Origin, Query

UserEntry = tuple[str, Origin, float]
"""(user, category of its query, or of each of its session, arrival)."""
QueryEntry = tuple[str, Query, float]
"""(owner, query, arrival)."""
OwnerRow = list[int]
"""An owner's place in `Pool.owners`, then the places of its queries."""
_ONE_QUERY: Final = 2
"""Length of the row of an owner with one query."""


class Pool:
    """One category's pool and what it has done so far."""

    __slots__ = (
        "_oldest", "_surprisal", "firsts", "further_released", "k", "known", "known_owners", "known_users",
        "merged", "own_returned", "owner_rows", "owners", "queries", "ranks", "spread", "suppressed", "user_counts",
        "users",
    )  # fmt: skip

    def __init__(self, k: int) -> None:
        self.k = k
        self.users: list[UserEntry] = []
        self.user_counts: dict[str, int] = {}
        self.queries: list[QueryEntry] = []
        self.ranks: list[int] = []
        """Of each query: where its place stands in its owner's row."""
        self.owner_rows: dict[str, OwnerRow] = {}
        self.owners: list[OwnerRow] = []
        """The distinct owners of queries."""
        self.spread: dict[float, int] = {}
        """Releases by effective anonymity."""
        self.own_returned = 0
        """Rows that left under their own user."""
        self.further_released = 0
        """Rows after the first of the queries that left."""
        self.known: set[str] = set()
        """The established ones among users and owners here; empty where it does not matter who is."""
        self.known_users = 0
        self.known_owners = 0
        self.firsts: dict[str, int] = {}
        """When those who were not established at the last look were first seen, so that it is looked up once."""
        self.suppressed = 0
        """Rows held too long and taken out."""
        self.merged = 0
        """Held too long and moved to the shared pool."""
        self._surprisal: int | None = None
        """Kept up to date from the first time that it is needed, which the draw by owner never does."""
        self._oldest = -inf
        """Nothing that the hold policy looks at arrived earlier, as far as is known."""

    def __len__(self) -> int:
        return len(self.queries)

    def __repr__(self) -> str:
        return f"Pool({len(self)} held, k={self.k})"

    @property
    def released(self) -> int:
        """Rows that left."""
        return sum(self.spread.values()) + self.further_released

    @property
    def anonymity(self) -> Anonymity:
        """Effective anonymity of this pool's releases so far."""
        return summarize(self.spread)

    def put(self, user: UserEntry, query: QueryEntry) -> None:
        """Add one user entry and one query entry."""
        self.users.append(user)
        counts, known = self.user_counts, self.known
        name = user[0]
        count = counts.get(name, 0)
        counts[name] = count + 1
        if known and not count and name in known:
            self.known_users += 1
        queries = self.queries
        place = len(queries)
        queries.append(query)
        name = query[0]
        rows = self.owner_rows
        row = rows.get(name)
        if row is None:
            owners = self.owners
            row = rows[name] = [len(owners), place]
            owners.append(row)
            self.ranks.append(1)
            if known and name in known:
                self.known_owners += 1
        else:
            self.ranks.append(len(row))
            if self._surprisal is not None:
                self._surprisal += gain(len(row) - 1)
            row.append(place)

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
            if self.known and name in self.known:
                self.known_users -= 1
                if name not in self.owner_rows:
                    self.known.remove(name)
        return taken

    def take_query(self, place: int) -> QueryEntry:
        """Remove and return the query entry at `place`."""
        queries, ranks, rows = self.queries, self.ranks, self.owner_rows
        taken = queries[place]
        owner = taken[0]
        row = rows[owner]
        if len(row) > _ONE_QUERY:
            # The last of the owner's places takes the rank of the one that goes.
            last = row.pop()
            if last != place:
                rank = ranks[place]
                row[rank] = last
                ranks[last] = rank
            if self._surprisal is not None:
                self._surprisal -= gain(len(row) - 1)
        else:
            del rows[owner]
            other = self.owners.pop()
            if other is not row:
                self.owners[row[0]] = other
                other[0] = row[0]
            if self.known and owner in self.known:
                self.known_owners -= 1
                if owner not in self.user_counts:
                    self.known.remove(owner)
        moved = queries.pop()
        rank = ranks.pop()
        if place < len(queries):
            queries[place] = moved
            ranks[place] = rank
            rows[moved[0]][rank] = place
        return taken

    def exchange(self, place: int, row: OwnerRow, coming: QueryEntry, rank: int, mine: OwnerRow) -> Query:
        """Remove and return the query at `place`, which is in `row`; the one that comes goes there.

        That one's owner has it in its row, `mine`, already: at `rank`, as if it had been put at the end. It comes to
        the same as to put it and then to take the other, for less. Only for a draw by owner, where all users count.
        """
        queries, ranks = self.queries, self.ranks
        end = len(queries)
        leaving = coming if place == end else queries[place]
        if len(row) > _ONE_QUERY:
            moved = row.pop()
            if moved != place:
                # The last of the owner's places takes the rank of the one that goes.
                free = ranks[place]
                row[free] = moved
                if moved == end:
                    rank = free
                else:
                    ranks[moved] = free
        else:
            del self.owner_rows[leaving[0]]
            other = self.owners.pop()
            if other is not row:
                self.owners[row[0]] = other
                other[0] = row[0]
        if place < end:
            queries[place], ranks[place], mine[rank] = coming, rank, place
        return leaving[1]

    def establish(self, name: str) -> None:
        """Let somebody count from now on, for as long as there is an entry of theirs."""
        if name in self.known:
            return
        user, owner = name in self.user_counts, name in self.owner_rows
        if user or owner:
            self.known.add(name)
            self.known_users += user
            self.known_owners += owner

    def forget_established(self) -> None:
        """Let everybody count alike."""
        self.known, self.known_users, self.known_owners, self.firsts = set(), 0, 0, {}

    def note_entries(self, own: int) -> None:
        """Count the effective anonymity of a query drawn over all entries but the `own` ones of one owner."""
        if self._surprisal is None:
            self._surprisal = sum(surprisal(len(row) - 1) for row in self.owners)
        left = self._surprisal - surprisal(own)
        value = of_entries(len(self.queries) - own, left)
        self.spread[value] = self.spread.get(value, 0) + 1

    def may_be_late(self, limit: float) -> bool:
        """Say whether something may have arrived before `limit`; False is certain."""
        return self._oldest < limit

    def late(self, limit: float, coming: float = -inf) -> int:
        """Return how many users, or queries if they are more, arrived before `limit`.

        What comes later has arrived at `coming` or after it.
        """
        if not self.may_be_late(limit):
            return 0
        late = max(sum(entry[2] < limit for entry in side) for side in (self.users, self.queries))
        if not late:
            self._oldest = min([coming, *(entry[2] for side in (self.users, self.queries) for entry in side)])
        return late

    def take_oldest(self, number: int) -> list[tuple[UserEntry, QueryEntry]]:
        """Remove and return the oldest users and the oldest queries, as many of each."""
        # The highest place first, so that removals leave the rest in place.
        users = [self.take_user(place) for place in sorted(_oldest(self.users, number), reverse=True)]
        queries = [self.take_query(place) for place in sorted(_oldest(self.queries, number), reverse=True)]
        return list(zip(users, queries, strict=True))

    def take_late(self, limit: float, coming: float = -inf) -> list[QueryEntry]:
        """Remove the queries that arrived before `limit` and as many users; return the queries.

        With a query goes its owner where one of its entries is among the users, the oldest of them, else the user that
        has waited longest. What comes later has arrived at `coming` or after it.
        """
        if not self.may_be_late(limit):
            return []
        ages = [entry[2] for entry in self.queries]
        late = [place for place, arrived in enumerate(ages) if arrived < limit]
        for place in late:
            ages[place] = inf
        self._oldest = min(coming, min(ages, default=inf))
        if not late:
            return []
        wanted = dict(Counter([self.queries[place][0] for place in late]))
        users = self.users
        theirs = [place for place, entry in enumerate(users) if entry[0] in wanted]
        going = set[int]()
        for place in sorted(theirs, key=lambda place: users[place][2]):
            if wanted[users[place][0]]:
                wanted[users[place][0]] -= 1
                going.add(place)
        missing = len(late) - len(going)
        if missing:
            going.update([place for place in _oldest(users, len(late), limit) if place not in going][:missing])
        for place in sorted(going, reverse=True):
            self.take_user(place)
        return [self.take_query(place) for place in reversed(late)]

    def restamp(self, moment: Callable[[float], float]) -> None:
        """Let each entry have arrived at the `moment` that is given for its own."""
        self.users = [(*entry[:2], moment(entry[2])) for entry in self.users]
        self.queries = [(*entry[:2], moment(entry[2])) for entry in self.queries]
        self.firsts = {}
        self.forget_oldest()

    def forget_oldest(self) -> None:
        """Look at all entries the next time, since another hold policy looks, or another draw."""
        self._oldest, self._surprisal = -inf, None


def _oldest(entries: Sequence[tuple[Any, Any, float]], number: int, before: float = -inf) -> list[int]:
    """Return the places of the oldest entries, those of the oldest first, and of those of one age the lower place.

    Where enough of them arrived `before` a moment, it is faster.
    """
    arrived = [entry[2] for entry in entries]
    early = [place for place, moment in enumerate(arrived) if moment < before]
    if len(early) >= number:
        return sorted(early, key=arrived.__getitem__)[:number]
    return nsmallest(number, range(len(arrived)), key=arrived.__getitem__)
