"""The anonymizer: per category a multiset of users and a multiset of queries, paired at random.

Rules:
- Each arrival adds one user and one query to its category's pool and lets out at most one pair, so both multisets
  have the same size and each user leaves as often as it came.
- `distinct` (default): a pair leaves only while the pool holds at least k + 1 distinct users, counted over the
  pooled users and over the owners of the pooled queries alike, and never a query with its own user. The user is
  uniform over the pooled users, the query uniform over the pooled queries that are not that user's.
- `paper`: Algorithm 2 as printed. At size k one user and one query leave, drawn independently, so a user can get its
  own query back; where every pooled user is the same, k grows to ceil(k * delta) instead. With delta 1 that rule is
  off, the paper's "A(NR)", and the pair leaves.
- What is held longer than `max_hold` seconds is waited for, suppressed, or merged into the shared pool `OTHER`;
  from there it leaves as soon as that pool is deep enough. Nothing ever leaves below the threshold.
- Effective anonymity of a release is 2**H, H the entropy in bits of the owner's distribution over those pooled
  queries that could have been drawn. It is kept as a histogram of H, so that memory does not grow.

Sources: Pàmies-Estrems et al. 2016, Algorithm 2; entropy as anonymity:
A. Serjantov and G. Danezis, Towards an information theoretic metric for anonymity, PET 2002.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import ceil, log2
from typing import Any, Final, Literal, NamedTuple

from service.core.draw import Draw
from service.core.errors import Misconfigured
from service.core.records import OTHER, Query, Release

Mode = Literal["distinct", "paper"]
HoldPolicy = Literal["wait", "suppress", "merge"]

STEPS_PER_BIT: Final = 32
"""Resolution of the histogram of H: values are rounded down, by less than 2.2 % of the effective anonymity."""

_SCALE: Final = 1 << 32
_new: Final = tuple.__new__  # half the time of calling the class
_SURPRISALS: Final[list[int]] = [0, 0]
_GAINS: Final[list[int]] = [0]


def _surprisal(count: int) -> int:
    """Return count * log2(count) in fixed point, whose sums do not drift as floating point would."""
    while len(_SURPRISALS) <= count:
        n = len(_SURPRISALS)
        _SURPRISALS.append(round(n * log2(n) * _SCALE))
    return _SURPRISALS[count]


def _gain(count: int) -> int:
    """Return by how much the surprisal of an owner with `count` queries grows with one more."""
    try:
        return _GAINS[count]
    except IndexError:
        while len(_GAINS) <= count:
            n = len(_GAINS)
            _GAINS.append(_surprisal(n + 1) - _surprisal(n))
        return _GAINS[count]


class Rules(NamedTuple):
    """How pools let queries out."""

    k: int = 20
    mode: Mode = "distinct"
    delta: str = "1.2"
    """The factor by which `paper` mode grows k, as a decimal number so that no rounding error grows it further."""
    max_hold: float | None = None
    """Seconds; None: no bound."""
    hold_policy: HoldPolicy = "wait"

    def check(self) -> "Rules":
        """Return these rules.

        Raises Misconfigured where a value is out of range.
        """
        if self.k < 2:
            raise Misconfigured(f"k must be at least 2, not {self.k}: a pool of one hides nobody")
        try:
            delta = Fraction(self.delta)
        except (ValueError, ZeroDivisionError):
            raise Misconfigured(f"delta must be a decimal number such as 1.2, not {self.delta!r}") from None
        if delta < 1:
            raise Misconfigured(f"delta must be at least 1, not {self.delta}")
        if self.max_hold is not None and not self.max_hold > 0:
            raise Misconfigured("max hold must be more than 0 seconds")
        if self.hold_policy != "wait" and self.max_hold is None:
            raise Misconfigured(f"the hold policy {self.hold_policy} needs a max hold: say after how many seconds")
        return self

    def grown(self, k: int) -> int:
        """Return the k that follows `k` where every pooled user is the same."""
        return ceil(k * Fraction(self.delta))


class Anonymity(NamedTuple):
    """Effective anonymity over a category's releases, in users; 0 where there were none."""

    minimum: float
    fifth_percentile: float
    median: float


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
        self.users: list[tuple[str, int, float]] = []
        """(user, category of its query, arrival)."""
        self.queries: list[tuple[str, Query, float]] = []
        """(owner, query, arrival)."""
        self.user_counts: dict[str, int] = {}
        self.owner_counts: dict[str, int] = {}
        self.spread: dict[int, int] = {}
        """Releases by H in steps of 1 / STEPS_PER_BIT bit."""
        self.released = 0
        self.own_returned = 0
        self.suppressed = 0
        self.merged = 0
        self._surprisal = 0

    def __len__(self) -> int:
        return len(self.queries)

    def __repr__(self) -> str:
        return f"Pool({len(self)} held, k={self.k})"

    @property
    def anonymity(self) -> Anonymity:
        """Effective anonymity of this pool's releases so far, rounded down to the histogram's steps."""
        if not self.released:
            return Anonymity(0.0, 0.0, 0.0)
        steps = sorted(self.spread.items())
        found: list[float] = []
        for share in (0.0, 0.05, 0.5):
            rank, seen = share * self.released, 0
            for step, count in steps:
                seen += count
                if seen > rank:
                    found.append(2.0 ** (step / STEPS_PER_BIT))
                    break
        return Anonymity(*found)

    def put(self, user: tuple[str, int, float], query: tuple[str, Query, float]) -> None:
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
            self._surprisal += _gain(count)

    def take_user(self, place: int) -> tuple[str, int, float]:
        """Remove and return the user entry at `place`; the last entry takes its place."""
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

    def take_query(self, place: int) -> tuple[str, Query, float]:
        """Remove and return the query entry at `place`; the last entry takes its place."""
        queries = self.queries
        taken = queries[place]
        queries[place] = queries[-1]
        queries.pop()
        counts = self.owner_counts
        owner = taken[0]
        count = counts[owner]
        if count > 1:
            counts[owner] = count - 1
            self._surprisal -= _gain(count - 1)
        else:
            del counts[owner]
        return taken

    def note_spread(self, own: int) -> None:
        """Count the effective anonymity of a query drawn now from all but the `own` entries of one owner."""
        entries = len(self.queries) - own
        surprisal = self._surprisal - (_surprisal(own) if own > 1 else 0)
        step = int((log2(entries) - surprisal / (_SCALE * entries)) * STEPS_PER_BIT + 1e-6)
        self.spread[step] = self.spread.get(step, 0) + 1


