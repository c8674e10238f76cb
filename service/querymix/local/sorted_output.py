"""A file whose lines are put in order of their released times at the end of a run (`--time-policy query`).

The order in which lines are released tells when the arrivals came that set them off, which their times do not.

Rules:
- Until the end the lines stand in NAME.unsorted, for its owner only, each behind its sort key. That file is written,
  cut back and resumed as any output is.
- After a kill the end is done again from it. It is deleted once the whole file is on the disk.
- Lines of the same time stand in an order that was drawn when they were decided; rows of one query stay together.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from querymix.codecs.base import ENCODING, ERRORS
from querymix.core.draw import Draw
from querymix.core.errors import TransientError
from querymix.core.records import Release, rows_of
from querymix.local.external_sort import BATCH, ExternalSort, Runs
from querymix.local.output import Output
from querymix.stages.cells import on_grid

SUFFIX: Final = ".unsorted"
Line = tuple[tuple[float, int], bytes]
"""A line behind its sort key."""


class SortedOutput:
    """A file that takes what `pack` gives, as an `Output` takes lines, and has them in order after `finish`.

    `precision` is that of the released times, None where they are not cut. `keep` is as that of `Output`; `done` says
    that an earlier start came to the end: if there is nothing left to sort, the file is whole and stays as it is.
    """

    def __init__(
        self, name: str, draw: Draw, precision: float | None, *, keep: int | None = None, done: bool = False
    ) -> None:
        self._draw = draw
        self._precision = precision
        self._path = Path(f"{name}{SUFFIX}")
        self._whole = Output(name)
        self._lines: Output | None = None
        if done and not self._path.exists():
            return
        try:
            self._lines = Output(str(self._path), keep=keep, private=True)
        except BaseException:
            self._whole.close()
            raise

    @property
    def length(self) -> int:
        """Bytes that were written, as they lie unsorted."""
        return self._lines.length if self._lines else 0

    def start(self) -> None:
        """Empty the file, and cut what is unsorted back to what is kept. Raises TransientError where that fails."""
        if self._lines:
            self._whole.start()
            self._lines.start()

    def pack(self, lines: Sequence[str], releases: Sequence[Release], newline: str) -> bytes:
        """Return lines as `write` takes them; those before the lines of `releases` head the file."""
        keys = [(float("-inf"), 0)] * (len(lines) - rows_of(releases))
        for release in releases:
            key = on_grid(release.query.at, self._precision), self._draw.below(1 << 32)
            keys += [key] * (1 + len(release.further))
        text = "".join(f"{at!r} {place}\t{line}{newline}" for (at, place), line in zip(keys, lines, strict=True))
        return text.encode(ENCODING, ERRORS)

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
                self._whole.write(b"".join([text for _, text in rows]))
        self._whole.sync()
        self._path.unlink()

    def close(self) -> None:
        """Close the files."""
        self._whole.close()
        if self._lines:
            self._lines.close()


def _fields(line: bytes) -> Line:
    key, _, text = line.partition(b"\t")
    at, place = key.split(b" ")
    return (float(at), int(place)), text
