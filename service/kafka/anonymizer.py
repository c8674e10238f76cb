"""Classified frames to anonymized log lines: each partition a lane with its pools, one transaction a batch.

Rules:
- A lane's transaction holds its releases, its evidence, its state delta and the position reached in the group.
- A lane begins by fencing the previous owner, then reads the state back with read_committed, then finds out at which
  offset its stream goes on. It takes frames from there and in order, whatever it is handed: older ones are skipped,
  and where a newer one comes first the stream is sought back.
- Pools are dropped with the lane; a release is never drawn a second time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any, Final, NamedTuple

from aiokafka.partitioner import DefaultPartitioner
from aiokafka.structs import TopicPartition
from mode import Service

from service import telemetry
from service.codecs.base import ENCODING, ERRORS, Codec
from service.codecs.frames import decode_classified, encode_evidence
from service.core.draw import Draw
from service.core.errors import Broken
from service.core.knowledge import CATEGORIES
from service.core.profiles import evidence
from service.core.records import OTHER, UNCLASSIFIED, Release
from service.core.rules import Rules
from service.kafka.deadletter import Letter, send_letters
from service.kafka.statelog import Reader
from service.kafka.topics import MOST_BYTES, Topics, partition_of
from service.kafka.transactions import Fenced, Hop, until_told
from service.kafka.watchdog import Progress, Watchdog
from service.settings import WorkerSettings
from service.stages.partition import Partition

QUEUED_FRAMES: Final = 64
"""Frames that wait in a lane before its source has to."""
BYTES_A_LOG: Final = 128
"""A guess, to turn the logs of a transaction into bytes of frames."""
MOST_REMEMBERED: Final = 1 << 17
_NAMES: Final = dict(enumerate(CATEGORIES)) | {UNCLASSIFIED: "Unclassified", OTHER: "Other"}
_TICK: Final = 1.0


class Frame(NamedTuple):
    """A frame and where it stands."""

    offset: int
    value: bytes

    def __repr__(self) -> str:
        return f"Frame({self.offset})"


class Lane:
    """One partition of the classified topic, from its assignment to its end."""

    def __init__(self, owner: "Anonymizer", number: int) -> None:
        self._owner = owner
        self._source = TopicPartition(owner.topics.classified, number)
        self._queue: asyncio.Queue[Frame] = asyncio.Queue(QUEUED_FRAMES)
        self.state = Partition(owner.rules, owner.draw)
        self.ready = asyncio.Event()
        self._goes_on: tuple[int, bool] | None = None
        """The offset at which the stream goes on, and whether a record stands there; None once it has."""
        self._sought = False
        self._last = -1
        self._over = False
        self.task = asyncio.create_task(self._guarded(), name=f"lane {number}")

    async def put(self, frame: Frame) -> None:
        """Hand over a frame; waits while the lane is busy. A lane that is over takes none."""
        if not self._over:
            await self._queue.put(frame)

    async def _guarded(self) -> None:
        owner = self._owner
        try:
            try:
                await self._work()
            except Fenced:
                owner.log.warning("%s partition %d is another worker's by now", *self._source)
                self._end()
                await until_told(owner.settings, self._source)
        except Broken as error:
            owner.fail(error)
        except Exception as error:
            owner.fail(Broken(f"{self._source.topic} partition {self._source.partition}: {type(error).__name__}"))
        finally:
            self._end()

    def _end(self) -> None:
        """Take no more frames; whoever waits to hand one over must not wait for a lane that is over."""
        self._over = True
        while not self._queue.empty():
            self._queue.get_nowait()

    async def _work(self) -> None:
        owner, source = self._owner, self._source
        hop = Hop(owner.settings, owner.settings.group, "pools", source)
        await hop.start()
        try:
            reader = Reader(owner.settings, owner.topics)
            await reader.start()
            try:
                self.state.restore(await reader.entries(source.partition))
                self._goes_on = await reader.first_after(source.partition, self.state.position)
            finally:
                await reader.stop()
            self.ready.set()
            owner.watch(source, self.state)
            owner.show(source.partition, self.state)
            while True:
                frames = await self._next()
                if frames or self.state.due(owner.clock()):
                    await self._batch(hop, frames)
        finally:
            await hop.stop()

    async def _next(self) -> list[Frame]:
        """Return the frames that are there, up to a transaction's size, or none after a moment."""
        frames: list[Frame] = []
        room = min(self._owner.settings.transaction_logs * BYTES_A_LOG, MOST_BYTES // 4)
        try:
            frame = await asyncio.wait_for(self._queue.get(), _TICK)
        except TimeoutError:
            return frames
        while True:
            if await self._fits(frame):
                frames.append(frame)
                room -= len(frame.value)
            if room <= 0 or self._queue.empty():
                return frames
            frame = self._queue.get_nowait()

    async def _fits(self, frame: Frame) -> bool:
        """Say whether the stream goes on with this frame."""
        if self._goes_on is not None:
            expected, there = self._goes_on
            if frame.offset < expected:
                return False
            if there and frame.offset > expected:
                if not self._sought:
                    self._sought = True
                    await self._owner.seek(self._source, expected)
                return False
            self._goes_on = None
            self._last = frame.offset
            return True
        if frame.offset <= self._last:
            return False
        self._last = frame.offset
        return True

    async def _batch(self, hop: Hop, frames: list[Frame]) -> None:
        owner, source = self._owner, self._source
        start = perf_counter()
        letters: list[Letter] = []
        position = frames[-1].offset if frames else self.state.position
        async with hop.transaction():
            try:
                step = self.state.step([frame.value for frame in frames], position, owner.clock())
            except ValueError:
                letters, good = self._sort_out(frames)
                step = self.state.step([frame.value for frame in good], position, owner.clock())
            await asyncio.sleep(0)
            await owner.send_releases(hop, step.releases)
            for entry in step.entries:
                await hop.send(owner.topics.state, entry.value, key=entry.key, partition=source.partition)
            await send_letters(hop, owner.topics.deadletter, letters)
            hop.reached(position)
        owner.note(source.partition, self.state, step.releases, perf_counter() - start)
        telemetry.REFUSED.labels(source.topic).inc(len(letters))

    def _sort_out(self, frames: Iterable[Frame]) -> tuple[list[Letter], list[Frame]]:
        letters, good = [], []
        for frame in frames:
            try:
                decode_classified(frame.value)
                good.append(frame)
            except ValueError as error:
                letters.append(
                    Letter(None, frame.value, str(error), self._source.topic, self._source.partition, frame.offset)
                )
        return letters, good


class Anonymizer(Service):
    """All lanes of this worker, and what they share."""

    def __init__(
        self,
        settings: WorkerSettings,
        topics: Topics,
        partitions: Mapping[str, int],
        codec: Codec,
        rules: Rules,
        draw: Draw,
        clock: Callable[[], float],
        watchdog: Watchdog,
        fail: Callable[[BaseException], Any],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.settings = settings
        self.topics = topics
        self.rules = rules
        self.draw = draw
        self.clock = clock
        self.fail = fail
        self.seek: Callable[[TopicPartition, int], Awaitable[None]]
        """Seeks a partition of the classified topic; set by whoever hands over the frames."""
        self.progress: Callable[[TopicPartition, int], Awaitable[Progress | None]]
        """Says how far a partition is, given the offset of the last frame that went in; set likewise."""
        self._codec = codec
        self._watchdog = watchdog
        self._lanes: dict[int, Lane] = {}
        self._assigned = False
        # As they were at the start: a producer may know of fewer for a moment, after a broker's restart.
        self._out_partitions = list(range(partitions[topics.anonymized]))
        self._evidence_partitions = partitions[topics.evidence]
        self._place = DefaultPartitioner()
        self._places: dict[bytes, int] = {}

    def begin(self, numbers: Iterable[int]) -> None:
        """Open a lane for each partition, unless the worker is on its way out."""
        if self.should_stop:
            return
        for number in numbers:
            self._lanes[number] = Lane(self, number)
        self._assigned = True
        telemetry.ASSIGNED.labels(self.topics.classified).set(len(self._lanes))

    async def end(self) -> None:
        """Close all lanes; what is under way is undone or done whole."""
        lanes, self._lanes = self._lanes, {}
        for lane in lanes.values():
            lane.task.cancel()
        await asyncio.gather(*(lane.task for lane in lanes.values()), return_exceptions=True)
        for number, lane in lanes.items():
            self._watchdog.forget(TopicPartition(self.topics.classified, number))
            self._hide(number, lane.state)
        telemetry.ASSIGNED.labels(self.topics.classified).set(0)

    async def on_stop(self) -> None:
        """Close all lanes."""
        await self.end()

    async def put(self, number: int, offset: int, value: bytes) -> None:
        """Hand a frame to its lane; without one it is another worker's."""
        lane = self._lanes.get(number)
        if lane is not None:
            await lane.put(Frame(offset, value))

    @property
    def ready(self) -> bool:
        """Whether partitions were assigned and all lanes have their state."""
        return self._assigned and all(lane.ready.is_set() for lane in self._lanes.values())

    async def send_releases(self, hop: Hop, releases: list[Release]) -> None:
        """Put the releases and their evidence into the open transaction."""
        if not releases:
            return
        by_partition: dict[int, list[tuple[bytes, bytes, list[tuple[str, bytes]]]]] = {}
        with_category = self.settings.category_header == "on"
        headers = {
            category: [("category", name.encode())] if with_category else [] for category, name in _NAMES.items()
        }
        if len(self._places) > MOST_REMEMBERED:
            self._places.clear()
        for release, line in zip(releases, self._codec.encode(releases), strict=True):
            key = release.user.encode(ENCODING, ERRORS)
            place = self._places.get(key)
            if place is None:
                place = self._places[key] = self._place(key, self._out_partitions, self._out_partitions)
            by_partition.setdefault(place, []).append((key, line.encode(ENCODING, ERRORS), headers[release.pool]))
        for partition, records in by_partition.items():
            await hop.send_many(self.topics.anonymized, partition, records)
            await asyncio.sleep(0)
        shares: dict[int, dict[tuple[str, int], int]] = {}
        for key_, count in evidence(releases).items():
            shares.setdefault(partition_of(key_[0], self._evidence_partitions), {})[key_] = count
        for partition, share in shares.items():
            await hop.send(self.topics.evidence, encode_evidence(share), partition=partition)

    def watch(self, source: TopicPartition, state: Partition) -> None:
        """Have the watchdog look at a lane."""
        self._watchdog.watch(source, lambda: self.progress(source, state.position))

    def note(self, number: int, state: Partition, releases: list[Release], seconds: float) -> None:
        """Count a transaction that went through."""
        telemetry.TRANSACTION.labels("anonymizer").observe(seconds)
        telemetry.BATCH.labels("anonymizer").observe(len(releases))
        telemetry.LOGS_OUT.labels("anonymizer").inc(len(releases))
        telemetry.OWN_RETURNED.inc(sum(release.user == release.query.user for release in releases))
        self.show(number, state)

    def show(self, number: int, state: Partition) -> None:
        """Show a partition's pools in the metrics."""
        for category, pool in state.pools:
            name = _NAMES[category]
            telemetry.POOL_DEPTH.labels(name, number).set(len(pool))
            telemetry.POOL_K.labels(name, number).set(pool.k)

    def _hide(self, number: int, state: Partition) -> None:
        """Show a partition's pools no longer: they are another worker's to show."""
        for category, _ in state.pools:
            for gauge in (telemetry.POOL_DEPTH, telemetry.POOL_K, telemetry.ANONYMITY):
                with suppress(KeyError):
                    gauge.remove(_NAMES[category], number)
        with suppress(KeyError):
            telemetry.HOLD_AGE.remove(number)

    @Service.task
    async def _measure(self) -> None:
        """Measure, now and then, what takes a walk over all pools."""
        while not self.should_stop:
            await self.sleep(10.0)
            now = self.clock()
            for number, lane in self._lanes.items():
                oldest = now
                for category, pool in lane.state.pools:
                    oldest = min((entry[2] for entry in pool.queries), default=oldest)
                    if pool.released:
                        anonymity = pool.anonymity.fifth_percentile
                        telemetry.ANONYMITY.labels(_NAMES[category], number).set(anonymity)
                telemetry.HOLD_AGE.labels(number).set(max(0.0, now - oldest))
