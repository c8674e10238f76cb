"""The whole service over any partitioned log, behind feeders that leave out, repeat and reorder at random."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Final, NamedTuple

from querymix.codecs.aol import AolCodec
from querymix.core.classify import Classify
from querymix.core.draw import Draw
from querymix.core.knowledge import CATEGORIES
from querymix.core.records import UNCLASSIFIED, Classification, Query
from querymix.core.rules import Rules
from querymix.kafka.anonymizer import Anonymizer, AnonymizerSetup, read_state
from querymix.kafka.classifier import Classifier, ClassifierSetup, read_account
from querymix.kafka.memory_log import MARKER, MemoryLog
from querymix.kafka.ports import Feed, FencedError, Limit, PartitionedLog, Record, TopicPartition
from querymix.kafka.processor import PartitionProcessor, Role
from querymix.kafka.profiler import Profiler, ProfilerSetup
from querymix.kafka.releases import ReleaseWriter
from querymix.kafka.topics import Placement, Topics
from querymix.ports import ProfileStore
from querymix.stages.cells import Ordering
from querymix.stages.classifying import Classifying
from querymix.stages.partition import Partition
from querymix.stores.memory import MemoryProfiles

TOPICS = Topics("raw", "classified", "anonymized", "evidence", "state", "deadletter", "positions", "periods")
RULES = Rules(3, reserve=1)
"""With the defaults: a query waits a second for its rows."""


AT_REST: Final = 2_000_000
"""Turns of the event loop in which all is done, on a busy machine too: a minute and more of them."""


class Honest:
    """A feeder that hands over all committed records, in order."""

    def __init__(self, log: PartitionedLog, source: TopicPartition, at: int = 0) -> None:
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

    def __init__(self, log: PartitionedLog, source: TopicPartition, random: Random) -> None:
        self._honest = Honest(log, source, random.choice([0, 0, 10]))
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


def classify(text: str, url: str | None = None, /) -> Classification:
    """Take the category out of the query's first word."""
    number = int(text.split(maxsplit=1)[0])
    return Classification(number, "", "", text)


class Outcome(NamedTuple):
    """Where all records are."""

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
        """Queries in the pools, and those that wait for their cell of time to end."""
        pooled = [query for state in self.states for query in state.pools.queries()]
        return pooled + [
            Query(*row) for state in self.states for _, release in state.cells.rows() for row in release[2]
        ]


