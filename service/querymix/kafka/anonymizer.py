"""The anonymizer's role on one partition of the classified topic: frames in, releases, evidence and state out.

Rules:
- The transaction holds the releases, their evidence, the state's delta, what was taken in, and the group's position.
- Pools are dropped with the partition; a release is never drawn a second time.
- Work goes in slices and within a room (querymix.kafka.slices). What is held is restored and written in pieces.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from querymix import telemetry
from querymix.codecs.frames import decode_classified, dumps, loads
from querymix.core.account import Account
from querymix.core.draw import Draw
from querymix.core.errors import ConfigError
from querymix.core.records import own_rows_of
from querymix.core.rules import Rules
from querymix.kafka import gauges
from querymix.kafka.deadletter import DeadLetter, send_dead_letters
from querymix.kafka.failures import other_version, refuse_new_topic, unreadable
from querymix.kafka.numbers import Numbers, Written
from querymix.kafka.ports import Limit, PartitionedLog, Record, TopicPartition, Transaction
from querymix.kafka.processor import RoleInRoom
from querymix.kafka.releases import Writes
from querymix.kafka.sequence import InputSequence
from querymix.kafka.slices import Room
from querymix.kafka.topics import Topics
from querymix.kafka.written import written_to
from querymix.stages.cells import Ordering
from querymix.stages.crowding import Crowding
from querymix.stages.partition import Entry, Partition, Step
from querymix.stages.releasing import OtherVersionError, Released

BYTES_PER_RECORD: Final = 128
"""A guess, to turn the records of a transaction into bytes of frames."""
MAX_FRAMES: Final = 4096
MAX_FRAME_BYTES: Final = 1 << 20
"""Bytes of a transaction's frames, and a frame more. They are decided about at once, which holds the event loop."""
TAKEN: Final = b"taken"
"""The key in the state topic of what was taken in and of the numbers that were given out."""


_log: Final = logging.getLogger(__name__)


@dataclass
class AnonymizerSetup:
    """What all anonymizers of a worker share; what is chosen of it may be replaced, together, while they work."""

    group: str
    topics: Topics
    rules: Rules
    draw: Draw
    clock: Callable[[], float]
    release_writer: Writes
    log_format: str
    """`Codec.format`"""
    transaction_logs: int
    ordering: Ordering = field(default_factory=Ordering)
    topic_id: str = ""
    """Kafka's id of the classified topic; empty where it has none, as in memory."""
    partitions: Mapping[str, int] = field(default_factory=dict)
    """How many each topic has."""
    room: Room = field(default_factory=Room)
    crowding: Crowding | None = None
    own_crowd: bool = True
    """Whether the stream is its own crowd by the settings, also where nothing is asked of it."""


