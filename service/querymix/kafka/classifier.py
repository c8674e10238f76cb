"""The classifier's role on one raw partition: log lines in, numbered frames of classified records out.

Rules:
- The position and the account (how many records went where) stand in the positions topic and move with the frames. That
  topic keeps its last record for good: the group's own positions are forgotten after some days without a worker, and
  a classifier that began anew then would release everything twice.
- What cannot be read goes to the dead letter in the same transaction.
- Where sessions leave together, it decides which pool a query goes to, by what it remembers of the users whose records
  its partition had (querymix.stages.placing). That is not written down: after a restart sessions begin anew.
- Work goes in slices and within a room (querymix.kafka.slices), so that the event loop is never held for long and
  memory is bounded.
"""

import logging
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from querymix import telemetry
from querymix.codecs.base import ENCODING, ERRORS, LONGEST_LINE, TOO_LONG, Codec
from querymix.codecs.frames import dumps, encode_classified, loads
from querymix.core.account import Account
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.kafka.deadletter import DeadLetter, send_dead_letters
from querymix.kafka.failures import refuse_new_topic, unreadable
from querymix.kafka.numbers import Numbers
from querymix.kafka.ports import Limit, PartitionedLog, Record, RefusedBatch, TopicPartition, Transaction
from querymix.kafka.processor import RoleInRoom
from querymix.kafka.sequence import InputSequence
from querymix.kafka.slices import BATCH_BYTES, Room, slices
from querymix.kafka.topics import Placement, Topics
from querymix.stages.classifying import Classifying
from querymix.stages.placing import Placing

FRAME_RECORDS: Final = 1000
"""Records in a frame, at most."""
FRAME_BYTES: Final = 1 << 18
"""Bytes of a frame, unless it is a single record. Many wait in the queues of the workers that read them."""
JUDGED: Final = 20
"""Records after which it is looked whether most of them were refused."""
ACCOUNT_KEY: Final = b"raw-"
"""What the key of a raw partition's account begins with."""
_LONGEST: Final = 4 * LONGEST_LINE
_ByPool = defaultdict[int, tuple[list[Query], list[int]]]
"""Queries by their pool, and the own category of each; no own ones where all are the pool's."""
_log: Final = logging.getLogger(__name__)


def group_of(group: str) -> str:
    """Return the consumer group of the classifiers."""
    return f"{group}-classifier"


@dataclass
class ClassifierSetup:
    """What all classifiers of a worker share; `stage` and `rules` may be replaced while they work."""

    group: str
    topics: Topics
    partitions: Mapping[str, int]
    """How many each topic has."""
    codec: Codec
    stage: Callable[[], Classifying]
    placement: Placement
    transaction_logs: int
    topic_id: str = ""
    """Kafka's id of the raw topic; empty where it has none, as in memory."""
    room: Room = field(default_factory=Room)
    rules: Rules = field(default_factory=Rules)


