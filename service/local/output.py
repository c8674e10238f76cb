"""Outputs: a file that never ends in half a line, or a pipe.

Rules:
- Where a write fails half-way, what was written of it is taken back from a file.
- A resume cuts a file back to a length that the checkpoint knows.
"""

import os
import stat
from pathlib import Path
from typing import Final

from service.core.errors import Broken, Misconfigured

STANDARD_OUTPUT: Final = "-"


class Output:
    """Where lines go.

    `keep` bytes of an existing file stay, None starts it anew; `private` makes it for its owner only. Raises
    Misconfigured where it cannot be opened, or is shorter than `keep`.
    """

    def __init__(self, name: str, *, keep: int | None = None, private: bool = False) -> None:
        self.name = "standard output" if name == STANDARD_OUTPUT else name
        try:
            if name == STANDARD_OUTPUT:
                self._fd = os.dup(1)
            else:
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                self._fd = os.open(name, os.O_WRONLY | os.O_CREAT, 0o600 if private else 0o666)
            status = os.fstat(self._fd)
            if private and stat.S_ISREG(status.st_mode):
                os.fchmod(self._fd, 0o600)
            self.regular = name != STANDARD_OUTPUT and stat.S_ISREG(status.st_mode)
            self.length = keep or 0
            if self.regular:
                if status.st_size < self.length:
                    raise Misconfigured(
                        f"{name} is shorter than the checkpoint says: put the file back, or start anew with another "
                        "checkpoint folder."
                    )
                os.ftruncate(self._fd, self.length)
                os.lseek(self._fd, self.length, os.SEEK_SET)
        except OSError as error:
            raise Misconfigured(f"cannot write {self.name}: {error.strerror}") from None

    def write(self, data: bytes) -> None:
        """Write all of `data`. Raises Broken where that fails; a file then ends as it did before."""
        done = 0
        try:
            while done < len(data):
                done += os.write(self._fd, memoryview(data)[done:])
        except OSError as error:
            if self.regular:
                os.ftruncate(self._fd, self.length)
                os.lseek(self._fd, self.length, os.SEEK_SET)
            raise Broken(f"cannot write {self.name}: {error.strerror}.") from None
        self.length += done

    def sync(self) -> None:
        """Wait until all that was written is on the disk."""
        try:
            if self.regular:
                os.fsync(self._fd)
        except OSError as error:
            raise Broken(f"cannot write {self.name}: {error.strerror}.") from None

    def close(self) -> None:
        """Close it."""
        os.close(self._fd)
