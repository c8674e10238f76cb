"""What a worker that dies in the middle of a write leaves in MongoDB, and whoever goes on after it."""

from collections import Counter
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from querymix.stores.mongo import MongoProfiles, connect

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
