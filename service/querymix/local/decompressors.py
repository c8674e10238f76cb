"""Decompressors whose memory is bounded, whatever the packed data says of itself.

Rules:
- What they give at once is bounded by the caller, not by the data: 64 kB of zstd or xz may hold gigabytes.
- What they have to remember of the data before (the window, xz says dictionary) is bounded by `MOST_WINDOW`. Data that
  needs more is refused: every tool packs within it unless it is told otherwise.

Source: Y. Collet, M. Kucherawy, Zstandard Compression, RFC 8878, sections 3.1.1 (frames, blocks) and 3.1.2 (to skip).
"""

import lzma
from collections.abc import Iterator
from typing import Any, Final

import zstandard

MOST_WINDOW: Final = 128 << 20
"""Bytes: what zstd -22, zstd --long and xz -9 need at most."""
_MORE: Final = 16 << 20
"""What xz needs beside its dictionary, at most."""
_SLICE: Final = 1 << 16
_ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPED: Final = b"\x2a\x4d\x18"
"""The last bytes of the magic of a frame to skip."""
_RLE: Final = 1
"""A kind of block: one byte that is repeated."""


class TooLargeWindowError(Exception):
    """The data needs more memory to unpack than `MOST_WINDOW`."""


class Source:
    """Blocks of bytes as a file to read on from."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = memoryview(b"")

    def read(self, size: int) -> bytes:
        """Return some bytes, `size` at most, and none at the end."""
        if not self._rest:
            self._rest = memoryview(next(self._blocks, b""))
        part, self._rest = self._rest[:size], self._rest[size:]
        return bytes(part)

    def exactly(self, size: int) -> bytes:
        """Return `size` bytes. Raises EOFError where there are fewer."""
        data = self.read(size)
        while len(data) < size:
            more = self.read(size - len(data))
            if not more:
                raise EOFError("the last part has no end")
            data += more
        return data


class Lzma:
    """Parts of xz or lzma, one after the other, with zeros between them.

    The package's own reader takes padded data for cut data, and knows no limits.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._rest = b""
        self._part: Any = None

    def read1(self, size: int, /) -> bytes:
        """Return some bytes, `size` at most, and none at the end.

        Raises EOFError or LZMAError where the data is damaged, and TooLargeWindowError.
        """
        while (data := self._next()) is not None:
            try:
                out: bytes = self._part.decompress(data, size)
            except lzma.LZMAError as error:
                if str(error) == "Memory usage limit exceeded":
                    raise TooLargeWindowError from None
                raise
            if self._part.eof:
                self._rest, self._part = self._part.unused_data, None
            if out:
                return out
        return b""

    def _next(self) -> bytes | None:
        """Return what to unpack next, nothing where there is output left of what was given, None at the end."""
        if self._part is not None and not self._part.needs_input:
            return b""
        while data := self._rest or self._source.read(_SLICE):
            self._rest = b""
            if self._part is None:
                data = data.lstrip(b"\0")
                if not data:
                    continue
                self._part = lzma.LZMADecompressor(memlimit=MOST_WINDOW + _MORE)
            return data
        if self._part is not None:
            raise EOFError("the last part has no end")
        return None


class Zstd:
    """Frames of zstd, one after the other, handed on block by block: a block holds 128 KiB at most.

    The package's own readers take a cut frame for a whole one, or give all at once that their input holds.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._part: Any = None

    def read1(self, _: int, /) -> bytes:
        """Return some bytes, 128 KiB at most, and none at the end.

        Raises EOFError or ZstdError where the data is damaged, and TooLargeWindowError.
        """
        while self._part is not None or self._begin():
            head = self._source.exactly(3)
            number = int.from_bytes(head, "little")
            kind, length = number >> 1 & 3, number >> 3
            data = head + self._source.exactly(1 if kind == _RLE else length)
            if number & 1:
                data += self._source.exactly(self._checksum)
            out: bytes = self._part.decompress(data)
            if number & 1:
                if not self._part.eof:
                    raise EOFError("the last part has no end")
                self._part = None
            if out:
                return out
        return b""

    def _begin(self) -> bool:
        """Begin the next frame; say whether there is one."""
        while first := self._source.read(1):
            magic = first + self._source.exactly(3)
            if magic[1:] == _ZSTD_SKIPPED and magic[0] >> 4 == 5:
                size = int.from_bytes(self._source.exactly(4), "little")
                while size:
                    size -= len(self._source.exactly(min(size, _SLICE)))
                continue
            if magic != _ZSTD_MAGIC:
                raise zstandard.ZstdError("something else follows it")
            told = self._source.exactly(1)[0]
            single = bool(told & 0x20)
            sizes = (0 if single else 1), (0, 1, 2, 4)[told & 3], (1 if single else 0, 2, 4, 8)[told >> 6]
            window, name, content = map(self._source.exactly, sizes)
            if single:
                needs = int.from_bytes(content, "little") + (256 if len(content) == 2 else 0)
            else:
                needs = (1 << 10 + (window[0] >> 3)) * (8 + (window[0] & 7)) // 8
            if needs > MOST_WINDOW:
                raise TooLargeWindowError
            self._checksum = 4 if told & 4 else 0
            self._part = zstandard.ZstdDecompressor(max_window_size=MOST_WINDOW).decompressobj()
            self._part.decompress(magic + bytes([told]) + window + name + content)
            return True
        return False
