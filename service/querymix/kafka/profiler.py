"""The profiler's role on one partition of the evidence topic: frames of counts into the profile store.

Rules:
- Frames are applied in the order of their offsets and without a gap: the store takes an older one for applied. One that
  comes again changes nothing. The group's position, which says where to go on, and the dead letters follow.
- Before the first frame, what an older version applied under another name is carried over (evidence_source.py).
- While the store is away, slow, hanging or refuses this user, the profiler goes on trying, and evidence waits in its
  topic; nothing else waits for it. That is no stall: an exit would not bring the store back.
- A frame that cannot be read goes to the dead letter.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

from querymix import telemetry
from querymix.codecs.frames import decode_evidence
from querymix.core.errors import RefusedError, TransientError
from querymix.kafka.deadletter import DeadLetter, send_dead_letters
from querymix.kafka.evidence_source import carry_over, name_of
from querymix.kafka.ports import Limit, PartitionedLog, Record, TopicPartition, Transaction
from querymix.kafka.processor import Role
from querymix.kafka.retrying import doubling, retry
from querymix.kafka.sequence import InputSequence
from querymix.kafka.slices import BATCH_BYTES, Room
from querymix.kafka.topics import Topics
from querymix.ports import Evidence, Frames, ProfileStore

MAX_FRAMES: Final = 64
"""Frames between two commits, at most."""
MAX_USERS: Final = 1000
"""Users from which on frames are applied: what frames have of one user is one write."""
ANSWERS_WITHIN: Final = 30.0
"""Seconds after which a store that does not answer counts as failed."""
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 10.0
_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class ProfilerSetup:
    """What all profilers of a worker share."""

    group: str
    topics: Topics
    store: ProfileStore
    answers_within: float = ANSWERS_WITHIN
    topic_id: str = ""
    """Kafka's id of the evidence topic; empty where it has none, as in memory."""
    room: Room = field(default_factory=Room)
    """For turns only: who waits for the store must keep no room from others."""


class Profiler(Role):
    """The role of one partition of the evidence topic."""

    name = "profiles"
    stage = "profiler"
    limit = Limit(MAX_FRAMES, BATCH_BYTES)

    def __init__(self, setup: ProfilerSetup, source: TopicPartition) -> None:
        self._setup = setup
        self._source = source
        self._refused = 0
        self._asks_store = False
        self._log: PartitionedLog | None = None
        """The log, until the store knows the source."""
        self.group = setup.group
        self.sequence = InputSequence(numbered=True, in_order=True)

    @property
    def waits(self) -> bool:
        """Whether it waits for the store."""
        return self._asks_store

    async def restore(self, log: PartitionedLog) -> None:
        """Nothing is kept in the log. The store is first asked when there is something to apply: it may be away."""
        self._log = log

    async def work(self, transaction: Transaction, records: Sequence[Record]) -> None:
        """Apply frames. Nothing is sent before all are applied, so that no transaction is open for long."""
        letters: list[DeadLetter] = []
        frames: dict[int, Evidence] = {}
        users: set[str] = set()
        for record in records:
            try:
                async with self._setup.room.turn():
                    counts = decode_evidence(record.value or b"")
            except ValueError as error:
                letters.append(DeadLetter.of(record, str(error)))
                continue
            frames[record.offset] = counts
            users.update(user for user, _ in counts)
            if len(users) >= MAX_USERS:
                await self._apply(frames)
                frames, users = {}, set()
        if frames:
            await self._apply(frames)
        await send_dead_letters(transaction, self._setup.topics.deadletter, letters)
        self._refused = sum(letter.records for letter in letters)

    async def _apply(self, frames: Frames) -> None:
        """Apply frames, however long the store takes."""
        start = perf_counter()
        store, topic_id = self._setup.store, self._setup.topic_id

        async def apply() -> None:
            # Not `wait_for`, which in Python 3.11 can swallow a cancellation.
            async with asyncio.timeout(self._setup.answers_within):
                if self._log is not None:
                    await carry_over(self._log, store, self._source, topic_id)
                    self._log = None
                await store.apply(name_of(self._source, topic_id), frames)

        # From here on, and not only once it has failed: a slow store is no stall either.
        self._asks_store = True
        await retry(apply, doubling(_FIRST_PAUSE, _LONGEST_PAUSE), _store_is_away)
        self._asks_store = False
        telemetry.EVIDENCE.inc(sum(sum(counts.values()) for counts in frames.values()))
        telemetry.STORE.observe(perf_counter() - start)

    def done(self) -> None:
        """Count a batch that is committed."""
        telemetry.REFUSED.labels(self._source.topic).inc(self._refused)


def _store_is_away(error: Exception) -> bool:
    if not isinstance(error, TransientError | RefusedError | TimeoutError):
        return False
    telemetry.STORE_RETRIES.inc()
    _log.warning("%s", str(error) or "the profile store does not answer")
    return True
