"""Where releases and their evidence go: lines to the anonymized topic, numbered frames of counts to the profiles.

service/native/src/kafka/records.rs does what `ReleaseWriter` does with lines: what changes here changes there too.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from aiokafka.partitioner import DefaultPartitioner

from querymix.codecs.base import ENCODING, ERRORS, Codec
from querymix.codecs.frames import encode_evidence
from querymix.core.bounded_cache import BoundedCache
from querymix.core.periods import Period, with_ids
from querymix.core.records import POOL_NAMES, UNCLASSIFIED, Release, each_row
from querymix.kafka.numbers import Numbers
from querymix.kafka.periods import PeriodKeys
from querymix.kafka.ports import Headers, Transaction
from querymix.kafka.slices import Room
from querymix.kafka.topics import Topics, partition_of
from querymix.native_path import module
from querymix.stages.releasing import Released

_MAX_REMEMBERED: Final = 1 << 17
_Lines = dict[int, Any]
"""Key, value and headers of what is written, by partition: a list, or the native path's `Records`."""
_AT_ONCE: Final = 4096
"""Releases with one frame of evidence a partition, at most: a cell of time may end with many more."""
_ENCODED: Final = 256
"""Releases that are encoded in a turn."""
_SENT: Final = 1 << 20
"""Bytes of lines that are gathered before they are sent."""


class Writes(Protocol):
    """Takes releases and their evidence."""

    async def send(self, transaction: Transaction, released: Released, numbers: Numbers, now: float) -> None:
        """Put what leaves at `now` and its evidence into a transaction; `numbers` are those of the evidence frames."""
        ...


class DryRun:
    """Takes releases and writes nothing: they count, and nobody sees them."""

    async def send(self, transaction: Transaction, released: Released, numbers: Numbers, now: float) -> None:
        """Write nothing."""


class ReleaseWriter:
    """Writes releases; one for a worker, since it remembers the ids' partitions.

    `partitions` are how many each topic has, as at the start: a producer may know of fewer for a moment, after a
    broker's restart. `category_header`: a header names the category of each release. `period` is how long the ids last
    that lines leave under, and `keys` gives those of a period that is a time. A transaction has one period; one that
    failed is decided anew and may have another, since nothing of it ever showed. Evidence is the users' own.
    """

    def __init__(
        self,
        topics: Topics,
        partitions: Mapping[str, int],
        codec: Codec,
        *,
        category_header: bool,
        room: Room | None = None,
        period: Period = None,
        keys: PeriodKeys | None = None,
    ) -> None:
        self._period = period
        self._keys = keys
        self._topics = topics
        self._room = room or Room()
        self._codec = codec
        self._out_partitions = list(range(partitions[topics.anonymized]))
        self._evidence_partitions = partitions[topics.evidence]
        self._headers: dict[int, Headers] = {
            category: [("category", name.encode())] if category_header else [] for category, name in POOL_NAMES.items()
        }
        self._place = DefaultPartitioner()
        self._places: BoundedCache[tuple[int, bytes]] = BoundedCache(_MAX_REMEMBERED)
        """Partition and key of each id that comes again."""
        self._native = module()

    async def send(self, transaction: Transaction, released: Released, numbers: Numbers, now: float) -> None:
        """Put what leaves at `now` and its evidence into a transaction; `numbers` are those of the evidence frames."""
        # Not kept: a key is gone from memory when its period is over.
        ids = None if self._keys is None or not released.releases else await self._keys.ids(now)
        lines: _Lines = {}
        evidence: list[tuple[int, bytes, int]] = []
        size = 0
        for piece in released.pieces(_AT_ONCE):
            for some in piece.pieces(_ENCODED):
                async with self._room.turn():
                    size += self._encode(with_ids(some.releases, self._period, ids), lines)
                if size >= _SENT:
                    await self._send_lines(transaction, lines)
                    size = 0
            async with self._room.turn():
                evidence += self._frames(piece)
        # From here on without a pause: what is sent in one turn of the loop costs one request for all partitions.
        await self._send_lines(transaction, lines)
        for partition, frame, count in evidence:
            await transaction.send(
                self._topics.evidence, frame, partition=partition, headers=numbers.next(partition, count)
            )

    def _frames(self, piece: Released) -> Iterator[tuple[int, bytes, int]]:
        """Yield the frames of a piece's evidence: partition, frame and how many records it counts."""
        releases, number = piece.releases, self._evidence_partitions
        native = self._native and self._native.evidence_frames(releases, number, UNCLASSIFIED)
        if native is not None:
            yield from native
            return
        shares: dict[int, dict[tuple[str, int], int]] = {}
        for key, count in piece.evidence().items():
            shares.setdefault(partition_of(key[0], self._evidence_partitions), {})[key] = count
        for partition, share in shares.items():
            yield partition, encode_evidence(share), sum(share.values())

    async def _send_lines(self, transaction: Transaction, lines: _Lines) -> None:
        for partition, records in lines.items():
            await transaction.send_many(self._topics.anonymized, partition, records)
        lines.clear()

    def _encode(self, releases: Sequence[Release], lines: _Lines) -> int:
        """Add what is written for releases to the lines by partition, and return its bytes."""
        places, headers, come_again = self._places, self._headers, not isinstance(self._period, str)
        size = 0
        rows = each_row(releases)
        if self._native:
            texts, partitions = list(self._codec.encode(rows)), len(self._out_partitions)
            added: int = self._native.add_lines(list(rows), texts, partitions, headers, lines)
            return added
        for release, line in zip(rows, self._codec.encode(rows), strict=True):
            user = release[0]
            known = places.get(user)
            if known is None:
                key = user.encode(ENCODING, ERRORS)
                known = self._place(key, self._out_partitions, self._out_partitions), key
                if come_again:
                    places.keep(user, known)
            place, key = known
            value = line.encode(ENCODING, ERRORS)
            size += len(value)
            lines.setdefault(place, []).append((key, value, headers[release[3]]))
        return size
