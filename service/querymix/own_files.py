"""Files that querymix puts beside others under names that can be guessed: each is ours, or it is not touched.

In a folder that others may write to, such as /tmp, somebody else may have put a link, a pipe or a file of their own
under such a name, to get at raw queries or to have another file overwritten.

Rules:
- No symbolic link is followed, and no file with a second name (a hard link) is written.
- A file belongs to this user, or to whoever owns its folder and could replace it at will, or to root.
- What is made anew is made by this process: never is a file opened that was there.
"""

import errno
import os
import stat
from pathlib import Path
from typing import Final

from querymix.core.errors import ConfigError

ROOT: Final = 0
_ADVICE: Final = "Remove it, or name another file in a folder of your own"


def open_own(path: str | Path, *, private: bool = False) -> int:
    """Open a file for writing, which is made where there is none; `private`: for its owner only.

    Pipes and devices of the user's are opened too. Raises ConfigError where the file is not ours, and OSError.
    """
    flags, mode = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600 if private else 0o666
    check_own_if_there(path)
    try:
        fd = os.open(path, flags, mode)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _not_ours(path, "is a symbolic link") from None
        raise
    try:
        check_own(path, os.fstat(fd))
    except BaseException:
        os.close(fd)
        raise
    return fd


def open_named(path: str | Path) -> int:
    """Open a file for writing that the user has named, links and all; it is made where there is none."""
    return os.open(path, os.O_WRONLY | os.O_CREAT, 0o666)


def make_own(path: str | Path, *, private: bool = False) -> int:
    """Make a file anew and open it for writing; one that is left over from an earlier process is removed."""
    Path(path).unlink(missing_ok=True)  # a link goes, and not what it leads to
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600 if private else 0o666)


def write_own(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, in place of what was under its name. Raises OSError."""
    part = path.with_name(f"{path.name}.part")
    with os.fdopen(make_own(part), "wb") as file:
        file.write(data)
    part.replace(path)  # a link goes, and not what it leads to


def check_own(path: str | Path, status: os.stat_result) -> None:
    """Raise ConfigError where the file at `path`, whose own status this is, is a link or somebody else's."""
    if stat.S_ISLNK(status.st_mode):
        raise _not_ours(path, "is a symbolic link")
    if status.st_uid not in (os.geteuid(), ROOT, Path(path).absolute().parent.stat().st_uid):
        raise _not_ours(path, "belongs to another user")
    if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        raise _not_ours(path, "has another name too (a hard link)")


def check_own_if_there(path: str | Path) -> None:
    """Raise ConfigError as `check_own` does, where there is a file at `path`."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    check_own(path, status)


def _not_ours(path: str | Path, what: str) -> ConfigError:
    return ConfigError(f"{path} {what}, and is not written: {_ADVICE}.")
