"""Inputs: from files, gzip files and standard input to lines, and from lines to queries in time order.

Rules:
- What is read is handed on at once: a pipe's lines leave as soon as they arrived.
- A line that is too long is cut while it is read, so that it takes no memory; the codec refuses it by its length.
- Files are put in time order, since AOL's are sorted by user: a small log in memory, a large one in a temporary
  database that SQLite keeps in an unnamed file. The order is stable, so that a second reading gives the same one.
- A file that cannot be read to its end gives all that could be read, then a `Damage`.
"""

import gzip
import io
import marshal
import os
import sqlite3
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.codecs.base import ENCODING, ERRORS, LONGEST_LINE, Codec, refusal
from service.core.errors import Broken, Misconfigured
from service.core.records import Query, Refusal

BLOCK: Final = 1 << 20
"""Bytes that are read at once."""
BATCH: Final = 16_384
"""Queries in a batch of a log that was put in order."""
MOST_IN_MEMORY: Final = 200_000
"""Queries that are sorted in memory."""
STANDARD_INPUT: Final = "-"

_LONGEST: Final = 4 * LONGEST_LINE
_GZIP: Final = b"\x1f\x8b"
_BYTE_ORDER_MARK: Final = "\ufeff"


class Batch(NamedTuple):
    """What was read at once."""

    queries: list[Query]
    refusals: list[Refusal]


class Damage(NamedTuple):
    """An input that ended before its end."""

    source: str
    reason: str


class Input:
    """One input and how far it was read.

    Raises Misconfigured where it cannot be opened.
    """

    def __init__(self, name: str) -> None:
        self.name = "standard input" if name == STANDARD_INPUT else name
        self.damage: Damage | None = None
        self.newline = "\n"
        self.header: str | None = None
        self._with_returns = False
        self._torn = ""
        self._waiting = False
        self._stopped = False
        self.size = 0
        """Bytes of the file as it lies on the disk; 0 where that is not known."""
        self._raw = _open(name)
        status = os.fstat(self._raw.fileno())
        self.regular = not self._raw.isatty() and os.path.isfile(self._raw.name)  # noqa: PTH113 - may be a descriptor
        self.identity = [self.name, status.st_size, status.st_mtime_ns]
        if self.regular:
            self.size = status.st_size

    @property
    def position(self) -> int:
        """Bytes read of `size`."""
        return self._raw.tell() if self.regular and not self._raw.closed else self.size

    def batches(self, codec: Codec) -> Iterator[Batch]:
        """Yield what `codec` makes of the lines, a batch a block read."""
        line = 1
        for lines in self._blocks():
            if line == 1:
                self.newline = "\r\n" if self._with_returns else "\n"
                lines[0] = lines[0].removeprefix(_BYTE_ORDER_MARK)
                self.header = lines[0] if codec.header(lines[0]) else None
            yield Batch(*codec.decode(lines, self.name, line))
            line += len(lines)
        if self._torn:
            yield Batch([], [refusal(self.name, line, "the input ends inside this line", self._torn)])

    def _blocks(self) -> Iterator[list[str]]:
        rest = b""
        for block in self._bytes():
            end = block.rfind(b"\n")
            if end < 0:
                # Of a line longer than any that is taken, the beginning is enough for its refusal.
                rest = (rest + block)[: _LONGEST + 1]
                continue
            yield self._lines(rest[: _LONGEST + 1] + block[:end] if len(rest) <= _LONGEST else _skip(rest, block[:end]))
            rest = block[end + 1 :]
        if self.damage:
            self._torn = rest.decode(ENCODING, ERRORS)
        elif rest:
            yield self._lines(rest)

    def _lines(self, block: bytes) -> list[str]:
        text = block.decode(ENCODING, ERRORS)
        if "\r\n" in text or text.endswith("\r"):
            self._with_returns = self._with_returns or text.partition("\n")[0].endswith("\r")
            text = text.replace("\r\n", "\n").removesuffix("\r")
        return text.split("\n")

    def _bytes(self) -> Iterator[bytes]:
        with self._raw as raw:
            first = True
            try:
                if self.regular and os.pread(raw.fileno(), 2, 0) == _GZIP:
                    yield from _unpacked(gzip.GzipFile(fileobj=raw))
                while block := self._read(raw):
                    if first and block.startswith(_GZIP):
                        self.damage = Damage(self.name, "it is gzip data: unpack it on the way, with zcat")
                        return
                    first = False
                    yield block
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                self.damage = Damage(self.name, f"the gzip data is damaged or cut short ({error})")
            except OSError as error:
                self.damage = Damage(self.name, f"cannot be read on: {error.strerror or error}")

    def _read(self, raw: io.FileIO) -> bytes:
        # In this order: a signal between the two would else be noticed after the next bytes only.
        self._waiting = True
        try:
            if self._stopped:
                raise KeyboardInterrupt
            return raw.read(BLOCK)
        finally:
            self._waiting = False

    def stop(self) -> None:
        """Read no further. Raises KeyboardInterrupt where it waits for bytes, from inside a signal handler."""
        self._stopped = True
        if self._waiting:
            raise KeyboardInterrupt

    def close(self) -> None:
        """Let go of it."""
        self._raw.close()