class Classifier(RoleInRoom):
    """The role of one raw partition."""

    name = "raw"
    stage = "classifier"

    def __init__(self, setup: ClassifierSetup, source: TopicPartition) -> None:
        super().__init__(setup.room)
        self._setup = setup
        self._source = source
        self.group = group_of(setup.group)
        self.limit = Limit(setup.transaction_logs, BATCH_BYTES)
        self.sequence = InputSequence()
        self._make = setup.stage
        self._classifying = setup.stage()
        self._placing = Placing()
        self._shown = self._classifying.snapshot()
        """Of its counts what the metrics have."""
        self._refused = 0
        """Records since the partition began."""
        self._numbers: Numbers
        self._turn = source.partition
        self._done = (0, 0, 0)
        """Records in, records out and refused of the last batch."""
        self._judged = 0, 0
        """Records in and refused since it was last looked whether most are refused."""

    async def restore(self, log: PartitionedLog) -> None:
        """Take over the partition's account; this worker is its only writer by now."""
        kept = await read_account(log, self._setup.topics, self._setup.partitions, self._source.partition)
        refuse_new_topic(self._source, kept, self._setup.topic_id)
        if kept is not None:
            self.sequence.start_after(kept["position"])
            self._refused = kept["refused"]
            self.sequence.removed = kept.get("removed", 0)
            self._classifying.restore(kept["stage"])
        self._shown = self._classifying.snapshot()
        label = f"raw-{self._source.partition}"
        self._numbers = Numbers(label, secrets.randbits(48), kept and kept["numbers"])

    async def _work(self, transaction: Transaction, records: Sequence[Record]) -> None:
        setup = self._setup
        if setup.stage is not self._make:
            self._make = setup.stage
            counts, self._classifying = self._classifying.snapshot(), setup.stage()
            self._classifying.restore(counts)
        rules = setup.rules
        by_pool: _ByPool = defaultdict(lambda: ([], []))
        letters: list[DeadLetter] = []
        arrived = 0
        for some in slices(records):
            async with setup.room.turn():
                queries = self._read(some, letters)
                arrived += len(queries)
                self._place(self._classifying(queries), rules, by_pool)
        encoded: dict[int, list[tuple[bytes, int]]] = {}
        for category, (classified, owns) in by_pool.items():
            async with setup.room.turn():
                encoded[category] = list(frames(category, classified, setup.codec.format, owns))
        # From here on without a pause: what is sent in one turn of the loop costs one request for all partitions.
        self._turn += 1
        for category, some_frames in encoded.items():
            for nth, (frame, count) in enumerate(some_frames):
                place = setup.placement.partition(category, self._turn + nth)
                await transaction.send(
                    setup.topics.classified, frame, key=str(category).encode(), partition=place,
                    headers=self._numbers.next(place, count),
                )  # fmt: skip
        await send_dead_letters(transaction, setup.topics.deadletter, letters)
        refused = sum(letter.records for letter in letters)
        self._refused += refused
        await transaction.send(
            setup.topics.positions,
            dumps(
                {
                    "position": self.sequence.position,
                    "refused": self._refused,
                    "removed": self.sequence.removed,
                    "stage": self._classifying.snapshot(),
                    "numbers": self._numbers.snapshot(),
                    "topic": setup.topic_id,
                }
            ),
            key=account_key(self._source.partition),
            partition=positions_of(setup.topics, setup.partitions, self._source.partition),
        )
        # A header line is no record: it is not in the account either.
        self._done = arrived + refused, sum(len(classified) for classified, _ in by_pool.values()), refused

    def _place(self, classified: list[tuple[int, Query]], rules: Rules, by_pool: _ByPool) -> None:
        """Add queries, and the own category of each, to those that go to one pool; no own ones where all are its."""
        if rules.unit == "query":
            self._placing.clear()
            for own, query in classified:
                by_pool[own][0].append(query)
            return
        for own, query in classified:
            category = self._placing.pool_of(own, query, rules)
            queries, owns = by_pool[category]
            if own != category and not owns:
                owns += [category] * len(queries)
            queries.append(query)
            if owns or own != category:
                owns.append(own)

    def _judge(self, taken: int, refused: int) -> None:
        """Say where most of the last records were refused. A batch may hold a single one, which says nothing."""
        self._judged = self._judged[0] + taken, self._judged[1] + refused
        if self._judged[0] < JUDGED:
            return
        if 2 * self._judged[1] > self._judged[0]:
            # Without the number: the same text is shown once in a while, however many batches there are.
            _log.warning(
                "%s partition %d: most records are refused: see that --format and --fields are right; 'querymix "
                "deadletter show' says why",
                *self._source,
            )
        self._judged = 0, 0

    def done(self) -> None:
        """Count a batch that is committed."""
        taken, passed, refused = self._done
        telemetry.BATCH.labels(self.stage).observe(taken)
        telemetry.LOGS_IN.labels(self.stage).inc(taken)
        telemetry.LOGS_OUT.labels(self.stage).inc(passed)
        telemetry.REFUSED.labels(self._source.topic).inc(refused)
        self._judge(taken, refused)
        before, self._shown = self._shown, self._classifying.snapshot()
        telemetry.UNCLASSIFIED.inc(self._shown["unclassified"] - before["unclassified"])
        telemetry.EMPTY.inc(self._shown["empty"] - before["empty"])
        telemetry.SUPPRESSED.labels(self.stage).inc(self._shown["suppressed"] - before["suppressed"])
        for reason, count in self._shown["screened"].items():
            telemetry.SCREENED.labels(reason).inc(count - before["screened"].get(reason, 0))
        for kind, count in self._shown["removed"].items():
            telemetry.IDENTIFIERS.labels(kind).inc(count - before["removed"].get(kind, 0))
        for kind, count in self._shown["swapped"].items():
            telemetry.SURROGATES.labels(kind).inc(count - before["swapped"].get(kind, 0))

    def _read(self, records: Sequence[Record], letters: list[DeadLetter]) -> list[Query]:
        lines: list[str] = []
        kept: list[Record] = []
        for record in records:
            value = record.value
            if value is None or len(value) > _LONGEST or isinstance(value, RefusedBatch):
                letters.append(DeadLetter.of(record, "the record is empty" if value is None else TOO_LONG))
                continue
            lines.append(value.decode(ENCODING, ERRORS).rstrip("\r\n"))
            kept.append(record)
        queries, refusals = self._setup.codec.decode(lines, self._source.topic, 0)
        letters += [DeadLetter.of(kept[refusal.line], refusal.reason) for refusal in refusals]
        return queries


