"""The local MongoDB-protocol server against pymongo: the writes that profiles need, and crashes."""

import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from pymongo import AsyncMongoClient, UpdateOne, WriteConcern
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.errors import BulkWriteError, DuplicateKeyError

from deploy.local.mongo import LocalMongo
from deploy.local.testing import require

Document = dict[str, Any]
DUPLICATE_KEY = 11000


@pytest.fixture(scope="module")
def mongo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalMongo]:
    """One server for this module, since a test of it kills it; each test has a database of its own."""
    require("mongo")
    with LocalMongo(tmp_path_factory.mktemp("mongo")) as server:
        yield server


@pytest.fixture
async def profiles(mongo: LocalMongo) -> AsyncIterator[AsyncCollection[Document]]:
    """An empty collection."""
    async with AsyncMongoClient[Document](mongo.uri) as client:
        yield client[f"test_{uuid.uuid4().hex}"]["profiles"]


def evidence(user: str, offset: int, count: int) -> UpdateOne:
    """`count` logs of one category, applied only if `offset` is newer than the last one applied."""
    change = {"$inc": {"categories.Arts/Music.count": count, "total": count}, "$set": {"offset": offset}}
    return UpdateOne({"_id": user, "offset": {"$lt": offset}}, change, upsert=True)


async def test_evidence_that_is_newer_adds_to_nested_counts(profiles: AsyncCollection[Document]) -> None:
    """The first upsert makes the profile, the next one adds to it."""
    made = await profiles.bulk_write([evidence("u1", 1, 2), evidence("u2", 1, 5)], ordered=False)
    assert made.upserted_count == 2
    added = await profiles.bulk_write([evidence("u1", 2, 3)], ordered=False)
    assert (added.matched_count, added.modified_count, added.upserted_count) == (1, 1, 0)
    expected = {"_id": "u1", "offset": 2, "total": 5, "categories": {"Arts/Music": {"count": 5}}}
    assert await profiles.find_one({"_id": "u1"}) == expected


async def test_repeated_evidence_is_a_duplicate_key_and_the_rest_of_the_batch_is_applied(
    profiles: AsyncCollection[Document],
) -> None:
    """Unordered, so that what was applied before does not stop what was not."""
    await profiles.bulk_write([evidence("u1", 7, 2)], ordered=False)
    batch = [evidence("u1", 7, 2), evidence("u2", 7, 1), evidence("u1", 6, 9), evidence("u3", 7, 4)]
    with pytest.raises(BulkWriteError) as refused:
        await profiles.bulk_write(batch, ordered=False)
    errors = refused.value.details["writeErrors"]
    assert [(error["index"], error["code"]) for error in errors] == [(0, DUPLICATE_KEY), (2, DUPLICATE_KEY)]
    totals = {profile["_id"]: profile["total"] async for profile in profiles.find()}
    assert totals == {"u1": 2, "u2": 1, "u3": 4}


async def test_indexes_are_kept_and_a_unique_one_refuses_a_second_value(profiles: AsyncCollection[Document]) -> None:
    """Indexes work as the service's stores use them."""
    await profiles.create_index([("updated", 1)])
    await profiles.create_index([("alias", 1)], unique=True)
    assert set(await profiles.index_information()) == {"_id_", "updated_1", "alias_1"}
    await profiles.insert_one({"_id": "u1", "alias": "a", "updated": 1})
    with pytest.raises(DuplicateKeyError):
        await profiles.insert_one({"_id": "u2", "alias": "a", "updated": 2})


async def test_acknowledged_writes_are_there_after_a_kill_and_a_restart_on_the_same_address(
    mongo: LocalMongo, profiles: AsyncCollection[Document]
) -> None:
    """Killed right after the last acknowledgement, as a crash could come; the open client goes on."""
    await profiles.create_index([("offset", 1)])
    before = mongo.uri
    for number in range(100):
        await profiles.bulk_write([evidence(f"u{number}", 1, 1), evidence("all", number + 1, 1)], ordered=False)
    mongo.kill()
    mongo.start()
    assert mongo.uri == before
    assert await profiles.count_documents({}) == 101
    whole = await profiles.find_one({"_id": "all"})
    assert whole is not None
    assert whole["total"] == 100
    assert "offset_1" in await profiles.index_information()


@pytest.mark.servers
async def test_a_server_that_is_not_durable_keeps_the_writes_that_asked_for_the_journal(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """`j: true` on the client is the other way to keep acknowledged writes."""
    require("mongo")
    with LocalMongo(tmp_path_factory.mktemp("quick"), durable=False) as mongo:
        async with AsyncMongoClient[Document](mongo.uri) as client:
            journaled = client["test"].get_collection("profiles", write_concern=WriteConcern(w=1, j=True))
            for number in range(100):
                await journaled.insert_one({"_id": number})
            mongo.kill()
            mongo.start()
            assert await journaled.count_documents({}) == 100
