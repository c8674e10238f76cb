"""Raw in: an aiokafka batch service that reads log lines and writes frames of classified logs.

Rules:
- Each raw partition has its own task and its own transactional producer; a batch is one transaction.
- The position and the account (how many logs went where) stand in the state topic and move with the frames.
- What cannot be read goes to the dead letter in the same transaction.
- Work goes in slices, so that the event loop is never held for long.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, Final

from aiokafka.structs import TopicPartition

from service import telemetry
from service.codecs.base import ENCODING, ERRORS, LONGEST_LINE, Codec
from service.codecs.frames import dumps, encode_classified, loads
from service.core.records import Query
from service.kafka.deadletter import Letter, send_letters
from service.kafka.edge import Edge
from service.kafka.statelog import Reader
from service.kafka.topics import Placement, Topics
from service.kafka.transactions import Hop
from service.kafka.watchdog import Watchdog
from service.settings import WorkerSettings
from service.stages.classifying import Classifying

FRAME_LOGS: Final = 500
"""Logs in a frame, at most."""
FRAME_BYTES: Final = 1 << 20
"""Bytes of a frame, unless it is a single log."""
SLICE_LOGS: Final = 1000
"""Logs that are classified before the event loop has its turn."""
_WAIT_MS: Final = 100
_LINGER: Final = 0.05
_LONGEST: Final = 4 * LONGEST_LINE


def group_of(settings: WorkerSettings) -> str:
    """Return the consumer group of the classifiers."""
    return f"{settings.group}-classifier"


class Ingest(Edge):
    """The classifier's edge."""

    def __init__(
        self,
        settings: WorkerSettings,
        topics: Topics,
        codec: Codec,
        stage: Callable[[], Classifying],
        placement: Placement,
        state_partitions: int,
        watchdog: Watchdog,
        fail: Callable[[BaseException], Any],
        **kwargs: Any,
    ) -> None:
        super().__init__(settings, topics.raw, group_of(settings), watchdog, fail, **kwargs)
        self._topics = topics
        self._codec = codec
        self._stage = stage
        self._placement = placement
        self._state_partitions = state_partitions

    async def work(self, source: TopicPartition) -> None:
        """Classify a raw partition's records, each batch in a transaction."""
        hop = Hop(self.settings, self.group, "raw", source)
        await hop.start()
        try:
            account = await self._account(source.partition)
            # Either may have been lost: the state topic by an accident, the group's position by its retention.
            start = max(account.position + 1, await self.consumer.committed(source) or 0)
            if start:
                self.consumer.seek(source, start)
            else:
                await self.consumer.seek_to_beginning(source)
            turn = source.partition
            while True:
                found = await self.consumer.getmany(
                    source, timeout_ms=_WAIT_MS, max_records=self.settings.transaction_logs
                )
                records = found.get(source, [])
                if records:
                    turn += 1
                    self.busy[source] = records[0].offset
                    await self._batch(hop, records, account, turn)
                    del self.busy[source]
                if len(records) < self.settings.transaction_logs // 2:
                    # Fewer and fuller frames cost everybody behind less, and hardly any time.
                    await asyncio.sleep(_LINGER)
        finally:
            await hop.stop()

    async def _account(self, number: int) -> "Account":
        """Return a raw partition's account as the state topic has it; this worker is its only writer by now."""
        reader = Reader(self.settings, self._topics)
        await reader.start()
        try:
            entries = await reader.entries(self._state_of(number))
        finally:
            await reader.stop()
        return Account(self._stage(), dict(entries).get(account_key(number)))

    def _state_of(self, number: int) -> int:
        return number % self._state_partitions

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
            account.position = records[-1].offset
            number = records[-1].partition
            await hop.send(
                self._topics.state, account.entry(), key=account_key(number), partition=self._state_of(number)
            )  # fmt: skip
            hop.reached(account.position)
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


def account_key(number: int) -> bytes:
    """Return the key in the state topic of a raw partition's account."""
    return b"raw-%d" % number


class Account:
    """How far a raw partition was read and where its logs went, since its beginning.

    It stands in the state topic, which keeps its last record for good: the group's own positions are forgotten after
    some days without a worker, and a classifier that began anew then would release everything twice.
    """

    def __init__(self, stage: Classifying, entry: bytes | None) -> None:
        self.stage = stage
        self.position = -1
        """Offset of the last record that was read, -1 before the first."""
        self.refused = 0
        if entry:
            kept = loads(entry)
            self.position, self.refused = kept["position"], kept["refused"]
            stage.restore(kept["stage"])
        self._published = (stage.unclassified, stage.suppressed, Counter(stage.removed))

    def entry(self) -> bytes:
        """Return the account for the state topic."""
        return dumps({"position": self.position, "refused": self.refused, "stage": self.stage.snapshot()})

    def publish(self) -> None:
        """Add what is new to the metrics."""
        unclassified, suppressed, removed = self._published
        telemetry.UNCLASSIFIED.inc(self.stage.unclassified - unclassified)
        telemetry.SUPPRESSED.labels("classifier").inc(self.stage.suppressed - suppressed)
        for kind, count in (self.stage.removed - removed).items():
            telemetry.IDENTIFIERS.labels(kind).inc(count)
        self._published = (self.stage.unclassified, self.stage.suppressed, Counter(self.stage.removed))
