"""The pools in Rust (service/native/src/pools): the same releases, states and numbers drawn as in plain Python."""

import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from itertools import islice
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.draw import Draw, RecordingDraw, RepeatingDraw, seeded_draw
from querymix.core.gathering import MAX_ROWS, MAX_WAITING
from querymix.core.pools import Pools
from querymix.core.records import UNCLASSIFIED, Query
from querymix.core.rules import Rules
from querymix.native_path import SWITCH
from querymix.stages.pooling import Pooling

NATIVE = import_module("querymix.native")  # where it is not built, tests.optional skips all this with its reason
Row = tuple[int, Query]
WORDS = (0, 1, 2, 0x5555_5555, 0x8000_0000, 0xAAAA_AAAB, 0xFFFF_FFFE, 0xFFFF_FFFF)
USERS = ("ann", "bob", "eve", "jo", "\ud800", "", "nán")
TEXTS = ("soccer", "paris", "\udc80", "")


class Named(str):
    """A text of another class."""

    __slots__ = ()


class Both:
    """The same pools in Rust and in Python."""

    def __init__(self, rules: Rules, draw: Callable[[], Draw], *, in_order: bool = False) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.delenv(SWITCH, raising=False)
            self.native = Pooling(rules, draw(), in_order=in_order)
            patch.setenv(SWITCH, "off")
            self.plain = Pooling(rules, draw(), in_order=in_order)
        assert self.native.pools._native is NATIVE
        assert self.plain.pools._native is None

    def do(self, step: Callable[[Pooling], Any]) -> Any:
        """Return what a step returns, or raises, on either side."""
        found, wanted = outcome(step, self.native), outcome(step, self.plain)
        assert plain(found) == plain(wanted)
        assert state(self.native.pools) == state(self.plain.pools)  # the rows are the same, so NaN is equal too
        assert self.native.last == self.plain.last
        return found

    def restore(self) -> None:
        """Go on from what is written down."""
        state = self.plain.snapshot()
        for side in (self.native, self.plain):
            side.restore(state)


def outcome(step: Callable[[Pooling], Any], pooling: Pooling) -> Any:
    try:
        return step(pooling)
    except (ValueError, TypeError, LookupError) as error:
        return type(error), str(error)


def plain(value: Any) -> Any:
    """Return what is equal only where the types are equal too, and times that are NaN."""
    if isinstance(value, tuple | list):
        return type(value), [plain(item) for item in value]
    return type(value), repr(value) if isinstance(value, float) else value


def state(pools: Pools) -> list[Any]:
    """Return all that the hot path changes, with the order of all dicts."""
    gathering, words = pools._gathering, pools.draw.words()
    return [
        [(category, _pool_state(pool)) for category, pool in pools._pools.items()],
        list(gathering.waiting),
        list(gathering.units.items()),
        [(user, list(mine.items())) for user, mine in gathering.held.items()],
        list(gathering.further.items()),
        pools.repeats,
        None if words is None else words[1:],
    ]


def _pool_state(pool: Any) -> list[Any]:
    rows = list(pool.owner_rows.items())
    assert {id(row) for _, row in rows} == {id(row) for row in pool.owners}
    counts = [pool.k, pool.further_released, pool.own_returned, pool.suppressed]
    return [
        pool.users,
        list(pool.user_counts.items()),
        pool.queries,
        pool.ranks,
        rows,
        pool.owners,
        list(pool.spread.items()),
        *counts,
    ]


