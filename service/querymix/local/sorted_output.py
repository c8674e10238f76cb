"""A file whose lines are put in order of their released times at the end of a run (`--time-policy query`).

The order in which lines are released tells when the arrivals came that set them off, which their times do not.

Rules:
- Until the end the lines stand in NAME.unsorted, for its owner only, each behind its sort key (and its file). That file
  is written, cut back and resumed as any output is.
- After a kill the end is done again from it. It is deleted once the whole file is on the disk.
- Lines of the same time stand in an order that was drawn when they were decided; rows of one query stay together.
"""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from querymix.codecs.base import ENCODING, ERRORS
from querymix.core.draw import Draw
from querymix.core.errors import ConfigError, TransientError
from querymix.core.records import Release
from querymix.local.columnar import Reader
from querymix.local.external_sort import BATCH, ExternalSort, Runs
from querymix.local.output import Output
from querymix.local.split_output import SplitOutput
from querymix.stages.cells import on_grid

SUFFIX: Final = ".unsorted"
Line = tuple[tuple[float, int], str, bytes]
"""A line behind its sort key and its file, where there are several. Up to 0.3.0 it was written as for one file."""


class SortedOutput:
    """A file, or several, that take what `pack` gives, as an `Output` does, and have it in order after `finish`.

    `precision` is that of the released times, None where they are not cut. `keep`, `beside` and `table` are as
    those of `Output`. `done` says that an earlier start came to the end: if there is nothing left to sort, the file is
    whole and stays as it is. `add` refuses a file with something in it. `split` is where the lines go, if not to one
    file.
    """

    def __init__(
        self, name: str, draw: Draw, precision: float | None, *, keep: int | None = None, done: bool = False,
        add: bool = False, beside: bool = False, split: SplitOutput | None = None, table: Reader | None = None,
    ) -> None:  # fmt: skip
        self._draw = draw
        self._precision = precision
        self._path = Path(f"{name}{SUFFIX}")
        if add and keep is None and Path(name).exists() and Path(name).stat().st_size:
            raise ConfigError(f"{name} is there already, and no file that is sorted is added to: name another output")
        self._split = split
        self._whole = split or Output(name, beside=beside, table=table)
        self._lines: Output | None = None
        if done and not self._path.exists():
            return
        try:
            self._lines = Output(str(self._path), keep=keep, private=True)
        except BaseException:
            self._whole.close()
            raise

    @property
    def place(self) -> object:
        """As `Lines`: how far it was written as it lies unsorted."""
        return self._lines.place if self._lines else [0, 0]

    def start(self) -> None:
        """Empty the file, and cut what is unsorted back to what is kept. Raises TransientError where that fails."""
        if self._lines:
            self._whole.start()
            self._lines.start()

    def pack(self, lines: Sequence[str], releases: Sequence[Release], header: str | None, newline: str) -> bytes:
        """As `Lines`."""
        rows = []
        if header and self._lines and self._lines.empty:
            rows.append(f"-inf 0\t{header}{newline}")
        keys: list[tuple[float, int]] = []
        for release in releases:
            key = on_grid(release.query.at, self._precision), self._draw.below(1 << 32)
            keys += [key] * (1 + len(release.further))
        files = (
            [f" {json.dumps(file)}" for file in self._split.files_of(releases)] if self._split else [""] * len(lines)
        )
        for (at, place), file, line in zip(keys, files, lines, strict=True):
            rows.append(f"{at!r} {place}{file}\t{line}{newline}")
        return "".join(rows).encode(ENCODING, ERRORS)

    def write(self, data: bytes) -> None:
        """Write what `pack` gave. Raises TransientError where that fails."""
        if self._lines:
            self._lines.write(data)

    def sync(self) -> None:
        """Wait until all that was written is on the disk."""
        if self._lines:
            self._lines.sync()

    def finish(self) -> None:
        """Write the lines in their order. Raises TransientError where a disk fails; nothing is lost then."""
        if self._lines is None:
            return
        self._whole.start()
        remedy = "and give the same command again"
        with ExternalSort[Line](0, Runs(sorting="the released lines", remedy=remedy)) as found:
            try:
                with self._path.open("rb") as lines:
                    while some := list(map(_fields, islice(lines, BATCH))):
                        found.add(some)
            except OSError as error:
                raise TransientError(f"cannot read {self._path}: {error.strerror}. Correct it, {remedy}.") from None
            found.end()
            for rows in found.batches():
                if self._split:
                    self._whole.write(self._split.joined([(file, text) for _, file, text in rows]))
                else:
                    self._whole.write(b"".join([text for _, _, text in rows]))
        self._whole.finish()
        self._path.unlink()

    def close(self) -> None:
        """Close the files."""
        self._whole.close()
        if self._lines:
            self._lines.close()


def _fields(line: bytes) -> Line:
    key, _, text = line.partition(b"\t")
    at, place, *file = key.split(b" ", 2)
    return (float(at), int(place)), json.loads(file[0]) if file else "", text
