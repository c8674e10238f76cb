"""What aiokafka's clients make of batches: plain records, and one record for a batch that cannot be unpacked.

The native path (service/native/src/kafka/fetched.rs) reads the records of a usual batch, which is not packed.
aiokafka reads all others, and what is left of one that is damaged.

This module, `packed_batches`, `pacing`, `connection` and `app` alone know private attributes of aiokafka and Faust.
"""

import importlib
import logging
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import aiokafka.consumer.fetcher
from aiokafka.consumer.fetcher import MemoryRecords, PartitionRecords
from aiokafka.errors import UnsupportedCodecError

from querymix.kafka.ports import PlainRecord, RefusedBatch
from querymix.kafka.unpacking import BROKEN, UNPACKERS, BatchRefusedError, was_large
from querymix.native_path import module

_MAX_HEADERS: Final = 64
_AT_ONCE: Final = 64
"""Records of a batch that are read at once."""
_LENGTH: Final = 12
_HEAD: Final = 61
"""Where the head of a batch says, in four bytes before it, how long the rest is, and how many records there are."""
_new: Final = tuple.__new__
_log: Final = logging.getLogger(__name__)


class _StandIn(NamedTuple):
    """A record of a batch, as aiokafka has it, in the place of one or of those that are not unpacked."""

    offset: int
    timestamp: int
    timestamp_type: int
    value: bytes | None
    key: bytes | None = None
    checksum: int | None = None
    headers: Sequence[tuple[str, bytes | None]] = ()


def _with_few_headers(record: Any) -> Any:
    """Return a record of a large batch: its headers take far more memory than bytes, and nothing of ours has many."""
    if len(record.headers) <= _MAX_HEADERS:
        return record
    fields = record.offset, record.timestamp, record.timestamp_type, record.value, record.key, record.checksum
    return _StandIn(*fields, record.headers[:_MAX_HEADERS])


class _Batch:
    """A batch of aiokafka's whose records that cannot be unpacked are one record, with the offset of the last."""

    def __init__(self, batch: Any, place: Any, reader: PartitionRecords, content: "tuple[bytes, int, int]") -> None:
        self._batch = batch
        self._place = place
        self._reader = reader
        self._content = content
        """What it stands in, from where to where."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)

    def __next__(self) -> Any:
        return next(self._batch)

    def __iter__(self) -> Iterator[Any]:
        native = module()  # what it raises says nothing of the batch
        try:
            if native and not getattr(self._batch, "compression_type", 1):
                yield from self._read(native)
                return
            records = iter(self._batch)
            if getattr(self._batch, "compression_type", 0) and was_large():
                records = map(_with_few_headers, records)
            yield from records
        except BatchRefusedError as error:
            yield from self._rest(error.reason, error.packed)
        except UnsupportedCodecError:
            raise
        except Exception:  # of whatever kind; aiokafka would meet it again and again
            yield from self._rest(BROKEN, b"")

    def _read(self, native: Any) -> Iterator[Any]:
        """Yield the records of a batch that is not packed."""
        batch, (content, start, end) = self._batch, self._content
        time = batch.max_timestamp if batch.timestamp_type else None
        about = *self._place, batch.base_offset, batch.first_timestamp, time
        at, last = start + _HEAD, batch.base_offset - 1
        left = _number_before(content, at)
        while left > 0 and (read := native.read_records(content, at, end, min(left, _AT_ONCE), last, about, _Taken)):
            records, at = read
            last = records[-1].offset
            left -= len(records)
            yield from records
        if left or at != end:
            # What was yielded is left out by its offset.
            yield from self._batch

    def _rest(self, reason: str, packed: bytes) -> Iterator[_StandIn]:
        batch = self._batch
        # A batch of an older format does not say where it begins, nor when.
        first = max(getattr(batch, "base_offset", 0), self._reader.next_fetch_offset)
        last, time = batch.next_offset - 1, getattr(batch, "max_timestamp", 0)
        if first > last:
            return
        count, place = last + 1 - first, "%s partition %d: %d records are refused, offsets %d to %d: %s"
        _log.warning(place, *self._place, count, first, last, reason)
        yield _StandIn(last, time, getattr(batch, "timestamp_type", 0), RefusedBatch.of(packed, reason, count))


class _Batches:
    """The batches that were fetched of a partition."""

    def __init__(self, packed: Any, place: Any, reader: PartitionRecords) -> None:
        self.has_next = packed.has_next
        self._packed = packed
        self._place = place
        self._reader = weakref.proxy(reader)  # no cycle, which would keep all of this for long
        self._at = 0

    def next_batch(self) -> _Batch:
        batch, content, start = self._packed.next_batch(), self._packed.content, self._at
        self._at += _LENGTH + _number_before(content, start + _LENGTH)
        return _Batch(batch, self._place, self._reader, (content, start, self._at))


def _number_before(content: bytes, end: int) -> int:
    return int.from_bytes(content[end - 4 : end], "big", signed=True)


class _Fetched:
    """The batches that were fetched of a partition as aiokafka has them, and what they stand in."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._batches = MemoryRecords(content)
        self.has_next, self.next_batch = self._batches.has_next, self._batches.next_batch
        self.size_in_bytes = self._batches.size_in_bytes


class _Taken(PlainRecord):
    """A record that was fetched, with what else Faust asks of one. aiokafka's own takes twice as long to make."""

    __slots__ = ()
    timestamp_type = checksum = serialized_key_size = serialized_value_size = None


class _BoundedRecords(PartitionRecords):  # type: ignore[misc]  # aiokafka has no types
    """What was fetched of a partition, unpacked within a bound."""

    def _consumer_record(self, tp: Any, record: Any) -> _Taken:
        if type(record) is _Taken:
            return record
        fields = record.offset, record.key, record.value, tuple(record.headers), record.timestamp
        return _new(_Taken, (*tp, *fields))

    def __init__(self, tp: Any, records: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(tp, _Batches(records, tp, self), *arguments, **options)


# A batch of 16 kB may hold a gigabyte, which aiokafka unpacks before anything can look at its size; and a batch that it
# cannot unpack ends the worker, and the next one too.
aiokafka.consumer.fetcher.PartitionRecords = _BoundedRecords
aiokafka.consumer.fetcher.MemoryRecords = _Fetched
for _module in ("default_records", "legacy_records", "_crecords.default_records", "_crecords.legacy_records"):
    with suppress(ImportError):
        for _name in UNPACKERS.keys() & vars(_found := importlib.import_module(f"aiokafka.record.{_module}")).keys():
            setattr(_found, _name, UNPACKERS[_name])
