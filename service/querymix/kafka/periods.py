"""The keys of periods, which all anonymizers share by a topic: so a user has one id in a period, whoever writes it.

Rules:
- The last period in the topic is the current one, and of its records the first is its key; a record that is no key is
  passed over. Whoever needs the key of a period that has begun writes one, unless one stands there, and then reads the
  topic to its end: where several have written at once, all use the first one's.
- So what stands before the current period's first record is never used again, by anyone who reads the topic: a clock
  that is put back brings no old key back. It is deleted at once. Other workers may use what they hold until their own
  clock says that the period is over.
- Clocks may differ by a period, and by `SKEW` where that is more: a worker that is behind takes the period that another
  has begun. Where they differ by more, each has keys of its own: users then have several ids, and no id comes back.
- Keys stand in the topic and in memory, never in a log or an error. A key is dropped from memory when its period is
  over, whether the next one can be had or not.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from typing import Final, NamedTuple

from mode import Service

from querymix import telemetry
from querymix.core.errors import ConfigError, QuerymixError
from querymix.core.periods import Ids, number_of
from querymix.kafka.failures import AwayError
from querymix.kafka.ports import PartitionedLog, Record, TopicPartition

NAME: Final = "periods"
"""What the name of a writer begins with; each has one of its own, so that none fences another."""
KEY_BYTES: Final = 32
SKEW: Final = 300.0
"""Seconds by which the workers' clocks may differ, or a period where that is longer."""
_LONGEST_NUMBER: Final = 18
"""Characters."""
_TRIES: Final = 8
"""Times that workers whose clocks differ may come first with another period."""
_LOOK_EVERY: Final = 1.0
_log: Final = logging.getLogger(__name__)


class _Key(NamedTuple):
    """A period's key in the topic."""

    number: int
    offset: int
    key: bytes

    def __repr__(self) -> str:
        return f"_Key(period {self.number})"


class PeriodKeys(Service):
    """The ids of the current period, for all of a worker's partitions. As a service it follows the clock by itself.

    `period` is in seconds; `group` is the service's.
    """

    def __init__(self, log: PartitionedLog, topic: str, group: str, period: float, clock: Callable[[], float]) -> None:
        super().__init__()
        self._log = log
        self._source = TopicPartition(topic, 0)
        self._group = group
        self._period = period
        self._clock = clock
        self._number: int | None = None
        """The period in use, or the earliest that may be the next one."""
        self._ids: Ids | None = None
        self._first = self._deleted = 0
        """Offset of the key in use, and up to which the topic is deleted."""
        self._turn = asyncio.Lock()
        self._trouble = ""
        self._told = set[str]()

    def __repr__(self) -> str:
        return f"PeriodKeys(period {self._number})"

    async def ids(self, now: float) -> Ids:
        """Return the ids by user of the period at `now`, in seconds since 1970; of a later one that was begun.

        Raises TransientError where Kafka is away, RefusedError where this user may not read or write the topic.
        """
        async with self._turn:
            earliest, latest = self._bounds(now)
            if self._number is None or not earliest <= self._number <= latest:
                self._ids, self._number = None, earliest
            if self._ids is None:
                found = await self._current(self._number, latest)
                self._number, self._first, self._ids = found.number, found.offset, Ids(found.key)
                _log.info("released ids are those of period %d", found.number)
                telemetry.PERIOD_BEGAN.set(found.number * self._period)
                telemetry.PERIODS.inc()
            return self._ids

    def _bounds(self, now: float) -> tuple[int, int]:
        """Return the earliest and the latest period that may be the current one."""
        return number_of(self._period, now), number_of(self._period, now + max(self._period, SKEW))

    async def _current(self, earliest: int, latest: int) -> _Key:
        for _ in range(_TRIES):
            found = await self._last()
            if found is not None and earliest <= found.number <= latest:
                return found
            await self._write(found, earliest)
        raise AwayError(f"{self._source.topic}: no key of the current period comes to stand there")

    async def _write(self, seen: _Key | None, number: int) -> None:
        """Write a key of a period, unless somebody else has written since the last one was `seen`."""
        async with self._log.writer(f"{NAME}-{os.urandom(6).hex()}", self._source, self._group) as writer:
            if await self._last() == seen:
                async with writer.transaction() as transaction:
                    key = b"%d" % number
                    await transaction.send(self._source.topic, os.urandom(KEY_BYTES), key=key, partition=0)

    async def _last(self) -> _Key | None:
        """Return the first key of the last period in the topic, None where there is none."""
        last: _Key | None = None
        strange = 0
        async for record in self._log.scan(self._source):
            found = _read(record)
            if found is None:
                strange += 1
            elif last is None or found.number != last.number:
                last = found
        if strange:
            self._tell_once(f"holds {strange} records that are no keys, and nobody but anonymizers may write there")
        return last

    def _tell_once(self, what: str) -> None:
        if what not in self._told:
            self._told.add(what)
            _log.warning("%s %s", self._source.topic, what)

    async def follow(self) -> None:
        """Take the key of a period that has begun, and delete those of periods that are over.

        What fails is tried again at the next call; who is to release something waits for the key by `ids`.
        """
        trouble = ""
        try:
            await self.ids(self._clock())
            await self._delete(self._first)
        except QuerymixError as error:
            trouble = str(error)
        if trouble and trouble != self._trouble:
            _log.warning("the key of the period: %s; it is tried again", trouble)
        self._trouble = trouble

    async def _delete(self, before: int) -> None:
        if before <= self._deleted:
            return
        try:
            await self._log.delete(self._source, before)
        except ConfigError as error:
            self._tell_once(f"keeps keys of periods that are over until its retention.ms has passed: {error}")
        self._deleted = before

    @Service.task
    async def _follow(self) -> None:
        while not self.should_stop:
            await self.follow()
            await self.sleep(_LOOK_EVERY)


def _read(record: Record) -> _Key | None:
    """Return the key that a record holds, None where it is none."""
    number, key = record.key or b"", record.value or b""
    if len(key) != KEY_BYTES or not number.isdigit() or len(number) > _LONGEST_NUMBER:
        return None
    return _Key(int(number), record.offset, key)