class Service:
    """All processors of all roles, each partition with a feeder that `feed` makes."""

    def __init__(
        self,
        feed: Callable[[PartitionedLog, TopicPartition], Feed],
        store: ProfileStore | None = None,
        log: PartitionedLog | None = None,
        topics: Topics = TOPICS,
        ordering: Ordering = Ordering(),  # noqa: B008 - a tuple
        *,
        group: str = "g",
        ids: Mapping[str, str] = {},
        classify: Classify = classify,
    ) -> None:
        self.now = 0.0
        """What the service's clock says."""
        self.topics = topics
        self.partitions = {name: 1 if name == topics.deadletter else 2 for name in topics}
        self.memory = MemoryLog(self.partitions)
        self.log: PartitionedLog = log or self.memory
        self.store = store or MemoryProfiles()
        self.answers_within = 5.0
        self.pause = 0.0
        self._feed = feed
        self._ticks = count()
        codec = AolCodec(precision=ordering.precision)
        release_writer = ReleaseWriter(topics, self.partitions, codec, category_header=True)
        draw = Draw(Random(7).randbytes)
        self.classifier = classifier = ClassifierSetup(
            group, topics, self.partitions, codec, lambda: Classifying(classify), Placement(2, {"Arts": "2"}), 4,
            ids.get(topics.raw, ""),
        )  # fmt: skip

        def clock() -> float:
            return self.now + next(self._ticks)

        self.anonymizer = anonymizer = AnonymizerSetup(
            group,
            topics,
            RULES,
            draw,
            clock,
            release_writer,
            codec.format,
            4,
            ordering,
            ids.get(topics.classified, ""),
            self.partitions,
        )
        self.make: dict[str, Callable[[TopicPartition], Role]] = {
            topics.raw: lambda source: Classifier(classifier, source),
            topics.classified: lambda source: Anonymizer(anonymizer, source),
            topics.evidence: lambda source: Profiler(
                ProfilerSetup(group, topics, self.store, self.answers_within, ids.get(topics.evidence, "")), source
            ),
        }
        self.sources = [TopicPartition(topic, number) for topic in self.make for number in range(2)]
        self._anonymizer = anonymizer

    def with_rules(self, rules: Rules) -> None:
        """Let new processors work under other rules."""
        setup = replace(self._anonymizer, rules=rules)
        self.make[self.topics.classified] = lambda source: Anonymizer(setup, source)

    def processor(self, source: TopicPartition) -> PartitionProcessor:
        """Return a new processor whose clock runs fast."""
        feed = self._feed(self.log, source)
        return PartitionProcessor(
            source, self.log, self.make[source.topic](source), feed, lambda: float(next(self._ticks))
        )

    async def run(self, processors: Iterable[PartitionProcessor], turns: int = AT_REST) -> None:
        """Run until everything is done with, or for so many turns; then end. Raises what ends a processor."""
        running = {processor: asyncio.create_task(processor.run()) for processor in processors}
        try:
            for _ in range(turns):
                await asyncio.sleep(self.pause)
                if any(task.done() for task in running.values()):
                    break
                ends = await self.log.ends(self.sources)
                progress = [processor.ends(ends[processor.source]) for processor in running]
                if all(one is not None and one.at >= one.end for one in progress):
                    break
            else:
                assert turns < AT_REST, "it does not come to rest"
        finally:
            for task in running.values():
                task.cancel()
            ended = await asyncio.gather(*running.values(), return_exceptions=True)
        for error in ended:
            if isinstance(error, Exception) and not isinstance(error, FencedError):
                raise error

    async def go(self) -> "Outcome":
        """Run all partitions to their end and return where everything is."""
        await self.run([self.processor(source) for source in self.sources])
        return await self.outcome()

    async def outcome(self) -> Outcome:
        """Return where everything is."""
        kept = []
        for number in range(2):
            one = await read_account(self.log, self.topics, self.partitions, number)
            kept += [one] if one else []
        states = []
        for number in range(2):
            state = Partition(RULES, Draw(Random(1).randbytes))
            await read_state(self.log, self.topics, number, state)
            states.append(state)
        lines = [(record.value or b"").decode().split("\t") for record in await self.records(self.topics.anonymized)]
        return Outcome(
            sum(one["stage"]["arrived"] for one in kept),
            sum(one["refused"] for one in kept),
            sum(one["stage"]["dropped"] for one in kept),
            states,
            [(line[0], int(line[3])) for line in lines],
            len(await self.records(self.topics.deadletter)),
            {user: dict(counts) async for user, counts in self.store.export()},
        )

    async def records(self, topic: str) -> list[Record]:
        """Return all committed records of a topic, partition by partition."""
        return [
            record
            for number in range(self.partitions[topic])
            async for record in self.log.scan(TopicPartition(topic, number))
        ]


class Sent(NamedTuple):
    """A log that was written."""

    user: str
    category: int


class Log(NamedTuple):
    """A made-up log: what was sent, by rank, and the records for it as (partition, value); None is a marker."""

    sent: dict[int, Sent]
    records: list[tuple[int, bytes | None]]


def made_up(random: Random, logs: int, first: int = 0) -> Log:
    """Return records, some that cannot be read and some without a category; gaps as of a transactional producer."""
    log = Log({}, [])
    for rank in range(first, first + logs):
        number = random.randrange(2)
        sent = log.sent[rank] = Sent(f"user{random.randrange(6)}", random.choice([0, 0, 1, 2, UNCLASSIFIED]))
        log.records.append(
            (number, f"{sent.user}\t{sent.category} query {rank}\t2006-03-01 00:00:00\t{rank}\t".encode())
        )
        if random.random() < 0.1:
            log.records.append((number, b"no log"))
        if random.random() < 0.1:
            log.records.append((number, None))
    return log


def write(log: MemoryLog, random: Random, logs: int, first: int = 0) -> dict[int, Sent]:
    """Write made-up logs to the log in memory."""
    made = made_up(random, logs, first)
    for number, value in made.records:
        if value is None:
            log.slots[TopicPartition(TOPICS.raw, number)].append(MARKER)
        else:
            log.put(TOPICS.raw, number, None, value)
    return made.sent


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
