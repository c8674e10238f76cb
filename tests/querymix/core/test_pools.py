"""The anonymizer, checked against a naive model of its pools after every single arrival."""

import json
from collections import Counter
from collections.abc import Iterable
from math import ceil, log2

from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.anonymity import STEPS_PER_BIT
from querymix.core.draw import Draw, RecordingDraw, seeded_draw
from querymix.core.pools import Pools
from querymix.core.records import OTHER, UNCLASSIFIED, Origin, Query, Release
from querymix.core.rules import DrawBy, HoldPolicy, Mode, Rules

from tests.querymix.core.pooled import ARTS, SPORTS, ask

STEP = 2 ** (1 / STEPS_PER_BIT)

Arrival = tuple[int, str, float]
"""Category, user, moment."""

settings = how(deadline=None, max_examples=80)
seeds = st.integers(0, 2**32)
modes = st.sampled_from(["distinct", "paper"])
draws = st.sampled_from(["owner", "entry"])
reserves = st.integers(0, 3)


@st.composite
def streams(draw: st.DrawFn, users: int = 9, most: int = 90) -> list[Arrival]:
    """Return arrivals in order of time; low user numbers come more often, as in a real log."""
    names = st.one_of(st.integers(0, 2), st.integers(0, users - 1)).map(lambda n: f"user{n}")
    steps = draw(
        st.lists(st.tuples(st.sampled_from([SPORTS, ARTS, UNCLASSIFIED]), names, st.integers(0, 20)), max_size=most)
    )
    now, out = 0.0, []
    for category, user, step in steps:
        now += step
        out.append((category, user, now))
    return out


def effective_anonymity(owners: Iterable[str]) -> float:
    counts = Counter(owners)
    total = sum(counts.values())
    return float(2 ** -sum(n / total * log2(n / total) for n in counts.values()))


