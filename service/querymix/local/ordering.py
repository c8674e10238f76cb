"""Queries in time order: a small log in memory, a large one by runs on the disk that are merged.

Rules:
- AOL's files are sorted by user, so files are put in time order. The order is stable, so that a second reading gives
  the same one.
- The temporary file has no name: nothing is left of it after a kill.
"""

import marshal
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import inf
from operator import itemgetter
from tempfile import TemporaryFile
from typing import IO, Final

from querymix.core.errors import TransientError
from querymix.core.records import Query
from querymix.local.reading import Batch

BATCH: Final = 16_384
"""Queries in a batch of a log that was put in order."""
MAX_IN_MEMORY: Final = 200_000
"""Queries that are sorted in memory."""
_BLOCK: Final = 2_048
"""Queries that are read at once of each run."""
_time: Final = itemgetter(3)
_new: Final = tuple.__new__


def in_time_order(
    batches: Iterable[Batch], clock: Callable[[], None] = lambda: None, *, most_in_memory: int = MAX_IN_MEMORY
) -> Iterator[Batch]:
    """Yield the queries of all batches by time; refusals come before them, as they are met.

    `clock` is called now and then, for a progress bar; more than `most_in_memory` queries go to the disk. Raises
    Broken where that fails.
    """
    source = iter(batches)
    queries: list[Query] = []
    for batch in source:
        clock()
        queries += batch.queries
        if batch.refusals:
            yield Batch([], batch.refusals)
        if len(queries) > most_in_memory:
            yield from _on_disk(queries, source, clock, most_in_memory)
            return
    queries.sort(key=_time)
    for start in range(0, max(1, len(queries)), BATCH):
        yield Batch(queries[start : start + BATCH], [])


def _on_disk(queries: list[Query], source: Iterator[Batch], clock: Callable[[], None], most: int) -> Iterator[Batch]:
    """Sort `most` queries at a time into runs on the disk, and merge these."""
    with on_disk(), TemporaryFile(buffering=0) as file:
        runs = []
        while queries:
            runs.append(_Run(file, queries))
            queries = []
            for batch in source:
                clock()
                if batch.refusals:
                    yield Batch([], batch.refusals)
                queries += batch.queries
                if len(queries) > most:
                    break
        yield from _in_batches(_merged(runs))


@contextmanager
def on_disk() -> Iterator[None]:
    """Raise Broken where a temporary file cannot be written."""
    try:
        yield
    except OSError as error:
        raise TransientError(
            f"cannot put the log in time order: {error.strerror}. Free the temporary folder, name another one in "
            "TMPDIR, or give --order input for a log that is in order already."
        ) from None


class _Run:
    """Queries in order: all of them in a file, from where the next ones are read when they are asked for."""

    def __init__(self, file: IO[bytes], queries: list[Query]) -> None:
        queries.sort(key=_time)
        self._file = file
        self._sizes: deque[int] = deque()
        self._at = file.tell()
        for start in range(0, len(queries), _BLOCK):
            # By column, which is read in half the time of row by row.
            columns = list(zip(*queries[start : start + _BLOCK], strict=True))
            self._sizes.append(_write(file, marshal.dumps(columns)))
        self.rows: list[Query] = []
        """The next ones."""

    @property
    def open(self) -> bool:
        """Whether there are more than `rows`."""
        return bool(self._sizes)

    def fill(self) -> bool:
        """Read more where there is none left; say whether there is any."""
        if not self.rows and self._sizes:
            self._file.seek(self._at)
            data = self._file.read(self._sizes[0])
            self._at += self._sizes.popleft()
            self.rows = [_new(Query, row) for row in zip(*marshal.loads(data), strict=True)]  # noqa: S302 - our own bytes
        return bool(self.rows)

    def take(self, end: int) -> list[Query]:
        """Return the first ones, up to `end`, and drop them."""
        taken, self.rows = self.rows[:end], self.rows[end:]
        return taken


def _write(file: IO[bytes], data: bytes) -> int:
    """Write all of `data`, which a nearly full disk may take in parts, and return its size."""
    done = 0
    while done < len(data):
        done += file.write(memoryview(data)[done:])
    return done


def _merged(runs: list[_Run]) -> Iterator[list[Query]]:
    """Yield all queries in order, some at a time; among equal times those of the earlier run come first."""
    while runs := [run for run in runs if run.fill()]:
        # Below the least time that a run may go on with, everything has been read.
        bound = min((run.rows[-1][3] for run in runs if run.open), default=inf)
        some = [query for run in runs for query in run.take(bisect_left(run.rows, bound, key=_time))]
        if some:
            some.sort(key=_time)
            yield some
        else:
            first = next(run for run in runs if run.rows[0][3] == bound)
            yield first.take(bisect_right(first.rows, bound, key=_time))


def _in_batches(parts: Iterable[list[Query]]) -> Iterator[Batch]:
    waiting: list[Query] = []
    for part in parts:
        waiting += part
        while len(waiting) >= BATCH:
            yield Batch(waiting[:BATCH], [])
            del waiting[:BATCH]
    if waiting:
        yield Batch(waiting, [])
