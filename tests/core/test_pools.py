"""The anonymizer, checked against a naive model of its pools after every single arrival (spec/streaming.md)."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil, log2, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from service.core.anonymity import STEPS_PER_BIT
from service.core.draw import Draw, seeded_draw_for_tests
from service.core.errors import Misconfigured
from service.core.knowledge import CATEGORIES
from service.core.pools import Pools
from service.core.records import OTHER, UNCLASSIFIED, Query, Release
from service.core.rules import DrawBy, HoldPolicy, Mode, Rules

SPORTS = CATEGORIES.index("Sports")
ARTS = CATEGORIES.index("Arts")
STEP = 2 ** (1 / STEPS_PER_BIT)

Arrival = tuple[int, str, float]
"""Category, user, moment."""

settings = how(deadline=None, max_examples=80)
seeds = st.integers(0, 2**32)
modes = st.sampled_from(["distinct", "paper"])
draws = st.sampled_from(["owner", "entry"])


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


class Scripted(Draw):
    """A draw whose answers are written down beforehand."""

    def __init__(self, answers: Iterable[int]) -> None:
        super().__init__(bytes)
        self.left = list(answers)

    def below(self, n: int) -> int:
        answer = self.left.pop(0)
        assert 0 <= answer < n
        return answer


def ask(user: str, number: int, at: float = 0.0, text: str = "") -> Query:
    """Return the one query with this number (its rank)."""
    return Query(user, text or f"query {number}", "2006-03-01 00:00:00", at, number, "", ())


def effective_anonymity(owners: Iterable[str]) -> float:
    counts = Counter(owners)
    total = sum(counts.values())
    return float(2 ** -sum(n / total * log2(n / total) for n in counts.values()))


class Model:
    """Pools kept naively: what must hold is recomputed from their whole content at every step."""

    def __init__(self, rules: Rules, draw: Draw) -> None:
        self.rules = rules
        self.pools = Pools(rules, draw)
        self.users: dict[int, Counter[tuple[str, int, float]]] = {}
        self.queries: dict[int, Counter[tuple[str, Query, float]]] = {}
        self.k: dict[int, int] = {}
        self.anonymity: dict[int, list[float]] = {}
        self.releases: list[Release] = []
        self.arrived: list[Query] = []
        self.suppressed_users: Counter[tuple[str, int]] = Counter()
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
        moved_users: Counter[tuple[str, int, float]] = Counter()
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
            due = min(len(names), len(set(owners))) >= self.k[category] + 1
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
            assert {owner: len(places) for owner, places in pool.places.items()} == Counter(e[0] for e in pool.queries)
            assert all(
                pool.queries[place][0] == owner and pool._ranks[place] == rank
                for owner, places in pool.places.items()
                for rank, place in enumerate(places)
            )
            assert sorted(pool.owners) == sorted(pool.places)
            assert pool.seats == {owner: seat for seat, owner in enumerate(pool.owners)}
        assert len(self.arrived) == len(self.releases) + self.pools.held + self.suppressed
        assert self.suppressed == sum(pool.suppressed for _, pool in self.pools)
        numbers = [release.query.rank for release in self.releases]
        assert len(set(numbers)) == len(numbers)


def emitted(releases: Iterable[Release]) -> Counter[tuple[str, int]]:
    return Counter((release.user, release.origin) for release in releases)


def held(pools: Pools) -> Counter[tuple[str, int]]:
    return Counter((user, origin) for _, pool in pools for user, origin, _ in pool.users)


@settings
@given(streams(), st.integers(2, 6), modes, draws, st.sampled_from(["1", "1.1", "1.2", "2"]), seeds)
def test_each_arrival_lets_out_what_the_naive_model_says(
    stream: list[Arrival], k: int, mode: Mode, draw: DrawBy, delta: str, seed: int
) -> None:
    model = Model(Rules(k, mode, delta, draw=draw), seeded_draw_for_tests(seed))
    for category, user, now in stream:
        model.arrive(category, user, now)
    came = Counter((user, category) for category, user, _ in stream)
    assert emitted(model.releases) + held(model.pools) == came
    assert all(release.origin == release.pool for release in model.releases)
    own = sum(release.user == release.query.user for release in model.releases)
    assert own == sum(pool.own_returned for _, pool in model.pools)
    assert not (own and mode == "distinct")


@settings
@given(
    streams(), st.integers(2, 4), modes, st.sampled_from(["wait", "suppress", "merge"]), st.integers(1, 60), seeds
)  # fmt: skip
def test_no_hold_policy_loses_a_query_or_lets_one_out_below_the_threshold(
    stream: list[Arrival], k: int, mode: Mode, policy: HoldPolicy, max_hold: int, seed: int
) -> None:
    model = Model(Rules(k, mode, "1.2", float(max_hold), policy), seeded_draw_for_tests(seed))
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
    model = Model(Rules(k, mode, draw=draw), seeded_draw_for_tests(seed))
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
    rules = Rules(k, mode, "1.2", 30.0, policy, draw)
    here = Pools(rules, seeded_draw_for_tests(seed))
    for number, (category, user, now) in enumerate(before):
        here.arrive(category, ask(user, number, now), now)
        here.expire(now, ask("clock", -1, now))
    state = json.loads(json.dumps(here.snapshot()))
    there = Pools(rules, seeded_draw_for_tests(seed + 1))
    there.restore(state)
    assert json.loads(json.dumps(there.snapshot())) == state
    here.draw = seeded_draw_for_tests(seed + 1)
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
    pools = Pools(Rules(2), seeded_draw_for_tests(1))
    pools.arrive(ARTS, query, 5.0)
    back = Pools(Rules(2), seeded_draw_for_tests(1))
    back.restore(json.loads(json.dumps(pools.snapshot())))
    ((_, pool),) = back
    ((owner, restored, arrived),) = pool.queries
    assert (owner, arrived) == ("ann", 5.0)
    assert restored == query


# Worked values


def test_the_worked_example_pairs_a_with_the_query_of_c_and_leaves_three_of_each() -> None:
    pools = Pools(Rules(4, "paper"), Scripted([0, 2]))
    texts = ["novak djokovic tennis titles", "monza formula1 tickets", "champions league final"]
    for number, (user, text) in enumerate(zip("ABC", texts, strict=True)):
        assert pools.arrive(SPORTS, ask(user, number, text=text), 0.0) is None
    release = pools.arrive(SPORTS, ask("D", 3, text="european soccer barcelona players"), 1.0)
    assert release is not None
    assert (release.user, release.query.text) == ("A", "champions league final")
    ((category, pool),) = pools
    assert category == SPORTS
    assert sorted(user for user, _, _ in pool.users) == ["B", "C", "D"]
    assert sorted(query.text for _, query, _ in pool.queries) == sorted(
        [texts[0], texts[1], "european soccer barcelona players"]
    )


@pytest.mark.parametrize(
    ("k", "delta", "grown"), [(10, "1.2", 12), (10, "1.1", 11), (5, "1.2", 6), (2, "1.2", 3), (100, "1.1", 110)]
)
def test_a_single_user_makes_k_grow_to_the_exact_ceiling(k: int, delta: str, grown: int) -> None:
    pools = Pools(Rules(k, "paper", delta), Scripted([]))
    for number in range(k):
        assert all(pool.k == k for _, pool in pools)
        assert pools.arrive(ARTS, ask("ann", number), 0.0) is None
    ((_, pool),) = pools
    assert (pool.k, len(pool)) == (grown, k)


def test_k_grows_for_the_category_of_the_single_user_only() -> None:
    pools = Pools(Rules(2, "paper"), seeded_draw_for_tests(5))
    for number in range(2):
        pools.arrive(ARTS, ask("ann", number), 0.0)
        pools.arrive(SPORTS, ask(f"user{number}", 10 + number), 0.0)
    assert {category: pool.k for category, pool in pools} == {ARTS: 3, SPORTS: 2}


def test_a_grown_pool_lets_out_at_its_new_size_once_somebody_else_came() -> None:
    pools = Pools(Rules(4, "paper", "1.5"), seeded_draw_for_tests(5))
    for number in range(5):
        assert pools.arrive(ARTS, ask("ann", number), 0.0) is None
    assert pools.arrive(ARTS, ask("bob", 5), 0.0) is not None
    ((_, pool),) = pools
    assert (pool.k, len(pool)) == (6, 5)


def test_with_delta_one_a_single_user_gets_its_own_queries_back() -> None:
    pools = Pools(Rules(3, "paper", "1"), seeded_draw_for_tests(2))
    releases = [pools.arrive(ARTS, ask("ann", number), 0.0) for number in range(10)]
    assert [release is not None for release in releases] == [False] * 2 + [True] * 8
    ((_, pool),) = pools
    assert (pool.k, pool.released, pool.own_returned) == (3, 8, 8)
    assert pool.anonymity == (1.0, 1.0, 1.0)


def test_paper_mode_returns_own_queries_about_one_time_in_k() -> None:
    pools = Pools(Rules(5, "paper"), seeded_draw_for_tests(11))
    for number in range(5_000):
        pools.arrive(ARTS, ask(f"user{number % 1000}", number), 0.0)
    ((_, pool),) = pools
    assert pool.released == 4_996
    # The owner of the query drawn is still among the k pooled users in most cases; the spec's simulation: up to 17 %.
    assert 0.02 < pool.own_returned / pool.released < 0.25


def test_distinct_mode_waits_however_many_queries_too_few_users_make() -> None:
    pools = Pools(Rules(3), Scripted([]))
    for number in range(300):
        assert pools.arrive(ARTS, ask(f"user{number % 3}", number), 0.0) is None
    assert pools.held == 300


def test_distinct_mode_counts_owners_as_well_as_users() -> None:
    """After draws the two multisets differ: four users may be left beside queries of three owners only."""
    pools = Pools(Rules(3), Scripted([0, 1, 1]))
    for number, user in enumerate("ABCC"):
        assert pools.arrive(ARTS, ask(user, number), 0.0) is None
    first = pools.arrive(ARTS, ask("D", 4), 0.0)  # five entries, four users: A leaves with C's second query
    assert first is not None
    assert (first.user, first.query.user, first.anonymity_set) == ("A", "C", 3)
    # Users B C C D and owners A B C D: another B makes owners enough (4) but users too few (3).
    assert pools.arrive(ARTS, ask("B", 5), 0.0) is None
    ((_, pool),) = pools
    assert (len(pool.user_counts), len(pool.owners)) == (3, 4)


# Hold policies


def test_merged_queries_leave_the_shared_pool_as_evidence_of_their_own_category() -> None:
    pools = Pools(Rules(2, max_hold=10.0, hold_policy="merge"), seeded_draw_for_tests(3))
    pools.arrive(ARTS, ask("ann", 0), 0.0)
    pools.arrive(SPORTS, ask("bob", 1), 1.0)
    pools.arrive(UNCLASSIFIED, ask("eve", 2), 2.0)
    clock = ask("clock", 3, 100.0)
    (release,) = pools.expire(100.0, clock)
    assert (release.pool, release.anonymity_set, release.trigger) == (OTHER, 2, clock)
    assert release.origin == {"ann": ARTS, "bob": SPORTS, "eve": UNCLASSIFIED}[release.user]
    assert release.query.user != release.user
    assert pools.held == 2
    assert sum(pool.merged for _, pool in pools) == 3


def test_what_is_merged_is_held_below_the_threshold_and_never_expires_again() -> None:
    pools = Pools(Rules(2, max_hold=10.0, hold_policy="merge"), Scripted([]))
    pools.arrive(ARTS, ask("ann", 0), 0.0)
    pools.arrive(SPORTS, ask("bob", 1), 0.0)
    for now in (50.0, 500.0, 5_000.0):
        assert pools.expire(now, ask("clock", 2)) == []
    assert pools.held == len(dict(pools)[OTHER]) == 2


def test_suppressed_queries_are_counted_and_gone() -> None:
    pools = Pools(Rules(2, max_hold=10.0, hold_policy="suppress"), Scripted([]))
    pools.arrive(ARTS, ask("ann", 0), 0.0)
    pools.arrive(ARTS, ask("bob", 1), 10.0)
    assert pools.expire(10.0, ask("clock", 2)) == []
    assert pools.held == 2, "what was held for exactly max_hold stays"
    pools.expire(10.5, ask("clock", 2))
    ((_, pool),) = pools
    assert (pool.suppressed, [user for user, _, _ in pool.users]) == (1, ["bob"])


def test_waiting_holds_for_ever() -> None:
    pools = Pools(Rules(2, max_hold=10.0), Scripted([]))
    pools.arrive(ARTS, ask("ann", 0), 0.0)
    assert pools.expire(1e9, ask("clock", 1)) == []
    assert pools.held == 1


# Chance


def chi_square(seen: Counter[Any], expected: dict[Any, float]) -> float:
    total = sum(seen.values())
    assert seen.keys() <= expected.keys()
    return sum((seen[cell] - total * share) ** 2 / (total * share) for cell, share in expected.items())


def drawn(rules: Rules, users: Sequence[str], rounds: int) -> Counter[tuple[str, int]]:
    """Count (user, number of the query) over many releases out of pools of the same content."""
    pools = Pools(rules, seeded_draw_for_tests(20_060_301))
    for number, user in enumerate(users[:-1]):
        assert pools.arrive(ARTS, ask(user, number), 0.0) is None
    state = pools.snapshot()
    seen: Counter[tuple[str, int]] = Counter()
    for _ in range(rounds):
        pools.restore(state)
        release = pools.arrive(ARTS, ask(users[-1], len(users) - 1), 0.0)
        assert release is not None
        assert isinstance(release.query.rank, int)
        seen[release.user, release.query.rank] += 1
    return seen


def test_paper_mode_draws_every_pair_of_entries_equally_often() -> None:
    seen = drawn(Rules(5, "paper"), "ABCDE", 6_000)
    expected = {(user, number): 1 / 25 for user in "ABCDE" for number in range(5)}
    assert chi_square(seen, expected) < 51.2  # 24 degrees of freedom, p = 0.001


def test_the_draw_by_entry_is_uniform_over_entries_but_the_users_own() -> None:
    users = "AAABCD"
    seen = drawn(Rules(3, draw="entry"), users, 6_000)
    size = len(users)
    expected = {
        (user, number): users.count(user) / size / (size - users.count(user))
        for user in sorted(set(users))
        for number in range(size)
        if users[number] != user
    }
    assert chi_square(seen, expected) < 42.3  # 18 cells, 17 degrees of freedom: p = 0.001 is 40.8, rounded up


def by_owner(users: Sequence[str]) -> dict[tuple[str, int], float]:
    """Return the share of each (user, number of the query) under the draw by owner."""
    size, distinct = len(users), len(set(users))
    return {
        (user, number): users.count(user) / size / (distinct - 1) / users.count(users[number])
        for user in sorted(set(users))
        for number in range(size)
        if users[number] != user
    }


def test_the_draw_by_owner_is_uniform_over_the_other_owners_and_then_over_the_owners_queries() -> None:
    users = "AAABCD"
    assert chi_square(drawn(Rules(3), users, 6_000), by_owner(users)) < 42.3


class Path(Draw):
    """Draws the numbers of a path, then zeros, and notes below what each was drawn."""

    def __init__(self, path: Sequence[int]) -> None:
        super().__init__(bytes)
        self._path = iter(path)
        self.widths: list[int] = []

    def below(self, n: int) -> int:
        self.widths.append(n)
        return next(self._path, 0)


def enumerated(pools: Pools, last: Query) -> dict[tuple[str, int], float]:
    """Return the exact share of each (user, number of the query) by trying every number that could be drawn."""
    state = pools.snapshot()
    shares: dict[tuple[str, int], float] = {}
    paths: list[list[int]] = [[]]
    while paths:
        path = paths.pop()
        draw = Path(path)
        pools.restore(state)
        pools.draw = draw
        release = pools.arrive(ARTS, last, 0.0)
        # What the path did not say was taken as 0: the other numbers are paths of their own.
        for depth in range(len(path), len(draw.widths)):
            paths += [[*path, *[0] * (depth - len(path)), other] for other in range(1, draw.widths[depth])]
        if release is not None:
            assert isinstance(release.query.rank, int)
            key = (release.user, release.query.rank)
            shares[key] = shares.get(key, 0.0) + prod(1 / width for width in draw.widths)
    return shares


@how(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from("AAAAABCDEF"), min_size=2, max_size=12), st.integers(2, 4), seeds)
def test_who_knows_the_whole_pool_names_the_owner_with_probability_1_in_k_at_most(
    names: list[str], k: int, seed: int
) -> None:
    """The guarantee, at every release of a stream, over all numbers that could have been drawn there."""
    pools = Pools(Rules(k), seeded_draw_for_tests(seed))
    for number, name in enumerate(names):
        query = ask(name, number)
        before = pools.snapshot()
        shares = enumerated(pools, query)
        if shares:
            assert sum(shares.values()) == pytest.approx(1.0)
            for user in {user for user, _ in shares}:
                by_name: dict[str, float] = {}
                for (released, rank), share in shares.items():
                    if released == user:
                        by_name[names[rank]] = by_name.get(names[rank], 0.0) + share
                assert user not in by_name
                assert max(by_name.values()) / sum(by_name.values()) <= 1 / k + 1e-9
        pools.restore(before)
        pools.draw = seeded_draw_for_tests(seed + number)
        assert (pools.arrive(ARTS, query, 0.0) is not None) == bool(shares)


def test_the_exact_shares_of_a_release_are_those_of_the_rule() -> None:
    users = "AAABCD"
    pools = Pools(Rules(3), seeded_draw_for_tests(1))
    for number, user in enumerate(users[:-1]):
        pools.arrive(ARTS, ask(user, number), 0.0)
    assert enumerated(pools, ask("D", 5)) == pytest.approx(by_owner(users))


def test_the_draw_by_entry_does_not_give_the_guarantee() -> None:
    """So that the test above can fail: A owns most of the pool."""
    users = "AAAAAABCD"
    seen = drawn(Rules(3, draw="entry"), users, 2_000)
    of_b = [(users[rank], count) for (user, rank), count in seen.items() if user == "B"]
    assert sum(count for owner, count in of_b if owner == "A") / sum(count for _, count in of_b) > 0.6


# Rules and reprs


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        (Rules(1), "k must be at least 2"),
        (Rules(0), "k must be at least 2"),
        (Rules(delta="0.9"), "delta must be at least 1"),
        (Rules(delta="much"), "delta must be a decimal number"),
        (Rules(delta=""), "delta must be a decimal number"),
        (Rules(delta="nan"), "delta must be a decimal number"),
        (Rules(delta="1/0"), "delta must be a decimal number"),
        (Rules(max_hold=0.0), "max hold must be more than 0"),
        (Rules(max_hold=-1.0), "max hold must be more than 0"),
        (Rules(max_hold=float("nan")), "max hold must be more than 0"),
        (Rules(hold_policy="suppress"), "needs a max hold"),
        (Rules(hold_policy="merge"), "needs a max hold"),
    ],
)
def test_rules_out_of_range_are_refused_with_the_reason(rules: Rules, says: str) -> None:
    with pytest.raises(Misconfigured, match=says):
        Pools(rules, seeded_draw_for_tests(0))


def test_no_repr_shows_a_user_or_a_query() -> None:
    pools = Pools(Rules(2), seeded_draw_for_tests(0))
    releases = [pools.arrive(ARTS, ask(f"person{n}", n, text="secret words"), 0.0) for n in range(3)]
    ((_, pool),) = pools
    shown = f"{pools!r} {pool!r} {pools!s} {releases!r} {ask('person9', 9, text='secret words')!r}"
    assert any(releases)
    assert "person" not in shown
    assert "secret" not in shown
