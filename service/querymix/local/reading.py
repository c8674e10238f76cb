"""Inputs: from files, compressed files and standard input to lines, and from lines to queries.

Rules:
- What is read is handed on at once: a pipe's lines leave as soon as they arrived.
- A line ends with LF, CR LF or CR. A byte order mark before a line is no part of it; codecs drop it.
- A line that is too long is cut while it is read, so that it takes no memory; the codec refuses it by its length.
- A file that cannot be read to its end gives all that could be read, then a `Damage`.
- All files are looked at first, and each is held open only while it is read: they may be more than a process may open.
"""

import fcntl
import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from querymix.codecs.base import BYTE_ORDER_MARK, ENCODING, ERRORS, LONGEST_LINE, Codec, refusal
from querymix.core.errors import ConfigError, reason
from querymix.core.records import Query, Refusal
from querymix.local.file_identity import descriptor_of
from querymix.local.pieces import pieces
from querymix.local.unpacking import BLOCK, DamagedInputError, UnsupportedInputError, plain
from querymix.signals import wait_for_bytes

STANDARD_INPUT: Final = "-"

_LONGEST: Final = 4 * LONGEST_LINE
_LINE_END: Final = re.compile(rb"[\r\n]")
_LOOK: Final = 1 << 16


class Batch(NamedTuple):
    """What was read at once."""

    queries: list[Query]
    refusals: list[Refusal]


class Damage(NamedTuple):
    """An input that ended before its end."""

    source: str
    reason: str


