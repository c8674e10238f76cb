"""What a process does that parses and classifies: the other side of querymix.local.processes.

Rules:
- What goes between processes is packed by column, a list a field: of the ways tried, the cheapest to write and to read
  (docs/performance.md).
- A process decides nothing: it classifies, counts and sorts. It is told how many queries of its piece an earlier start
  has decided, and leaves these out.
"""

import gc
import marshal
import multiprocessing
import os
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from operator import itemgetter
from time import perf_counter
from typing import Any, Final, NamedTuple

from querymix.codecs.base import Codec, Decoded
from querymix.core.records import Classification, Query, Refusal
from querymix.local.ordering import BATCH
from querymix.local.reading import lines_of
from querymix.local.summary import peak_memory
from querymix.stages.classifying import Classified, Classifying

BLOCK: Final = 256
"""Queries of a run that are packed together: what a stretch of time has to read more than its own is half of that, at
each end of each run."""
_COLUMNS: Final = 1 + len(Query._fields)
_time: Final = itemgetter(3)
_new: Final = tuple.__new__


class Work(NamedTuple):
    """What each process works with."""

    codec: Codec
    classifying: Callable[[], Classifying]
    """Makes a stage that has counted nothing; all of them share what the classifier remembers."""


class ClassifiedChunk(NamedTuple):
    """What became of some queries. Stands in a batch in their place, and has their number."""

    packed: bytes
    """The queries that go on, by column, after their categories; none: an empty list."""
    arrived: int
    counts: Mapping[str, Any]
    """`Classifying.snapshot` of these queries alone."""

    def __len__(self) -> int:
        return self.arrived

    def __repr__(self) -> str:
        return f"Judged({self.arrived} queries)"


class Block(NamedTuple):
    """Some queries of a run, which is in time order."""

    first: float
    last: float
    queries: int
    packed: bytes

    def __repr__(self) -> str:
        return f"Block({self.queries} queries)"


class Place(NamedTuple):
    """A place in the order of all queries: by time, and where that is the same by the number of the block."""

    at: float
    block: int


class Done(NamedTuple):
    """What a process has done of one piece of work."""

    decided: list[ClassifiedChunk]
    blocks: list[Block]
    refusals: list[Refusal]
    """Counted from the first of the lines."""
    lines: int
    queries: int
    """All that were in the piece."""
    skipped: int
    """Those of them that an earlier start has decided."""
    seconds: tuple[float, float]
    """Spent on parsing and on classifying."""
    process: int
    peak: int
    """Bytes of memory that the process held at most."""

    def __len__(self) -> int:
        return self.queries

    def __repr__(self) -> str:
        return f"Done({self.queries} queries)"


NOTHING: Final = Done([], [], [], 0, 0, 0, (0.0, 0.0), 0, 0)


def elsewhere(text: str, url: str | None = None, /) -> Classification:
    """Stand for the classifier in a `Classifying` that only counts."""
    raise NotImplementedError("queries are classified in other processes")


def received(counts: Classifying, decided: Any) -> list[Classified]:
    """Return the queries that go on, in their order, and count what became of all of a `ClassifiedChunk`."""
    if not decided:
        return []
    counts.add(decided.counts)
    categories, *columns = marshal.loads(decided.packed) or [()] * _COLUMNS  # noqa: S302 - our own bytes
    queries = map(_new, repeat(Query), zip(*columns, strict=True))
    return list(map(_new, repeat(Classified), zip(categories, queries, strict=True)))


_work: Work
"""Set once in each process, by `begin`: a pool's functions have nowhere else to keep anything."""


def begin(work: Work) -> None:
    """Prepare a process."""
    global _work  # noqa: PLW0603
    gc.disable()  # as in the run itself: what is done here makes no cycles
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    _work = work


def _end_with(parent: Any) -> None:
    """End this process when the run does, however that ends: a pool's processes would wait for ever."""
    parent.join()
    os._exit(1)


def classify_lines(lines: bytes, skip: int) -> Done:
    """Parse and classify whole lines; the first `skip` queries are left out."""
    start = perf_counter()
    number, (queries, refusals) = _decode(lines)
    read = perf_counter() - start
    decided = _judged(queries[skip:])
    return _done(start, read, decided=decided, refusals=refusals, lines=number, queries=len(queries), skip=skip)


def sort_lines(lines: bytes, _: int) -> Done:
    """Parse whole lines, and put their queries in time order."""
    start = perf_counter()
    number, (queries, refusals) = _decode(lines)
    queries.sort(key=_time)
    blocks = [_block(queries[first : first + BLOCK]) for first in range(0, len(queries), BLOCK)]
    return _done(
        start, perf_counter() - start, blocks=blocks, refusals=refusals, lines=number, queries=len(queries), skip=0
    )


def classify_stretch(parts: Sequence[tuple[int, bytes]], begin: Place, end: Place, skip: int) -> Done:
    """Classify the queries from `begin` to before `end`, in time order; the first `skip` of them are left out.

    `parts` are the numbers and contents of all blocks that hold some of them.
    """
    start = perf_counter()
    rows: list[Any] = []
    for number, packed in parts:
        columns = marshal.loads(packed)  # noqa: S302 - our own bytes
        times = columns[3]
        first = (bisect_left if number >= begin.block else bisect_right)(times, begin.at)
        last = (bisect_left if number >= end.block else bisect_right)(times, end.at)
        if last - first < len(times):
            columns = [column[first:last] for column in columns]
        rows += zip(*columns, strict=True)
    rows.sort(key=_time)
    read = perf_counter() - start
    queries = [_new(Query, row) for row in rows[skip:]]
    return _done(start, read, decided=_judged(queries), queries=len(rows), skip=skip)


def _decode(block: bytes) -> tuple[int, Decoded]:
    lines = lines_of(block)
    return len(lines), _work.codec.decode(lines, "", 0)


def _block(queries: list[Query]) -> Block:
    return Block(queries[0].at, queries[-1].at, len(queries), marshal.dumps(list(zip(*queries, strict=True))))


def _judged(queries: Sequence[Query]) -> list[ClassifiedChunk]:
    out = []
    for first in range(0, len(queries), BATCH):
        some = queries[first : first + BATCH]
        stage = _work.classifying()
        classified = stage(some)
        columns = []
        if classified:
            columns = [[one[0] for one in classified], *zip(*[one[1] for one in classified], strict=True)]
        out.append(ClassifiedChunk(marshal.dumps(columns), len(some), stage.snapshot()))
    return out


def _done(
    start: float,
    read: float,
    *,
    queries: int,
    skip: int,
    decided: Iterable[ClassifiedChunk] = (),
    blocks: Iterable[Block] = (),
    refusals: Iterable[Refusal] = (),
    lines: int = 0,
) -> Done:
    seconds = read, perf_counter() - start - read
    return Done(
        list(decided), list(blocks), list(refusals), lines, queries, min(skip, queries), seconds, os.getpid(),
        peak_memory(),
    )  # fmt: skip
