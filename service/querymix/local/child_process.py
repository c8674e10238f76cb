"""What a process does that parses and classifies: the other side of querymix.local.parallel_source.

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
from collections.abc import Mapping, Sequence
from itertools import repeat
from operator import itemgetter
from time import perf_counter
from typing import Any, Final, NamedTuple

from querymix.codecs.base import Codec, Decoded
from querymix.core.records import Query, Refusal
from querymix.cores import no_cores
from querymix.local.external_sort import BATCH, Block, Place, merged, packed, unpacked
from querymix.local.reading import lines_of
from querymix.local.sources import TIME
from querymix.local.summary import peak_memory
from querymix.stages.classifying import Classifying

BLOCK: Final = 256
"""Queries of a run that are packed together: what a stretch of time has to read more than its own is half of that, at
each end of each run, and each process reads all of its own."""
_COLUMNS: Final = 1 + len(Query._fields)
_new: Final = tuple.__new__


class ClassifiedBatch(NamedTuple):
    """What became of some queries that were classified in another process (querymix.local.sources)."""

    packed: bytes
    """The queries that go on, by column, after their categories; none: an empty list."""
    arrived: int
    counts: Mapping[str, Any]
    """`Classifying.snapshot` of these queries alone."""
    refusals: list[Refusal]
    """Those that came with them."""

    def __repr__(self) -> str:
        return f"ClassifiedBatch({self.arrived} queries)"

    def classified(self, stage: Classifying) -> list[tuple[int, Query]]:
        """Return the queries that go on with their categories, in their order; `stage` adds their counts to its own."""
        stage.add(self.counts)
        categories, *columns = marshal.loads(self.packed) or [()] * _COLUMNS  # noqa: S302 - our own bytes
        return list(zip(categories, map(_new, repeat(Query), zip(*columns, strict=True)), strict=True))


class Done(NamedTuple):
    """What a process has done of one piece of work."""

    batches: Sequence[ClassifiedBatch] = ()
    blocks: Sequence[Block] = ()
    refusals: Sequence[Refusal] = ()
    """Counted from the first of the lines."""
    lines: int = 0
    queries: int = 0
    """All that were in the piece."""
    skipped: int = 0
    """Those of them that an earlier start has decided."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """Spent on parsing and on classifying."""
    process: int = 0
    peak: int = 0
    """Bytes of memory that the process held at most."""

    def __repr__(self) -> str:
        return f"Done({self.queries} queries)"


_codec: Codec
_classifying: Classifying
_nothing: Mapping[str, Any]
"""The counts of no query. All three are set once in each process: a pool's functions have nowhere else to keep them."""


def begin(codec: Codec, classifying: Classifying) -> None:
    """Prepare a process, which ends when the run does."""
    no_cores()
    gc.disable()  # as in the run itself: what is done here makes no cycles
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    use(codec, classifying)


def use(codec: Codec, classifying: Classifying) -> None:
    """Set what all work of this process is done with; `classifying` has counted nothing yet."""
    global _codec, _classifying, _nothing
    _codec, _classifying, _nothing = codec, classifying, classifying.snapshot()


def _end_with(parent: Any) -> None:
    """End this process when the run does, however that ends: a pool's processes would wait for ever."""
    parent.join()
    os._exit(1)


def classify_lines(lines: bytes, skip: int) -> Done:
    """Parse and classify whole lines; the first `skip` queries are left out."""
    start = perf_counter()
    number, (queries, refusals) = _decode(lines)
    read = perf_counter()
    batches = _classified(queries[skip:])
    return _done(Done(batches, (), refusals, number, len(queries), min(skip, len(queries))), start, read)


def sort_lines(lines: bytes, _: int) -> Done:
    """Parse whole lines, and put their queries in time order."""
    start = perf_counter()
    number, (queries, refusals) = _decode(lines)
    queries.sort(key=itemgetter(TIME))
    blocks = packed(queries, TIME, BLOCK)
    return _done(Done((), blocks, refusals, number, len(queries)), start, perf_counter())


def classify_stretch(blocks: Mapping[int, bytes], begin: Place | None, end: Place | None, skip: int) -> Done:
    """Classify the queries of a `Stretch`, in time order; the first `skip` of them are left out."""
    start = perf_counter()
    rows = merged({number: unpacked(data) for number, data in blocks.items()}, begin, end, TIME)
    read = perf_counter()
    batches = _classified(list(map(_new, repeat(Query), rows[skip:])))
    return _done(Done(batches, queries=len(rows), skipped=min(skip, len(rows))), start, read)


def _decode(block: bytes) -> tuple[int, Decoded]:
    lines = lines_of(block)
    return len(lines), _codec.decode(lines, "", 0)


def _classified(queries: Sequence[Query]) -> list[ClassifiedBatch]:
    out = []
    for first in range(0, len(queries), BATCH):
        some = queries[first : first + BATCH]
        _classifying.restore(_nothing)
        classified = _classifying(some)
        columns = []
        if classified:
            columns = [[one[0] for one in classified], *zip(*[one[1] for one in classified], strict=True)]
        out.append(ClassifiedBatch(marshal.dumps(columns), len(some), _classifying.snapshot(), []))
    return out


def _done(done: Done, start: float, read: float) -> Done:
    """Add what it took, parsing until `read`."""
    return done._replace(seconds=(read - start, perf_counter() - read), process=os.getpid(), peak=peak_memory())