class Model:
    """Pools kept naively: what must hold is recomputed from their whole content at every step."""

    def __init__(self, rules: Rules, draw: Draw) -> None:
        self.rules = rules
        self.pools = Pools(rules, draw)
        self.users: dict[int, Counter[tuple[str, Origin, float]]] = {}
        self.queries: dict[int, Counter[tuple[str, Query, float]]] = {}
        self.k: dict[int, int] = {}
        self.anonymity: dict[int, list[float]] = {}
        self.releases: list[Release] = []
        self.arrived: list[Query] = []
        self.suppressed_users: Counter[tuple[str, Origin]] = Counter()
        self.suppressed = 0

    def arrive(self, category: int, user: str, now: float) -> Release | None:
        query = ask(user, len(self.arrived), now)
        self.arrived.append(query)
        self._put(category, (user, category, now), (user, query, now))
        release = self.pools.arrive(category, query, now)
        if release is not None:
            assert release.trigger == query
        self._follow(category, release)
        self.compare()
        return release

    def expire(self, now: float) -> list[Release]:
        before = {c: (self.users[c].copy(), self.queries[c].copy()) for c in self.users}
        trigger = ask("clock", -1, now)
        out = self.pools.expire(now, trigger)
        if self.rules.hold_policy == "wait" or self.rules.max_hold is None:
            assert not out
            self.compare()
            return out
        limit = now - self.rules.max_hold
        left = {category: pool for category, pool in self.pools if category != OTHER}
        moved_users: Counter[tuple[str, Origin, float]] = Counter()
        moved_queries: Counter[tuple[str, Query, float]] = Counter()
        for category, pool in left.items():
            users = before[category][0] - Counter(pool.users)
            queries = before[category][1] - Counter(pool.queries)
            assert users.total() == queries.total()
            # Nothing late stays, and no more leaves than one side's late entries ask for; the oldest go first.
            assert all(entry[2] >= limit for entry in [*pool.users, *pool.queries])
            late = [sum(entry[2] < limit for entry in side.elements()) for side in before[category]]
            assert users.total() == max(late)
            assert max((e[2] for e in users), default=0) <= min((e[2] for e in pool.users), default=now)
            assert max((e[2] for e in queries), default=0) <= min((e[2] for e in pool.queries), default=now)
            moved_users += users
            moved_queries += queries
            self.users[category] -= users
            self.queries[category] -= queries
        if self.rules.hold_policy == "suppress":
            assert not out
            self.suppressed += moved_users.total()
            self.suppressed_users += Counter(entry[:2] for entry in moved_users.elements())
        elif moved_users:
            self.k.setdefault(OTHER, self.rules.k)
            self.users[OTHER] = self.users.get(OTHER, Counter()) + moved_users
            self.queries[OTHER] = self.queries.get(OTHER, Counter()) + moved_queries
            for release in out:
                assert release.pool == OTHER
                assert release.trigger == trigger
                self._take(OTHER, release)
            # Each move is an arrival there, so that a single user's moves make its k grow as well.
            shared = dict(self.pools)[OTHER]
            while self.rules.mode == "paper" and self.k[OTHER] < shared.k:
                self.k[OTHER] = self.rules.grown(self.k[OTHER])
            assert self.rules.mode == "distinct" or len(shared) < shared.k
        self.releases += out
        self.compare()
        return out

    def _put(self, category: int, user: tuple[str, int, float], query: tuple[str, Query, float]) -> None:
        self.k.setdefault(category, self.rules.k)
        self.users.setdefault(category, Counter())[user] += 1
        self.queries.setdefault(category, Counter())[query] += 1

    def _follow(self, category: int, release: Release | None) -> None:
        """Check that a release was due, or was not, and take it out of the model."""
        names = {entry[0] for entry in self.users[category]}
        owners = [entry[0] for entry in self.queries[category].elements()]
        if self.rules.mode == "distinct":
            above = min(len(names), len(set(owners))) - self.k[category]
            due = above > self.rules.reserve or (above > 0 and release is not None)  # chance decides between
        else:
            due = len(owners) >= self.k[category]
            assert len(owners) <= self.k[category]
            if due and len(names) == 1 and float(self.rules.delta) > 1:
                due = False
                self.k[category] = ceil(round(self.k[category] * float(self.rules.delta), 6))
        assert (release is not None) == due
        if release is None:
            return
        if self.rules.mode == "distinct":
            assert release.query.user != release.user
            owners = [owner for owner in owners if owner != release.user]
            assert len(set(owners)) >= self.k[category]
        assert release.anonymity_set == len(set(owners))
        by_owner = self.rules.mode == "distinct" and self.rules.draw == "owner"
        self.anonymity.setdefault(category, []).append(
            float(len(set(owners))) if by_owner else effective_anonymity(owners)
        )
        self.releases.append(release)
        self._take(category, release)
        if self.rules.mode == "paper":
            assert self.queries[category].total() == self.k[category] - 1

    def _take(self, category: int, release: Release) -> None:
        """Take a release out: its query by identity, its user by name and origin; the pool tells which entry."""
        assert release.pool == category
        entry = next(entry for entry in self.queries[category] if entry[1] == release.query)
        self.queries[category] -= Counter([entry])
        pool = dict(self.pools)[category]
        gone = self.users[category] - Counter(pool.users)
        user = next(entry for entry in gone if entry[:2] == (release.user, release.origin))
        self.users[category] -= Counter([user])

    def compare(self) -> None:
        """Check the pools' content against the model's, and what must hold of all that ever arrived."""
        for category, pool in self.pools:
            assert Counter(pool.users) == self.users[category]
            assert Counter(pool.queries) == self.queries[category]
            assert len(pool.users) == len(pool.queries) == len(pool)
            assert pool.k == self.k[category]
            assert pool.user_counts == Counter(entry[0] for entry in pool.users)
            counts = {owner: len(row) - 1 for owner, row in pool.owner_rows.items()}
            assert counts == Counter(entry[0] for entry in pool.queries)
            for owner, (seat, *places) in pool.owner_rows.items():
                assert pool.owners[seat] is pool.owner_rows[owner]
                assert all(pool.queries[place][0] == owner for place in places)
                assert [pool.ranks[place] for place in places] == list(range(1, len(places) + 1))
            assert len(pool.owners) == len(pool.owner_rows)
        assert len(self.arrived) == len(self.releases) + self.pools.held + self.suppressed
        assert self.suppressed == sum(pool.suppressed for _, pool in self.pools)
        numbers = [release.query.rank for release in self.releases]
        assert len(set(numbers)) == len(numbers)


def emitted(releases: Iterable[Release]) -> Counter[tuple[str, Origin]]:
    return Counter((release.user, release.origin) for release in releases)


def held(pools: Pools) -> Counter[tuple[str, Origin]]:
    return Counter((user, origin) for _, pool in pools for user, origin, _ in pool.users)


@settings
@given(streams(), st.integers(2, 6), modes, draws, st.sampled_from(["1", "1.1", "1.2", "2"]), reserves, seeds)
def test_each_arrival_lets_out_what_the_naive_model_says(
    stream: list[Arrival], k: int, mode: Mode, draw: DrawBy, delta: str, reserve: int, seed: int
) -> None:
    model = Model(Rules(k, mode, delta, draw=draw, reserve=reserve), seeded_draw(seed))
    for category, user, now in stream:
        model.arrive(category, user, now)
    came = Counter((user, category) for category, user, _ in stream)
    assert emitted(model.releases) + held(model.pools) == came
    assert all(release.origin == release.pool for release in model.releases)
    own = sum(release.user == release.query.user for release in model.releases)
    assert own == sum(pool.own_returned for _, pool in model.pools)
    assert not (own and mode == "distinct")


