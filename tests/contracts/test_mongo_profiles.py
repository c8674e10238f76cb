"""What a worker that dies in the middle of a write leaves in MongoDB, and whoever goes on after it."""

from collections import Counter
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from querymix.core.errors import TransientError
from querymix.stores.mongo import MongoProfiles, connect, try_out

from deploy.local.testing import Database
from tests.contracts.test_profile_store import everything, evidence_of_some, users

attempts = st.lists(st.tuples(st.integers(0, 8), st.sets(users)), max_size=6)
"""Up to which frame each attempt went, and the users whose documents it had written when it broke off."""


@pytest.mark.slow  # a hundred examples on a database in Python
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(evidence_of_some, max_size=8), attempts, st.integers(0, 8))
async def test_each_frame_counts_once_wherever_attempts_broke_off(
    mongo: Database, sent: list[dict[tuple[str, int], int]], broken: list[tuple[int, set[str]]], first: int
) -> None:
    """None of the attempts came so far as to write down how far the source is."""
    expected: Counter[tuple[str, int]] = Counter()
    for evidence in sent:
        expected.update(evidence)
    client, database = connect(mongo.uri), uuid4().hex
    store = MongoProfiles(client, database)
    try:
        for end, through in broken:
            some = {
                at: {key: n for key, n in sent[at].items() if key[0] in through} for at in range(min(end, len(sent)))
            }
            await store.apply("s", some)
            await client[database]["sources"].delete_many({})
        await store.apply("s", dict(enumerate(sent[:first])))
        await store.apply("s", dict(enumerate(sent)))
        found = await everything(store)
    finally:
        await store.close()
    assert {(user, category): count for user, counts in found.items() for category, count in counts.items()} == expected


@pytest.mark.short
async def test_a_frame_that_a_killed_older_worker_wrote_in_part_is_added_to_the_rest_under_the_new_name(
    mongo: Database,
) -> None:
    client, database = connect(mongo.uri), uuid4().hex
    store = MongoProfiles(client, database)
    try:
        await store.apply("old", {0: {("a", 0): 1, ("b", 0): 1}})
        await store.apply("old", {1: {("a", 0): 1}})  # the frame has more users than the worker came to
        await client[database]["sources"].update_one({"_id": "old"}, {"$set": {"offset": 0}})
        assert await store.has_applied("old", 0, {"a", "b"})
        await store.carry_over("new", "old")
        await store.apply("new", {1: {("a", 0): 1, ("b", 0): 1, ("c", 0): 1}, 2: {("a", 0): 1, ("c", 1): 1}})
        assert await everything(store) == {"a": {0: 3}, "b": {0: 2}, "c": {0: 1, 1: 1}}
    finally:
        await store.close()


async def test_another_client_goes_on_where_the_one_before_was_and_what_that_had_under_way_is_tried_again(
    mongo: Database,
) -> None:
    """As with a new password: nothing counts twice."""
    database = uuid4().hex
    first, second = connect(mongo.uri), connect(mongo.uri)
    await try_out(second, database)
    store = MongoProfiles(first, database)
    try:
        await store.apply("s", {0: {("ann", 3): 2}})
        before = store.use(second)
        assert before is first
        under_way = MongoProfiles(first, database)
        await before.close()
        with pytest.raises(TransientError):
            await under_way.apply("s", {1: {("ann", 3): 1}})
        await store.apply("s", {0: {("ann", 3): 2}, 1: {("ann", 3): 1}})
        assert await everything(store) == {"ann": {3: 3}}
    finally:
        await store.close()
