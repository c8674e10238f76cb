"""Profiles in MongoDB: one document a user.

Rules:
- A document holds the counts, their total and the offset of the last evidence applied; an update that is not newer
  than that offset matches nothing, its upsert meets the document's key, and that means: already applied.
- Writes are journaled before they count as done.
- A user's evidence always comes from the same source; the number of sources is therefore fixed for good.
"""

from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from bson.binary import Binary
from pymongo import AsyncMongoClient, UpdateOne, WriteConcern
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.errors import BulkWriteError, ConfigurationError, InvalidURI, PyMongoError

from service.core.errors import Broken, Misconfigured
from service.ports import Counts

Client = AsyncMongoClient[dict[str, Any]]

ALREADY_THERE: Final = 11000
_TIMEOUT_MS: Final = 5000


def connect(uri: str) -> Client:
    """Return a client; must be called inside the running event loop.

    Raises Misconfigured where the URI is none; the URI is not shown, since it may hold a password.
    """
    try:
        return AsyncMongoClient(uri, serverSelectionTimeoutMS=_TIMEOUT_MS, appname="querymix")
    except (ConfigurationError, InvalidURI, ValueError):
        raise Misconfigured("--mongodb: that is no MongoDB URI; it looks like mongodb://host:27017") from None


class MongoProfiles:
    """A ProfileStore in a database of `client`'s."""

    def __init__(self, client: Client, database: str) -> None:
        self._client = client
        self._profiles: AsyncCollection[dict[str, Any]] = client[database].get_collection(
            "profiles", write_concern=WriteConcern(w="majority", j=True)
        )

    async def apply(self, source: str, offset: int, evidence: Mapping[tuple[str, int], int]) -> None:
        """Add counts by (user, category), once for each offset of a source."""
        by_user: dict[str, dict[str, int]] = {}
        for (user, category), count in evidence.items():
            add = by_user.setdefault(user, {"total": 0})
            add["total"] += count
            add[f"counts.{category}"] = add.get(f"counts.{category}", 0) + count
        updates = [
            UpdateOne(
                {"_id": _key(user), "offset": {"$lt": offset}},
                {"$inc": add, "$set": {"offset": offset, "source": source}},
                upsert=True,
            )
            for user, add in by_user.items()
        ]
        if not updates:
            return
        try:
            await self._profiles.bulk_write(updates, ordered=False)
        except BulkWriteError as error:
            details = error.details or {}
            failed = [one for one in details.get("writeErrors", []) if one.get("code") != ALREADY_THERE]
            if failed or details.get("writeConcernErrors"):
                code = failed[0].get("code") if failed else "write concern"
                raise Broken(f"MongoDB refused {len(failed)} of {len(updates)} profiles (code {code})") from None
        except PyMongoError as error:
            raise Broken(f"MongoDB gave way: {type(error).__name__}") from None

    async def get(self, user: str) -> Counts | None:
        """Return a user's counts, or None."""
        try:
            found = await self._profiles.find_one({"_id": _key(user)})
        except PyMongoError as error:
            raise Broken(f"MongoDB gave way: {type(error).__name__}") from None
        return None if found is None else _counts(found)

    async def export(self) -> AsyncIterator[tuple[str, Counts]]:
        """Yield every user with its counts, in the order of the users."""
        try:
            async for found in self._profiles.find().sort("_id", 1):
                key = found["_id"]
                yield key.decode("utf-8", "surrogateescape") if isinstance(key, bytes) else key, _counts(found)
        except PyMongoError as error:
            raise Broken(f"MongoDB gave way: {type(error).__name__}") from None

    async def close(self) -> None:
        """Close the client."""
        await self._client.close()


def _key(user: str) -> str | Binary:
    """Return a user id as MongoDB takes it: as text, or as bytes where it is no valid UTF-8."""
    try:
        user.encode()
    except UnicodeEncodeError:
        return Binary(user.encode("utf-8", "surrogateescape"))
    return user


def _counts(found: Mapping[str, Any]) -> Counts:
    return dict(sorted((int(category), count) for category, count in found["counts"].items()))
