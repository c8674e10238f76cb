"""Parsing and classifying in several processes; all else of a run stays in the one that starts them.

Rules:
- Results come back in the order of what was handed out, so the run is the same as in one process.
- Handed out are whole lines where they are pooled in the order of the input, else the queries that were put in order.
  What comes back is one packed column a field: of the ways tried, the cheapest to read (docs/performance.md).
- So much is handed out ahead that no process waits. Before a pipe would be waited for, all that is out is taken in.
- A process that dies ends the run with `Broken`, as a disk would: nothing of its batch was decided.
- They are spawned, not forked: a fork would hold the locks of the outputs. Signals that end the run go past them; they
  end when it does, also when it is killed.
"""

import marshal
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from time import perf_counter
from typing import Any, Final, NamedTuple

from service.codecs.base import Codec
from service.core.errors import Broken
from service.core.records import Query, Refusal, Topic
from service.local.reading import Batch, Input, lines_of
from service.local.summary import peak_memory
from service.stages.classifying import Classified, Classifying

_PIECE: Final = 1 << 18
"""Bytes of lines that are handed out at once."""
_AHEAD: Final = 2
"""Pieces for each process that are handed out before the first of them is taken in."""
_COLUMNS: Final = 1 + len(Query._fields)
_new: Final = tuple.__new__


class Work(NamedTuple):
    """What each process makes for itself."""

    codec: Codec
    classifying: Callable[[], Classifying]
    """Makes a stage that has counted nothing; all of them share what the classifier remembers."""


class Judged(NamedTuple):
    """What became of some queries. Stands in a batch in their place, and has their number."""

    packed: bytes
    """The queries that go on, by column, after their categories; none: an empty list."""
    arrived: int
    counts: Mapping[str, Any]
    """`Classifying.snapshot` of these queries alone."""
    lines: int
    refusals: list[Refusal]
    """Counted from the first of the lines."""
    seconds: tuple[float, float]
    """Spent on parsing and on classifying."""
    process: int
    peak: int
    """Bytes of memory that the process held at most."""

    def __len__(self) -> int:
        return self.arrived

    def __repr__(self) -> str:
        return f"Judged({self.arrived} queries)"


def elsewhere(text: str, url: str | None = None, /) -> Topic:
    """Stand for the classifier in a `Classifying` that only counts."""
    raise NotImplementedError("queries are classified in other processes")


def received(counts: Classifying, judged: Any) -> list[Classified]:
    """Return the queries that go on, in their order, and count what became of all; `judged`: a `Judged`, or empty."""
    if not judged:
        return []
    counts.add(judged.counts)
    categories, *columns = marshal.loads(judged.packed) or [()] * _COLUMNS  # noqa: S302 - our own bytes
    return [
        _new(Classified, (category, _new(Query, row)))
        for category, row in zip(categories, zip(*columns, strict=True), strict=True)
    ]


