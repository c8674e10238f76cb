"""The folder of day parts: pairs of item and user, a file a day, under a key that is destroyed with them.

Rules:
- The key comes from the operating system and lies in the folder, for its owner only. Where the last part is dropped,
  the key is overwritten and removed with all the rest.
- A part is whole or not there: it is written in `adding` and renamed. The next process removes what a killed one left.
- One process at a time works in a folder.
- A day that was dropped is gone: it is not added again as long as the window lasts.
- A user stays as old as it was: when a part is dropped, the first day of each of its users that has a part left is kept
  (`first.parquet`), and no user that has none.
"""

import fcntl
import os
import shutil
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from secrets import token_bytes
from typing import Any, Final

import orjson

from querymix.core.errors import ConfigError
from querymix.crowd.layout import COUNTED
from querymix.crowd.pairs import Keys
from querymix.own_files import make_own

FORMAT: Final = 1
KEY: Final = "key"
WINDOW: Final = "window.json"
FIRST: Final = "first.parquet"
GROUPS: Final = "groups.parquet"
ADDING: Final = "adding"
PART: Final = ".parquet"
_SECRET: Final = 32
_EPOCH: Final = date(1970, 1, 1).toordinal()


def day_of(number: int) -> date:
    """Return the day of that number since 1970."""
    return date.fromordinal(number + _EPOCH)


def number_of(day: date) -> int:
    """Return a day's number since 1970."""
    return day.toordinal() - _EPOCH


class Window:
    """The parts of a folder; `close` it. Without `kept` it is made for one count, and its key is never written.

    Raises ConfigError where the folder holds something else, another process works in it, or its key is gone or can be
    read by others; `ladders`: those that groups are counted by, None for the window's own.
    """

    def __init__(
        self, folder: Path, ladders: Mapping[str, Sequence[str]] | None = None, *, kept: bool = True, new: bool = False
    ) -> None:
        self.folder = folder
        if new:
            with suppress(FileExistsError):
                folder.mkdir(mode=0o700, parents=True)
        if not folder.is_dir():
            raise ConfigError(f"{folder} is no folder: make one with 'querymix crowd add LOG --parts {folder}'")
        self._lock = _locked(folder)
        try:
            self._open(ladders, kept=kept, new=new)
        except BaseException:
            os.close(self._lock)
            raise
        shutil.rmtree(self.adding, ignore_errors=True)
        self.adding.mkdir(mode=0o700)
        for day in self.days():
            if number_of(day) < self.dropped:
                self.part(day).unlink()

    def _open(self, ladders: Mapping[str, Sequence[str]] | None, *, kept: bool, new: bool) -> None:
        self.adding = self.folder / ADDING
        told = self.folder / WINDOW
        if not told.exists():
            if not new or any(path.name not in (KEY, ADDING, f"{WINDOW}.part") for path in self.folder.iterdir()):
                raise ConfigError(
                    f"{self.folder} is no folder of parts, and something else is in it: name an empty or a new one"
                    if new
                    else f"{self.folder} has no parts: add a log with 'querymix crowd add LOG --parts {self.folder}'"
                )
            secret = token_bytes(_SECRET)
            self.ladders = {name: list(fields) for name, fields in (ladders or {}).items()}
            self.dropped = 0
            if kept:
                with os.fdopen(make_own(self.folder / KEY, private=True), "wb") as file:
                    file.write(secret)
                    os.fsync(file.fileno())
                self._tell()
            self.keys = Keys(secret)
            return
        try:
            found: Any = orjson.loads(told.read_bytes())
            format_and_counting = found["format"], found["counted"]
            self.ladders = dict(found["ladders"])
            self.dropped = int(found["dropped"])
        except (ValueError, LookupError, TypeError, AttributeError):
            raise ConfigError(
                f"{told} is damaged: drop all with 'querymix crowd drop --parts {self.folder} --all', and begin anew"
            ) from None
        if format_and_counting != (FORMAT, COUNTED):
            raise ConfigError(
                f"the parts in {self.folder} were counted by another version of querymix: read them with that, or drop "
                f"all with 'querymix crowd drop --parts {self.folder} --all' and begin anew"
            )
        if ladders is not None and list(ladders.items()) != list(self.ladders.items()):
            raise ConfigError(
                f"the parts in {self.folder} were counted with another --generalize: give the same, or another folder"
            )
        self.keys = Keys(self._secret())

    def _secret(self) -> bytes:
        try:
            with (self.folder / KEY).open("rb") as file:
                mode, secret = os.fstat(file.fileno()).st_mode, file.read(_SECRET + 1)
        except FileNotFoundError:
            secret, mode = b"", 0
        if len(secret) != _SECRET:
            raise ConfigError(
                f"the key of the parts in {self.folder} is gone, and nothing can be counted with them: drop them with "
                f"'querymix crowd drop --parts {self.folder} --all'"
            )
        if stat.S_IMODE(mode) & 0o077:
            raise ConfigError(f"{self.folder / KEY} can be read by other users of this machine: chmod 600 it")
        return secret

    def _tell(self) -> None:
        told = {"format": FORMAT, "counted": COUNTED, "ladders": self.ladders, "dropped": self.dropped}
        part = self.folder / f"{WINDOW}.part"
        with os.fdopen(make_own(part, private=True), "wb") as file:
            file.write(orjson.dumps(told))
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.folder / WINDOW)

    def days(self) -> list[date]:
        """Return the days that have a part, in order."""
        return _days(self.folder)

    def part(self, day: date) -> Path:
        """Return the name of a day's part."""
        return _part(self.folder, day)

    def take(self, names: Sequence[str]) -> None:
        """Put files that were written in `adding` in place, in this order. Raises OSError."""
        for name in names:
            path = self.adding / name
            path.chmod(0o600)
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        for name in names:
            (self.adding / name).replace(self.folder / name)
        os.fsync(self._lock)

    def forget(self, before: date) -> None:
        """Remove the parts of the days before one; what is to be kept of them has been taken."""
        self.dropped = max(self.dropped, number_of(before))
        self._tell()
        os.fsync(self._lock)
        for day in self.days():
            if day < before:
                self.part(day).unlink()

    def close(self) -> None:
        """Leave the folder to others."""
        shutil.rmtree(self.adding, ignore_errors=True)
        os.close(self._lock)


