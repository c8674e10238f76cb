"""The states in data/ (make.py), put into a log in memory and a store, and what is true of them by themselves."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

from querymix.core.records import Classification
from querymix.kafka.classifier import read_account
from querymix.kafka.memory_log import MARKER, MemoryLog
from querymix.kafka.ports import TopicPartition
from querymix.kafka.topics import Found, Topics
from querymix.ports import ProfileStore
from querymix.stores.memory import MemoryProfiles
from querymix.stores.mongo import Client, MongoProfiles

from tests.querymix.kafka.whole import Honest, Outcome, Service

TOPICS: Final = Topics(*(f"querylog.{field}" for field in Topics._fields))
GROUP: Final = "querymix"
MOMENT: Final = 1_796_000_000.0
"""When this version begins, in seconds since 1970: hours after the older ones ended."""
UNCLASSIFIED: Final = b"Unclassified"


class Kept:
    """What a version left when it ended."""

    def __init__(self, commit: str, ended: str) -> None:
        packed = (Path(__file__).parent / "data" / f"{commit}-{ended}.json.gz").read_bytes()
        self._data = json.loads(gzip.decompress(packed))
        self.ids = {name: topic["id"] for name, topic in self._data["topics"].items()}
        self.sources: dict[str, int] = {one["_id"]: one["offset"] for one in self._data["sources"]}

    @property
    def found(self) -> dict[str, Found]:
        """The topics as the brokers would have them, made for this version where the older one had none.

        That of keys is left out, as for workers whose ids are of no period.
        """
        return {
            field: Found(name, self.ids.get(name, ""), 1 if field == "deadletter" else 2, 1, frozenset())
            for field, name in TOPICS._asdict().items()
            if field != "periods"
        }

    def service(self, store: ProfileStore) -> Service:
        """Return this version's roles on the topics as they were left."""
        service = Service(Honest, store, topics=TOPICS, group=GROUP, ids=self.ids, classify=classify)
        self.fill(service.memory)
        service.now = MOMENT
        return service

    def fill(self, log: MemoryLog) -> None:
        """Write the topics and the groups' positions."""
        for name, topic in self._data["topics"].items():
            for number, place in enumerate(topic["partitions"]):
                slots = log.slots[TopicPartition(name, number)]
                for offset, key, value, headers in place["records"]:
                    slots += [MARKER] * (offset - len(slots))
                    log.put(name, number, _bytes(key), _bytes(value), [(one, text.encode()) for one, text in headers])
                slots += [MARKER] * (place["end"] - len(slots))
        for group, positions in self._data["groups"].items():
            for name, number, offset in positions:
                log.groups[group, TopicPartition(name, number)] = offset

    async def in_memory(self) -> MemoryProfiles:
        """Return the profiles in memory, which knows offsets of a source and not of each user."""
        store = MemoryProfiles()
        for source, offset in self.sources.items():
            await store.apply(source, {offset: {}})
        for profile in self._data["profiles"]:
            counts = {(profile["_id"], int(category)): count for category, count in profile["counts"].items()}
            await store.apply(f"the counts of {profile['_id']}", {0: counts})
        return store

    async def in_mongo(self, client: Client, database: str) -> MongoProfiles:
        """Return the profiles in MongoDB, document by document."""
        for name in ("profiles", "sources"):
            documents: list[dict[str, Any]] = self._data[name]
            if documents:
                await client[database][name].insert_many(documents)
        return MongoProfiles(client, database)


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def classify(_: str, url: str | None = None, /) -> Classification:
    """Put all that the older version did not classify any more into one category."""
    return Classification(0, "", "", _)


async def evidence_of(service: Service) -> Counter[str]:
    """Return what each user's profile must come to, by the released records alone."""
    total: Counter[str] = Counter()
    for record in await service.records(TOPICS.anonymized):
        if dict(record.headers).get("category") != UNCLASSIFIED:
            total[(record.value or b"").decode().split("\t")[0]] += 1
    return total


async def check(service: Service, outcome: Outcome) -> None:
    """Assert that each record is in one place, nothing left twice or under its own user, and profiles are exact."""
    sent = {}
    for record in await service.records(TOPICS.raw):
        user, _, _, rank, _ = (record.value or b"").decode().split("\t")
        sent[int(rank)] = user
    released = Counter(rank for _, rank in outcome.released)
    held = Counter(int(str(query.rank)) for query in outcome.held)
    assert set((released + held).values()) == {1}, "a query twice"
    assert [rank for user, rank in outcome.released if sent[rank] == user] == [], "a query under its own user"
    assert (released + held).keys() <= sent.keys()
    assert outcome.arrived + outcome.refused == len(sent)
    kept = [await read_account(service.log, TOPICS, service.partitions, number) for number in range(2)]
    suppressed = sum(one["stage"]["suppressed"] for one in kept if one)
    assert outcome.arrived == released.total() + held.total() + outcome.dropped + suppressed
    assert totals(outcome) == await evidence_of(service)


def totals(outcome: Outcome) -> Counter[str]:
    """Return the sum of each profile."""
    return Counter({user: sum(counts.values()) for user, counts in outcome.profiles.items()})
