"""Raw in: an aiokafka batch service that reads log lines and writes frames of classified logs.

Rules:
- Each raw partition has its own task and its own transactional producer; a batch is one transaction.
- The position in the group and the account (how many logs went where) move with the frames.
- What cannot be read goes to the dead letter in the same transaction.
- Work goes in slices, so that the event loop is never held for long.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, Final

import aiokafka
from aiokafka.structs import TopicPartition
from mode import Service

from service import telemetry
from service.codecs.base import ENCODING, ERRORS, LONGEST_LINE, Codec
from service.codecs.frames import dumps, encode_classified, loads
from service.core.errors import Broken
from service.core.records import Query
from service.kafka.connection import client_options
from service.kafka.deadletter import Letter, send_letters
from service.kafka.topics import Placement, Topics
from service.kafka.transactions import Fenced, Hop, position_and_note
from service.kafka.watchdog import Progress, Watchdog
from service.settings import WorkerSettings
from service.stages.classifying import Classifying

FRAME_LOGS: Final = 500
"""Logs in a frame, at most."""
FRAME_BYTES: Final = 1 << 20
"""Bytes of a frame, unless it is a single log."""
SLICE_LOGS: Final = 1000
"""Logs that are classified before the event loop has its turn."""
_WAIT_MS: Final = 100
_LONGEST: Final = 4 * LONGEST_LINE


def group_of(settings: WorkerSettings) -> str:
    """Return the consumer group of the classifiers."""
    return f"{settings.group}-classifier"


class Ingest(Service):
    """The classifier's edge."""

    def __init__(
        self,
        settings: WorkerSettings,
        topics: Topics,
        codec: Codec,
        stage: Callable[[], Classifying],
        placement: Placement,
        watchdog: Watchdog,
        crash: Callable[[BaseException], Any],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._settings = settings
        self._topics = topics
        self._codec = codec
        self._stage = stage
        self._placement = placement
        self._watchdog = watchdog
        self._fail = crash
        self._hops: dict[TopicPartition, asyncio.Task[None]] = {}
        self._busy: dict[TopicPartition, int] = {}
        """Offset of the first record of the batch that is under way."""
        self.assigned = asyncio.Event()
        """Set once partitions were assigned for the first time."""

    async def on_start(self) -> None:
        """Join the group."""
        self._consumer = aiokafka.AIOKafkaConsumer(
            **client_options(self._settings),
            group_id=group_of(self._settings),
            group_instance_id=self._settings.instance,
            isolation_level="read_committed",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            max_partition_fetch_bytes=4 << 20,
            session_timeout_ms=int(self._settings.session_timeout * 1000),
            heartbeat_interval_ms=int(self._settings.session_timeout * 250),
        )
        await self._consumer.start()
        self._consumer.subscribe([self._topics.raw], listener=_Listener(self))

    async def on_stop(self) -> None:
        """End all tasks, then leave the group."""
        await self.end(set(self._hops))
        await self._consumer.stop()

    async def begin(self, sources: set[TopicPartition]) -> None:
        """Start work on partitions."""
        for source in sources:
            self._hops[source] = asyncio.create_task(self._guarded(source), name=f"ingest {source.partition}")
        telemetry.ASSIGNED.labels(self._topics.raw).set(len(sources))
        self.assigned.set()

    async def end(self, sources: set[TopicPartition]) -> None:
        """Stop work on partitions; what is under way is undone or done whole."""
        ended = [task for source in sources if (task := self._hops.pop(source, None))]
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)
        for source in sources:
            self._watchdog.forget(source)

    async def _guarded(self, source: TopicPartition) -> None:
        try:
            await self._work(source)
        except Fenced:
            self.log.warning("%s partition %d is another worker's by now", source.topic, source.partition)
        except asyncio.CancelledError:
            raise
        except Broken as error:
            self._fail(error)
        except Exception as error:
            self._fail(Broken(f"{source.topic} partition {source.partition}: {type(error).__name__}"))

    async def _work(self, source: TopicPartition) -> None:
        group = group_of(self._settings)
        hop = Hop(self._settings, group, "raw", source)
        await hop.start()
        try:
            kept = await position_and_note(self._settings, group, [source])
            offset, note = kept.get(source, (None, ""))
            account = Account(self._stage(), note)
            if offset is None:
                await self._consumer.seek_to_beginning(source)
            else:
                self._consumer.seek(source, offset)
            turn = source.partition
            self._watchdog.watch(source, lambda: self._look(source))
            while True:
                found = await self._consumer.getmany(
                    source, timeout_ms=_WAIT_MS, max_records=self._settings.transaction_logs
                )
                records = found.get(source, [])
                if records:
                    turn += 1
                    self._busy[source] = records[0].offset
                    await self._batch(hop, records, account, turn)
                    del self._busy[source]
        finally:
            self._busy.pop(source, None)
            await hop.stop()

    async def _look(self, source: TopicPartition) -> Progress | None:
        end = self._consumer.highwater(source)
        if end is None:
            return None
        at = self._busy.get(source)
        return Progress(await self._consumer.position(source) if at is None else at, end)

    async def _batch(self, hop: Hop, records: list[Any], account: "Account", turn: int) -> None:
        start = perf_counter()
        async with hop.transaction():
            by_category: dict[int, list[Query]] = {}
            letters: list[Letter] = []
            for first in range(0, len(records), SLICE_LOGS):
                queries = self._read(records[first : first + SLICE_LOGS], letters)
                for category, query in account.stage(queries):
                    by_category.setdefault(category, []).append(query)
                await asyncio.sleep(0)
            for category, some in by_category.items():
                for nth, frame in enumerate(frames(category, some)):
                    await hop.send(
                        self._topics.classified,
                        frame,
                        key=str(category).encode(),
                        partition=self._placement.partition(category, turn + nth),
                    )
            await send_letters(hop, self._topics.deadletter, letters)
            account.refused += len(letters)
            hop.reached(records[-1].offset, account.note())
        telemetry.TRANSACTION.labels("classifier").observe(perf_counter() - start)
        telemetry.BATCH.labels("classifier").observe(len(records))
        telemetry.LOGS_IN.labels("classifier").inc(len(records))
        telemetry.LOGS_OUT.labels("classifier").inc(sum(map(len, by_category.values())))
        telemetry.REFUSED.labels(self._topics.raw).inc(len(letters))
        account.publish()

    def _read(self, records: list[Any], letters: list[Letter]) -> list[Query]:
        lines: list[str] = []
        kept: list[Any] = []
        for record in records:
            value = record.value
            if value is None or len(value) > _LONGEST:
                letters.append(Letter.of(record, "the record is empty" if value is None else "the line is too long"))
                continue
            line = value.decode(ENCODING, ERRORS).rstrip("\r\n")
            if "\n" in line:
                letters.append(Letter.of(record, "the record holds more than one line"))
                continue
            lines.append(line)
            kept.append(record)
        queries, refusals = self._codec.decode(lines, self._topics.raw, 0)
        letters += [Letter.of(kept[refusal.line], refusal.reason) for refusal in refusals]
        return queries


