"""Parsing and classifying in several processes; all else of a run stays in the one that starts them.

Rules:
- Results come back in the order of what was handed out, so the run is the same as in one process.
- Where the input's order counts, lines are handed out, and come back as classified queries. Where queries are to be in
  time order, lines come back as runs; once all are there, stretches of time are handed out, and come back as classified
  queries. So this process neither parses nor sorts, and pools one stretch while the next ones are classified.
- So much is handed out ahead that no process waits. Before a pipe would be waited for, all that is out is taken in.
- A process that dies ends the run with `TransientError`, as a disk would: nothing of its batch was decided.
- They are forked once what they work with is ready, which then none of them has to make, and before any file is locked
  or a thread begins. Signals that end the run go past them; they end when it does, also when it is killed.
"""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from time import perf_counter
from typing import Any, Final

from querymix.codecs.base import Codec
from querymix.core.errors import TransientError
from querymix.core.records import Refusal
from querymix.local.child_process import BLOCK, Done, begin, classify_lines, classify_stretch, sort_lines
from querymix.local.external_sort import Runs
from querymix.local.pieces import pieces
from querymix.local.reading import Batch, Input
from querymix.local.sources import SourceBatch, until_stopped
from querymix.signals import ending
from querymix.stages.classifying import Classifying

_PIECE: Final = 1 << 18
"""Bytes of lines that are handed out at once."""
_MAX: Final = 1 << 23
"""Bytes of lines that make a run, at most: few runs are fewer to merge, and each process holds one in memory."""
_MOST_LINES: Final = 1 << 18
"""Lines of a run: more than those of `_MAX` bytes, unless they are nearly empty."""
_SHARE: Final = 32
"""A run is this part of what was read before, so that short logs are shared out evenly too."""
_MIN: Final = 8_192
"""Queries of a stretch of time, at least: about those of a batch."""
_AHEAD: Final = 2
"""Pieces for each process that are handed out before the first of them is taken in."""


