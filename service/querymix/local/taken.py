"""Which inputs a state has taken: told by what they hold, and not by their names.

Rules:
- An input is what it holds unpacked: its packing, its name and its age do not matter.
- One that was taken, or begins with all that another one held (a log that has grown since), would count its records
  twice. One that is older by and large than what was taken would turn the hold clock back. Both are refused.
- `--again on` takes both all the same, since its operator was told the price (docs/guarantees.md).
- A pipe cannot be looked at before it is read: who sends it sees to that.
"""

import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from statistics import median_low
from typing import Final, NamedTuple

from querymix.codecs.base import Codec
from querymix.core.errors import ConfigError, TransientError
from querymix.local.file_identity import descriptor_of
from querymix.local.reading import Input, lines_of
from querymix.local.unpacking import BLOCK, DamagedInputError, UnsupportedInputError, plain

_LOOKED_AT: Final = 1 << 13
"""Bytes of each block whose records' times are looked at."""


class Taken(NamedTuple):
    """An input by what it holds."""

    digest: str
    """SHA-256, in hexadecimal digits."""
    size: int
    """Bytes, unpacked."""
    name: str
    middle: float | None
    """Half of its records are not later (seconds since 1970), as far as they were looked at; None without any."""


def look_at(sources: Sequence[Input], codec: Codec, taken: Sequence[Taken], *, again: bool = False) -> list[Taken]:
    """Return what the files among the inputs hold.

    Raises ConfigError where one was taken, or is older than those that were, and is not to be released `again`;
    TransientError where one cannot be read.
    """
    if again:
        taken = ()
    reached = max((one.middle for one in taken if one.middle is not None), default=None)
    found: list[Taken] = []
    # Of inputs without records two may hold the same: nothing of them would count twice.
    for source in sources:
        if source.regular:
            one = _look_at(source.name, codec, [*taken, *(one for one in found if one.middle is not None)])
            if reached is not None and one.middle is not None and one.middle < reached:
                raise ConfigError(
                    f"{source.name} is older than what was taken already (its middle is {_shown(one.middle)}, "
                    f"{_shown(reached)} was reached): give days in their order, or this one with a state of its own."
                )
            found.append(one)
    return found


def _look_at(name: str, codec: Codec, taken: Sequence[Taken]) -> Taken:
    known = sorted(taken, key=lambda one: one.size)
    digest, size, times = hashlib.sha256(), 0, list[float]()
    for block in _blocks(name):
        while known and known[0].size <= size + len(block):
            other = known.pop(0)
            begun = digest.copy()
            begun.update(block[: other.size - size])
            if begun.hexdigest() == other.digest:
                what = "holds the same as" if size + len(block) == other.size else "begins with all of"
                raise ConfigError(
                    f"{name} {what} {other.name}, which was taken already: its records would be released twice, "
                    "which names their owners more often than k says, and count twice. Give only what is new, or "
                    "--again on (docs/guarantees.md has its price)."
                )
        digest.update(block)
        size += len(block)
        piece = block[: block.rfind(b"\n", 0, _LOOKED_AT) + 1]
        lines = lines_of(piece[piece.find(b"\n") + 1 if size > len(block) else 0 :] or b"\n")
        times += [query.at for query in codec.decode(lines, "", 1).queries]
    return Taken(digest.hexdigest(), size, name, median_low(times) if times else None)


def _blocks(name: str) -> Iterator[bytes]:
    """Yield a file's bytes, unpacked, as far as they can be read, and leave the file where it stood."""
    with _opened(name) as file, suppress(DamagedInputError, UnsupportedInputError):
        try:
            yield from plain(iter(lambda: file.read(BLOCK), b""), file)
        except OSError as error:
            raise TransientError(f"cannot read {name}: {error.strerror}. Give the same command again.") from None


@contextmanager
def _opened(name: str) -> Iterator[io.FileIO]:
    descriptor = 0 if name == "standard input" else descriptor_of(name)
    with io.FileIO(name if descriptor is None else os.dup(descriptor)) as file:
        begin = file.seek(0, os.SEEK_CUR)
        try:
            yield file
        finally:
            if not file.closed:
                file.seek(begin)


def _shown(at: float) -> str:
    with suppress(ValueError, OverflowError):
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")
    return "far away"
