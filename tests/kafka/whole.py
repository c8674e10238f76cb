"""The whole service over the log in memory, behind feeders that leave out, repeat and reorder at random."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from random import Random
from typing import Any, NamedTuple

from aiokafka.structs import TopicPartition

from service.codecs.aol import AolCodec
from service.codecs.frames import loads
from service.core.draw import Draw
from service.core.knowledge import CATEGORIES
from service.core.records import UNCLASSIFIED, Query, Topic
from service.core.rules import Rules
from service.kafka.anonymizer import Anonymizer, AnonymizerSetup, read_state
from service.kafka.classifier import Classifier, ClassifierSetup
from service.kafka.ports import Feed, Fenced, Limit, Record
from service.kafka.processor import PartitionProcessor, Role
from service.kafka.profiler import Profiler, ProfilerSetup
from service.kafka.releases import Outlet, OutletSetup
from service.kafka.topics import Placement, Topics
from service.ports import ProfileStore
from service.stages.classifying import Classifying
from service.stages.partition import Partition
from service.stores.memory import MemoryProfiles
from tests.memory_log import MARKER, MemoryLog

TOPICS = Topics("raw", "classified", "anonymized", "evidence", "state", "deadletter", "positions")
PARTITIONS = {"raw": 2, "classified": 2, "anonymized": 2, "evidence": 2, "state": 2, "deadletter": 1, "positions": 2}
RULES = Rules(3)


class Honest:
    """A feeder that hands over all committed records, in order."""

    def __init__(self, log: MemoryLog, source: TopicPartition, at: int = 0) -> None:
        self._log = log
        self._source = source
        self._at = at

    async def next(self, limit: Limit) -> Sequence[Record]:
        """Return what is there."""
        await asyncio.sleep(0)
        end = (await self._log.ends([self._source]))[self._source].stable
        if self._at >= end:
            return ()
        chunk = await self._log.read(self._source, self._at, end, Limit(5, 1 << 20))
        self._at = chunk.next
        return chunk.records


class Wild:
    """A feeder that leaves out, repeats and reorders what an honest one hands over."""

    def __init__(self, log: MemoryLog, source: TopicPartition, random: Random) -> None:
        self._honest = Honest(log, source, random.choice([0, 0, len(log.slots[source]) // 2]))
        self._random = random
        self._seen: list[Record] = []

    async def next(self, limit: Limit) -> Sequence[Record]:
        """Return what it likes."""
        draw = self._random
        records = list(await self._honest.next(limit))
        self._seen += records
        found = [record for record in records if draw.random() > 0.3]
        if self._seen and draw.random() < 0.3:
            found += draw.choices(self._seen, k=draw.randrange(4))
        if draw.random() < 0.4:
            draw.shuffle(found)
        return found


def classify(text: str, url: str | None = None, /) -> Topic:
    """Take the category out of the query's first word."""
    number = int(text.split(maxsplit=1)[0])
    return Topic(number, "", "", text)


class Outcome(NamedTuple):
    """Where all logs are."""

    arrived: int
    refused: int
    dropped: int
    states: list[Partition]
    released: list[tuple[str, int]]
    """User and rank."""
    letters: int
    profiles: dict[str, dict[int, int]]

    @property
    def held(self) -> list[Query]:
        """Queries in the pools."""
        return [entry[1] for state in self.states for _, pool in state.pools for entry in pool.queries]


