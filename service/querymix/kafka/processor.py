"""The partition processor: the one pattern behind all three roles.

Rules:
- It begins by fencing the previous owner, then restores its role's state, then goes on after what that state has.
- Each batch is one transaction: what it leads to, the state and the position in the group.
- A feeder is not trusted. What `InputSequence` is not certain of is read from the log itself; so is what a quiet feeder
  has left out. Nothing that the feeder leaves out, repeats or reorders changes what is taken in.
- Behind the last record stand markers of transactions, which are no records. A quiet partition is read to its end, and
  then it has no lag.
- A record that retention removed before it was read is counted, and the stream goes on. What was lost is written down
  with the next transaction, which need not wait for a record.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from time import monotonic, perf_counter
from typing import Final, NamedTuple

from querymix import telemetry
from querymix.core.errors import ConfigError
from querymix.kafka.failures import cut_short
from querymix.kafka.numbers import Written
from querymix.kafka.ports import End, Feed, Limit, PartitionedLog, Record, TopicPartition, Transaction
from querymix.kafka.retrying import end_if_cancelled
from querymix.kafka.sequence import Doubt, InputSequence, Losses
from querymix.kafka.slices import Room

QUIET: Final = 1.0
"""Seconds without a record after which the log itself is asked whether there is one."""
_log: Final = logging.getLogger(__name__)


class Role:
    """What a role does with one partition; a base class."""

    name: str
    """Part of the transactional id; it must never change."""
    stage: str
    """The role's name in metrics."""
    group: str
    """The consumer group whose position moves with the transactions."""
    limit: Limit
    """How much goes into one transaction."""
    sequence: InputSequence

    @property
    def waits(self) -> bool:
        """Whether it waits for something that an exit would not bring back."""
        return False

    async def restore(self, log: PartitionedLog) -> None:
        """Take over the state and what was taken in, where there is more than the group's position."""

    async def work(self, transaction: Transaction, records: Sequence[Record]) -> None:
        """Take records in; all that follows from them, the state included, goes into the transaction."""
        raise NotImplementedError

    async def written(self, log: PartitionedLog) -> Mapping[str, Written]:
        """Return what sources have written to the partition by their own account, where that can be asked."""
        return {}

    def due(self) -> bool:
        """Say whether there is something to do without a record."""
        return False

    def done(self) -> None:
        """Note that the last `work` is committed."""

    def ended(self) -> None:
        """Note that the partition is no longer this worker's."""


class RoleInRoom(Role):
    """A role whose batches are worked on once there is room among those of the worker's other partitions."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._is_outside = False

    @property
    def waits(self) -> bool:
        """Whether it waits for the other partitions' batches."""
        return self._is_outside and self._room.moves

    async def work(self, transaction: Transaction, records: Sequence[Record]) -> None:
        """Take records in once there is room for them."""
        self._is_outside = True
        async with self._room.of(records):
            self._is_outside = False
            await self._work(transaction, records)

    async def _work(self, transaction: Transaction, records: Sequence[Record]) -> None:
        raise NotImplementedError


class Progress(NamedTuple):
    """How far a partition is."""

    at: int
    """Offset of the first record that is not done with; the end where all is done."""
    end: int
    """Offset that the next record will have."""
    excused: bool = False
    """Whether it waits for something that an exit would not bring back."""