class Processes:
    """Processes that parse and classify, each with the `Work` that `make` makes there of `args`.

    `lines`: they are handed lines, not queries in order.
    """

    def __init__(self, number: int, make: Callable[..., Work], *args: Any, lines: bool) -> None:
        self.lines = lines
        self.seconds = {"read": 0.0, "classify": 0.0}
        """Spent by all of them, less what this one waited for them, by stage."""
        self._number = number
        self._peaks: dict[int, int] = {}
        spawn = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(number, spawn, _begin, (make, args))
        self._out: deque[tuple[Input | None, list[Refusal], Future[Judged]]] = deque()

    @property
    def peak(self) -> int:
        """Bytes of memory that all of them held at most."""
        return sum(self._peaks.values())

    def blocks(self, sources: Iterable[Input], codec: Codec) -> Iterator[Batch]:
        """Yield what becomes of the inputs' lines, in their order."""
        for source in sources:
            yield from self._ahead(self._pieces(source, codec), source.ready)
            yield from source.torn()

    def batches(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Yield what becomes of the batches, in their order."""
        return self._ahead(map(self._rows, batches), lambda: True)

    def _pieces(self, source: Input, codec: Codec) -> Iterator[bool]:
        for block in source.blocks(codec):
            begin = 0
            while begin < len(block):
                end = block.find(b"\n", begin + _PIECE) + 1 or len(block)
                self._out.append((source, [], self._submit(_lines, block[begin:end])))
                begin = end
                yield True
            if not block:
                yield False

    def _rows(self, batch: Batch) -> bool:
        packed = marshal.dumps([query[:] for query in batch.queries])
        self._out.append((None, batch.refusals, self._submit(_queries, packed)))
        return True

    def _ahead(self, handed_out: Iterator[bool], ready: Callable[[], bool]) -> Iterator[Batch]:
        """Yield results in order while `handed_out` hands out more; where that is interrupted, after them."""
        interrupted = False
        most = _AHEAD * self._number
        while True:
            while self._out and (len(self._out) >= most or not ready()):
                yield self._take()
            try:
                if next(handed_out, None) is None:
                    break
            except KeyboardInterrupt:
                interrupted = True
                break
        while self._out:
            yield self._take()
        if interrupted:
            raise KeyboardInterrupt

    def _submit(self, work: Callable[[bytes], Judged], data: bytes) -> "Future[Judged]":
        # The first one starts the processes, which inherit the mask: a Ctrl-C goes to all of a terminal's processes.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            return self._pool.submit(work, data)
        except BrokenProcessPool:
            raise _died() from None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _take(self) -> Batch:
        source, refusals, future = self._out.popleft()
        start = perf_counter()
        try:
            judged = future.result()
        except BrokenProcessPool:
            raise _died() from None
        read, classify = judged.seconds
        self.seconds["read"] += read - (perf_counter() - start)
        self.seconds["classify"] += classify
        self._peaks[judged.process] = judged.peak
        queries: Any = judged  # of which the run asks for nothing but their number
        if source is None:
            return Batch(queries, refusals)
        refusals = [one._replace(source=source.name, line=source.line + one.line) for one in judged.refusals]
        return source.took(Batch(queries, refusals), judged.lines)

    def close(self) -> None:
        """End the processes; what is handed out and was not begun is dropped."""
        self._pool.shutdown(cancel_futures=True)


def _died() -> Broken:
    return Broken(
        "a process that classifies has ended before its work was done (it was killed, or memory ran out): "
        "give the same command again, with fewer --processes where memory is short"
    )


_work: Work
"""Set once in each process, by `_begin`: a pool's functions have nowhere else to keep anything."""


def _begin(make: Callable[..., Work], args: Sequence[Any]) -> None:
    """Prepare a process."""
    global _work  # noqa: PLW0603
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    _work = make(*args)


def _end_with(parent: Any) -> None:
    """End this process when the run does, however that ends: a pool's processes would wait for ever."""
    parent.join()
    os._exit(1)


def _lines(block: bytes) -> Judged:
    start = perf_counter()
    lines = lines_of(block)
    queries, refusals = _work.codec.decode(lines, "", 0)
    return _judged(queries, len(lines), refusals, perf_counter() - start)


def _queries(packed: bytes) -> Judged:
    rows = marshal.loads(packed)  # noqa: S302 - our own bytes
    return _judged([_new(Query, row) for row in rows], 0, [], 0.0)


def _judged(queries: Sequence[Query], lines: int, refusals: list[Refusal], read: float) -> Judged:
    start = perf_counter()
    stage = _work.classifying()
    classified = stage(queries)
    columns = [[one[0] for one in classified], *zip(*[one[1] for one in classified], strict=True)] if classified else []
    packed = marshal.dumps(columns)
    seconds = read, perf_counter() - start
    return Judged(packed, len(queries), stage.snapshot(), lines, refusals, seconds, os.getpid(), peak_memory())
