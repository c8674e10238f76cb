"""From compressed or differently encoded bytes to UTF-8, known by the first bytes and never by a file's name.

Rules:
- Read: gzip, bzip2, xz, lzma and zstd, in one or many parts, also from a pipe; zip files; UTF-16 and UTF-32.
- Parquet and Arrow files are read as JSON lines.
- Refused with a word: archives of files, tables and databases, and forms that nothing here can read.
- What can be read of damaged data is handed on before `DamagedInputError` is raised.
- Memory is bounded, whatever the data says of itself: see querymix.local.decompressors and querymix.local.columnar.
- One packing is unpacked. What is packed a second time inside of it is refused.
"""

import bz2
import codecs
import gzip
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from typing import IO, Any, Final, Protocol, cast

import zstandard

from querymix.core.errors import reason
from querymix.local.columnar import MOST_MEMORY, is_columnar, json_lines
from querymix.local.decompressors import MOST_WINDOW, Lzma, Source, TooLargeWindowError, Zstd

BLOCK: Final = 1 << 20
"""Bytes that are handed on at once."""
HEAD: Final = 512
"""First bytes that tell every form."""
_ZIP: Final = b"PK\x03\x04"


class DamagedInputError(Exception):
    """The data ends before its end; the text says why, and never holds any of it."""


class UnsupportedInputError(Exception):
    """The data is of a form that is not read; the text says which, and what to do."""


class _Reader(Protocol):
    def read1(self, size: int, /) -> bytes:
        """Read some bytes, none at the end."""
        ...


_PACKED: Final[tuple[tuple[bytes, str, Callable[[Any], _Reader]], ...]] = (
    (b"\x1f\x8b", "gzip", lambda source: gzip.GzipFile(fileobj=source, mode="rb")),
    (b"BZh", "bzip2", bz2.BZ2File),
    (b"\xfd7zXZ\0", "xz", Lzma),
    (b"\x5d\0\0", "lzma", Lzma),
    (b"\x28\xb5\x2f\xfd", "zstd", Zstd),
    *((bytes([0x50 + number]) + b"\x2a\x4d\x18", "zstd", Zstd) for number in range(16)),  # frames to skip: pzstd
)
_BZIP2_BLOCKS: Final = (b"1AY&SY", b"\x17rE8P\x90")
_UNPACK: Final = "unpack it and give what is in it"
_CONVERT: Final = "convert it to tabs (--format aol) or JSON lines (--format json)"
_FOREIGN: Final = (
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (0, b"Rar!\x1a\x07", "a rar archive", _UNPACK),
    (257, b"ustar", "a tar archive", _UNPACK),
    (0, b"\x04\x22\x4d\x18", "lz4 data", "unpack it on the way, with lz4 -dc"),
    (0, b"\x1f\x9d", "compress (.Z) data", "unpack it on the way, with zcat"),
    (0, b"\xff\x06\0\0sNaPpY", "snappy data", "unpack it on the way, with snzip -dc"),
    (0, b"Obj\x01", "an Avro file", _CONVERT),
    (0, b"ORC", "an ORC file", _CONVERT),
    (0, b"SQLite format 3\0", "an SQLite database", _CONVERT),
    (0, b"%PDF-", "a PDF document", _CONVERT),
)
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Of a zip file: the package gives at once all that its input holds by another."""
_DAMAGED_ZIP: Final = (zipfile.BadZipFile, RuntimeError, OSError, ValueError, LookupError, struct.error, OverflowError)
"""Any of which the package raises of a zip file that it opens or reads; NotImplementedError is a RuntimeError."""
_DAMAGE: Final = (EOFError, OSError, zlib.error, lzma.LZMAError, zstandard.ZstdError)
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def plain(blocks: Iterator[bytes], file: IO[bytes] | None) -> Iterator[bytes]:
    """Yield the UTF-8 bytes that `blocks` hold; `file` is the whole file where it can be read from any place.

    Raises DamagedInputError, or UnsupportedInputError where it is of a form that is not read or would take too much
    memory; both after all that could be read.
    """
    head, blocks = _peek(blocks)
    if head.startswith(_ZIP):
        if file is None:
            raise UnsupportedInputError("it is a zip file, which a pipe cannot carry: give the file, or unpack it")
        return _zipped(file)
    if is_columnar(head):
        if file is None:
            raise UnsupportedInputError("it is a Parquet or Arrow file, which a pipe cannot carry: give the file")
        return _rows(file, head)
    if packing := _packing(head):
        name, reader = packing
        return _text(_unpacked(name, reader(Source(blocks))), packed=True)
    return _text(blocks)


def _packing(head: bytes) -> tuple[str, Callable[[Any], _Reader]] | None:
    for magic, name, reader in _PACKED:
        if head.startswith(magic) and (magic != b"BZh" or head[4:10] in _BZIP2_BLOCKS):
            return name, reader
    return None


def _rows(file: IO[bytes], head: bytes) -> Iterator[bytes]:
    try:
        yield from json_lines(file, head)
    except MemoryError:
        raise UnsupportedInputError(f"some of its rows take more than {MOST_MEMORY >> 20} MiB: {_CONVERT}") from None
    except (OSError, ValueError, TypeError, OverflowError, SystemError):  # of a time that no calendar has, for one
        raise DamagedInputError("the Parquet or Arrow file is damaged or of an unknown kind") from None


def _peek(blocks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the first bytes, enough of them to tell what it is, and all blocks.

    A pipe's first line is not waited beyond, since the next may come in an hour.
    """
    head = b""
    while len(head) < HEAD and b"\n" not in head and (block := next(blocks, b"")):
        head += block
    return head, chain([head] if head else [], blocks)