class Processes:
    """Inputs whose lines further processes parse and classify: a `Source`.

    `in_order`: queries are put in time order, all inputs together; `clock` is called now and then meanwhile.
    """

    def __init__(
        self,
        number: int,
        inputs: Sequence[Input],
        codec: Codec,
        classifying: Classifying,
        *,
        in_order: bool,
        clock: Callable[[], None] = lambda: None,
    ) -> None:
        self.inputs = inputs
        self._codec = codec
        self._in_order = in_order
        self.seconds = {"read": 0.0, "classify": 0.0}
        """Spent by all of them, less what this one waited for them, by stage."""
        self._clock = clock
        self._most = _AHEAD * number
        self._read = 0
        self._queries = self._refusals = 0
        """What is still to be left out."""
        self._peaks: dict[int, int] = {}
        self._out: deque[Future[Done]] = deque()
        self._pool = ProcessPoolExecutor(number, multiprocessing.get_context("fork"), begin, (codec, classifying))
        # They inherit the mask: a Ctrl-C goes to all of a terminal's processes.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ending())
        try:
            others = multiprocessing.active_children()
            self._pool.submit(os.getpid)  # the first one starts all of them
            self._children = [child for child in multiprocessing.active_children() if child not in others]
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    @property
    def peak(self) -> int:
        """Bytes of memory that all of them held at most."""
        return sum(self._peaks.values())

    def batches(self, queries: int = 0, refusals: int = 0) -> Iterator[SourceBatch]:
        """As `Source`."""
        self._queries, self._refusals = queries, refusals
        if self._in_order:
            return until_stopped(self.inputs, self._in_time_order())
        return self._as_read()  # what is handed out of a pipe would be lost; its reading ends where it is stopped

    def _as_read(self) -> Iterator[SourceBatch]:
        for done, refusals in self._of_all(classify_lines):
            for batch in done.batches:
                yield batch._replace(refusals=refusals)
                refusals = []  # noqa: PLW2901 - they came with the first one
            if not done.batches:
                yield Batch([], refusals)

    def _in_time_order(self) -> Iterator[SourceBatch]:
        with Runs(least=_MIN, block=BLOCK) as runs:
            for done, refusals in self._of_all(sort_lines):
                self._clock()
                runs.add(done.blocks)
                if refusals:
                    yield Batch([], refusals)
            any_at_all = False
            for done in self._ahead(self._stretches(runs)):
                any_at_all = True
                yield from done.batches
            if not any_at_all:  # as in one process: a log without queries may still have a header
                yield Batch([], [])

    def _of_all(self, work: Callable[[bytes, int], Done]) -> Iterator[tuple[Done, list[Refusal]]]:
        """Yield what is done of the inputs' lines, in their order, and the refusals that are still to be decided."""
        for source in self.inputs:
            for done in self._ahead(self._pieces(source, work), source.ready):
                refusals = [one._replace(source=source.name, line=source.line + one.line) for one in done.refusals]
                source.took(done.lines, done.queries, len(refusals))
                yield done, self._undecided(refusals)
            if refusals := source.torn():
                yield Done(refusals=refusals), self._undecided(refusals)

    def _undecided(self, refusals: list[Refusal]) -> list[Refusal]:
        kept = refusals[self._refusals :]
        self._refusals -= len(refusals) - len(kept)
        return kept

    def _pieces(self, source: Input, work: Callable[[bytes, int], Done]) -> Iterator[bool]:
        """Hand out all lines; say of each time whether something was."""
        waiting = b""
        for block in source.blocks(self._codec):
            self._read += len(block)
            waiting += block
            size = min(_MAX, max(_PIECE, self._read // _SHARE)) if self._in_order else _PIECE
            if not block:
                yield False
            elif len(waiting) >= size or not self._in_order:
                for piece in self._cut(waiting, size):
                    yield self._submit(work, piece)
                waiting = b""
        for piece in self._cut(waiting, _MAX):
            yield self._submit(work, piece)

    def _cut(self, lines: bytes, size: int) -> Iterator[bytes]:
        """Yield whole records, at least `size` bytes of them at a time but for the last ones."""
        begin = 0
        while begin < len(lines):
            end = lines.find(b"\n", begin + size) + 1 or len(lines)
            end = begin + (self._codec.whole(lines[begin:end]) or end - begin)
            yield from pieces(self._codec, lines[begin:end], _MOST_LINES)
            begin = end

    def _stretches(self, runs: Runs) -> Iterator[bool]:
        for blocks, *ends in runs.stretches():
            yield self._submit(classify_stretch, {one.block: runs.read(one) for one in blocks}, *ends)

    def _ahead(self, handed_out: Iterator[bool], ready: Callable[[], bool] = lambda: True) -> Iterator[Done]:
        """Yield results in order while `handed_out` hands out more; where that is interrupted, after them."""
        interrupted = False
        while True:
            # How many are still to be left out of a piece is not known before those of all pieces before it are.
            while self._out and (len(self._out) >= self._most or self._queries or not ready()):
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

    def _submit(self, work: Callable[..., Done], *args: Any) -> bool:
        try:
            self._out.append(self._pool.submit(work, *args, self._queries))
        except BrokenProcessPool:
            raise self._died() from None
        return True

    def _take(self) -> Done:
        start = perf_counter()
        try:
            done = self._out.popleft().result()
        except BrokenProcessPool:
            raise self._died() from None
        read, classify = done.seconds
        self.seconds["read"] += read - (perf_counter() - start)
        self.seconds["classify"] += classify
        self._peaks[done.process] = done.peak
        self._queries -= done.skipped
        return done

    def _died(self) -> TransientError:
        # One that died while it held the queue's lock leaves the others waiting for it, and signals go past them.
        for child in self._children:
            child.kill()
        return TransientError(
            "a process that classifies has ended before its work was done (it was killed, or memory ran out): "
            "give the same command again, with fewer --processes where memory is short"
        )

    def close(self) -> None:
        """End the processes; what is handed out and was not begun is dropped."""
        self._pool.shutdown(cancel_futures=True)