def _unpacked(packed: gzip.GzipFile) -> Iterator[bytes]:
    """Yield blocks. `read` would lose all of a block that ends in damage, so it is put together here."""
    block = bytearray()
    try:
        while part := packed.read1(BLOCK):
            block += part
            if len(block) >= BLOCK:
                yield bytes(block)
                block.clear()
    except (EOFError, OSError, zlib.error):
        if block:
            yield bytes(block)
        raise
    if block:
        yield bytes(block)


def _skip(rest: bytes, block: bytes) -> bytes:
    """Join the beginning of an overlong line with the lines after it."""
    end = block.find(b"\n")
    return rest if end < 0 else rest + block[end:]


def _open(name: str) -> io.FileIO:
    try:
        if name == STANDARD_INPUT:
            return io.FileIO(sys.stdin.fileno(), closefd=False)
        if Path(name).is_dir():
            raise Misconfigured(f"{name} is a directory: name the files in it, for example {name}/*.gz")
        return io.FileIO(name)
    except OSError as error:
        raise Misconfigured(f"cannot open {name}: {error.strerror}") from None


def in_time_order(
    batches: Iterable[Batch], clock: Callable[[], None] = lambda: None, *, most_in_memory: int = MOST_IN_MEMORY
) -> Iterator[Batch]:
    """Yield the queries of all batches by time; refusals come before them, as they are met.

    `clock` is called now and then, for a progress bar; more than `most_in_memory` queries go to the disk. Raises
    Broken where the temporary database gives way.
    """
    source = iter(batches)
    queries: list[Query] = []
    for batch in source:
        clock()
        queries += batch.queries
        if batch.refusals:
            yield Batch([], batch.refusals)
        if len(queries) > most_in_memory:
            yield from _on_disk(queries, source, clock)
            return
    queries.sort(key=itemgetter(3))
    for start in range(0, max(1, len(queries)), BATCH):
        yield Batch(queries[start : start + BATCH], [])


def _on_disk(queries: list[Query], source: Iterator[Batch], clock: Callable[[], None]) -> Iterator[Batch]:
    try:
        db = sqlite3.connect("", isolation_level=None)
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("CREATE TABLE log (at REAL, query BLOB)")
        db.execute("BEGIN")
        _put(db, queries)
        queries.clear()
        for batch in source:
            clock()
            if batch.refusals:
                yield Batch([], batch.refusals)
            _put(db, batch.queries)
        rows = db.execute("SELECT query FROM log ORDER BY at, rowid")
        while batch_rows := list(islice(rows, BATCH)):
            yield Batch([Query._make(marshal.loads(row)) for (row,) in batch_rows], [])  # noqa: S302 - our own bytes
        db.close()
    except sqlite3.Error as error:
        raise Broken(
            f"cannot put the log in time order: {error}. Free the temporary folder, name another one in "
            "SQLITE_TMPDIR, or give --order input for a log that is in order already."
        ) from None


def _put(db: sqlite3.Connection, queries: Iterable[Query]) -> None:
    db.executemany("INSERT INTO log VALUES (?, ?)", [(query[3], _freeze(query)) for query in queries])


def _freeze(query: Query) -> bytes:
    plain: tuple[Any, ...] = tuple(query)
    return marshal.dumps(plain)