class Anonymizer(RoleInRoom):
    """The role of one partition of the classified topic."""

    name = "pools"
    stage = "anonymizer"

    def __init__(self, setup: AnonymizerSetup, source: TopicPartition) -> None:
        super().__init__(setup.room)
        self._setup = setup
        self._source = source
        self._numbers: Numbers
        self._last = Step(Released([], {}), [], Account())
        """The last step without its releases: they take memory that the next batch can use."""
        self._own_rows = 0
        """Rows of the last batch that left under their own user."""
        self._taken = 0
        """Logs of the last batch."""
        self._refused = 0
        self.group = setup.group
        self.limit = Limit(MAX_FRAMES, min(setup.transaction_logs * BYTES_PER_RECORD, MAX_FRAME_BYTES))
        self.sequence = InputSequence(numbered=True)
        self.state = Partition(setup.rules, setup.draw, setup.log_format, setup.ordering, setup.crowding)

    async def restore(self, log: PartitionedLog) -> None:
        """Take over the pools and what was taken in."""
        kept = await read_state(log, self._setup.topics, self._source.partition, self.state, self._setup.room)
        refuse_new_topic(self._source, kept, self._setup.topic_id)
        refuse_unscreened(self._source, self.state, own_crowd=self._setup.own_crowd)
        if kept is not None:
            self.sequence.restore(kept["intake"])
        else:
            self.sequence.start_after(self.state.position)
        self._numbers = Numbers(f"pools-{self._source.partition}", secrets.randbits(48), kept and kept["numbers"])
        gauges.show_pools(self.state, self._source.partition)

    async def written(self, log: PartitionedLog) -> Mapping[str, Written]:
        """Return what the classifiers have written to the partition, out of the positions topic."""
        setup = self._setup
        return await written_to(log, setup.topics, setup.partitions, self._source.partition)

    def due(self) -> bool:
        """Say whether it is time to look at what is held too long, or to write what waits for its cell to end."""
        self._follow()
        return self.state.due(self._setup.clock())

    def _follow(self) -> None:
        self.state.follow(self._setup.rules, self._setup.ordering, self._setup.crowding)

    async def _work(self, transaction: Transaction, records: Sequence[Record]) -> None:
        setup, writer = self._setup, self._setup.release_writer
        self._follow()
        letters: list[DeadLetter] = []
        position, now, arrived = self.sequence.position, setup.clock(), self.state.arrived
        async with setup.room.turn():
            try:
                step, entries = self.state.decide([record.value or b"" for record in records], position, now)
            except ValueError:
                letters, good = _sort_out(records, self.sequence)
                step, entries = self.state.decide([record.value or b"" for record in good], position, now)
            delta = next(entries)
            self._own_rows = own_rows_of(step.releases)
        await writer.send(transaction, step.released, self._numbers, now)
        kept = {"intake": self.sequence.snapshot(), "numbers": self._numbers.snapshot(), "topic": setup.topic_id}
        put = partial(transaction.send, setup.topics.state, partition=self._source.partition)
        if delta is not None:  # without a pause after the releases: see ReleaseWriter.send
            await put(delta.value, key=delta.key)
        else:  # a snapshot, which may be long
            async for entry in setup.room.turns(entries):
                if entry is not None:
                    await put(entry.value, key=entry.key)
        await put(dumps(kept), key=TAKEN)
        await send_dead_letters(transaction, setup.topics.deadletter, letters)
        self._last, self._refused, self._taken = (
            step._replace(released=Released([], step.released.guesses)),
            sum(letter.records for letter in letters),
            self.state.arrived - arrived,
        )

    def done(self) -> None:
        """Count a batch that is committed."""
        account = self._last.account
        telemetry.BATCH.labels(self.stage).observe(account.released)
        telemetry.LOGS_IN.labels(self.stage).inc(self._taken)
        telemetry.LOGS_OUT.labels(self.stage).inc(account.released)
        telemetry.SUPPRESSED.labels(self.stage).inc(account.suppressed_by_hold)
        telemetry.REPEATS.inc(account.suppressed_as_repeats)
        telemetry.SCREENED.labels("rare").inc(account.suppressed_as_rare)
        telemetry.SCREENED.labels("long").inc(account.suppressed_as_long)
        telemetry.OWN_RETURNED.inc(self._own_rows)
        telemetry.REFUSED.labels(self._source.topic).inc(self._refused)
        # Of committed lines only, and never of those that a restore decides again: none counts twice.
        gauges.count_guesses(self._last.released.guesses)
        if before := self._last.rules_before:
            where = (*self._source, self.sequence.position + 1)
            _log.info(
                "%s partition %d: rules %s -> %s from offset %d on", *where[:2], before, self.state.rules, where[2]
            )
            gauges.hide_rules(before, self._source.partition)
        gauges.show_pools(self.state, self._source.partition)

    def ended(self) -> None:
        """Show the pools no longer: they are another worker's to show."""
        gauges.hide_pools(self.state, self._source.partition)


def refuse_unscreened(source: TopicPartition, state: Partition, *, own_crowd: bool) -> None:
    """Raise ConfigError where what is held was to be screened when it leaves, and nothing would screen it any more."""
    held = state.pools.held + state.cells.waiting
    if held and state.releasing.crowd.on and not own_crowd:
        raise ConfigError(
            f"partition {source.partition} holds {held:,} records that --crowd stream screens only when they leave, "
            "and they would leave as they are. Start with --crowd stream until no record is held or waiting: stop the "
            "producer, and give --max-hold 1s --hold-policy suppress where what is held may be given up. Then change it"
        )


def lost_of(kept: Mapping[str, Any] | None) -> Account:
    """Return what is no longer waiting though it went into no pool, out of what is kept beside a state."""
    intake = {} if kept is None else kept["intake"]
    lost, refused = intake.get("lost", 0), intake.get("refused", 0)
    return Account(lost=lost, refused=refused, waiting=-lost - refused)


async def read_state(
    log: PartitionedLog, topics: Topics, number: int, state: Partition, room: Room | None = None
) -> dict[str, Any] | None:
    """Restore the state of a partition, and return what is kept beside it: what was taken in, and the numbers.

    It takes turns with the other partitions of the room.

    Raises ConfigError where a record of the state is missing, damaged or of another format.
    """
    kept = None
    try:
        async for record in log.scan(TopicPartition(topics.state, number)):
            if record.key == TAKEN:
                kept = record.value or None
            elif record.key and record.value:
                state.fold(Entry(record.key, record.value))
        async for _ in (room or Room()).turns(state.restoring()):
            pass
        return None if kept is None else taken_of(kept)
    except OtherVersionError:
        raise other_version(topics.state, number) from None
    except ValueError as error:
        # Its text names the key at most.
        raise unreadable(topics.state, number, str(error)) from None


def taken_of(value: bytes) -> dict[str, Any]:
    """Return what was taken in, and the numbers, out of the record under `TAKEN`. ValueError where it is none."""
    try:
        kept: dict[str, Any] = loads(value)
        InputSequence(numbered=True).restore(kept["intake"])
        Numbers("", 0, kept["numbers"])
        str(kept["topic"])
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise ValueError(f"there is a record under {TAKEN!r} that cannot be read") from None
    return kept


def _sort_out(records: Iterable[Record], sequence: InputSequence) -> tuple[list[DeadLetter], list[Record]]:
    letters, good = [], []
    for record in records:
        try:
            decode_classified(record.value or b"")
            good.append(record)
        except ValueError as error:
            letters.append(DeadLetter.of(record, str(error)))
            sequence.refuse(record)
    return letters, good
