"""What aiokafka's clients make of a batch that is too large unpacked, or cannot be unpacked: one record for all of it.

This module, `pacing`, `connection` and `app` alone touch private attributes of aiokafka and Faust.
"""

import importlib
import logging
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import aiokafka.consumer.fetcher
from aiokafka.consumer.fetcher import PartitionRecords
from aiokafka.errors import UnsupportedCodecError

from querymix.kafka.ports import RefusedBatch
from querymix.kafka.unpacking import BROKEN, UNPACKERS, BatchRefusedError, was_large

_MAX_HEADERS: Final = 64
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

    def __init__(self, batch: Any, place: Any, reader: PartitionRecords) -> None:
        self._batch = batch
        self._place = place
        self._reader = reader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)

    def __next__(self) -> Any:
        return next(self._batch)

    def __iter__(self) -> Iterator[Any]:
        try:
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

    def next_batch(self) -> _Batch:
        return _Batch(self._packed.next_batch(), self._place, self._reader)


class _BoundedRecords(PartitionRecords):  # type: ignore[misc]  # aiokafka has no types
    """What was fetched of a partition, unpacked within a bound."""

    def __init__(self, tp: Any, records: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(tp, _Batches(records, tp, self), *arguments, **options)


# A batch of 16 kB may hold a gigabyte, which aiokafka unpacks before anything can look at its size; and a batch that it
# cannot unpack ends the worker, and the next one too.
aiokafka.consumer.fetcher.PartitionRecords = _BoundedRecords
for _module in ("default_records", "legacy_records", "_crecords.default_records", "_crecords.legacy_records"):
    with suppress(ImportError):
        for _name in UNPACKERS.keys() & vars(_found := importlib.import_module(f"aiokafka.record.{_module}")).keys():
            setattr(_found, _name, UNPACKERS[_name])
