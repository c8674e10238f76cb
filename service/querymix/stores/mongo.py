"""Profiles in MongoDB: one document a user.

Rules:
- A document holds the counts, their total and, for each source, the offset of the last evidence applied to it: all of
  the user's evidence up to there, and none behind it.
- What several frames have of one user is one update. Where the first of that was applied before, the update matches
  nothing, and its upsert meets the document's key. Only a second try can tell, since another's insert may have come
  between. Then the rest is tried without the first, since other frames may have been put together before.
- A source that was called something else before has both names: what either one's offset covers was applied, and both
  move. So evidence is added once, whichever name a worker knows.
- A source's own offset is written once all of its evidence is; until then the same evidence comes again.
- Writes are journaled before they count as done.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final
from urllib.parse import quote

from bson.binary import Binary
from pymongo import AsyncMongoClient, UpdateOne, WriteConcern
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.errors import BulkWriteError, ConfigurationError, InvalidURI, PyMongoError

from querymix.core.errors import ConfigError
from querymix.ports import Counts, Frames
from querymix.stores.mongo_failures import failed, refused

Client = AsyncMongoClient[dict[str, Any]]

_Step = tuple[int, dict[str, int]]
"""Offset, and what to add to the fields of one user's document."""
ALREADY_THERE: Final = 11000
_CLOSES_WITHIN: Final = 2.0
_FINDS_WITHIN_MS: Final = 5000
_ANSWERS_WITHIN_MS: Final = 20_000
"""Time for one operation, its retries included, unless the URI names another (timeoutMS): without one a server that
accepts and never answers is waited for without end."""


def connect(uri: str) -> Client:
    """Return a client; must be called inside the running event loop.

    Raises ConfigError where the URI is not valid; it is not shown, since it may hold a password.
    """
    limits: dict[str, Any] = {} if "timeoutms=" in uri.lower() else {"timeoutMS": _ANSWERS_WITHIN_MS}
    try:
        return AsyncMongoClient(uri.strip(), serverSelectionTimeoutMS=_FINDS_WITHIN_MS, appname="querymix", **limits)
    except (ConfigurationError, InvalidURI, ValueError):
        raise ConfigError(
            "--mongodb, --mongodb-uri-file: that is no MongoDB URI; it looks like mongodb://host:27017. In a user name "
            "and a password write %25 for %, %40 for @, %3A for : and %2F for /"
        ) from None


async def try_out(client: Client, database: str) -> None:
    """See whether a client is let in. Raises TransientError where it is not, or no server answers."""
    try:
        await client[database].command("ping")
    except PyMongoError as error:
        raise failed(error) from None


