"""What every ProfileStore must do, whatever it is made of.

A new adapter gets one opener in `ADAPTERS`: from a place of its own to a function that opens the store there, which can
be called again for another handle on the same counts. Adapters that need a server skip where there is none.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from querymix.ports import ProfileStore
from querymix.stores.memory import MemoryProfiles
from querymix.stores.mongo import MongoProfiles, connect
from querymix.stores.sqlite import SqliteProfiles

Open = Callable[[], Awaitable[ProfileStore]]


def memory(_: Path) -> Open:
    """All handles are the same store: it lives as long as the process."""
    store = MemoryProfiles()

    async def open_it() -> ProfileStore:
        return store

    return open_it


def sqlite(place: Path) -> Open:
    """Each handle is a connection of its own."""

    async def open_it() -> ProfileStore:
        return SqliteProfiles(place / "profiles.db")

    return open_it


def mongo(uri: str) -> Open:
    """Each handle is a client of its own, each place a database."""
    database = uuid4().hex

    async def open_it() -> ProfileStore:
        return MongoProfiles(connect(uri), database)

    return open_it


ADAPTERS: Final = ["memory", "sqlite", pytest.param("mongo", marks=[pytest.mark.servers, pytest.mark.short])]


@pytest.fixture(params=ADAPTERS)
def adapter(request: pytest.FixtureRequest) -> Callable[[Path], Open]:
    """Return what opens a store at a place."""
    if request.param == "mongo":
        uri = request.getfixturevalue("mongo").uri
        return lambda _: mongo(uri)
    return {"memory": memory, "sqlite": sqlite}[request.param]


STRANGE: Final = [
    "",
    " ",
    "$where",
    "1",
    "01",
    "a",
    "a ",
    "a\0b",
    "a.b",
    "A",
    "b" * 1000,
    "caf\u00e9",
    "cafe\u0301",
    "\udc80",
    "\udcff",
    "\uff21",
    "\U0001f600",
]
"""User ids that databases like to change, to confuse or to refuse."""


@asynccontextmanager
async def handle(open_it: Open) -> AsyncIterator[ProfileStore]:
    """Open a handle and close it."""
    store = await open_it()
    try:
        yield store
    finally:
        await store.close()


async def everything(store: ProfileStore) -> dict[str, dict[int, int]]:
    """Return all that a store holds."""
    return {user: dict(counts) async for user, counts in store.export()}


@pytest.fixture
def open_it(adapter: Callable[[Path], Open], tmp_path: Path) -> Open:
    return adapter(tmp_path)


@pytest.fixture
async def store(open_it: Open) -> AsyncIterator[ProfileStore]:
    async with handle(open_it) as store:
        yield store


async def test_a_new_store_knows_nobody(store: ProfileStore) -> None:
    assert await store.get("a") is None
    assert await everything(store) == {}


async def test_counts_add_up_by_user_and_category(store: ProfileStore) -> None:
    await store.apply("s", {0: {("a", 0): 1, ("a", 15): 2, ("b", 0): 3}})
    await store.apply("s", {1: {("a", 0): 10, ("c", 7): 1}})
    assert await store.get("a") == {0: 11, 15: 2}
    assert await everything(store) == {"a": {0: 11, 15: 2}, "b": {0: 3}, "c": {7: 1}}


async def test_evidence_that_comes_again_changes_nothing(store: ProfileStore) -> None:
    for _ in range(3):
        await store.apply("s", {5: {("a", 0): 1}})
    await store.apply("s", {5: {("a", 1): 1, ("b", 0): 1}})
    assert await everything(store) == {"a": {0: 1}}


async def test_an_offset_that_is_not_past_the_last_one_is_left_out(store: ProfileStore) -> None:
    await store.apply("s", {7: {("a", 0): 1}})
    for offset in (0, 6, 7):
        await store.apply("s", {offset: {("a", 0): 100}})
    await store.apply("s", {8: {("a", 0): 1}})
    assert await store.get("a") == {0: 2}


async def test_offsets_may_have_gaps_and_be_as_large_as_a_brokers(store: ProfileStore) -> None:
    for offset in (3, 1_000, 2**40, 2**63 - 1):
        await store.apply("s", {offset: {("a", 0): 1}})
    assert await store.get("a") == {0: 4}


async def test_evidence_of_nothing_still_moves_the_offset(store: ProfileStore) -> None:
    await store.apply("s", {4: {}})
    await store.apply("s", {4: {("a", 0): 1}})
    assert await store.get("a") is None


async def test_sources_have_offsets_of_their_own(store: ProfileStore) -> None:
    for source in ("queries-0", "queries-1", "run 1", ""):
        await store.apply(source, {9: {("a", 0): 1}})
        await store.apply(source, {3: {("a", 0): 100}})
    assert await store.get("a") == {0: 4}


async def test_strange_user_ids_stay_apart_and_come_back_unchanged(store: ProfileStore) -> None:
    await store.apply("s", {0: {(user, 3): number for number, user in enumerate(STRANGE, 1)}})
    for number, user in enumerate(STRANGE, 1):
        assert await store.get(user) == {3: number}
    assert await everything(store) == {user: {3: number} for number, user in enumerate(STRANGE, 1)}


async def test_users_are_exported_in_the_order_of_their_bytes(store: ProfileStore) -> None:
    await store.apply("s", {0: {(user, 3): 1 for user in reversed(STRANGE)}})
    exported = [user async for user, _ in store.export()]
    assert exported == sorted(STRANGE, key=lambda user: user.encode("utf-8", "surrogateescape"))


async def test_categories_come_in_their_order(store: ProfileStore) -> None:
    await store.apply("s", {0: {("a", category): 1 for category in (9, 10, 2, 15, 0)}})
    assert list(await store.get("a") or {}) == [0, 2, 9, 10, 15]
    assert [list(counts) async for _, counts in store.export()] == [[0, 2, 9, 10, 15]]


async def test_what_was_answered_is_not_changed_by_later_evidence(store: ProfileStore) -> None:
    await store.apply("s", {0: {("a", 0): 1}})
    before = await store.get("a")
    await store.apply("s", {1: {("a", 0): 1}})
    assert before == {0: 1}


async def test_a_batch_of_many_users_goes_in_at_once(store: ProfileStore) -> None:
    await store.apply("s", {0: {(f"u{number}", number % 16): 1 for number in range(2_000)}})
    assert len(await everything(store)) == 2_000


async def test_two_handles_see_the_same_counts_and_share_the_offsets(open_it: Open) -> None:
    async with handle(open_it) as one, handle(open_it) as two:
        await one.apply("s", {0: {("a", 0): 1}})
        assert await two.get("a") == {0: 1}
        await two.apply("s", {0: {("a", 0): 100}})
        await two.apply("s", {1: {("a", 0): 1}})
        await one.apply("s", {1: {("a", 0): 100}})
        assert await one.get("a") == await two.get("a") == {0: 2}


async def test_a_closed_store_opens_again_with_its_counts_and_offsets(open_it: Open) -> None:
    async with handle(open_it) as store:
        await store.apply("s", {2: {("\udc80", 0): 1}})
    async with handle(open_it) as store:
        await store.apply("s", {2: {("\udc80", 0): 100}})
        assert await everything(store) == {"\udc80": {0: 1}}


users = st.sampled_from(["a", "b", "\udc80"])
deliveries = st.lists(
    st.tuples(
        st.sampled_from(["one", "two"]),
        st.integers(0, 5),
        st.dictionaries(st.tuples(users, st.integers(0, 3)), st.integers(1, 9), max_size=4),
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deliveries)
async def test_any_deliveries_add_up_to_those_that_were_past_the_last_offset(
    adapter: Callable[[Path], Open], sent: list[tuple[str, int, dict[tuple[str, int], int]]]
) -> None:
    expected: Counter[tuple[str, int]] = Counter()
    reached: dict[str, int] = {}
    with TemporaryDirectory() as place:
        async with handle(adapter(Path(place))) as store:
            for source, offset, evidence in sent:
                await store.apply(source, {offset: evidence})
                if offset > reached.get(source, -1):
                    reached[source] = offset
                    expected.update(evidence)
            found = await everything(store)
            for user in ("a", "b", "\udc80"):
                assert await store.get(user) == found.get(user)
    assert {(user, category): count for user, counts in found.items() for category, count in counts.items()} == expected


evidence_of_some = st.dictionaries(st.tuples(users, st.integers(0, 3)), st.integers(1, 9), max_size=4)


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(evidence_of_some, max_size=8), st.lists(st.integers(0, 8), max_size=5))
async def test_frames_add_up_however_they_are_put_together(
    adapter: Callable[[Path], Open], sent: list[dict[tuple[str, int], int]], ends: list[int]
) -> None:
    expected: Counter[tuple[str, int]] = Counter()
    for evidence in sent:
        expected.update(evidence)
    frames = dict(enumerate(sent))
    with TemporaryDirectory() as place:
        async with handle(adapter(Path(place))) as store:
            for end in [*sorted(ends), len(sent)]:
                await store.apply("s", {offset: frames[offset] for offset in frames if offset < end})
            found = await everything(store)
    assert {(user, category): count for user, counts in found.items() for category, count in counts.items()} == expected


async def test_a_source_is_reached_as_far_as_its_evidence_was_applied(store: ProfileStore) -> None:
    assert await store.reached("s") is None
    assert not await store.has_applied("s", 0, {"a"})
    await store.apply("s", {3: {("a", 0): 1}, 5: {("b", 0): 1}})
    assert await store.reached("s") == 5
    assert await store.has_applied("s", 5, {"b"})
    assert not await store.has_applied("s", 6, {"b"})
    assert await store.reached("another") is None


async def test_what_a_source_applied_under_its_former_name_is_not_applied_again(store: ProfileStore) -> None:
    await store.apply("old", {4: {("a", 0): 1, ("b", 0): 1}})
    await store.carry_over("new", "old")
    assert await store.reached("new") == 4
    await store.apply("new", {3: {("a", 0): 100}, 4: {("b", 0): 100}, 5: {("a", 1): 1, ("c", 0): 1}})
    await store.apply("old", {5: {("a", 1): 100, ("b", 0): 100}, 6: {("c", 0): 1}})
    await store.apply("new", {6: {("c", 0): 100}, 7: {("c", 0): 1}})
    assert await everything(store) == {"a": {0: 1, 1: 1}, "b": {0: 1}, "c": {0: 3}}
    assert await store.reached("new") == await store.reached("old") == 7


async def test_the_name_that_is_further_counts_when_one_is_carried_over(store: ProfileStore) -> None:
    await store.apply("old", {4: {("a", 0): 1}})
    await store.apply("new", {6: {("a", 0): 1}})
    await store.carry_over("new", "old")
    await store.apply("new", {5: {("a", 0): 100}})
    assert await store.reached("new") == 6
    assert await store.get("a") == {0: 2}


async def test_a_source_whose_former_name_is_unknown_begins_at_its_beginning(store: ProfileStore) -> None:
    await store.carry_over("new", "old")
    await store.apply("new", {0: {("a", 0): 1}})
    assert await store.get("a") == {0: 1}


async def test_carrying_over_concerns_one_source_and_lasts(open_it: Open) -> None:
    async with handle(open_it) as store:
        await store.apply("old", {4: {("a", 0): 1}})
        await store.carry_over("new", "old")
    async with handle(open_it) as store:
        await store.apply("another", {0: {("a", 0): 1}})
        await store.apply("new", {4: {("a", 0): 100}})
        await store.carry_over("new", "old")
        await store.apply("new", {5: {("a", 0): 1}})
        assert await everything(store) == {"a": {0: 3}}


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(evidence_of_some, max_size=8),
    st.integers(0, 8),
    st.lists(st.tuples(st.booleans(), st.integers(0, 8)), max_size=6),
)
async def test_two_workers_that_know_a_source_by_different_names_add_each_frame_once(
    adapter: Callable[[Path], Open], sent: list[dict[tuple[str, int], int]], before: int, ends: list[tuple[bool, int]]
) -> None:
    """The older one has applied some when the newer one begins; then either gives again all up to any frame."""
    expected: Counter[tuple[str, int]] = Counter()
    for evidence in sent:
        expected.update(evidence)
    frames = dict(enumerate(sent))
    with TemporaryDirectory() as place:
        open_it = adapter(Path(place))
        async with handle(open_it) as older, handle(open_it) as newer:
            await older.apply("old", {offset: frames[offset] for offset in frames if offset < before})
            await newer.carry_over("new", "old")
            for by_newer, end in [*ends, (True, len(sent))]:
                some = {offset: frames[offset] for offset in frames if offset < end}
                await (newer.apply("new", some) if by_newer else older.apply("old", some))
            found = await everything(newer)
    assert {(user, category): count for user, counts in found.items() for category, count in counts.items()} == expected