class Service:
    """All processors of all roles, each partition with a feeder that `feed` makes."""

    def __init__(self, feed: Callable[[MemoryLog, TopicPartition], Feed], store: ProfileStore | None = None) -> None:
        self.log = MemoryLog(PARTITIONS)
        self.store = store or MemoryProfiles()
        self.answers_within = 5.0
        self._feed = feed
        self._ticks = count()
        codec = AolCodec()
        outlet = Outlet(OutletSetup(TOPICS, PARTITIONS, codec, category_header=True))
        draw = Draw(Random(7).randbytes)
        classifier = ClassifierSetup(
            "g", TOPICS, PARTITIONS, codec, lambda: Classifying(classify), Placement(2, {"Arts": "2"}), 4
        )
        anonymizer = AnonymizerSetup("g", TOPICS, RULES, draw, lambda: 0.0, outlet, codec.format, 4)
        self.make: dict[str, Callable[[TopicPartition], Role]] = {
            "raw": lambda source: Classifier(classifier, source),
            "classified": lambda source: Anonymizer(anonymizer, source),
            "evidence": lambda source: Profiler(ProfilerSetup("g", TOPICS, self.store, self.answers_within), source),
        }
        self.sources = [TopicPartition(topic, number) for topic in self.make for number in range(2)]

    def processor(self, source: TopicPartition) -> PartitionProcessor:
        """Return a new processor whose clock runs fast."""
        feed = self._feed(self.log, source)
        return PartitionProcessor(
            source, self.log, self.make[source.topic](source), feed, lambda: float(next(self._ticks))
        )

    async def run(self, processors: Iterable[PartitionProcessor], turns: int = 100_000) -> None:
        """Run until everything is done with, or for so many turns; then end. Raises what ends a processor."""
        running = {processor: asyncio.create_task(processor.run()) for processor in processors}
        try:
            for _ in range(turns):
                await asyncio.sleep(0)
                if any(task.done() for task in running.values()):
                    break
                ends = await self.log.ends(self.sources)
                progress = [processor.ends(ends[processor.source]) for processor in running]
                if all(one is not None and one.at >= one.end for one in progress):
                    break
            else:
                assert turns < 100_000, "it does not come to rest"
        finally:
            for task in running.values():
                task.cancel()
            ended = await asyncio.gather(*running.values(), return_exceptions=True)
        for error in ended:
            if isinstance(error, Exception) and not isinstance(error, Fenced):
                raise error

    async def go(self) -> "Outcome":
        """Run all partitions to their end and return where everything is."""
        await self.run([self.processor(source) for source in self.sources])
        return await self.outcome()

    async def outcome(self) -> Outcome:
        """Return where everything is."""
        kept: dict[bytes, Any] = {}
        for record in self.log.records("positions"):
            kept[record.key or b""] = loads(record.value or b"")
        states = []
        for number in range(2):
            state = Partition(RULES, Draw(Random(1).randbytes))
            await read_state(self.log, TOPICS, number, state)
            states.append(state)
        lines = [(record.value or b"").decode().split("\t") for record in self.log.records("anonymized")]
        return Outcome(
            sum(one["stage"]["arrived"] for one in kept.values()),
            sum(one["refused"] for one in kept.values()),
            sum(one["stage"]["dropped"] for one in kept.values()),
            states,
            [(line[0], int(line[3])) for line in lines],
            len(self.log.records("deadletter")),
            {user: dict(counts) async for user, counts in self.store.export()},
        )


class Sent(NamedTuple):
    """A log that was written."""

    user: str
    category: int


def write(log: MemoryLog, random: Random, logs: int, first: int = 0) -> dict[int, Sent]:
    """Write logs, some that cannot be read and some without a category; gaps as of a transactional producer."""
    sent = {}
    for rank in range(first, first + logs):
        number = random.randrange(2)
        sent[rank] = Sent(f"user{random.randrange(6)}", random.choice([0, 0, 1, 2, UNCLASSIFIED]))
        line = f"{sent[rank].user}\t{sent[rank].category} query\t2006-03-01 00:00:00\t{rank}\t"
        log.put("raw", number, None, line.encode())
        if random.random() < 0.1:
            log.put("raw", number, None, b"no log")
        if random.random() < 0.1:
            log.slots[TopicPartition("raw", number)].append(MARKER)
    return sent


def check(outcome: Outcome, sent: dict[int, Sent]) -> None:
    """Assert what must hold: everything once, nothing under its own user, profiles as the releases say."""
    assert outcome.arrived == len(sent)
    assert outcome.letters == outcome.refused
    once = Counter([rank for _, rank in outcome.released] + [int(str(query.rank)) for query in outcome.held])
    assert once == {rank: 1 for rank, log in sent.items() if log.category != UNCLASSIFIED}
    assert outcome.dropped == len(sent) - len(once)
    assert [rank for user, rank in outcome.released if sent[rank].user == user] == []
    assert sum(state.arrived for state in outcome.states) == len(once)
    totals = {user: sum(counts.values()) for user, counts in outcome.profiles.items()}
    assert totals == Counter(user for user, _ in outcome.released)
    assert all(0 <= category < len(CATEGORIES) for counts in outcome.profiles.values() for category in counts)