class MongoProfiles:
    """A ProfileStore in a database of `client`'s."""

    def __init__(self, client: Client, database: str) -> None:
        self._database = database
        self._client = client
        self.use(client)

    def use(self, client: Client) -> Client:
        """Ask another client from now on, and return the one before. What that one does when it is closed fails."""
        old, self._client = self._client, client
        durable = WriteConcern(w="majority", j=True)
        self._profiles: AsyncCollection[dict[str, Any]] = client[self._database].get_collection(
            "profiles", write_concern=durable
        )
        self._sources: AsyncCollection[dict[str, Any]] = client[self._database].get_collection(
            "sources", write_concern=durable
        )
        return old

    async def apply(self, source: str, frames: Frames) -> None:
        """Add counts by (user, category), once for each offset of a source."""
        try:
            names, known = await self._known(source)
            reached = [_reached(name) for name in names]
            fresh = {offset: some for offset, some in frames.items() if known is None or offset > known}
            left = _steps(fresh)
            while left:
                users = list(left)
                updates = [_update(user, reached, left[user]) for user in users]
                there = await self._write(updates, await self._write(updates, range(len(updates))))
                # What the first step of these adds was added before: what follows it may not have been.
                left = {users[place]: rest for place in there if (rest := left[users[place]][1:])}
            for name in names if fresh else ():
                await self._sources.update_one({"_id": _key(name)}, {"$max": {"offset": max(fresh)}}, upsert=True)
        except PyMongoError as error:
            raise failed(error) from None

    async def _known(self, source: str) -> tuple[list[str], int | None]:
        """Return the names of a source, and the offset that is furthest under any of them."""
        found = await self._sources.find_one({"_id": _key(source)})
        if found is None:
            return [source], None
        if (former := found.get("former")) is None:
            return [source], found["offset"]
        other = await self._sources.find_one({"_id": former})
        return [source, former], max(found["offset"], -1 if other is None else other["offset"])

    async def reached(self, source: str) -> int | None:
        """Return the offset of the last evidence of a source that was applied, None where the source is unknown."""
        try:
            return (await self._known(source))[1]
        except PyMongoError as error:
            raise failed(error) from None

    async def has_applied(self, source: str, offset: int, users: Collection[str]) -> bool:
        """Say whether evidence of a source up to an offset was applied to these users."""
        these = {"_id": {"$in": [_key(user) for user in users]}, _reached(source): {"$gte": offset}}
        try:
            return len(await self._profiles.find(these, {"_id": 1}).to_list()) == len(set(users))
        except PyMongoError as error:
            raise failed(error) from None

    async def carry_over(self, source: str, former: str) -> None:
        """Take a source for the one that was called `former`."""
        try:
            offset = (await self._known(former))[1]
            change = {"$set": {"former": former}, "$max": {"offset": -1 if offset is None else offset}}
            await self._sources.update_one({"_id": _key(source)}, change, upsert=True)
        except PyMongoError as error:
            raise failed(error) from None

    async def _write(self, updates: Sequence[UpdateOne], places: Sequence[int]) -> list[int]:
        """Write the updates at these places, and return the places of those that met a document of their key."""
        if not places:
            return []
        try:
            await self._profiles.bulk_write([updates[place] for place in places], ordered=False)
        except BulkWriteError as error:
            details = error.details or {}
            errors = details.get("writeErrors", [])
            lost = [one for one in errors if one.get("code") != ALREADY_THERE]
            if lost:
                raise refused(f"{len(lost)} of {len(places)} profiles", lost[0]) from None
            if unsafe := details.get("writeConcernErrors"):
                raise refused("to say that profiles are written", unsafe[0]) from None
            return [places[one["index"]] for one in errors]
        return []

    async def get(self, user: str) -> Counts | None:
        """Return a user's counts, or None."""
        try:
            profile = await self._profiles.find_one({"_id": _key(user)})
        except PyMongoError as error:
            raise failed(error) from None
        return None if profile is None else _counts(profile)

    async def export(self) -> AsyncIterator[tuple[str, Counts]]:
        """Yield every user with its counts, in the order of the users."""
        try:
            # MongoDB puts all bytes after all texts, so the few users that are no text are merged in here.
            rest = await self._profiles.find({"_id": {"$type": "binData"}}).to_list()
            rest.sort(key=lambda profile: bytes(profile["_id"]), reverse=True)
            async for profile in self._profiles.find({"_id": {"$type": "string"}}).sort("_id", 1):
                while rest and rest[-1]["_id"] < profile["_id"].encode():
                    yield _exported(rest.pop())
                yield _exported(profile)
            while rest:
                yield _exported(rest.pop())
        except PyMongoError as error:
            raise failed(error) from None

    async def close(self) -> None:
        """Close the client. One whose server hangs is left: it would tell that first that sessions end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSES_WITHIN):
                await self._client.close()


def _steps(frames: Frames) -> dict[str, list[_Step]]:
    """Return what each user gets, offset by offset."""
    steps: dict[str, list[_Step]] = {}
    for offset, evidence in frames.items():
        for (user, category), count in evidence.items():
            mine = steps.setdefault(user, [])
            if not mine or mine[-1][0] != offset:
                mine.append((offset, {"total": 0}))
            # Not `Counter.update`, which takes ten times as long.
            counts, field = mine[-1][1], f"counts.{category}"
            counts["total"] += count
            counts[field] = counts.get(field, 0) + count
    return steps


def _update(user: str, reached: Sequence[str], steps: Sequence[_Step]) -> UpdateOne:
    """Return one update for all steps of a user, which matches nothing where the first one was applied before.

    `reached` are the fields of the source's offset, under each of its names.
    """
    add = dict(steps[0][1])
    for _, counts in steps[1:]:
        for field, count in counts.items():
            add[field] = add.get(field, 0) + count
    first, last = steps[0][0], steps[-1][0]
    known = {"_id": _key(user), **{field: {"$not": {"$gte": first}} for field in reached}}
    return UpdateOne(known, {"$inc": add, "$set": dict.fromkeys(reached, last)}, upsert=True)


def _key(user: str) -> str | Binary:
    """Return a user id as MongoDB takes it: as text, or as bytes where it is no valid UTF-8."""
    try:
        user.encode()
    except UnicodeEncodeError:
        return Binary(user.encode("utf-8", "surrogateescape"))
    return user


def _reached(source: str) -> str:
    """Return the field of a source's offset in a profile; its name in there holds no dot and no dollar sign."""
    return "offsets.from " + quote(source, safe=" ", errors="surrogateescape").replace(".", "%2E")


def _exported(profile: Mapping[str, Any]) -> tuple[str, Counts]:
    key = profile["_id"]
    return key.decode("utf-8", "surrogateescape") if isinstance(key, bytes) else key, _counts(profile)


def _counts(profile: Mapping[str, Any]) -> Counts:
    return dict(sorted((int(category), count) for category, count in profile["counts"].items()))
