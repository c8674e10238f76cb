"""Reading a crowd table: one read-only file, mapped into memory and so shared between processes.

Rules:
- The layout is that of querymix.crowd.layout; a file of another format, or counted in another way, is refused.
- The content is checked when the file is opened.
- Answers for what is asked often are remembered (terms, hosts, groups); pairs and whole queries are too many.
- An item that fewer users had than the table counts from is not in it. So whoever asks for fewer users is refused.
"""

import mmap
import os
import struct
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from querymix.core.bounded_cache import BoundedCache
from querymix.core.crowd import GROUP, PAIR, QUERY, URL
from querymix.core.errors import ConfigError
from querymix.crowd.layout import (
    COUNT,
    COUNTED,
    FORMAT,
    HEADER_BEGIN,
    KINDS,
    LENGTH,
    MAGIC,
    NUMBER,
    Numbers,
    version_of,
)

LONG_AGO: Final = 35
"""Days after its window from which a table is said to be old: what people ask changes within weeks."""
_SHARED: Final = mmap.MAP_SHARED | getattr(mmap, "MAP_POPULATE", 0)
_DAMAGE: Final = (struct.error, ValueError, TypeError, LookupError, AttributeError, OverflowError)
_MAKE: Final = "Make one with 'querymix crowd build LOG -o FILE'"
_AGAIN: Final = "copy it again, or build it again with 'querymix crowd build'"
_REMEMBERED: Final = 1 << 18
_SELDOM: Final = frozenset(kind[0] for kind in (PAIR, QUERY, URL))
"""The first letters of items that are not remembered."""
_STEPS: Final = 16
"""Items between two entries of the index, on average, and bits of the largest index."""


def _at_once(path: str, flags: int) -> int:
    """Open a file; a pipe without a writer would be waited for."""
    return os.open(path, flags | os.O_NONBLOCK)


