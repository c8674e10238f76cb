"""Outputs: a file that never ends in half a line, or a pipe.

Rules:
- A file is one run's as long as that run lives: a second one is refused. The system drops the lock with the process.
- Nothing of a file is cut before `start`, so that a command refused in between leaves it as it was.
- Where a write fails half-way, what was written of it is taken back from a file.
- A resume cuts a file back to a length that the checkpoint knows.
"""

import fcntl
import os
import select
import stat
from pathlib import Path
from typing import Final

from querymix.core.errors import ConfigError, TransientError, reason
from querymix.local.file_identity import descriptor_of

STANDARD_OUTPUT: Final = "-"


class Output:
    """Where lines go.

    `keep` bytes of an existing file stay, None starts it anew; `private` makes it for its owner only. Raises
    ConfigError where it cannot be opened, is shorter than `keep`, or is another run's.
    """

    def __init__(self, name: str, *, keep: int | None = None, private: bool = False) -> None:
        self.name = "standard output" if name == STANDARD_OUTPUT else name
        self.length = keep or 0
        descriptor = 1 if name == STANDARD_OUTPUT else descriptor_of(name)
        try:
            self._fd = _open(name, private=private) if descriptor is None else os.dup(descriptor)
        except (OSError, ValueError) as error:
            raise ConfigError(f"cannot write {self.name}: {_reason(error)}. Name another output.") from None
        try:
            status = os.fstat(self._fd)
            regular = stat.S_ISREG(status.st_mode)
            self.regular = regular and descriptor is None
            if fcntl.fcntl(self._fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
                raise ConfigError(f"{self.name} is closed: name a file to write with -o")
            if regular:
                _lock(self._fd, self.name)
            if private and self.regular:
                os.fchmod(self._fd, 0o600)
            if self.regular and status.st_size < self.length:
                raise ConfigError(
                    f"{name} is shorter than the checkpoint says: put the file back, or start anew with another "
                    "checkpoint folder."
                )
        except BaseException as error:
            os.close(self._fd)
            if isinstance(error, OSError):
                raise ConfigError(f"cannot write {self.name}: {_reason(error)}. Name another output.") from None
            raise

    def start(self) -> None:
        """Cut the file back to what is kept of it. Raises TransientError where that fails."""
        try:
            self._cut()
        except OSError as error:
            raise self._broken(error) from None

    def _cut(self) -> None:
        if self.regular:
            os.ftruncate(self._fd, self.length)
            os.lseek(self._fd, self.length, os.SEEK_SET)

    def write(self, data: bytes) -> None:
        """Write all of `data`. Raises TransientError where that fails; a file then ends as it did before."""
        done = 0
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
            if self.regular:
                os.fsync(self._fd)
        except OSError as error:
            raise self._broken(error) from None

    def _broken(self, error: OSError) -> TransientError:
        if isinstance(error, BrokenPipeError):
            return TransientError(f"cannot write {self.name}: {_reason(error)}. Its reader has ended: restart it.")
        return TransientError(
            f"cannot write {self.name}: {_reason(error)}. Free the disk and give the same command again, "
            "or name another output."
        )

    def close(self) -> None:
        """Close it."""
        os.close(self._fd)


def _open(name: str, *, private: bool) -> int:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    return os.open(name, os.O_WRONLY | os.O_CREAT, 0o600 if private else 0o666)


def _lock(fd: int, name: str) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ConfigError(f"another run is writing {name}: let it end, or name another output") from None
    except OSError:
        return  # a file system without locks


def _reason(error: OSError | ValueError) -> str:
    return reason(error) if isinstance(error, OSError) else "it is no name of a file"