def frames(category: int, queries: Sequence[Query]) -> Iterator[bytes]:
    """Return frames of one category's queries, each of which fits a record."""
    for first in range(0, len(queries), FRAME_LOGS):
        some = queries[first : first + FRAME_LOGS]
        frame = encode_classified(category, some)
        if len(frame) <= FRAME_BYTES or len(some) == 1:
            yield frame
        else:
            # Rare: very long queries.
            for part in (some[: len(some) // 2], some[len(some) // 2 :]):
                yield from frames(category, part)


class Account:
    """Where a raw partition's logs went, since its beginning; it is kept with the position, so it is exact."""

    def __init__(self, stage: Classifying, note: str) -> None:
        self.stage = stage
        self.refused = 0
        if note:
            kept = loads(note.encode())
            self.refused = kept["refused"]
            stage.restore(kept["stage"])
        self._published = (stage.unclassified, stage.suppressed, Counter(stage.removed))

    def note(self) -> str:
        """Return the account as text, for the group's metadata."""
        return dumps({"refused": self.refused, "stage": self.stage.snapshot()}).decode()

    def publish(self) -> None:
        """Add what is new to the metrics."""
        unclassified, suppressed, removed = self._published
        telemetry.UNCLASSIFIED.inc(self.stage.unclassified - unclassified)
        telemetry.SUPPRESSED.labels("classifier").inc(self.stage.suppressed - suppressed)
        for kind, count in (self.stage.removed - removed).items():
            telemetry.IDENTIFIERS.labels(kind).inc(count)
        self._published = (self.stage.unclassified, self.stage.suppressed, Counter(self.stage.removed))


class _Listener(aiokafka.ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka has no types
    def __init__(self, ingest: Ingest) -> None:
        self._ingest = ingest

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        await self._ingest.end(set(revoked))

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        await self._ingest.begin(set(assigned))
