"""Transactions in plain aiokafka: one transactional id per input partition, begun on assignment.

Rules:
- Starting a writer fences whoever had the partition before, and finishes or aborts what it left open.
- Everything a batch leads to is in its transaction: records out, and the input's position in the group.
- A transaction that fails is aborted; a writer that was fenced is over, and its partition another worker's.
- Whether a commit whose answer does not come was done is not known. The next writer of the same name decides it by
  beginning, and only then reads the state, which says which of the two it was.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import aiokafka
from aiokafka.errors import IllegalOperation, KafkaError, ProducerFenced
from aiokafka.structs import OffsetAndMetadata

from querymix.kafka.connection import why_it_failed
from querymix.kafka.failures import AwayError, explained
from querymix.kafka.packed_batches import PackedBatch
from querymix.kafka.ports import FencedError, Headers, TopicPartition
from querymix.kafka.topics import MAX_BYTES
from querymix.native_path import module

_BATCH_BYTES: Final = 1 << 18
"""Bytes of a batch of releases."""
_COMMITS_WITHIN: Final = 50.0
"""Seconds until a transaction that the brokers do not take is given up: they end it after 60 (transaction.timeout.ms).
The client alone would try for ever."""
_ABORTS_WITHIN: Final = 2.0
MAX_UNSENT: Final = 2 << 20
"""Bytes that wait to be sent: a producer knows no bound of its own."""


class KafkaWriter:
    """Consume, work, produce: one input partition's transactional producer. `options` are those of every client.

    Starting `producer` fences the previous owner, stopping it leaves what is open to be aborted.
    """

    def __init__(self, options: Mapping[str, Any], transactional_id: str, group: str, source: TopicPartition) -> None:
        self._group = group
        self._source = aiokafka.TopicPartition(*source)  # its own type, which it looks for
        self._futures: list[Any] = []
        self._unsent = 0
        """Bytes of records since all before them were sent."""
        self._reached: OffsetAndMetadata | None = None
        self._over = False
        """Whether it was fenced; its producer is of no more use then."""
        self._native = module()
        self.producer = aiokafka.AIOKafkaProducer(
            **options,
            transactional_id=transactional_id,
            max_request_size=MAX_BYTES,
            max_batch_size=_BATCH_BYTES,
            linger_ms=0,
            acks="all",
        )

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator["KafkaWriter"]:
        """Run the body in a transaction, which also moves the group where the body has called `reached`.

        Raises FencedError where the partition is another worker's by now, and TransientError or ConfigError where the
        broker failed or refused it; nothing of the transaction shows then.
        """
        producer = self.producer
        self._reached = None
        if self._over:
            raise FencedError
        try:
            await producer.begin_transaction()
            try:
                yield self
                await self._commit()
            except (KafkaError, IllegalOperation) as error:
                # The second, which is no KafkaError, is what a send meets once the transaction has failed beside it.
                cause = why_it_failed(producer, error)
                await self._abort()
                raise cause from None
            except BaseException:
                await self._abort()
                raise
            finally:
                for future in self._futures:
                    # One failure ends the transaction; asyncio would print the others as tracebacks.
                    future.add_done_callback(_noted)
                self._futures.clear()
                self._unsent = 0
        except ProducerFenced:
            self._over = True
            raise FencedError from None
        except KafkaError as error:
            raise explained(error, f"Kafka failed in a transaction over {self._source.topic}") from None

    async def _commit(self) -> None:
        await self._flush()
        async with self._taken_in_time():
            if self._reached is not None:
                await self.producer.send_offsets_to_transaction({self._source: self._reached}, self._group)
            await self.producer.commit_transaction()

    @asynccontextmanager
    async def _taken_in_time(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(_COMMITS_WITHIN):
                yield
        except TimeoutError:
            raise AwayError(
                f"the brokers have not taken a transaction over {self._source.topic} for {_COMMITS_WITHIN:.0f} s: see "
                "whether all brokers run and enough replicas are in sync (min.insync.replicas)"
            ) from None

    def reached(self, position: int) -> None:
        """Let the open transaction move the group to the record after `position`."""
        self._reached = OffsetAndMetadata(position + 1, "")

    async def _flush(self) -> None:
        """Wait until all is sent."""
        async with self._taken_in_time():
            for future in self._futures:
                await future
        self._futures.clear()
        self._unsent = 0

    async def _note(self, future: Any, size: int) -> None:
        """Note what was handed over to be sent, and wait where much is."""
        self._futures.append(future)
        self._unsent += size
        if self._unsent > MAX_UNSENT:
            await self._flush()

    async def _abort(self) -> None:
        try:
            async with asyncio.timeout(_ABORTS_WITHIN):
                await self.producer.abort_transaction()
        except (KafkaError, IllegalOperation, AssertionError, TimeoutError):
            # The broker, or the next owner of the partition, aborts it: nothing of it shows either way.
            return

    async def send(
        self, topic: str, value: bytes | None, *, key: bytes | None = None, partition: int | None = None,
        headers: Headers = (),
    ) -> None:  # fmt: skip
        """Put one record into the open transaction."""
        future = await self.producer.send(topic, value, key=key, partition=partition, headers=list(headers))
        await self._note(future, len(value or b""))

    async def send_many(self, topic: str, partition: int, records: Iterable[tuple[bytes, bytes, Headers]]) -> None:
        """Put many records (key, value, headers) of one partition into the open transaction."""
        native = self._native and isinstance(records, self._native.Records)
        for batch in _packed(records) if native else self._built(records):
            await self._note(await self.producer.send_batch(batch, topic, partition=partition), batch.size())

    def _built(self, records: Iterable[tuple[bytes, bytes, Headers]]) -> Iterator[Any]:
        """Yield batches of records; one that is larger than a batch is a batch by itself: aiokafka takes any first."""
        batch = self.producer.create_batch()
        for key, value, headers in records:
            if batch.append(key=key, value=value, timestamp=None, headers=headers) is None:
                yield batch
                batch = self.producer.create_batch()
                batch.append(key=key, value=value, timestamp=None, headers=headers)
        if batch.record_count():
            yield batch


def _packed(records: Any) -> Iterator[PackedBatch]:
    """Yield what `_built` does, of records that the native path has packed."""
    start = 0
    while start < len(records):
        batch, count, time = records.pack(start, _BATCH_BYTES)
        yield PackedBatch(batch, count, time)
        start += count


def _noted(future: "asyncio.Future[Any]") -> None:
    """Note a delivery's failure, so that nobody reports it as overlooked."""
    if not future.cancelled():
        future.exception()
