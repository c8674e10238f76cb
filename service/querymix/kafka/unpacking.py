"""Unpacking batches of records within a bound, whatever they say of themselves.

Rules:
- A packed batch of 16 kB may hold a gigabyte, and brokers take it: they bound what is packed only. What unpacks to more
  than `MAX_UNPACKED` is refused before it takes more memory than that.
- A header takes two bytes at least, and thirty times as many as an object: a large record with more than `MAX_HEADERS`
  is refused too, with its batch. So is a large batch of more than `MAX_RECORDS`: a byte of it may stand for a record.
- Who unpacks a batch gets its bytes, or BatchRefusedError with the reason.

Source: Apache Kafka, the record batch of message format 2 (kafka.apache.org/documentation/#recordbatch).
"""

import mmap
import threading
import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final

MAX_UNPACKED: Final = 32 << 20
"""Bytes of a batch: 32 times what a broker takes by default as one."""
MAX_HEADERS: Final = 10_000
MAX_RECORDS: Final = 1 << 20
"""Of a large batch: they would be of less than 32 bytes each."""
_MAX_MEMBERS: Final = 100
"""Parts of a gzip batch: who packs a batch writes one, and each further one is found by copying all that follows."""
_LEAST_RECORD: Final = 6
"""Bytes of a record behind its size."""
TOO_LARGE: Final = f"its batch unpacks to more than {MAX_UNPACKED >> 20} MiB"
BROKEN: Final = "its batch cannot be unpacked"
TOO_MANY_HEADERS: Final = f"a record of its batch has more than {MAX_HEADERS} headers"
TOO_MANY_RECORDS: Final = f"its batch has more than {MAX_RECORDS:,} records"
_HARMLESS: Final = 1 << 20
"""Bytes of a record whose headers take no more memory than a worker can spare."""
_KEPT: Final = 4 << 20
"""Bytes of room that stay for the next batch."""
_FULL: Final = "failed to write whole buffer"
_LONGEST: Final = 63
"""Bits of a number."""
_XERIAL: Final = b"\x82SNAPPY\0"
_XERIAL_HEAD: Final = 16


class BatchRefusedError(Exception):
    """A batch is not unpacked. `packed` is what it came as."""

    def __init__(self, reason: str, packed: bytes) -> None:
        super().__init__(reason)
        self.reason = reason
        self.packed = packed


class _Room(threading.local):
    """Memory to unpack into, one for each thread: fresh memory costs more than unpacking a usual batch."""

    def __init__(self) -> None:
        self._room = _fresh()
        self.is_large = False

    def filled(self, decompress: Callable[[Any, Any], int], packed: bytes) -> bytes:
        """Return what `decompress` writes."""
        size = MAX_UNPACKED
        try:
            size = decompress(packed, self._room)
            return self._room[:size]
        finally:
            if size > _KEPT:
                self._room = _fresh()


def _fresh() -> mmap.mmap:
    return mmap.mmap(-1, MAX_UNPACKED, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


_room: Final = _Room()


def was_large() -> bool:
    """Say whether the headers of the batch that this thread unpacked last may take much memory together."""
    return _room.is_large


def _gzip(packed: bytes) -> bytes:
    out: list[bytes] = []
    left = MAX_UNPACKED
    while packed:
        if len(out) == _MAX_MEMBERS:
            raise ValueError
        part = zlib.decompressobj(31)
        out.append(part.decompress(packed, left + 1))
        left -= len(out[-1])
        if left < 0:
            raise OverflowError
        if not part.eof:
            raise EOFError
        packed = part.unused_data.lstrip(b"\0")
    return out[0] if len(out) == 1 else b"".join(out)


def _snappy(packed: bytes) -> bytes:
    from cramjam import snappy  # noqa: PLC0415 - without it aiokafka asks for no unpacking

    if not packed.startswith(_XERIAL):
        if snappy.decompress_raw_len(packed) > MAX_UNPACKED:
            raise OverflowError
        return bytes(snappy.decompress_raw(packed))
    blocks: list[memoryview] = []
    at, left, whole = _XERIAL_HEAD, MAX_UNPACKED, memoryview(packed)
    while at < len(packed):
        size = int.from_bytes(packed[at : at + 4], "big")
        blocks.append(whole[at + 4 : at + 4 + size])
        left -= snappy.decompress_raw_len(blocks[-1])
        if left < 0:
            raise OverflowError
        at += 4 + size
    return b"".join(bytes(snappy.decompress_raw(block)) for block in blocks)


def _lz4(packed: bytes) -> bytes:
    from cramjam import lz4  # noqa: PLC0415 - see above

    return _room.filled(lz4.decompress_into, packed)


def _zstd(packed: bytes) -> bytes:
    from cramjam import zstd  # noqa: PLC0415 - see above

    return _room.filled(zstd.decompress_into, packed)


def _bounded(decompress: Callable[[bytes], bytes]) -> Callable[[Any], bytes]:
    def unpack(data: Any) -> bytes:
        packed = bytes(data)
        try:
            unpacked = decompress(packed)
        except OverflowError:
            raise BatchRefusedError(TOO_LARGE, packed) from None
        except Exception as error:  # each package has its own
            raise BatchRefusedError(TOO_LARGE if _FULL in error.args else BROKEN, packed) from None
        _room.is_large = len(unpacked) > _HARMLESS
        if _room.is_large and (reason := refused_for(unpacked)):
            raise BatchRefusedError(reason, packed)
        return unpacked

    return unpack


UNPACKERS: Final[Mapping[str, Callable[[Any], bytes]]] = {
    "gzip_decode": _bounded(_gzip),
    "snappy_decode": _bounded(_snappy),
    "lz4_decode": _bounded(_lz4),
    "zstd_decode": _bounded(_zstd),
}
"""By the names that aiokafka calls them by."""


def has_many_headers(records: bytes) -> bool:
    """Say whether one of the records of a batch has more headers than `MAX_HEADERS`; records that are none have not."""
    return refused_for(records) == TOO_MANY_HEADERS


def refused_for(records: bytes) -> str:
    """Return why a large batch's records are too many, or their headers; nothing where they are not, or are none."""
    at = count = 0
    try:
        while at < len(records):
            count += 1
            if count > MAX_RECORDS:
                return TOO_MANY_RECORDS
            size, at = _varint(records, at)
            end = at + size
            if size > _HARMLESS:
                if records[at] >= 0x80:  # attributes, of which there are none yet: they may be read in two ways
                    return TOO_MANY_HEADERS
                at += 1
                for _ in range(2):  # time and offset
                    _, at = _varint(records, at)
                for _ in range(2):  # key and value
                    length, at = _varint(records, at)
                    at += max(length, 0)
                if _varint(records, at)[0] > MAX_HEADERS:
                    return TOO_MANY_HEADERS
            if size < _LEAST_RECORD:
                return ""
            at = end
    except IndexError:
        pass
    return ""


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a signed number of Protocol Buffers' zigzag form, and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value >> 1 ^ -(value & 1), at
        shift += 7
        if shift > _LONGEST:
            raise IndexError