class Input:
    """One input and how far it was read; a file is opened to look at it, and again to read it.

    Raises ConfigError where it cannot be opened, or is a file of a form that is not read.
    """

    def __init__(self, name: str) -> None:
        self.name = _shown(name)
        self.damage: Damage | None = None
        self.newline = "\n"
        self.header: str | None = None
        self.line = 1
        """The number of the next line."""
        self.queries = 0
        """Queries read so far."""
        self.refused = 0
        """Lines refused so far."""
        self._read_ahead: Iterator[bytes] | None = None
        """All blocks, where the first lines were looked at and cannot be read again."""
        self._torn = ""
        self._waiting = False
        self.stopped = False
        """Whether `stop` was called."""
        self.has_more = False
        """Whether a part of what was read is still to be handed on."""
        self._beginning = b""
        self.size = 0
        """Bytes of the file as it lies on the disk; 0 where that is not known."""
        self._path = name if name != STANDARD_INPUT and descriptor_of(name) is None else None
        """None where the input is an open descriptor, which cannot be opened a second time."""
        self._begun = False
        self._raw = _open(name)
        status = os.fstat(self._raw.fileno())
        self.regular = stat.S_ISREG(status.st_mode)
        self.identity = [self.name, status.st_size, status.st_mtime_ns]
        self.inode = (status.st_dev, status.st_ino)
        """Tells it from every other file, however that is named."""
        if self.regular:
            self.size = status.st_size
            self._look()
            if self._path is not None:
                self._raw.close()

    @property
    def position(self) -> int:
        """Bytes read of `size`."""
        if self.regular:
            with suppress(ValueError):  # closed, perhaps just now: progress is looked at from another thread
                return self._raw.tell()
        return self.size if self._begun or self._path is None else 0

    def first_lines(self) -> list[str]:
        """Return the first lines, which may tell the form; a pipe is waited for until it has sent one. Not to be shown.

        The last of them may be cut short.
        """
        if self.regular:
            data = self._beginning
        else:
            blocks, data = self._read_ahead or self._bytes(), b""
            while b"\n" not in data and len(data) <= _LONGEST and (block := next(blocks, b"")):
                data += block
            self._read_ahead = chain([data], blocks)
        return data[:_LOOK].decode(ENCODING, ERRORS).splitlines()

    def batches(self, codec: Codec) -> Iterator[Batch]:
        """Yield what `codec` makes of the lines, a batch a block read."""
        for block in self.blocks(codec):
            if block:
                lines = lines_of(block)
                queries, refusals = codec.decode(lines, self.name, self.line)
                yield self._took(len(lines), queries, refusals)
        if self._torn:
            yield self._took(1, [], [refusal(self.name, self.line, "the input ends inside this line", self._torn)])

    def _took(self, lines: int, queries: list[Query], refusals: list[Refusal]) -> Batch:
        """Count what was made of the next `lines`."""
        self.line += lines
        self.queries += len(queries)
        self.refused += len(refusals)
        return Batch(queries, refusals)

    def blocks(self, codec: Codec) -> Iterator[bytes]:
        """Yield whole lines, as many as were read at once (`lines_of`); nothing where no line is whole yet."""
        first, open_record = True, b""
        for block in self._whole():
            if block and first:
                first = False
                line_end = _LINE_END.search(block)
                line = block[: line_end.start() if line_end else None].decode(ENCODING, ERRORS)
                self.header = codec.heading(line.lstrip(BYTE_ORDER_MARK)) if codec.header(line) else None
            records = open_record + block if block else b""
            end = codec.whole(records) if block else 0
            if block:
                open_record = records[end:]
            self.has_more = True
            yield from pieces(codec, records[:end])
            self.has_more = False
            if self.stopped:  # here and not before: what a pipe has delivered is not to be lost
                raise KeyboardInterrupt
        if open_record:
            yield open_record

    def _whole(self) -> Iterator[bytes]:
        rest = b""
        first = True
        for block in self._read_ahead or self._bytes():
            end = block.rfind(b"\n")
            if end < 0:
                rest += block
                end = rest.rfind(b"\r", 0, len(rest) - 1)  # whether a CR at the end is a whole one is not known yet
                if end < 0:
                    # Of a line longer than any that is taken, the beginning is enough for its refusal.
                    rest = rest[: _LONGEST + 1]
                    yield b""
                    continue
                whole, rest = rest[: end + 1], rest[end + 1 :]
            else:
                head = block[: end + 1]
                whole = rest + head if len(rest) <= _LONGEST else _skip(rest, head)
                rest = block[end + 1 :]
            if first:
                self.newline = "\r\n" if re.match(rb"[^\r\n]*\r\n", whole) else "\n"
                first = False
            yield whole
        if self.damage:
            self._torn = rest.decode(ENCODING, ERRORS)
        elif rest:
            yield rest + b"\n" * (not rest.endswith(b"\r"))

    def _look(self) -> None:
        """Look at a file's first bytes, so that a form that is not read is refused before anything is written."""
        begin = os.lseek(self._raw.fileno(), 0, os.SEEK_CUR)
        try:
            self._beginning = next(plain(iter([os.pread(self._raw.fileno(), _LOOK, begin)]), self._raw), b"")
        except UnsupportedInputError as error:
            self._raw.close()
            raise ConfigError(f"cannot read {self.name}: {error}") from None
        except (DamagedInputError, OSError):
            pass  # the first bytes are no whole file; reading tells
        os.lseek(self._raw.fileno(), begin, os.SEEK_SET)

    def _open_again(self) -> None:
        """Open a file that was looked at before. Raises OSError where it is not there any more, or is another one."""
        self._begun = True
        if self._path is not None and self._raw.closed:
            self._raw = io.FileIO(self._path)
            status = os.fstat(self._raw.fileno())
            if (status.st_dev, status.st_ino) != self.inode:
                self._raw.close()
                raise OSError("another file has its name now")

    def _bytes(self) -> Iterator[bytes]:
        try:
            self._open_again()
        except OSError as error:
            self.damage = Damage(self.name, f"cannot be opened again: {reason(error)}")
            return
        with self._raw:
            try:
                yield from plain(iter(self._read, b""), self._raw if self.regular else None)
            except (DamagedInputError, UnsupportedInputError) as error:
                self.damage = Damage(self.name, str(error))
            except OSError as error:
                self.damage = Damage(self.name, f"cannot be read on: {reason(error)}")

    def _read(self) -> bytes:
        # In this order: a signal between the two would else be noticed after the next bytes only.
        self._waiting = True
        try:
            if self.stopped:
                raise KeyboardInterrupt
            if self.regular:
                return self._raw.read(BLOCK)
            while True:
                if wait_for_bytes(self._raw) and (block := self._raw.read(BLOCK)) is not None:
                    return block
        finally:
            self._waiting = False

    def stop(self) -> None:
        """Read no further. Raises KeyboardInterrupt where it waits for bytes, from inside a signal handler."""
        self.stopped = True
        if self._waiting:
            raise KeyboardInterrupt

    def close(self) -> None:
        """Close it."""
        self._raw.close()


def lines_of(block: bytes) -> list[str]:
    """Return the lines of a block that ends with a line end."""
    text = block.decode(ENCODING, ERRORS)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    lines.pop()
    return lines


def _skip(rest: bytes, block: bytes) -> bytes:
    """Join the beginning of an overlong line with the lines after it."""
    end = _LINE_END.search(block)
    return rest[: _LONGEST + 1] + block[end.start() if end else len(block) :]


def _shown(name: str) -> str:
    return "standard input" if name == STANDARD_INPUT else name


def _open(name: str) -> io.FileIO:
    descriptor = 0 if name == STANDARD_INPUT else descriptor_of(name)
    try:
        if descriptor is not None:
            if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY:
                raise ConfigError(f"{_shown(name)} is closed: name a file, or send the log through a pipe")
            return io.FileIO(os.dup(descriptor))
        if Path(name).is_dir():
            raise ConfigError(f"{name} is a directory: name the files in it, for example {name}/*.gz")
        return io.FileIO(name)
    except OSError as error:
        raise ConfigError(f"cannot open {name}: {error.strerror}. Name another file, or correct its rights.") from None
    except ValueError:
        raise ConfigError("the name of an input holds a NUL: name another file") from None
