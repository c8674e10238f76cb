"""The embedded run: read, classify, pool, profile, write; batch after batch, resumable.

Rules:
- The order of a batch: decide (checkpoint), write, profile. What was decided is never decided again.
- What was drawn may wait for its cell of time to end (querymix.stages.cells): it is held until it is written, and part
  of the checkpoint. It is written at the end of the inputs, and where a run without a checkpoint is stopped. Where
  another run is to follow (`carry`), it waits on for that one, and so do queries that may get further rows.
- The same inputs in the same order give the same batches, so a position is two counts: queries and refusals. A pipe
  goes on where its sender lets it: nothing of it is left out.
- Once all is in its place the run has ended. The next one takes over its state and counts its own position from 0.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import astuple
from typing import Any, Final

from querymix.codecs.base import Codec
from querymix.core.account import Account
from querymix.core.errors import ConfigError
from querymix.core.score import NONE, Guesses
from querymix.local.advice import Advisor
from querymix.local.checkpoint import OTHER_COLUMNS, Checkpoint, restoring
from querymix.local.noticed import Noticed
from querymix.local.output import Lines, Output
from querymix.local.reading import Batch
from querymix.local.refused import as_lines
from querymix.local.sources import Source
from querymix.local.summary import Stopwatch, summarize
from querymix.local.taken import Taken, look_at
from querymix.ports import ProfileStore
from querymix.stages.classifying import Classifying
from querymix.stages.period_ids import PeriodIds
from querymix.stages.releasing import Releasing

_CELLS: Final = ("cells", "in_cells")
"""What of the state stands beside the rest of it in a checkpoint."""


class Run:
    """One run over a source; without `profiles` nothing is counted for any.

    `out` makes the output, of `keep` (`Lines.place`), whether to `add` to what is there, whether that has `others` than
    this run's columns, and whether it may be `done`.
    """

    def __init__(
        self,
        source: Source,
        codec: Codec,
        classifying: Classifying,
        releasing: Releasing,
        profiles: ProfileStore | None,
        out: Callable[..., Lines],
        refused: str | None,
        *,
        noticed: Noticed,
        ids: PeriodIds,
        checkpoint: Checkpoint | None = None,
        carry: bool = False,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        self._source = source
        self._codec = codec
        self._classifying = classifying
        self._releasing = releasing
        self._advisor = Advisor(releasing.pools.rules)
        self._noticed, self._ids = noticed, ids
        self._guesses, self._profiles = NONE, profiles
        self._checkpoint = checkpoint
        self._carry, self._tick = carry, tick
        self._piped = not source.inputs[0].regular
        self._queries = self._refusals = self._batch = 0
        self._fresh = 0
        """Records that this start has read, for the rates."""
        self._done = False
        self._name = f"run {os.urandom(8).hex()}"
        self._watch = Stopwatch()
        self._saved = checkpoint.load() if checkpoint else None
        self.repeated = self._saved is not None and self._saved.mine and self._saved.ended
        """Whether there is nothing to do: the run came to its end already."""
        mine = self._saved.state if self._saved and self._saved.mine else {}
        self.remark = self._said_before(mine)
        """What is to be said before it begins."""
        self._before = Account()
        """What became of all records that earlier runs took."""
        self._taking: list[Taken] = []
        if checkpoint and "taking" in mine:
            self._taking = [Taken(*one) for one in mine["taking"]]
        elif checkpoint and not self.repeated:
            self._taking = look_at(source.inputs, codec, checkpoint.taken, again=checkpoint.again)
        self._header = self._header_before(mine)
        self._out, self._refused = self._outputs(out, refused, mine)
        self._out.start()  # not before both are known to be ours
        if self._refused:
            self._refused.start()

    @property
    def decided(self) -> int:
        """Records whose fate is decided: queries that were pooled and lines that were refused."""
        return self._queries + self._refusals

    def _header_before(self, mine: dict[str, Any]) -> str | None:
        """Return the header of this run's output so far; where the inputs hold nothing, that of the run before."""
        nothing = all(one.regular and not one.first_lines() for one in self._source.inputs)
        state = self._saved.state if self._saved and nothing else mine
        return state.get("header")

    @property
    def _columns(self) -> str:
        """What the output's lines hold, as far as that may differ from day to day."""
        return self._codec.heading("")

    @property
    def whole(self) -> bool:
        """Whether the inputs came to their end."""
        return self._done

    def _said_before(self, mine: dict[str, Any]) -> str:
        if self.repeated:
            return "this run has ended already: nothing is read, and nothing is written"
        if not mine or not self._piped:
            return ""
        number = mine["queries"] + mine["refusals"]
        return (
            f"the state has taken {number:,} records of the pipe, headers apart: what comes now is taken for record "
            f"{number + 1:,} and those after it"
        )

    def _outputs(
        self, out: Callable[..., Lines], refused: str | None, mine: dict[str, Any]
    ) -> tuple[Lines, Output | None]:
        if self.repeated:
            return Output(os.devnull), None
        add = self._saved is not None and not mine
        place = mine.get("out")
        columns = self._saved.state.get("columns") if self._saved else None
        others = columns is not None and columns != self._columns
        if others and mine:
            raise ConfigError(OTHER_COLUMNS)
        keep = [0, place] if isinstance(place, int) else place
        with restoring(self._checkpoint if mine else None):
            lines = out(keep=keep, add=add, others=others, done=mine.get("done", False))
            return lines, Output(refused, keep=mine.get("refused"), add=add, private=True) if refused else None

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
            with restoring(self._checkpoint):
                evidence = self._resume()
            if evidence is not None:
                await self._show(*evidence)
            if not self._done:
                position = (0, 0) if self._piped else (self._queries, self._refusals)
                await self._all(self._source.batches(*position))
            if not self.repeated:
                self._end()
        return summarize(
            self._classifying, self._releasing, self._watch, self._advisor, self._guesses,
            refused=self._before.refused + self._refusals, logs=self._fresh,
            before=self._before if self._checkpoint else None, period=self._ids.period,
        )  # fmt: skip

    def _end(self) -> None:
        with self._watch.stage("write"):
            self._out.sync()
            if self._refused:
                self._refused.sync()
            if self._done or (self._piped and not self._checkpoint):
                self._out.finish()
            if self._done and self._checkpoint:
                self._checkpoint.end(self._batch, self._taking)

    @property
    def taken_of_pipe(self) -> int | None:
        """Records of a pipe that are in the state, None where it is no pipe, or there is no state."""
        return self._queries + self._refusals if self._piped and self._checkpoint else None

    def _resume(self) -> tuple[bytes, bytes, dict[tuple[str, int], int]] | None:
        """Go on from the state; return what its batch adds to the outputs and the profiles."""
        saved, self._saved = self._saved, None
        if saved is None:
            return None
        state = saved.state
        self._name = state["name"]
        self._batch = state["batch"]
        self._classifying.restore(state["classifying"])
        self._releasing.restore(state["anonymizing"] | {name: state[name] for name in _CELLS})
        self._guesses = Guesses(*state["guesses"])
        self._ids.restore(state.get("ids"))  # 0.5.0 and before had none
        self._before = Account(*state.get("before", ()))
        if not saved.mine:
            refused = self._before.refused + state["refusals"]
            self._before = self._classifying.account + self._releasing.account + Account(refused=refused)
            return None
        self._queries, self._refusals = state["queries"], state["refusals"]
        self._done = state["done"]
        return saved.out, saved.refused, {(user, category): n for user, category, n in state["evidence"]}

    async def _all(self, batches: Iterator[Batch]) -> None:
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

    def _next(self, batches: Iterator[Batch]) -> Batch | None:
        """Return the next batch, None at the end of the inputs or where the run is stopped."""
        try:
            batch = next(batches, None)
        except KeyboardInterrupt:
            return None
        self._done = batch is None
        return batch

    async def _put(self, batch: Batch, *, last: bool = False) -> None:
        watch = self._watch
        with watch.stage("classify"):
            classified = self._classifying(batch.queries)
        with watch.stage("pool"):
            self._advisor.note(classified)
            self._noticed.note(classified)
            flushed = last and not self._carry
            released = self._releasing.finish(ended=self._done) if flushed else self._releasing(classified)
            for guesses in released.guesses.values():
                self._guesses = self._guesses.plus(guesses)
        with watch.stage("profile"):
            counts = released.evidence() if self._profiles else {}
        with watch.stage("write"):
            leaving = self._ids.of(released.releases, self._releasing, last=flushed)
            lines = self._codec.encode(leaving)
            headers = (source.header for source in self._source.inputs if source.header)
            self._header = next(headers, self._header)
            out = self._out.pack(lines, leaving, self._header, self._source.inputs[0].newline)
            refused = as_lines(batch.refusals)
            self._noticed.refuse(batch.refusals)
            self._batch += 1
            self._queries += len(batch.queries)
            self._refusals += len(batch.refusals)
            self._fresh += len(batch.queries) + len(batch.refusals)
            if self._checkpoint:
                self._decide(self._checkpoint, out, refused, counts)
        await self._show(out, refused, counts)

    def _decide(self, checkpoint: Checkpoint, out: bytes, refused: bytes, counts: dict[tuple[str, int], int]) -> None:
        self._out.sync()
        if self._refused:
            self._refused.sync()
        if self._done:
            counted = {source.name for source in self._source.inputs if source.queries or source.refused}
            self._taking = [one for one in self._taking if one.name in counted]
        anonymizing = self._releasing.snapshot()
        state = {name: anonymizing.pop(name) for name in _CELLS} | {
            "name": self._name,
            "batch": self._batch,
            "queries": self._queries,
            "refusals": self._refusals,
            "done": self._done,
            "before": astuple(self._before),
            "taking": self._taking,
            "header": self._header,
            "columns": self._columns,
            "out": self._out.place,
            "refused": self._refused.length if self._refused else 0,
            "classifying": self._classifying.snapshot(),
            "anonymizing": anonymizing,
            "guesses": self._guesses,
            "ids": self._ids.snapshot(),
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
            if counts and self._profiles:
                await self._profiles.apply(self._name, {self._batch: counts})
