"""The embedded run: read, classify, pool, profile, write; batch after batch, resumable.

Rules:
- The order of a batch: decide (checkpoint), write, profile. What was decided is never decided again.
- What was drawn may wait for its cell of time to end (querymix.stages.cells): it is held until it is written, and part
  of the checkpoint. It is written at the end of the inputs, and where a run without a checkpoint is stopped.
- The same inputs in the same order give the same batches, so a position is two counts: queries and refusals.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Final

import orjson

from querymix.codecs.base import ENCODING, ERRORS, Codec
from querymix.core.records import Refusal, Release
from querymix.core.score import NONE, Guesses
from querymix.local.advice import Advisor
from querymix.local.checkpoint import Checkpoint
from querymix.local.output import Output
from querymix.local.reading import Batch
from querymix.local.sorted_output import SortedOutput
from querymix.local.sources import Source, SourceBatch
from querymix.local.summary import Stopwatch, summarize
from querymix.ports import ProfileStore
from querymix.stages.classifying import Classifying
from querymix.stages.releasing import Releasing

_CELLS: Final = ("cells", "in_cells")
"""What of the state stands beside the rest of it in a checkpoint."""


class Run:
    """One run over a source. `by_time` sorts the output by the released times at the end."""

    def __init__(
        self,
        source: Source,
        codec: Codec,
        classifying: Classifying,
        releasing: Releasing,
        profiles: ProfileStore,
        out: str,
        refused: str | None,
        *,
        checkpoint: Checkpoint | None = None,
        by_time: Callable[..., SortedOutput] | None = None,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        self._source = source
        self._codec = codec
        self._classifying = classifying
        self._releasing = releasing
        self._advisor = Advisor(releasing.pools.rules, in_order=releasing.pooling.in_order)
        self._guesses = NONE
        self._profiles = profiles
        self._checkpoint = checkpoint
        self._tick = tick
        self._queries = 0
        self._refusals = 0
        self._batch = 0
        self._fresh = 0
        """Records that this start has read, for the rates."""
        self._done = False
        self._name = f"run {os.urandom(8).hex()}"
        self._watch = Stopwatch()
        self._saved = checkpoint.load() if checkpoint else None
        state = self._saved.state if self._saved else None
        keep = state["out"] if state else None
        self._sorted = by_time(out, keep=keep, done=state is not None and state["done"]) if by_time else None
        self._out = self._sorted or Output(out, keep=keep)
        self._refused = Output(refused, keep=state["refused"] if state else None, private=True) if refused else None
        self._out.start()  # not before both are known to be ours
        if self._refused:
            self._refused.start()

    def stop(self) -> None:
        """End after the batch at hand; a checkpoint resumes from there.

        Raises KeyboardInterrupt where it waits for input, and nothing is lost by not waiting longer.
        """
        for source in self._source.inputs:
            source.stop()

    async def __call__(self) -> dict[str, Any]:
        """Run to the end of the inputs, or until stopped, and return the summary."""
        with ExitStack() as owned:
            owned.callback(self._out.close)
            if self._refused:
                owned.callback(self._refused.close)
            await self._resume()
            if not self._done:
                await self._all(self._source.batches(self._queries, self._refusals))
            if self._sorted and (self._done or not self._checkpoint):
                with self._watch.stage("write"):
                    self._sorted.finish()
            self._out.sync()
            if self._refused:
                self._refused.sync()
        self._watch.add(self._source.seconds, self._source.peak)
        return summarize(
            self._classifying, self._releasing, self._watch, self._advisor, self._guesses,
            refused=self._refusals, logs=self._fresh,
        )  # fmt: skip

    async def _resume(self) -> None:
        saved, self._saved = self._saved, None
        if saved is None:
            return
        state = saved.state
        self._name = state["name"]
        self._batch = state["batch"]
        self._queries, self._refusals = state["queries"], state["refusals"]
        self._done = state["done"]
        self._classifying.restore(state["classifying"])
        self._releasing.restore(state["anonymizing"] | {name: state[name] for name in _CELLS})
        self._guesses = Guesses(*state["guesses"])
        await self._show(saved.out, saved.refused, {(user, category): n for user, category, n in state["evidence"]})

    async def _all(self, batches: Iterator[SourceBatch]) -> None:
        watch = self._watch
        while True:
            with watch.stage("read"):
                batch = self._next(batches)
            if batch is None:
                break
            await self._put(batch)
            self._tick()
        unread = self._done and self._releasing.pools.held
        if self._done if self._checkpoint else self._releasing.cells.waiting or unread:
            await self._put(Batch([], []), last=True)

    def _next(self, batches: Iterator[SourceBatch]) -> SourceBatch | None:
        """Return the next batch, None at the end of the inputs or where the run is stopped."""
        try:
            batch = next(batches, None)
        except KeyboardInterrupt:
            return None
        self._done = batch is None
        return batch

    async def _put(self, batch: SourceBatch, *, last: bool = False) -> None:
        watch, first = self._watch, not self._batch
        with watch.stage("classify"):
            classified = batch.classified(self._classifying)
        with watch.stage("pool"):
            self._advisor.note(classified)
            released = self._releasing.finish(ended=self._done) if last else self._releasing(classified)
            for guesses in released.guesses.values():
                self._guesses = self._guesses.plus(guesses)
        with watch.stage("profile"):
            counts = released.evidence()
        with watch.stage("write"):
            lines = self._codec.encode(released.releases)
            header = self._source.inputs[0].header
            if first and header:
                lines.insert(0, header)
            out = self._bytes(lines, released.releases)
            refused = b"".join(map(as_line, batch.refusals))
            self._batch += 1
            self._queries += batch.arrived
            self._refusals += len(batch.refusals)
            self._fresh += batch.arrived + len(batch.refusals)
            if self._checkpoint:
                self._decide(self._checkpoint, out, refused, counts)
        await self._show(out, refused, counts)

    def _bytes(self, lines: list[str], releases: Sequence[Release]) -> bytes:
        newline = self._source.inputs[0].newline
        if self._sorted:
            return self._sorted.pack(lines, releases, newline)
        return (newline.join(lines) + newline).encode(ENCODING, ERRORS) if lines else b""

    def _decide(self, checkpoint: Checkpoint, out: bytes, refused: bytes, counts: dict[tuple[str, int], int]) -> None:
        self._out.sync()
        if self._refused:
            self._refused.sync()
        anonymizing = self._releasing.snapshot()
        state = {name: anonymizing.pop(name) for name in _CELLS} | {
            "name": self._name,
            "batch": self._batch,
            "queries": self._queries,
            "refusals": self._refusals,
            "done": self._done,
            "out": self._out.length,
            "refused": self._refused.length if self._refused else 0,
            "classifying": self._classifying.snapshot(),
            "anonymizing": anonymizing,
            "guesses": self._guesses,
            "evidence": [[user, category, count] for (user, category), count in counts.items()],
        }
        checkpoint.save(state, out, refused)

    async def _show(self, out: bytes, refused: bytes, counts: dict[tuple[str, int], int]) -> None:
        with self._watch.stage("write"):
            if out:
                self._out.write(out)
            if refused and self._refused:
                self._refused.write(refused)
        with self._watch.stage("profile"):
            if counts:
                await self._profiles.apply(self._name, {self._batch: counts})


def as_line(refusal: Refusal) -> bytes:
    """Return a line of the file of refused records."""
    source = refusal.source.encode(ENCODING, ERRORS).decode(ENCODING, "backslashreplace")
    log = refusal._asdict() | {"source": source, "raw": refusal.raw.decode(ENCODING, "backslashreplace")}
    return orjson.dumps(log, option=orjson.OPT_APPEND_NEWLINE)
