"""One output file a day, a category, or both: `{date}` and `{category}` in its name.

Rules:
- The day is that of the released time, in UTC as it is written. The category is that of the line.
- Each file is an `Output` of its own, with a header of its own. Few of them are open at a time.
- Nothing that lies there already is replaced: a name of many files is no word for one of them.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from glob import escape, glob
from pathlib import Path
from typing import Final

from querymix.codecs.base import ENCODING, ERRORS
from querymix.codecs.spelling import Times
from querymix.core.errors import ConfigError
from querymix.core.records import POOL_NAMES, Release, each_row
from querymix.local.columnar import Reader
from querymix.local.output import Output

MOST_OPEN: Final = 64
"""Files that are open at a time."""
_VALUES: Final = {"date": r"\d{4}-\d\d-\d\d", "category": "|".join(map(re.escape, POOL_NAMES.values()))}
_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
_HEADER: Final = ""
"""Stands for the file of a header, which goes to all of them."""


def is_split(name: str) -> bool:
    """Say whether a name stands for several files. Raises ConfigError where it has an unknown placeholder."""
    found = _PLACEHOLDER.findall(name)
    if unknown := sorted(set(found) - _VALUES.keys()):
        known = " and ".join(f"{{{one}}}" for one in _VALUES)
        raise ConfigError(f"--output: {{{unknown[0]}}} is no placeholder; there are {known}")
    return bool(found)


def common_name(name: str) -> str:
    """Return a name for what belongs to all files of a name."""
    return _PLACEHOLDER.sub("all", name)


def may_be(name: str, file: str) -> bool:
    """Say whether a name with placeholders may stand for this file."""
    pattern = re.sub(r"\\\{(\w+)\\\}", lambda found: f"(?:{_VALUES[found[1]]})", re.escape(os.path.realpath(name)))
    return re.fullmatch(pattern, os.path.realpath(file)) is not None


def files_there(name: str) -> list[str]:
    """Return the files with something in them that a name with placeholders stands for."""
    found = sorted(glob("*".join(map(escape, _PLACEHOLDER.split(name)[::2]))))  # noqa: PTH207 - keeps the names' form
    return [file for file in found if may_be(name, file) and Path(file).is_file() and Path(file).stat().st_size]


class SplitOutput:
    """Several files of one name.

    `own_time` says that the released time is the query's own, else it is that of the arrival that set it off;
    `precision` is its grid. `keep`, `add`, `beside`, `done` and `table` are as those of `Output`, `keep` for each file.
    Raises ConfigError where files of an earlier run are there and none is to be added to.
    """

    def __init__(
        self, name: str, *, own_time: bool, precision: float | None, keep: Mapping[str, Sequence[int]] | None = None,
        add: bool = False, beside: bool = False, done: bool = False, table: Reader | None = None,
        most_open: int = MOST_OPEN,
    ) -> None:  # fmt: skip
        self._name = name
        self._own_time = own_time
        self._times = Times("iso", precision)
        self._category = "{category}" in name
        self._date = "{date}" in name
        self._most_open = most_open
        self._make = partial(Output, add=add, beside=beside, done=done, table=table)
        self._files: dict[str, Output] = {}
        self._open: dict[str, None] = {}
        """Those that are open, the longest unused first."""
        self._header: bytes = b""
        if keep is None and not add and (there := files_there(name)):
            raise ConfigError(
                f"{there[0]} is there already, and lines of an earlier run would be lost: move the files of {name} "
                "away, or name others. With --state DIR the next day's lines are added to them."
            )
        try:
            for file, (base, length) in (keep or {}).items():
                self._files[file] = self._make(file, keep=length, base=base)
                self._used(file)
        except BaseException:
            self.close()
            raise

    @property
    def place(self) -> object:
        """As `Lines`: for each file."""
        return {file: output.place for file, output in self._files.items()}

    def start(self) -> None:
        """As `Lines`."""
        for file, output in self._files.items():
            self._used(file)
            output.start()

    def files_of(self, releases: Iterable[Release]) -> list[str]:
        """Return the file of each row of each release."""
        files = []
        for release in each_row(list(releases)):
            category = POOL_NAMES[release.pool] if self._category else ""
            timed = release.query if self._own_time else release.trigger
            day = str(self._times(timed.at))[:10] if self._date else ""
            files.append(self._name.replace("{date}", day).replace("{category}", category))
        return files

    def pack(self, lines: Sequence[str], releases: Sequence[Release], header: str | None, newline: str) -> bytes:
        """As `Lines`."""
        rows = [(_HEADER, header)] if header else []
        rows += zip(self.files_of(releases), lines, strict=True)
        return self.joined([(file, f"{line}{newline}".encode(ENCODING, ERRORS)) for file, line in rows])

    def joined(self, rows: Iterable[tuple[str, bytes]]) -> bytes:
        """Return lines with their line ends, each behind its file, as `write` takes them; a header's has no name."""
        parts: dict[str, list[bytes]] = {}
        for file, line in rows:
            if file == _HEADER:
                self._header = line
            elif file in parts:
                parts[file].append(line)
            else:
                parts[file] = [self._header, line] if self._file(file).empty else [line]
        sizes = {file: sum(map(len, lines)) for file, lines in parts.items()}
        return b"\n".join((json.dumps(sizes).encode(), b"".join(line for lines in parts.values() for line in lines)))

    def write(self, data: bytes) -> None:
        """As `Lines`."""
        head, _, lines = data.partition(b"\n")
        begin = 0
        for file, size in json.loads(head).items():
            self._file(file).write(lines[begin : begin + size])
            begin += size

    def _file(self, file: str) -> Output:
        """Return a file that is ready to be written."""
        output = self._files.get(file)
        if output is None:
            output = self._files[file] = self._make(file)
            output.start()
        self._used(file)
        return output

    def _used(self, file: str) -> None:
        self._open.pop(file, None)
        self._open[file] = None
        self._files[file].go_on()
        while len(self._open) > self._most_open:
            longest = next(iter(self._open))
            del self._open[longest]
            self._files[longest].pause()

    def sync(self) -> None:
        """As `Lines`."""
        for file in self._open:
            self._files[file].sync()

    def finish(self) -> None:
        """As `Lines`."""
        for file, output in self._files.items():
            self._used(file)
            output.finish()

    def close(self) -> None:
        """As `Lines`."""
        for output in self._files.values():
            output.close()