def _unpacked(name: str, packed: _Reader) -> Iterator[bytes]:
    """Yield blocks. `read` would lose all of a block that ends in damage, so it is put together here."""
    block = bytearray()
    try:
        while part := packed.read1(BLOCK):
            block += part
            if len(block) >= BLOCK:
                yield bytes(block)
                block.clear()
    except _DAMAGE as error:
        if block:
            yield bytes(block)
        raise DamagedInputError(f"the {name} data is damaged or cut short ({reason(error)})") from None
    except TooLargeWindowError:
        if block:
            yield bytes(block)
        raise UnsupportedInputError(
            f"the {name} data needs more than {MOST_WINDOW >> 20} MiB of memory to unpack: if you trust it, unpack it "
            f"on the way, with {'zstd -dc --long=31' if name == 'zstd' else 'xz -dc'}"
        ) from None
    if block:
        yield bytes(block)


def _zipped(file: IO[bytes]) -> Iterator[bytes]:
    """Return what the files of a zip archive hold, one after the other."""
    try:
        archive = zipfile.ZipFile(file)
    except _DAMAGED_ZIP:  # the package's reason may hold a part of the data
        raise DamagedInputError("the zip data is damaged, cut short or of an unknown kind") from None
    members = [m for m in archive.infolist() if not m.filename.endswith("/") and not m.filename.startswith("__MACOSX/")]
    if any(member.filename == "[Content_Types].xml" for member in members):
        raise UnsupportedInputError(f"it is an office document: {_CONVERT}")
    if any(member.flag_bits & 1 for member in members):
        raise UnsupportedInputError(f"it is an encrypted zip file: {_UNPACK}")
    if any(member.compress_type not in _METHODS for member in members):
        raise UnsupportedInputError(f"it is a zip file that is packed by an unusual method: {_UNPACK}")
    return chain.from_iterable(_member(archive, member) for member in members)


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    last = b"\n"
    try:
        with archive.open(member) as packed:
            for block in _text(_unpacked("zip", cast(zipfile.ZipExtFile, packed)), packed=True):
                last = block[-1:]
                yield block
    except _DAMAGED_ZIP:
        raise DamagedInputError("the zip data is damaged, cut short or of an unknown kind") from None
    if last != b"\n":
        yield b"\n"


def _text(blocks: Iterator[bytes], *, packed: bool = False) -> Iterator[bytes]:
    """Return the bytes as UTF-8; those that are no known encoding stay as they are. `packed`: they were."""
    head, blocks = _peek(blocks)
    if packed and (_packing(head) or is_columnar(head) or head.startswith(_ZIP)):
        raise UnsupportedInputError(f"it is packed twice, or a table that is packed: {_UNPACK}")
    for place, magic, name, advice in _FOREIGN:
        if head[place:].startswith(magic) and (b"\0" in head or not magic.isalnum()):  # a user may be called ORCA
            raise UnsupportedInputError(f"it is {name}: {advice}")
    encoding = _encoding(head)
    return _as_utf8(blocks, encoding) if encoding else blocks


def _encoding(head: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    odd, even = head[1:256:2], head[0:256:2]
    if len(odd) > 1 and odd.count(0) > 0.4 * len(odd) and not even.count(0):
        return "utf-16-le"
    if len(even) > 1 and even.count(0) > 0.4 * len(even) and not odd.count(0):
        return "utf-16-be"
    return None


def _as_utf8(blocks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for block in blocks:
        if text := decoder.decode(block):
            yield text.encode()
    if text := decoder.decode(b"", final=True):
        yield text.encode()
