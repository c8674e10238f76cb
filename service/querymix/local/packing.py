"""Packed outputs: the ending of a file's name says how it is packed.

Rules:
- Written: gzip, bzip2, xz and zstd, each by its usual ending.
- A name that says another form is refused before anything is written, since a reader would take the file for that.
"""

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import Final, Protocol

import zstandard

from querymix.core.errors import ConfigError


class Packer(Protocol):
    """Packs one stream."""

    def compress(self, data: bytes, /) -> bytes:
        """Return what is ready of the stream."""
        ...

    def flush(self) -> bytes:
        """Return the rest, with the stream's end."""
        ...


Packing = Callable[[], Packer]
_PACKINGS: Final[dict[str, Packing]] = {
    ".gz": lambda: zlib.compressobj(wbits=31),  # with gzip's header, which has neither a name nor a time
    ".bz2": bz2.BZ2Compressor,
    ".xz": lambda: lzma.LZMACompressor(preset=1),  # the usual preset takes ten times as long, for a fifth less
    ".zst": lambda: zstandard.ZstdCompressor(write_checksum=True).compressobj(),
}
TABLES: Final = (".parquet", ".arrow", ".feather")
"""Endings of files of columns (querymix.local.columnar)."""
_OTHERS: Final = ".zip .7z .rar .tar .tgz .tbz2 .txz .lz4 .lz .lzma .lzo .br .sz .snappy .z .zstd .gzip .orc .avro"
_FOREIGN: Final = frozenset((*_OTHERS.split(), ".xls", ".xlsx"))
"""Endings of forms that are not written."""


def packing_of(name: str) -> Packing | None:
    """Return how a file of this name is packed, None where it is plain.

    Raises ConfigError where the name says a form that is not written.
    """
    ending = PurePath(name).suffix.lower()
    if ending in _FOREIGN:
        raise ConfigError(
            f"cannot write {name}: {ending} is no form that is written. A name that ends with "
            f"{', '.join(_PACKINGS)} is packed so, one with {', '.join(TABLES)} has columns, and any other is plain."
        )
    return _PACKINGS.get(ending)


def is_table(name: str) -> bool:
    """Say whether a file of this name has columns."""
    return PurePath(name).suffix.lower() in TABLES


def packed(packing: Packing, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the blocks of one stream packed."""
    packer = packing()
    for block in blocks:
        yield packer.compress(block)
    yield packer.flush()