class PartitionProcessor:
    """One partition, from its assignment to its end."""

    def __init__(
        self,
        source: TopicPartition,
        log: PartitionedLog,
        role: Role,
        feed: Feed,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.source = source
        self.role = role
        self.feed = feed
        self.ready = asyncio.Event()
        self._log = log
        self._clock = clock
        self._read_to = 0
        self._end: End | None = None
        self._asked_at = self._seen_at = -1
        """Positions when the ends were last given, and before they were asked for."""
        self._seen = clock()
        """When the last record came, or the log was last read."""
        self._at = 0
        """Offset after what is done with."""
        self._written: Mapping[str, Written] = {}
        self._settle_at = 0
        """What sources said that they had written, and where the log ended then."""

    async def run(self) -> None:
        """Work until the task is cancelled. Raises FencedError where the partition is another worker's by now."""
        async with self._log.writer(self.role.name, self.source, self.role.group) as writer:
            await self._begin()
            self._note_done()
            self.ready.set()
            while True:
                end_if_cancelled()
                if self._end is not None and self._end.last <= self._seen_at:
                    raise cut_short(self.source, self._seen_at, self._end.last)
                records = await self._next()
                if records or self.role.sequence.unsaved or self.role.due():
                    start = perf_counter()
                    async with writer.transaction() as transaction:
                        await self.role.work(transaction, records)
                        transaction.reached(self.role.sequence.position)
                    self.role.sequence.unsaved = False
                    self.role.done()
                    telemetry.TRANSACTION.labels(self.role.stage).observe(perf_counter() - start)
                self._note_done()

    def _note_done(self) -> None:
        sequence = self.role.sequence
        settles = sequence.doubt is Doubt.ASKED and sequence.checked + 1 >= self._settle_at
        told = not (sequence.unsaved or settles or sequence.doubt is Doubt.OPEN)
        self._at = max(sequence.checked, sequence.position) + told

    async def _begin(self) -> None:
        role, sequence = self.role, self.role.sequence
        await role.restore(self._log)
        # The state may have been lost by an accident, the group's position by its retention.
        committed = await self._log.committed(role.group, self.source)
        if committed is not None and committed - 1 > sequence.position:
            if sequence.position >= 0:
                _log.warning("%s partition %d: the state is behind the group, which is believed", *self.source)
            sequence.start_after(committed - 1)
        end = (await self._log.ends([self.source]))[self.source].last
        if end <= sequence.position:
            raise cut_short(self.source, sequence.position, end)

    async def _next(self) -> Sequence[Record]:
        """Return the records that the stream goes on with, or none after a moment."""
        sequence = self.role.sequence
        if sequence.doubt is Doubt.OPEN:
            await self._ask_sources()
        if sequence.doubt is Doubt.ASKED and sequence.checked + 1 >= self._settle_at:
            sequence.settle(self._written)
            self._report()
            return ()
        if self._read_to > sequence.checked + 1:
            return await self._from_log()
        records = await self.feed.next(self.role.limit)
        if records:
            self._seen = self._clock()
            fresh, self._read_to = sequence.accept(records)
            self._report()
            return fresh
        if self._end is not None and self._clock() - self._seen >= QUIET:
            self._read_to = self._end.stable
        return ()

    async def _from_log(self) -> Sequence[Record]:
        sequence = self.role.sequence
        start = sequence.checked + 1
        chunk = await self._log.read(self.source, start, self._read_to, self.role.limit)
        fresh = sequence.resolve(start, chunk)
        self._seen = self._clock()
        self._report()
        return fresh

    async def _ask_sources(self) -> None:
        """Ask what was written to the partition, and note how far the log has to be read to have all of that."""
        sequence = self.role.sequence
        try:
            self._written = await self.role.written(self._log)
        except ConfigError as error:
            _log.warning("%s partition %d: frames are lost, and how many is known later: %s", *self.source, error)
            sequence.doubt = Doubt.NONE
            return
        self._settle_at = (await self._log.ends([self.source]))[self.source].last
        sequence.doubt = Doubt.ASKED

    def _report(self) -> None:
        """Say and count what the log itself lacks."""
        sequence, topic = self.role.sequence, self.source.topic
        found, sequence.found = sequence.found, Losses()
        for count, level, says, metric in (
            (found.removed, logging.WARNING, f"retention removed %d {sequence.unit} before they were read",
             telemetry.LOST),
            (found.missing, logging.ERROR, "lacks %d frames that were written", telemetry.FRAMES_MISSING),
            (found.repeated, logging.ERROR, "holds %d frames a second time", telemetry.FRAMES_REPEATED),
            (found.records, logging.WARNING, "%d records were in frames that are lost", telemetry.LOGS_LOST),
        ):  # fmt: skip
            if count:
                _log.log(level, f"%s partition %d: {says}", *self.source, count)
                metric.labels(topic).inc(count)
        if found.forgotten:
            _log.warning(
                "%s partition %d: of the lost records %d were read before, under a state that is lost",
                *self.source, found.forgotten,
            )  # fmt: skip
        if found.uncounted:
            _log.warning(
                "%s partition %d: an older version wrote %d of the lost frames and did not say how many records are in "
                "them; those stay 'waiting' in querymix account",
                *self.source, found.uncounted,
            )  # fmt: skip

    def ends(self, end: End) -> Progress | None:
        """Take note of where the partition ends, and say how far it is; None before it is ready."""
        self._end = end
        self._seen_at, self._asked_at = self._asked_at, self.role.sequence.position
        if not self.ready.is_set():
            return None
        # Behind a transaction that somebody holds open nothing can be read, by whatever worker.
        return Progress(self._at, end.last, self.role.waits or self._at >= end.stable)
