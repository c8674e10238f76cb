"""Outputs: a file that never ends in half a line, or a pipe.

Rules:
- A file is one run's as long as that run lives: a second one is refused. The system drops the lock with the process.
- Nothing of a file is cut before `start`, so that a command refused in between leaves it as it was.
- Where a write fails half-way, what was written of it is taken back from a file.
- A resume cuts a file back to a length that the state knows.
- A file that is written `beside` is NAME.partial until `finish`, and what was under its name stays until then. So is
  every packed one: it is packed when it is whole, and no packed file looks whole that is not.
"""

import fcntl
import os
import select
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from querymix.codecs.base import ENCODING, ERRORS
from querymix.core.errors import ConfigError, TransientError, reason
from querymix.core.records import Release
from querymix.local import columnar
from querymix.local.file_identity import descriptor_of
from querymix.local.packing import is_table, packed, packing_of
from querymix.own_files import make_own, open_named, open_own
from querymix.terminal import for_terminal

STANDARD_OUTPUT: Final = "-"
PARTIAL: Final = ".partial"
"""Ends the name of a file that is not whole yet."""
PACKING: Final = ".packing"
"""Ends the name of one that is being packed."""
_BLOCK: Final = 1 << 20


class Lines(Protocol):
    """Where released lines go: one file, several, or one that is sorted at the end."""

    @property
    def place(self) -> object:
        """How far it was written, as plain data, for `keep` of the next start."""
        ...

    def start(self) -> None:
        """Cut back to what is kept. Raises TransientError where that fails."""
        ...

    def pack(self, lines: Sequence[str], releases: Sequence[Release], header: str | None, newline: str) -> bytes:
        """Return the lines of `releases` as `write` takes them; `header` heads each file that is new."""
        ...

    def write(self, data: bytes) -> None:
        """Write what `pack` gave. Raises TransientError where that fails."""
        ...

    def sync(self) -> None:
        """Wait until all that was written is on the disk."""
        ...

    def finish(self) -> None:
        """Put what is whole in its place. Raises TransientError where that fails; it can be done again then."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


class Output:
    """Where bytes go.

    `keep` bytes of an existing file stay, None starts it anew, or with `add` behind all that is there; of a packed one
    `base` bytes stay before those that are kept. `private` makes it for its owner only. `done` says that an earlier
    start came to the end: if no part is left then, the file is in its place and stays as it is. `table` reads lines as
    rows, for a name that says it has columns. Raises ConfigError where it cannot be opened, is shorter than `keep`, or
    is another run's.
    """

    def __init__(
        self, name: str, *, keep: int | None = None, base: int = 0, add: bool = False,
        beside: bool = False, private: bool = False, done: bool = False, table: columnar.Reader | None = None,
    ) -> None:  # fmt: skip
        self.name = "standard output" if name == STANDARD_OUTPUT else name
        self.length, self.base = keep or 0, base
        self._private = private
        self._written = self._paused = self._placed = False
        descriptor = 1 if name == STANDARD_OUTPUT else descriptor_of(name)
        self._packing = packing_of(name) if descriptor is None else None
        self._table = table if descriptor is None and is_table(name) else None
        packs = self._packing or self._table
        self._old = self._fd = -1
        try:
            self._target = Path(os.path.realpath(name))  # a link stays one, and its file is the one that is replaced
            there = descriptor is None and self._target.exists()
            plain = descriptor is None and (self._target.is_file() or not there)
            if packs and not plain:
                raise ConfigError(f"{name} is no file and cannot be packed: pack what is read from it")
            self._part = Path(f"{self._target}{PARTIAL}") if plain and (beside or packs) else None
            if add and there and keep is None and plain:
                size = self._target.stat().st_size
                self.base, self.length = (size, 0) if self._part else (0, size)
                if self._table and size:
                    raise ConfigError(f"{name} is there already, and cannot be added to: name another output")
            if done and self._part and not self._part.exists():
                self.regular = self._placed = True
                return
            if self._part and there:
                self._old = _opened(str(self._target), self.name, open_named)
            self._path = str(self._part or name)
            self._opens = partial(open_own, private=private) if self._part or private else open_named
            self._fd = _opened(self._path, self.name, self._opens) if descriptor is None else os.dup(descriptor)
            self._check(name, descriptor)
        except BaseException as error:
            self.close()
            if isinstance(error, OSError | ValueError):
                raise ConfigError(f"cannot write {self.name}: {_reason(error)}. Name another output.") from None
            raise

    def _check(self, name: str, descriptor: int | None) -> None:
        regular = stat.S_ISREG((status := os.fstat(self._fd)).st_mode)
        self.regular = regular and descriptor is None
        if fcntl.fcntl(self._fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise ConfigError(f"{self.name} is closed: name a file to write with -o")
        if regular and descriptor is not None:
            _lock(self._fd, self.name)
        if self._private and self.regular:
            os.fchmod(self._fd, 0o600)
        elif self._old >= 0:
            _same_rights(self._old, self._fd)
        if self.regular and status.st_size < self.length:
            raise ConfigError(
                f"{name} is shorter than the state says: put the file back, or start anew with another folder."
            )

    @property
    def place(self) -> object:
        """As `Lines`."""
        return [self.base, self.length]

    @property
    def empty(self) -> bool:
        """Whether nothing is in it yet."""
        return not self.length and not self.base

    def start(self) -> None:
        """Cut the file back to what is kept of it. Raises TransientError where that fails."""
        try:
            self._cut()
        except OSError as error:
            raise self._broken(error) from None

    def _cut(self) -> None:
        if self.regular and not self._placed:
            os.ftruncate(self._fd, self.length)
            os.lseek(self._fd, self.length, os.SEEK_SET)

    def pack(self, lines: Sequence[str], releases: Sequence[Release], header: str | None, newline: str) -> bytes:
        """As `Lines`."""
        rows = [header, *lines] if header and self.empty else lines
        return (newline.join(rows) + newline).encode(ENCODING, ERRORS) if rows else b""

    def write(self, data: bytes) -> None:
        """Write all of `data`. Raises TransientError where that fails; a file then ends as it did before."""
        if self._placed:
            return
        data = for_terminal(self._fd, data)
        done, self._written = 0, True
        try:
            while done < len(data):
                try:
                    done += os.write(self._fd, memoryview(data)[done:])
                except BlockingIOError:
                    select.select([], [self._fd], [])  # somebody has made this pipe one that never waits
        except OSError as error:
            self._cut()
            raise self._broken(error) from None
        self.length += done

    def sync(self) -> None:
        """Wait until all that was written is on the disk."""
        try:
            if self.regular and self._written:
                os.fsync(self._fd)
                self._written = False
        except OSError as error:
            raise self._broken(error) from None

    def finish(self) -> None:
        """As `Lines`."""
        self.sync()
        if self._part is None or self._placed:
            return
        whole = Path(f"{self._target}{PACKING}")
        try:
            if not (self._packing or self._table):
                self._part.replace(self._target)
            else:
                if self.length or not self.base:
                    self._pack(self._part, whole)
                    whole.replace(self._target)
                self._part.unlink()
        except OSError as error:
            with suppress(OSError):
                whole.unlink(missing_ok=True)
            raise TransientError(
                f"cannot put {self.name} in its place: {_reason(error)}. All of its lines are in {self._part}: "
                "give the same command again, or name another output."
            ) from None
        self._placed = True

    def _pack(self, part: Path, whole: Path) -> None:
        with os.fdopen(make_own(whole), "wb") as out:
            _same_rights(self._fd, out.fileno())
            if self._table:
                columnar.write(str(self._target), out, partial(self._table, part, self.length))
            elif self._packing:
                if self.base:
                    with self._target.open("rb") as before:
                        out.writelines(_blocks(before, self.base))
                with part.open("rb") as lines:
                    out.writelines(packed(self._packing, _blocks(lines, self.length)))
            out.flush()
            os.fsync(out.fileno())

    def pause(self) -> None:
        """Close a file until `go_on`. Raises TransientError where it cannot be written to the disk."""
        self.sync()
        self._paused = self._fd >= 0
        self.close()

    def go_on(self) -> None:
        """Open a file again that was paused. Raises ConfigError where another run has it."""
        if self._paused and not self._placed:
            self._paused = False
            self._fd = _opened(self._path, self.name, self._opens)
            os.lseek(self._fd, self.length, os.SEEK_SET)

    def _broken(self, error: OSError) -> TransientError:
        if isinstance(error, BrokenPipeError):
            return TransientError(f"cannot write {self.name}: {_reason(error)}. Its reader has ended: restart it.")
        return TransientError(
            f"cannot write {self.name}: {_reason(error)}. Free the disk and give the same command again, "
            "or name another output."
        )

    def close(self) -> None:
        """Close it."""
        for fd in (self._fd, self._old):
            if fd >= 0:
                os.close(fd)
        self._fd = self._old = -1


def _opened(path: str, name: str, opens: Callable[[str], int]) -> int:
    """Open a file for this process alone; raises ConfigError where another run has it."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    while True:
        fd = opens(path)
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                return fd
            _lock(fd, name)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(fd), Path(path).stat()):
                    return fd
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)  # another run has put it in its place meanwhile


def _lock(fd: int, name: str) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ConfigError(f"another run is writing {name}: let it end, or name another output") from None
    except OSError:
        return  # a file system without locks


def _same_rights(old: int, new: int) -> None:
    """Give a file the rights of the one whose place it takes, as far as its owner may."""
    status = os.fstat(old)
    with suppress(OSError):
        os.fchown(new, status.st_uid, status.st_gid)
    os.fchmod(new, stat.S_IMODE(status.st_mode))


def _blocks(file: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield the first `size` bytes of a file."""
    while size > 0 and (block := file.read(min(size, _BLOCK))):
        size -= len(block)
        yield block


def _reason(error: OSError | ValueError) -> str:
    return reason(error) if isinstance(error, OSError) else "it is no name of a file"
