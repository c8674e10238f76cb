"""Who leaves with what is drawn by the rule, and nobody names an owner with a probability above 1/k."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.draw import Draw, seeded_draw
from querymix.core.pools import Pools
from querymix.core.records import Query, Release
from querymix.core.rules import HoldPolicy, Rules

from tests.querymix.core.pooled import ARTS, ask

settings = how(deadline=None, max_examples=40)
seeds = st.integers(0, 2**32)


def chi_square(seen: Counter[Any], expected: dict[Any, float]) -> float:
    total = sum(seen.values())
    assert seen.keys() <= expected.keys()
    return sum((seen[cell] - total * share) ** 2 / (total * share) for cell, share in expected.items())


def drawn(rules: Rules, users: Sequence[str], rounds: int) -> Counter[tuple[str, int]]:
    """Count (user, number of the query) over many releases out of pools of the same content."""
    pools = Pools(rules, seeded_draw(20_060_301))
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
    seen = drawn(Rules(3, draw="entry", reserve=0), users, 6_000)
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
    assert chi_square(drawn(Rules(3, reserve=0), users, 6_000), by_owner(users)) < 42.3


class Path(Draw):
    """Draws the numbers of a path, then zeros, and notes what each was drawn below."""

    def __init__(self, path: Sequence[int]) -> None:
        super().__init__(bytes)
        self._path = iter(path)
        self.widths: list[int] = []
        self.drawn: list[int] = []

    def below(self, n: int) -> int:
        self.widths.append(n)
        self.drawn.append(next(self._path, 0))
        return self.drawn[-1]


def walked(pools: Pools, let_out: Callable[[], Release | None]) -> Iterator[tuple[float, Path, Release | None]]:
    """Yield the probability, the draws and the outcome of everything that can be drawn where something is let out."""
    state = pools.snapshot()
    paths: list[list[int]] = [[]]
    while paths:
        path = paths.pop()
        draw = Path(path)
        pools.restore(state)
        pools.draw = draw
        release = let_out()
        # What the path did not say was taken as 0: the other numbers are paths of their own.
        for depth in range(len(path), len(draw.widths)):
            paths += [[*path, *[0] * (depth - len(path)), other] for other in range(1, draw.widths[depth])]
        yield prod(1 / width for width in draw.widths), draw, release


def enumerated(pools: Pools, last: Query, now: float = 0.0) -> dict[tuple[str, int], float]:
    """Return the exact share of each (user, number of the query) by trying every number that could be drawn."""
    return shares_of(pools, lambda: pools.arrive(ARTS, last, now))


def shares_of(pools: Pools, let_out: Callable[[], Release | None]) -> dict[tuple[str, int], float]:
    """Return the same of what is let out."""
    shares: dict[tuple[str, int], float] = {}
    for share, _, release in walked(pools, let_out):
        if release is not None:
            assert isinstance(release.query.rank, int)
            key = (release.user, release.query.rank)
            shares[key] = shares.get(key, 0.0) + share
    return shares


@settings
@given(
    st.lists(st.sampled_from("AAAAABCDEF"), min_size=2, max_size=12),
    st.integers(2, 4),
    st.integers(0, 3),
    st.sampled_from([None, 100.0]),
    seeds,
)
def test_who_knows_that_pool_and_what_the_reserve_was_names_the_owner_with_probability_1_in_k_at_most(
    names: list[str], k: int, reserve: int, established: float | None, seed: int
) -> None:
    """The guarantee, at every release of a stream, over all numbers that could have been drawn there.

    Whoever knows X as well has 1 in k + X at most. How likely a release is is told by the count of users alone.
    """
    pools = Pools(Rules(k, established=established, reserve=reserve), seeded_draw(seed))
    for user in "ABCDEF" if established else "":
        pools._history.established(user, 0.0)
    for number, name in enumerate(names):
        query = ask(name, number)
        before = pools.snapshot()
        size, counted = 1, 1
        for _, pool in pools:
            size, counted = len(pool) + 1, min(len({*side, name}) for side in (pool.user_counts, pool.owner_rows))
        shares: dict[tuple[int, str], dict[str, float]] = {}
        for share, draw, release in walked(pools, partial(pools.arrive, ARTS, query, 200.0)):
            if release is None:
                continue
            x = 0
            if k < counted <= k + reserve:  # X is drawn by itself, or together with the user's place
                x = draw.drawn[0] if established else draw.drawn[0] // size
                assert draw.widths[0] == (reserve + 1) * (1 if established else size)
            by_name = shares.setdefault((x, release.user), {})
            assert isinstance(release.query.rank, int)
            owner = names[release.query.rank]
            by_name[owner] = by_name.get(owner, 0.0) + share
        for (x, user), by_name in shares.items():
            assert user not in by_name
            assert max(by_name.values()) / sum(by_name.values()) <= 1 / (k + x) + 1e-9
        chance = min(1.0, max(0.0, (counted - k) / (reserve + 1)))
        assert sum(sum(by_name.values()) for by_name in shares.values()) == pytest.approx(chance)
        pools.restore(before)
        pools.draw = seeded_draw(seed + number)
        assert (pools.arrive(ARTS, query, 200.0) is not None) <= bool(shares)


@settings
@given(
    st.lists(st.tuples(st.sampled_from("AAAABCDEF"), st.integers(1, 3)), min_size=2, max_size=10),
    st.integers(2, 3),
    seeds,
)
def test_whoever_knows_the_whole_pool_names_the_owner_of_a_session_with_probability_1_in_k_at_most(
    asked: list[tuple[str, int]], k: int, seed: int
) -> None:
    """The guarantee for a session, which is drawn as one query is: all of it leaves with its first query."""
    pools = Pools(Rules(k, reserve=0, unit="session", session_gap=5.0, session_most=3), seeded_draw(seed))
    owners, now = dict[int, str](), 0.0
    for name, size in asked:
        rows = [(ARTS, ask(name, len(owners) + number, at=now + number)) for number in range(size)]
        owners |= {len(owners) + number: name for number in range(size)}
        for row in rows:
            assert pools.take([row], row[1].at, row[1].at) + pools.settle(row[1].at) == []
        if size == 3:  # the last one waits for its clicks
            assert pools._sessions.waiting
        before = pools.snapshot()

        def let_out(then: float = now + 100.0) -> Release | None:
            return next(iter(pools.settle(then)), None)

        shares = shares_of(pools, let_out)
        if shares:
            assert sum(shares.values()) == pytest.approx(1.0)
        for user in {user for user, _ in shares}:
            by_name: dict[str, float] = {}
            for (released, rank), share in shares.items():
                if released == user:
                    by_name[owners[rank]] = by_name.get(owners[rank], 0.0) + share
            assert user not in by_name
            assert max(by_name.values()) / sum(by_name.values()) <= 1 / k + 1e-9
        pools.restore(before)
        pools.draw = seeded_draw(seed + len(owners))
        release, now = let_out(), now + 200.0
        assert (release is not None) == bool(shares)
        if release is not None:
            assert {row.user for row in (release.query, *release.further)} == {release.query.user}


def test_the_exact_shares_of_a_release_are_those_of_the_rule() -> None:
    users = "AAABCD"
    pools = Pools(Rules(3, reserve=0), seeded_draw(1))
    for number, user in enumerate(users[:-1]):
        pools.arrive(ARTS, ask(user, number), 0.0)
    assert enumerated(pools, ask("D", 5)) == pytest.approx(by_owner(users))


def test_the_draw_by_entry_does_not_give_the_guarantee() -> None:
    """So that the test above can fail: A owns most of the pool."""
    users = "AAAAAABCD"
    seen = drawn(Rules(3, draw="entry", reserve=0), users, 2_000)
    of_b = [(users[rank], count) for (user, rank), count in seen.items() if user == "B"]
    assert sum(count for owner, count in of_b if owner == "A") / sum(count for _, count in of_b) > 0.6


@settings
@given(
    st.lists(st.sampled_from("AAAABCDEFxyz"), min_size=2, max_size=13),
    st.integers(2, 3),
    st.sampled_from(["trim", "suppress", "wait"]),
    st.integers(0, 2),
    seeds,
)
def test_whoever_has_made_all_new_accounts_names_an_owner_with_probability_1_in_k_at_most(
    names: list[str], k: int, policy: HoldPolicy, reserve: int, seed: int
) -> None:
    """The guarantee with `established`: lower-case users are new and the attacker's, who leaves its own out."""
    rules = Rules(k, established=100.0, max_hold=1e6, hold_policy=policy, reserve=reserve)
    pools = Pools(rules, seeded_draw(seed))
    for user in "ABCDEF":
        pools._history.established(user, 0.0)
    for number, name in enumerate(names):
        query, now = ask(name, number), 200.0 + number
        before = pools.snapshot()
        shares = enumerated(pools, query, now)
        for user in {user for user, _ in shares}:
            by_name: dict[str, float] = {}
            for (released, rank), share in shares.items():
                if released == user:
                    by_name[names[rank]] = by_name.get(names[rank], 0.0) + share
            assert user not in by_name
            honest = [share for name, share in by_name.items() if name.isupper()]
            assert len(honest) >= k
            assert max(honest) / sum(honest) <= 1 / k + 1e-9
        pools.restore(before)
        pools.draw = seeded_draw(seed + number)
        release = pools.arrive(ARTS, query, now)
        assert (release is not None) <= bool(shares)
        assert release is None or release.anonymity_set >= k
        check_known(pools)


