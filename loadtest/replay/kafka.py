"""The sink for a Kafka topic.

Rules:
- A record is keyed by its user and goes to the partition that Java's producer would choose for that key (murmur2).
- A record's timestamp is when its log was due: what is measured from it counts the time for which it was owed too.
- A topic is never made: a mistyped one is an error.
- The producer is idempotent: a batch that is sent again after a fault is not there twice.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

import aiokafka
from aiokafka.errors import KafkaError
from aiokafka.partitioner import murmur2
from querymix.core.errors import ConfigError, QuerymixError
from querymix.kafka.admin import connected
from querymix.kafka.connection import client_options, reaching
from querymix.kafka.failures import explained
from querymix.settings import ConnectionSettings

from loadtest.replay.ledger import Parcels
from loadtest.replay.logs import Log

_BATCH: Final = 1 << 18
"""Bytes of a batch."""
_PATIENCE: Final = 5.0
"""Seconds within which the producer has to close."""
_MAX_REMEMBERED: Final = 1 << 20


def quiet() -> None:
    """Keep aiokafka's own messages off standard error, for programs that tell what fails by themselves."""
    for name in ("aiokafka", "asyncio"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False


async def partitions_of(settings: ConnectionSettings, topic: str) -> int:
    """Return how many partitions a topic has.

    Raises ConfigError where it is not there, TransientError where Kafka is away.
    """
    async with connected(settings) as admin:
        found = await admin.topics([topic])
    if topic not in found:
        raise ConfigError(
            f"Kafka at {settings.broker} has no topic {topic!r}: correct its name, or make it. "
            "'querymix topics create --broker HOST:PORT' makes the service's own; records go into 'querylog.raw'."
        )
    return int(found[topic].partitions)


class Partitions(dict[bytes, int]):
    """From a user to its partition, of `number`."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def __missing__(self, user: bytes) -> int:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        partition = self[user] = (int(murmur2(user)) & 0x7FFFFFFF) % self._number
        return partition


class KafkaSink:
    """Writes each line as a record of `topic`; `compression` is a codec of aiokafka's, such as "lz4"."""

    def __init__(self, settings: ConnectionSettings, topic: str, *, compression: str | None = None) -> None:
        self._settings = settings
        self._topic = topic
        self._compression = compression
        self._failed: QuerymixError | None = None

    async def __aenter__(self) -> Self:
        self._partitions = Partitions(await partitions_of(self._settings, self._topic))
        with reaching(f"Kafka at {self._settings.broker}"):
            self._producer = aiokafka.AIOKafkaProducer(
                **client_options(self._settings),
                enable_idempotence=True,
                max_batch_size=_BATCH,
                max_request_size=8 * _BATCH,
                compression_type=self._compression,
            )
            await self._producer.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        with suppress(TimeoutError):  # an idempotent producer whose broker is away would try for ever
            await asyncio.wait_for(self._producer.stop(), _PATIENCE)

    async def send(self, logs: Sequence[Log], due: Sequence[float], ledger: Parcels, began: float) -> None:
        """Send a batch to each partition that has records among these, once the partition's batch before has left."""
        parts: defaultdict[int, list[tuple[bytes, bytes, float]]] = defaultdict(list)
        partitions = self._partitions
        for (_, user, line), when in zip(logs, due, strict=True):
            parts[partitions[user]].append((user, line, when))
        for partition, records in parts.items():
            await self._send(partition, records, ledger, began)

    cpu = 0.0

    async def flush(self) -> None:
        """Wait for the brokers."""
        with reaching(f"Kafka at {self._settings.broker}"):
            await self._producer.flush()
        self._check()

    async def _send(
        self, partition: int, records: Sequence[tuple[bytes, bytes, float]], ledger: Parcels, began: float
    ) -> None:
        start = 0
        while start < len(records):
            batch = self._producer.create_batch()
            append = batch.append
            size = 0
            for place in range(start, len(records)):
                user, line, when = records[place]
                if append(timestamp=int(1e3 * (began + when)), key=user, value=line) is None:
                    break
                size += len(line)
            logs = batch.record_count()
            if not logs:
                raise ConfigError(f"a log does not fit into a batch of {_BATCH} bytes")
            self._check()
            try:
                arrived = await self._producer.send_batch(batch, self._topic, partition=partition)
            except KafkaError as error:
                raise self._explained(error) from None
            parcel = ledger.take(logs, records[start][2])
            arrived.add_done_callback(self._done(ledger, parcel, size))
            start += logs

    def _done(self, ledger: Parcels, parcel: int, size: int) -> Any:
        def done(arrived: Any) -> None:
            if arrived.cancelled():
                return
            if error := arrived.exception():
                self._failed = self._failed or self._explained(error)
            else:
                ledger.arrived(parcel, size)

        return done

    def _explained(self, error: BaseException) -> QuerymixError:
        return explained(error, f"the topic {self._topic} of Kafka at {self._settings.broker}")

    def _check(self) -> None:
        if self._failed is not None:
            raise self._failed
