"""An external merge sort of records by time, in bounded memory: AOL's ten files are each sorted by user.

Rules:
- The order is stable: logs of the same time stay in the order in which they came.
- Records are sorted in memory, a run at a time, and written to one unnamed file, of which nothing is left after a kill.
  A run that begins where the last one ended goes on with it, so records that are in order already are one run.
- Merging reads a block of each run and takes at once whatever no later block can come before.
- Memory: one run while records are added, one block of each run while they are merged.
"""

import marshal
import os
import tempfile
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from operator import itemgetter
from typing import IO, Final

from querymix.core.errors import TransientError

from loadtest.replay.logs import Log

RUN: Final = 250_000
"""Records that are sorted in memory."""
BLOCK: Final = 1_024
"""Records that are read at once of each run."""
BATCH: Final = 4_096
"""Records that are handed on at once, about."""
_EVERY: Final = 64
"""One of so many records tells when records came, for `before`."""
_at: Final = itemgetter(0)


class Sorter:
    """Takes records in any order and gives them by time, as often as asked. A context manager that frees the disk."""

    def __init__(self, *, run: int = RUN, block: int = BLOCK) -> None:
        self._most = run
        self._block = block
        self._rows: list[Log] = []
        self._runs: list[list[tuple[int, int]]] = []
        self._ended = float("-inf")
        self._file: IO[bytes] | None = None
        self._samples = array("d")
        self.count = 0
        """Records taken."""

    def __enter__(self) -> "Sorter":
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):  # of a full disk, which has told already
                self._file.close()

    def add(self, logs: Sequence[Log]) -> None:
        """Take records. Raises TransientError where the temporary folder cannot take them."""
        self._rows += logs
        self.count += len(logs)
        if len(self._rows) >= self._most:
            self._write()

    def end(self) -> None:
        """Take no more."""
        if self._runs and self._rows:
            self._write()
        self._rows.sort(key=_at)
        self._samples = array("d", sorted(self._samples))

    def batches(self) -> Iterator[list[Log]]:
        """Yield all records by time."""
        if not self._runs:
            rows = self._rows
            return (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))
        return merged([self._read(blocks) for blocks in self._runs])

    def before(self, at: float) -> float:
        """Return about how many records have a time up to `at`."""
        if not self._runs:
            return bisect_right(self._rows, at, key=_at)
        return min(self.count, _EVERY * bisect_right(self._samples, at))

    def _write(self) -> None:
        rows = self._rows
        rows.sort(key=_at)
        self._samples.extend([row[0] for row in rows[::_EVERY]])
        if rows[0][0] < self._ended or not self._runs:
            self._runs.append([])
        self._ended = rows[-1][0]
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
            for start in range(0, len(rows), self._block):
                block = marshal.dumps(rows[start : start + self._block])
                self._runs[-1].append((self._file.tell(), len(block)))
                self._file.write(block)
            self._file.flush()
        except OSError as error:
            raise TransientError(
                f"cannot put the log in order of time: the temporary folder: {error.strerror}. Make room in it, name "
                "another one in TMPDIR, or give --order input for a log that is in order already."
            ) from None
        self._rows = []

    def _read(self, blocks: Iterable[tuple[int, int]]) -> Iterator[list[Log]]:
        assert self._file is not None  # noqa: S101 - there are runs
        descriptor = self._file.fileno()
        for begin, size in blocks:
            yield marshal.loads(os.pread(descriptor, size, begin))  # noqa: S302 - our own bytes


class _Head:
    """The block of a run that is being merged."""

    def __init__(self, blocks: Iterator[Sequence[Log]]) -> None:
        self._blocks = blocks
        self._rows: Sequence[Log] = ()
        self._place = 0

    def more(self) -> bool:
        """Say whether there is a log, and read the next block where this one is used up."""
        while self._place >= len(self._rows):
            rows = next(self._blocks, None)
            if rows is None:
                return False
            self._rows, self._place = rows, 0
        return True

    @property
    def last(self) -> float:
        return self._rows[-1][0]

    def before(self, cut: float) -> Sequence[Log]:
        """Take the records of this block with a time below `cut`."""
        start = self._place
        self._place = bisect_left(self._rows, cut, start, key=_at)
        return self._rows[start : self._place]

    def at(self, cut: float) -> Iterator[Sequence[Log]]:
        """Take the records with the time `cut`, also those of further blocks."""
        while self.more() and self._rows[self._place][0] == cut:
            start = self._place
            self._place = bisect_right(self._rows, cut, start, key=_at)
            yield self._rows[start : self._place]


def merged(runs: Iterable[Iterator[Sequence[Log]]]) -> Iterator[list[Log]]:
    """Merge runs of blocks, each run in order of time; of the same time, the first run's records come first."""
    heads = [head for head in map(_Head, runs) if head.more()]
    out: list[Log] = []
    while heads:
        cut = min(head.last for head in heads)
        fresh: list[Log] = []
        for head in heads:
            fresh += head.before(cut)
        fresh.sort(key=_at)  # stable, and quick where the pieces are in order
        out += fresh
        for head in heads:
            for rows in head.at(cut):
                out += rows
                if len(out) >= BATCH:
                    yield out
                    out = []
        heads = [head for head in heads if head.more()]
    if out:
        yield out
