"""Batches that the native path packs: what aiokafka's builder, asked for each record, would make of the same records.

aiokafka's sender asks a batch for its bytes once it knows the producer's state, which stands in the batch's head.
"""

from struct import Struct
from typing import Any, Final

from aiokafka.record.util import calc_crc32c

_HEAD: Final = Struct(">qiibIhiqqqhii")
"""Of message format 2: offset, length, epoch of the leader, format, checksum, attributes, last offset, first and last
time, the producer's id, its epoch and sequence, and the number of records."""
_FORMAT: Final = 2
_TRANSACTIONAL: Final = 0x10
_LENGTH_ENDS: Final = 12
_CHECKSUM_ENDS: Final = 21


class PackedBatch:
    """A full batch of a transaction, as `AIOKafkaProducer.send_batch` takes one: it is asked what its builder is.

    `batch` is the head's room and the records, which were packed at `time` in ms.
    """

    def __init__(self, batch: bytearray, records: int, time: int) -> None:
        self._batch = batch
        self._records = records
        self._time = time
        self._producer = -1, -1, 0

    def __repr__(self) -> str:
        return f"PackedBatch({self._records} records)"

    def append(self, **_: Any) -> None:
        """Take no record."""

    def close(self) -> None:
        """Take no more records: it never does. A transaction's end asks for it, an abort of what still waits too."""

    def closed(self) -> bool:
        """Say that it takes no record."""
        return True

    def record_count(self) -> int:
        """Return how many records it has."""
        return self._records

    def size(self) -> int:
        """Return its bytes."""
        return len(self._batch)

    def _set_producer_state(self, *state: int) -> None:
        """Note the producer's id, its epoch and the sequence that the batch begins with."""
        self._producer = state  # type: ignore[assignment]

    def _build(self) -> bytearray:
        batch, last = self._batch, self._records - 1
        size = len(batch) - _LENGTH_ENDS
        about = _FORMAT, 0, _TRANSACTIONAL, last, self._time, self._time, *self._producer, self._records
        _HEAD.pack_into(batch, 0, 0, size, -1, *about)
        batch[_CHECKSUM_ENDS - 4 : _CHECKSUM_ENDS] = calc_crc32c(batch[_CHECKSUM_ENDS:]).to_bytes(4, "big")
        return batch