def _locked(folder: Path) -> int:
    """Lock a folder and return its descriptor. Raises ConfigError where another process has, and OSError."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise ConfigError(f"another process works in {folder}: give the same command again once it ended") from None
    return lock


def destroy(folder: Path) -> None:
    """Destroy a window: its key first, then its parts. Raises ConfigError where the folder holds none, and OSError."""
    if not any((folder / name).exists() for name in (WINDOW, KEY)):
        raise ConfigError(f"{folder} is no folder of parts: nothing was removed")
    lock = _locked(folder)
    try:
        with suppress(FileNotFoundError):
            with (folder / KEY).open("r+b") as file:
                file.write(bytes(_SECRET))
                file.flush()
                os.fsync(file.fileno())
            (folder / KEY).unlink()
        shutil.rmtree(folder / ADDING, ignore_errors=True)
        for path in (*map(partial(_part, folder), _days(folder)), folder / FIRST, folder / GROUPS):
            path.unlink(missing_ok=True)
        (folder / WINDOW).unlink(missing_ok=True)
        with suppress(OSError):  # something else is in it, or it is a mount
            folder.rmdir()
    finally:
        os.close(lock)


def _days(folder: Path) -> list[date]:
    found = []
    for path in folder.glob(f"*{PART}"):
        with suppress(ValueError):
            found.append(date.fromisoformat(path.name.removesuffix(PART)))
    return sorted(found)


def _part(folder: Path, day: date) -> Path:
    return folder / f"{day.isoformat()}{PART}"