class CrowdTable(BoundedCache[int]):
    """A crowd that was counted before: a mapping from an item to its users, 0 where they are fewer than `least`.

    Raises ConfigError where the file is missing, is no crowd table, has another format, is cut short or damaged.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(_REMEMBERED)
        self.path = path
        try:
            with open(path, "rb", opener=_at_once) as file:
                self._map = mmap.mmap(file.fileno(), 0, _SHARED, mmap.PROT_READ)
        except (OSError, ValueError) as error:
            told = getattr(error, "strerror", None) or "it is empty"
            reason = told if path.is_file() or not path.exists() or path.is_dir() else "it is no regular file"
            raise ConfigError(f"cannot read the crowd table {path}: {reason}. {_MAKE}.") from None
        if self._map[: len(MAGIC)] != MAGIC:
            raise ConfigError(f"{path} is no crowd table. {_MAKE}.")
        try:
            (length,) = LENGTH.unpack_from(self._map, len(MAGIC))
            begin = HEADER_BEGIN + length
            self._read_header(orjson.loads(self._map[HEADER_BEGIN:begin]))
            self._number = Numbers(bytes.fromhex(self.header["key"]))
            self._numbers, self._counts = self._parts(begin)
        except _DAMAGE:
            raise ConfigError(f"{path} is cut short or damaged: {_AGAIN}.") from None
        self._shift, self._index = _index_of(self._numbers)

    def _read_header(self, header: Mapping[str, Any]) -> None:
        self.header = header
        for name, told, known in (("format", header["format"], FORMAT), ("counting", header.get("counted"), COUNTED)):
            if told != known:
                raise ConfigError(
                    f"{self.path} has {name} {told}, this querymix reads {known}: "
                    "build it again with 'querymix crowd build'."
                )
        self.least = int(header["least"])
        """Users of the rarest item that it holds."""
        self.least_group = int(header["least_group"])
        """The same of groups."""
        self.first, self.last = (date.fromisoformat(header[name]) for name in ("first", "last"))
        """The days of its window (UTC), both of them in it."""
        self.established = float(header["established"])
        """Seconds that a user counts only after, from its first record in the window on."""
        self.ladders = {str(name): list(map(str, fields)) for name, fields in header["ladders"].items()}
        """The ladders that its groups were counted by."""
        self.version = str(header["version"])
        """A hash of all of it: equal tables have equal versions."""

    def _parts(self, begin: int) -> tuple[memoryview, memoryview]:
        """Return the items' numbers and their counts. Raises ValueError where they are not what was written."""
        items = int(self.header["items"])
        middle, end = begin + 8 * items, begin + 12 * items
        if end != len(self._map):
            raise ValueError("another length")
        whole = memoryview(self._map)
        digest = version_of(self.header)
        digest.update(whole[begin:])
        if digest.hexdigest() != self.version:
            raise ValueError("another content")
        return whole[begin:middle].cast(NUMBER), whole[middle:].cast(COUNT)

    def enough(self, item: str, users: int) -> bool:
        """Say whether at least so many distinct users had an item.

        Raises ConfigError where the table cannot know, since it holds no item of so few users.
        """
        if self[item] >= users:
            return True
        if users < self.least and not item.startswith(GROUP):
            self.check_users(users)
        return False

    def check_users(self, users: int, group_users: int | None = None) -> None:
        """Raise ConfigError where the table was counted for more users than it is to be asked for."""
        for option, asked, least in (
            ("--crowd-users", users, self.least),
            ("--group-users", group_users, self.least_group),
        ):
            if asked is not None and asked < least:
                raise ConfigError(
                    f"{self.path} holds what at least {least:,} users had: give {option} {least} or more, or build it "
                    f"again with 'querymix crowd build {option} {asked}'."
                )

    def check_ladders(self, ladders: Mapping[str, Sequence[str]]) -> None:
        """Raise ConfigError where its groups were counted by other ladders than these."""
        if list(self.ladders.items()) != [(name, list(fields)) for name, fields in ladders.items()]:
            ladders_of = ",".join(f"{name}={'>'.join(fields)}" for name, fields in self.ladders.items())
            said = f"--generalize '{ladders_of}'" if ladders_of else "no --generalize"
            raise ConfigError(
                f"{self.path} counts the groups of {said}: give the same, or build it again with 'querymix crowd build "
                "--generalize'."
            )

    def age_remark(self, moment: float) -> str:
        """Return a warning where the window ended long before `moment` (seconds since 1970), else nothing."""
        days = (datetime.fromtimestamp(moment, UTC).date() - self.last).days
        if days <= LONG_AGO:
            return ""
        return (
            f"the crowd table {self.path} counts what was asked up to {self.last}, {days:,} days ago: what has become "
            "common since is taken for rare. Build it anew."
        )

    def kinds(self) -> dict[str, int]:
        """Return how many items of each kind it holds."""
        return dict(zip(KINDS, map(int, self.header["kinds"]), strict=True))

    def __missing__(self, item: str) -> int:
        number = self._number(item)
        bucket = number >> self._shift
        end = self._index[bucket + 1]
        place = bisect_left(self._numbers, number, self._index[bucket], end)
        users = self._counts[place] if place < end and self._numbers[place] == number else 0
        if item[0] not in _SELDOM:
            self.keep(item, users)
        return users

    def close(self) -> None:
        """Forget all answers and close the file."""
        self.clear()
        self._numbers.release()
        self._counts.release()
        self._map.close()

    def __repr__(self) -> str:
        return f"CrowdTable({self.version[:16]})"


def _index_of(numbers: memoryview) -> tuple[int, list[int]]:
    """Return by how many bits a number is shifted to its bucket, and where each bucket begins, with the end of all."""
    bits = min(_STEPS, max(0, len(numbers).bit_length() - _STEPS.bit_length()))
    shift = 64 - bits
    begins = [bisect_left(numbers, bucket << shift) for bucket in range(1 << bits)]
    return shift, [*begins, len(numbers)]