def few_words(seed: int) -> Draw:
    """Return a draw whose words are often those at which a number is refused."""
    chance = random.Random(seed)

    def read(size: int) -> bytes:
        words = [chance.choice(WORDS) if chance.random() < 0.5 else chance.getrandbits(32) for _ in range(size // 4)]
        return b"".join(word.to_bytes(4, "little") for word in words)

    return Draw(read)


def stream(chance: random.Random, *, users: int = 12, categories: int = 3) -> Iterator[Row]:
    """Yield rows in time order for ever: some at one time, some rows of one query."""
    at, number = 0.0, 0
    while True:
        at += chance.choice((0.0, 0.0, 0.3, 1.0, 5.0, 40.0))
        number += 1
        user, text = f"user {chance.randrange(users)}", chance.choice(("soccer", "paris", f"query {number}"))
        category = chance.randrange(categories) + UNCLASSIFIED
        for rank in range(chance.choice((1, 1, 1, 2, 5))):
            yield category, Query(user, text, int(at), at, rank, "", ())


def frame(chance: random.Random, rows: list[Row]) -> Any:
    """Return the rows as one frame: of two parts, or of three, perhaps with other own categories."""
    category, queries = rows[0][0], [query for _, query in rows]
    owns = [chance.choice((category, 7)) for _ in range(chance.choice((0, 0, 0, 1, len(rows), len(rows))))]
    return (category, queries) if chance.random() < 0.3 else (category, queries, owns)


Step = Callable[[Pooling], Any]


def called(rows: list[Row]) -> Step:
    return lambda pooling: pooling(rows)


def taken(frames: list[Any], reading: float) -> Step:
    return lambda pooling: pooling.take(frames, reading)


def framed(frames: list[Any], now: float) -> Step:
    return lambda pooling: pooling.pools.take_frames(frames, now, now)


def timed(rows: Iterable[Row]) -> Step:
    batch = list(rows)
    return lambda pooling: pooling.pools.take_timed(batch, [query[3] for _, query in batch])


def settled(reading: float) -> Step:
    return lambda pooling: pooling.pools.settle(reading)


def following(rules: Rules) -> Step:
    return lambda pooling: pooling.follow(rules)


DRAWS = [seeded_draw, few_words, lambda seed: RecordingDraw(seeded_draw(seed))]


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("click_wait", [0.0, 1, 6.0])
@pytest.mark.parametrize(("k", "reserve"), [(2, 0), (3, 4), (10, 20)])
def test_batches_of_a_log_in_time_order_set_off_the_same(
    draw: Callable[[int], Draw], click_wait: float, k: int, reserve: int
) -> None:
    chance, released = random.Random(f"{click_wait} {k} {reserve}"), 0
    rules = Rules(k=k, reserve=reserve, click_wait=click_wait, max_hold=3000.0)
    both, rows = Both(rules, lambda: draw(k), in_order=True), stream(chance, users=3 * k)
    for number in range(40):
        batch = list(islice(rows, chance.choice((1, 7, 100))))
        released += len(both.do(called(batch)))
        if number % 20 == 9:
            both.restore()
    both.do(Pooling.finish)
    assert released > 100


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("click_wait", [0.0, 1, 6.0])
@pytest.mark.parametrize(("k", "reserve"), [(2, 0), (3, 4), (10, 20)])
def test_frames_of_a_stream_set_off_the_same(
    draw: Callable[[int], Draw], click_wait: float, k: int, reserve: int
) -> None:
    chance, released, reading = random.Random(f"{click_wait} {k} {reserve}"), 0, 1000.0
    rules = Rules(k=k, reserve=reserve, click_wait=click_wait)
    both, rows = Both(rules, lambda: draw(k)), stream(chance, users=3 * k)
    for number in range(40):
        frames = [frame(chance, list(islice(rows, chance.choice((1, 1, 3))))) for _ in range(chance.randrange(60))]
        reading += chance.choice((0.0, 0.4, 2.5, 30.0, -3.0))
        released += len(both.do(taken(frames, reading)))
        if number % 20 == 9:
            both.restore()
    both.do(Pooling.finish)
    assert released > 100


times = st.sampled_from([0.0, 1.0, 1.5, 2.0, 60.0, nan, inf, -inf, 2.0**53, 1e308])
odd_rows = st.lists(
    st.tuples(st.integers(-1, 2), st.sampled_from(USERS), st.sampled_from(TEXTS), times, st.integers(0, 3)).map(
        lambda row: (row[0], Query(row[1], row[2], 0, row[3], row[4]))
    ),
    max_size=40,
)
odd_rules = st.tuples(st.integers(0, 2), st.sampled_from([0, 0.5, 1.0, inf])).map(
    lambda chosen: Rules(k=2, reserve=chosen[0], click_wait=chosen[1], max_hold=None, hold_policy="wait")
)


@settings(max_examples=150, deadline=None)
@given(odd_rules, st.lists(odd_rows, max_size=6), st.integers(0, 2**32))
def test_any_times_and_texts_come_to_the_same(rules: Rules, batches: list[list[Row]], seed: int) -> None:
    both = Both(rules, lambda: few_words(seed))
    for rows in batches:
        both.do(timed(rows))
    both.do(settled(inf))


@settings(max_examples=150, deadline=None)
@given(odd_rules, st.lists(st.tuples(odd_rows, times), max_size=6), st.integers(0, 2**32))
def test_frames_at_any_reading_come_to_the_same(
    rules: Rules, batches: list[tuple[list[Row], float]], seed: int
) -> None:
    both = Both(rules, lambda: few_words(seed))
    for rows, now in batches:
        frames: Any = [(category, [query]) for category, query in rows]
        both.do(framed(frames, now))
        both.do(settled(now))


def asked(number: int, at: float = 0.0, user: str = "", text: str = "") -> Query:
    return Query(user or f"user {number}", text or f"query {number}", 0, at, number)


def test_numbers_that_run_out_in_the_middle_leave_the_same_state() -> None:
    found = []
    for many in range(30):
        both = Both(Rules(k=2, reserve=1), partial(RepeatingDraw, [0] * many))
        found.append(both.do(timed((1, asked(number, 9.0 * number)) for number in range(9))))
    assert found[0] == found[10] == (ValueError, "these numbers were drawn for another decision")
    assert len(found[-1]) == 6


@pytest.mark.parametrize("draw", DRAWS)
def test_an_error_in_the_middle_of_a_batch_leaves_the_same_state(draw: Callable[[int], Draw]) -> None:
    both, broken = Both(Rules(k=2, reserve=1), lambda: draw(1)), asked(9, 81.0)._replace(user=[])  # type: ignore[arg-type]
    rows = [(1, asked(number, 9.0 * number)) for number in range(9)]
    assert both.do(timed([*rows, (1, broken), *rows]))[0] is TypeError
    assert both.do(framed([(1, [asked(1)]), (1, [broken]), (1, [asked(2)])], 99.0))[0] is TypeError
    both.do(timed(rows))


def test_times_that_are_whole_numbers_are_pythons() -> None:
    both = Both(Rules(k=2, reserve=0), lambda: seeded_draw(1))
    assert both.do(timed((1, asked(number, number * 9)) for number in range(9)))
    assert NATIVE.take_timed(both.native.pools, tuple, [(1, asked(1, 1))], [1]) is None
    assert NATIVE.take_timed(both.native.pools, tuple, ((1, asked(1)),), [0.0]) is None


def test_a_time_that_lacks_is_an_error_as_in_python() -> None:
    both = Both(Rules(k=2, reserve=0), lambda: seeded_draw(1))
    found = both.do(lambda pooling: pooling.pools.take_timed([(1, asked(1)), (1, asked(2))], [0.0]))
    assert found[0] is ValueError


def test_more_rows_of_a_query_than_are_kept_are_suppressed_alike() -> None:
    both = Both(Rules(k=2, reserve=0), lambda: seeded_draw(1))
    frames: Any = [(1, [asked(1)] * (MAX_ROWS + 3))]
    both.do(taken(frames, 5.0))
    assert both.native.pools.repeats == 3


def test_more_rows_of_one_time_than_are_put_together_at_once_wait_alike() -> None:
    both = Both(Rules(k=2, reserve=0), lambda: seeded_draw(1))
    both.do(timed((1, asked(number % 40, 3.0)) for number in range(1200)))
    assert both.native.pools._gathering.waiting
    both.do(timed([(1, asked(1, 9.0))]))


def test_more_queries_than_may_wait_go_on_alike() -> None:
    both = Both(Rules(k=2, reserve=0, click_wait=60.0), lambda: seeded_draw(1))
    frames: Any = [(1, [asked(number) for number in range(MAX_WAITING + 9)])]
    both.do(taken(frames, 5.0))
    assert len(both.native.pools._gathering.waiting) == MAX_WAITING - 1


def test_users_of_another_class_than_texts_count_alike() -> None:
    both = Both(Rules(k=2, reserve=0), lambda: seeded_draw(1))
    both.do(timed((1, asked(number, number * 9.0, Named(f"user {number % 5}"))) for number in range(40)))


def test_numbers_beyond_a_word_are_drawn_alike() -> None:
    full: list[bool] = []

    def draw() -> Draw:
        chance = random.Random(1)
        return Draw(lambda size: chance.randbytes(size) if full else b"\xff" * size)  # at first nothing leaves

    both, rows = Both(Rules(k=2, reserve=100_000, click_wait=0.0), draw), [(1, asked(place)) for place in range(43_000)]
    for side in (both.native, both.plain):
        timed(rows)(side)
        side.pools.draw.forget()
        assert len(side.pools._pools[1]) * 100_001 > 1 << 32
    full.append(True)
    assert len(both.do(timed(rows[:20]))) > 5


def test_rules_that_change_while_queries_wait_are_followed_alike() -> None:
    both, chance = Both(Rules(k=3, reserve=2, click_wait=6.0), lambda: seeded_draw(1)), random.Random(1)
    rows = stream(chance)
    rules = [Rules(k=2, unit="session"), Rules(k=2), Rules(k=2, draw="entry"), Rules(k=4), Rules(k=4, dedupe=9.0)]
    for chosen in [*rules, Rules(k=2, established=30.0), Rules(k=2, click_wait=0.0), Rules(k=5)]:
        for reading in range(5):
            frames = [frame(chance, list(islice(rows, 2))) for _ in range(40)]
            both.do(taken(frames, 100.0 + reading / 4))
        both.do(following(chosen))


def test_a_class_that_is_no_tuples_and_rows_that_are_no_tuples_are_type_errors() -> None:
    pools = Both(Rules(k=2), lambda: seeded_draw(1)).native.pools
    with pytest.raises(TypeError):
        NATIVE.settle(pools, list, 0.0)
    with pytest.raises(TypeError):
        NATIVE.take_timed(pools, tuple, [1], [0.0])
    with pytest.raises(TypeError):
        NATIVE.take_frames(pools, tuple, [(1, ["a text"])], 0.0, 0.0)


@pytest.mark.parametrize("changed", [{"draw": "entry"}, {"mode": "paper"}, {"established": 9.0}, {"dedupe": 9.0}])
def test_other_rules_are_pythons(changed: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SWITCH, raising=False)
    assert Pools(Rules(), seeded_draw(1))._native is NATIVE
    assert Pools(Rules(**changed), seeded_draw(1))._native is None