def frames(
    category: int, queries: Sequence[Query], log_format: str = "", owns: Sequence[int] = ()
) -> Iterator[tuple[bytes, int]]:
    """Yield frames of one pool's queries, read in `log_format`, each of which fits a record, and their sizes.

    `owns` are their own categories, empty where all are the pool's.
    """
    for first in range(0, len(queries), FRAME_RECORDS):
        some, own = queries[first : first + FRAME_RECORDS], owns[first : first + FRAME_RECORDS]
        frame = encode_classified(category, some, log_format, own)
        if len(frame) <= FRAME_BYTES or len(some) == 1:
            yield frame, len(some)
        else:
            # Rare: very long queries.
            half = len(some) // 2
            yield from frames(category, some[:half], log_format, own[:half])
            yield from frames(category, some[half:], log_format, own[half:])


def account_key(number: int) -> bytes:
    """Return the key in the positions topic of a raw partition's account."""
    return ACCOUNT_KEY + b"%d" % number


def positions_of(topics: Topics, partitions: Mapping[str, int], number: int) -> int:
    """Return the partition of the positions topic that a raw partition's account stands in."""
    return number % partitions[topics.positions]


async def read_account(
    log: PartitionedLog, topics: Topics, partitions: Mapping[str, int], number: int
) -> dict[str, Any] | None:
    """Return what is kept of a raw partition, None before its first batch: how far it was read, and the account.

    Raises ConfigError where that is damaged.
    """
    key = account_key(number)
    place = TopicPartition(topics.positions, positions_of(topics, partitions, number))
    found = None
    async for record in log.scan(place):
        if record.key == key:
            # The operator gives up what is kept by an empty record, which counts before it is compacted away.
            found = record.value or None
    if found is None:
        return None
    try:
        kept: dict[str, Any] = loads(found)
        account_of(kept)
        Numbers("", int(kept["position"]), kept["numbers"])
        str(kept["topic"])
    except (ValueError, TypeError, LookupError, RecursionError):
        raise unreadable(place.topic, place.partition, f"there is a record under {key!r} that cannot be read") from None
    return kept


def account_of(kept: Mapping[str, Any]) -> Account:
    """Return what became of the records of a raw partition, out of what is kept of it."""
    stage = kept["stage"]
    screened = stage.get("screened", {})  # 0.6.0 and before screened nothing
    rare, long = screened.get("rare", 0), screened.get("long", 0)
    gone = stage["suppressed"] + stage.get("empty", 0) + stage["dropped"] + rare + long
    return Account(
        suppressed_by_identifiers=stage["suppressed"],
        unclassified=stage["dropped"],
        empty=stage.get("empty", 0),
        refused=kept["refused"],
        waiting=stage["arrived"] - gone,
        suppressed_as_rare=rare,
        suppressed_as_long=long,
    )
