"""What a partition processor asks of the log and of whoever feeds it: Protocols, and the errors that they share.

The real adapter is `log.KafkaLog`; `memory_log.MemoryLog` is one to embed and try with. One contract suite runs over
both. Nothing here needs a Kafka client.
"""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol

Headers = Iterable[tuple[str, bytes]]


class FencedError(Exception):
    """Another worker has taken the partition over: stop working on it."""


class TopicPartition(NamedTuple):
    """A partition of a topic; equal to aiokafka's own tuple of that name."""

    topic: str
    partition: int


class Record(Protocol):
    """One record of a partition, as aiokafka and Faust both have it."""

    @property
    def topic(self) -> str: ...
    @property
    def partition(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def key(self) -> bytes | None: ...
    @property
    def value(self) -> bytes | None: ...
    @property
    def headers(self) -> Sequence[tuple[str, bytes]]: ...
    @property
    def timestamp(self) -> float: ...  # ms since 1970


class PlainRecord(NamedTuple):
    """A record by itself."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes]] = ()
    timestamp: float = 0.0

    def __repr__(self) -> str:
        return f"PlainRecord({self.topic}-{self.partition}@{self.offset})"


def size_of(record: Record) -> int:
    """Return the bytes of a record that whoever writes it chooses: value, key and headers."""
    size = len(record.value or b"") + len(record.key or b"")
    return size + sum(len(name) + len(value or b"") for name, value in record.headers) if record.headers else size


class RefusedBatch(bytes):
    """The value of a record that stands for records that a client does not unpack: their batch, as it came.

    The record has the offset of the last of them. `records` says how many they are, `reason` why.
    """

    reason: str
    records: int

    @classmethod
    def of(cls, packed: bytes, reason: str, records: int) -> "RefusedBatch":
        """Return the value for so many records."""
        batch = cls(packed)
        batch.reason, batch.records = reason, records
        return batch

    def __repr__(self) -> str:
        return f"RefusedBatch({self.records} records: {self.reason})"


class Limit(NamedTuple):
    """How much is taken at a time, of both; a record more than the bytes say."""

    records: int
    bytes: int


class Chunk(NamedTuple):
    """What a read of a partition came to."""

    records: Sequence[Record]
    begin: int
    """Offset that the read began at: past the one asked for where retention has removed that."""
    next: int
    """Offset that the next read goes on at; there is no committed record before it but those of `records`."""

    def __repr__(self) -> str:
        return f"Chunk({len(self.records)} records, {self.begin} to {self.next})"


class End(NamedTuple):
    """Where a partition ends."""

    stable: int
    """Offset up to which transactions are decided: readers of committed records get no further."""
    last: int
    """Offset that the next record will have."""


class Transaction(Protocol):
    """An open transaction."""

    async def send(
        self, topic: str, value: bytes | None, *, key: bytes | None = None, partition: int | None = None,
        headers: Headers = (),
    ) -> None:  # fmt: skip
        """Put one record into it."""
        ...

    async def send_many(self, topic: str, partition: int, records: Iterable[tuple[bytes, bytes, Headers]]) -> None:
        """Put many records (key, value, headers) of one partition into it."""
        ...

    def reached(self, position: int) -> None:
        """Let it move the group to the record after `position`."""
        ...


class Writer(Protocol):
    """The one writer on behalf of an input partition."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Run the body in a transaction: all of it is committed after the body, or none of it ever shows.

        Raises FencedError where another writer of the same name has begun since, TransientError where the log is
        unavailable.
        """
        ...


class Ends(Protocol):
    """Says where partitions end."""

    async def ends(self, sources: Collection[TopicPartition]) -> Mapping[TopicPartition, End]:
        """Return where partitions end. Raises TransientError where the log is unavailable."""
        ...


class PartitionedLog(Ends, Protocol):
    """A log with partitions and transactions. Raises TransientError where it is unavailable."""

    def writer(self, name: str, source: TopicPartition, group: str) -> AbstractAsyncContextManager[Writer]:
        """Become the writer `name` for an input partition of `group`.

        Whoever was it before is fenced, and what it left open is aborted or done, once the body begins.
        """
        ...

    async def read(self, source: TopicPartition, start: int, end: int, limit: Limit) -> Chunk:
        """Return committed records from `start` on and before `end`, about as many as the limit says."""
        ...

    def scan(self, source: TopicPartition) -> AsyncIterator[Record]:
        """Yield all committed records of a partition, after waiting for transactions that are open now.

        Of a transaction all records are yielded or none, where one writer at a time writes to the partition.
        Memory does not grow with the partition.
        """
        ...

    async def committed(self, group: str, source: TopicPartition) -> int | None:
        """Return the offset that a group goes on at, None where it has none."""
        ...

    async def delete(self, source: TopicPartition, before: int) -> None:
        """Remove for good what stands in a partition before an offset. Raises RefusedError where nobody may."""
        ...


class Feed(Protocol):
    """Hands over a partition's records. It is not trusted: it may leave out, repeat and reorder them."""

    async def next(self, limit: Limit) -> Sequence[Record]:
        """Return records that are there, or none after a moment."""
        ...
