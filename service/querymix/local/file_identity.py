"""Which file a name means, so that no output destroys what the same command reads or writes.

Rules:
- Files are compared by device and inode: a link, another spelling and a shell's redirection are all seen.
- A file that is not there yet is compared by its resolved path.
- Devices, pipes and terminals may be named twice; nothing is lost there.
- `-`, /dev/stdin, /dev/stdout, /dev/stderr and /dev/fd/N mean the open descriptor, which keeps its place in the file.
"""

import os
import re
import stat
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

from querymix.core.errors import ConfigError
from querymix.stores.sqlite import BESIDE

_DESCRIPTOR: Final = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
_STREAMS: Final = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


class Use(NamedTuple):
    """A file and what it is to the command."""

    what: str
    """For people, such as "the input"."""
    name: str | int
    """A path or an open descriptor."""


STREAMS: Final = (Use("standard output", 1), Use("standard error", 2))


def descriptor_of(name: str) -> int | None:
    """Return the open descriptor that a name means, None where it is a path."""
    match = _DESCRIPTOR.fullmatch(name)
    return int(match[1]) if match else _STREAMS.get(name)


def database(what: str, path: Path) -> list[Use]:
    """Return an SQLite file and those that SQLite keeps beside it."""
    return [Use(what, f"{path}{suffix}") for suffix in ("", *BESIDE)]


def check_apart(reads: Iterable[Use], writes: Iterable[Use], *, printed: Iterable[Use] = ()) -> None:
    """Raise ConfigError where a file is written that is also read, or written in two ways.

    `printed` are the standard streams that only messages go to: two of them may share a file.
    """
    read = [(identity, use) for use in reads if (identity := _identity(use.name))]
    written = [(identity, use) for use in writes if (identity := _identity(use.name))]
    said = [(identity, use) for use in printed if (identity := _identity(use.name))]
    for identity, use in written + said:
        for other, source in read:
            if identity == other:
                raise ConfigError(
                    f"{_shown(use)} is also {source.what}, which would be overwritten: name another output"
                )
    pairs = [*combinations(written, 2), *((one, two) for one in written for two in said)]
    for (identity, one), (other, two) in pairs:
        if identity == other:
            raise ConfigError(f"{_shown(one)} is also {two.what}: two outputs need two names")


def _shown(use: Use) -> str:
    return use.what if isinstance(use.name, int) else f"{use.what} {use.name}"


def _identity(name: str | int) -> tuple[int, int] | str | None:
    descriptor = name if isinstance(name, int) else descriptor_of(name)
    try:
        status = Path(str(name)).stat() if descriptor is None else os.fstat(descriptor)
    except (OSError, ValueError):
        return None if descriptor is not None else os.path.realpath(str(name))
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