def check_known(pools: Pools) -> None:
    """Recount who counts."""
    for _, pool in pools:
        assert pool.known <= pool.user_counts.keys() | pool.owner_rows.keys()
        assert pool.known_users == len(pool.known & pool.user_counts.keys())
        assert pool.known_owners == len(pool.known & pool.owner_rows.keys())


def test_accounts_of_one_attacker_fill_no_pool_until_they_are_established() -> None:
    pools = Pools(Rules(3, established=100.0, reserve=0), seeded_draw(1))
    out = [pools.arrive(ARTS, ask(f"made{n % 9}", n), float(n)) for n in range(90)]
    assert not any(out)
    assert pools.expire(99.0, ask("clock", 99)) == []
    assert pools.arrive(ARTS, ask("made0", 100), 99.0) is None
    pools.expire(200.0, ask("clock", 99))
    check_known(pools)
    assert pools.arrive(ARTS, ask("late", 101), 200.0) is not None, "all nine are by now"


@settings
@given(st.lists(st.tuples(st.sampled_from("AABCDEF"), st.integers(0, 9)), max_size=60), st.integers(2, 3), seeds)
def test_what_is_trimmed_is_late_goes_with_its_owner_and_does_not_depend_on_the_draw(
    steps: list[tuple[str, int]], k: int, seed: int
) -> None:
    pools, now = Pools(Rules(k, max_hold=30.0), seeded_draw(seed)), 0.0
    for number, (name, step) in enumerate(steps):
        now += step
        before = {category: (list(pool.users), list(pool.queries)) for category, pool in pools}
        pools.draw = Path([])
        assert pools.expire(now, ask("clock", -1)) == []
        assert not pools.draw.widths, "nothing is drawn"
        pools.draw = seeded_draw(seed + number)
        for category, pool in pools:
            users, queries = before[category]
            gone = [entry for entry in queries if entry not in pool.queries]
            assert gone == [entry for entry in queries if entry[2] < now - 30.0]
            left = Counter(users) - Counter(pool.users)
            assert left.total() == len(gone) == len(users) - len(pool.users)
            for owner, count in Counter(entry[0] for entry in gone).items():
                there = sum(entry[0] == owner for entry in users)
                assert sum(n for entry, n in left.items() if entry[0] == owner) >= min(count, there)
        pools.arrive(ARTS, ask(name, number), now)
    assert pools.account.total == 0