class Pools:
    """The pools of one stream, or of one partition of it.

    `draw` is where chance comes from: the operating system's generator unless it is a test or a study.
    """

    def __init__(self, rules: Rules, draw: Draw) -> None:
        self.rules = rules.check()
        self.draw = draw
        self._distinct = rules.mode == "distinct"
        self._pools: dict[int, Pool] = {}

    def __iter__(self) -> Iterator[tuple[int, Pool]]:
        return iter(sorted(self._pools.items()))

    @property
    def held(self) -> int:
        """Queries held in all pools."""
        return sum(map(len, self._pools.values()))

    def arrive(self, category: int, query: Query, now: float) -> Release | None:
        """Add a classified query to its pool and let out at most one pair.

        `now` is the moment of arrival in seconds, by whatever clock `expire` will be asked with.
        """
        pool = self._pools.get(category)
        if pool is None:
            pool = self._pools[category] = Pool(self.rules.k)
        user = query[0]
        pool.put((user, category, now), (user, query, now))
        return self._let_out(category, pool, query)

    def _let_out(self, category: int, pool: Pool, trigger: Query) -> Release | None:
        crowd = len(pool.user_counts)
        if not self._distinct:
            if len(pool.users) < pool.k:
                return None
            if crowd == 1:
                grown = self.rules.grown(pool.k)
                if grown > pool.k:
                    pool.k = grown
                    return None
        owners = len(pool.owner_counts)
        if owners < crowd:  # noqa: PLR1730 - a call of min() costs more than the rest of this test
            crowd = owners
        if self._distinct and crowd <= pool.k:
            return None
        below = self.draw.below
        queries = pool.queries
        size = len(queries)
        user, origin, _ = pool.take_user(below(size))
        place = below(size)
        if self._distinct:
            pool.note_spread(pool.owner_counts.get(user, 0))
            while queries[place][0] == user:
                place = below(size)
        else:
            pool.note_spread(0)
        owner, query, _ = pool.take_query(place)
        pool.released += 1
        if owner == user:
            pool.own_returned += 1
        return _new(Release, (user, origin, query, category, trigger, crowd))

    def expire(self, now: float, trigger: Query) -> list[Release]:
        """Apply the hold policy to what has been held for longer than `max_hold` at `now`.

        Where an entry has waited too long, the oldest users and the oldest queries of its pool leave it in equal
        numbers. Returns the pairs that a merge lets out of the shared pool; `trigger` gives them their time.
        """
        rules = self.rules
        if rules.hold_policy == "wait" or rules.max_hold is None:
            return []
        limit = now - rules.max_hold
        out: list[Release] = []
        for category, pool in list(self):
            if category == OTHER:
                continue
            late = max(sum(entry[2] < limit for entry in side) for side in (pool.users, pool.queries))
            if not late:
                continue
            moved = zip(
                [pool.take_user(place) for place in _oldest(pool.users, late)],
                [pool.take_query(place) for place in _oldest(pool.queries, late)],
                strict=True,
            )
            if rules.hold_policy == "suppress":
                pool.suppressed += late
                continue
            pool.merged += late
            other = self._pools.setdefault(OTHER, Pool(rules.k))
            for user, query in moved:
                other.put(user, query)
                release = self._let_out(OTHER, other, trigger)
                if release is not None:
                    out.append(release)
        return out

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state as plain lists, numbers and texts, for `restore`."""
        return {str(category): _freeze(pool) for category, pool in self}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over a state that `snapshot` gave."""
        self._pools = {int(category): _thaw(frozen) for category, frozen in state.items()}


def _oldest(entries: Iterable[tuple[Any, Any, float]], number: int) -> list[int]:
    """Return the places of the oldest entries, highest place first so that removals leave the rest in place."""
    ages = sorted((entry[2], place) for place, entry in enumerate(entries))
    return sorted((place for _, place in ages[:number]), reverse=True)


def _freeze(pool: Pool) -> dict[str, Any]:
    return {
        "k": pool.k,
        "users": [list(entry) for entry in pool.users],
        "queries": [[owner, list(query), arrived] for owner, query, arrived in pool.queries],
        "spread": sorted(pool.spread.items()),
        "released": pool.released,
        "own_returned": pool.own_returned,
        "suppressed": pool.suppressed,
        "merged": pool.merged,
    }


def _thaw(frozen: Mapping[str, Any]) -> Pool:
    pool = Pool(frozen["k"])
    for (user, origin, came), (owner, query, asked) in zip(frozen["users"], frozen["queries"], strict=True):
        pool.put((user, origin, came), (owner, Query._make((*query[:-1], tuple(query[-1]))), asked))
    pool.spread = dict(frozen["spread"])
    pool.released = frozen["released"]
    pool.own_returned = frozen["own_returned"]
    pool.suppressed = frozen["suppressed"]
    pool.merged = frozen["merged"]
    return pool