@settings
@given(streams(), st.integers(2, 6), reserves, seeds)
def test_what_takes_the_place_of_what_leaves_is_as_if_it_had_been_put_first(
    stream: list[Arrival], k: int, reserve: int, seed: int
) -> None:
    rules = Rules(k, reserve=reserve)
    draws_of = [RecordingDraw(seeded_draw(seed)) for _ in range(2)]
    one, other = (Pools(rules, draw) for draw in draws_of)
    for number, (category, user, now) in enumerate(stream):
        query = ask(user, number, now)
        other._pool(category).put((user, category, now), (user, query, now))
        assert one.arrive(category, query, now) == other._pair_by_owner(category, other._pool(category), query, now)
        assert one.snapshot() | {"seen_key": ""} == other.snapshot() | {"seen_key": ""}
    assert draws_of[0].drawn == draws_of[1].drawn


@settings
@given(
    streams(),
    st.integers(2, 4),
    modes,
    st.sampled_from(["wait", "suppress", "merge"]),
    st.integers(1, 60),
    reserves,
    seeds,
)
def test_no_hold_policy_loses_a_query_or_lets_one_out_below_the_threshold(
    stream: list[Arrival], k: int, mode: Mode, policy: HoldPolicy, max_hold: int, reserve: int, seed: int
) -> None:
    model = Model(Rules(k, mode, "1.2", float(max_hold), policy, reserve=reserve), seeded_draw(seed))
    for number, (category, user, now) in enumerate(stream):
        if number % 3 == 2:
            for release in model.expire(now):
                assert mode == "paper" or (release.anonymity_set >= k and release.user != release.query.user)
        model.arrive(category, user, now)
    came = Counter((user, category) for category, user, _ in stream)
    assert emitted(model.releases) + held(model.pools) + model.suppressed_users == came


@settings
@given(streams(), st.integers(2, 5), modes, draws, seeds)
def test_effective_anonymity_is_that_recomputed_from_the_pools_content(
    stream: list[Arrival], k: int, mode: Mode, draw: DrawBy, seed: int
) -> None:
    model = Model(Rules(k, mode, draw=draw, reserve=1), seeded_draw(seed))
    for category, user, now in stream:
        model.arrive(category, user, now)
    for category, pool in model.pools:
        values = sorted(model.anonymity.get(category, []))
        assert pool.released == len(values) == sum(pool.spread.values())
        if not values:
            assert pool.anonymity == (0.0, 0.0, 0.0)
            continue
        for share, recorded in zip((0.0, 0.05, 0.5), pool.anonymity, strict=True):
            exact = values[int(share * len(values))]
            assert exact / STEP * (1 - 1e-6) <= recorded <= exact * (1 + 1e-6)


@settings
@given(streams(), streams(), st.integers(2, 4), modes, draws, st.sampled_from(["suppress", "merge"]), seeds)
def test_restored_pools_go_on_as_if_they_had_never_stopped(
    before: list[Arrival], after: list[Arrival], k: int, mode: Mode, draw: DrawBy, policy: HoldPolicy, seed: int
) -> None:
    rules = Rules(k, mode, "1.2", 30.0, policy, draw, reserve=2)
    here = Pools(rules, seeded_draw(seed))
    for number, (category, user, now) in enumerate(before):
        here.arrive(category, ask(user, number, now), now)
        here.expire(now, ask("clock", -1, now))
    state = json.loads(json.dumps(here.snapshot()))
    there = Pools(rules, seeded_draw(seed + 1))
    there.restore(state)
    assert json.loads(json.dumps(there.snapshot())) == state
    here.draw = seeded_draw(seed + 1)
    for number, (category, user, now) in enumerate(after, len(before)):
        query = ask(user, number, now + 1_000)
        assert here.arrive(category, query, now + 1_000) == there.arrive(category, query, now + 1_000)
        assert here.expire(now + 1_000, query) == there.expire(now + 1_000, query)
    assert json.dumps(here.snapshot()) == json.dumps(there.snapshot())
    for (_, one), (_, other) in zip(here, there, strict=True):
        assert one.anonymity == other.anonymity
        assert Counter(one.users) == Counter(other.users)


def test_a_snapshot_keeps_what_travels_with_a_query() -> None:
    query = Query("ann", "chess openings", 1141171200, 1141171200.0, None, None, (True, ("user", "query"), ({"a": 1},)))
    pools = Pools(Rules(2), seeded_draw(1))
    pools.arrive(ARTS, query, 5.0)
    back = Pools(Rules(2), seeded_draw(1))
    back.restore(json.loads(json.dumps(pools.snapshot())))
    ((_, pool),) = back
    ((owner, restored, arrived),) = pool.queries
    assert (owner, arrived) == ("ann", 5.0)
    assert restored == query
