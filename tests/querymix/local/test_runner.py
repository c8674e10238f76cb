"""The embedded run as an object: what a stop at any step leaves behind, and that a resume makes it whole."""

import asyncio
import gzip
import json
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import TimePolicy
from querymix.core.draw import seeded_draw
from querymix.core.errors import ConfigError, TransientError
from querymix.core.records import UNCLASSIFIED, Classification, Origin
from querymix.core.rules import Rules
from querymix.local.checkpoint import Checkpoint
from querymix.local.noticed import Noticed
from querymix.local.output import PACKING, PARTIAL, Lines, Output
from querymix.local.reading import Batch, Input
from querymix.local.runner import Run
from querymix.local.sorted_output import SUFFIX, SortedOutput
from querymix.local.sources import Source
from querymix.local.split_output import SplitOutput
from querymix.local.taken import Taken
from querymix.ports import Counts, Frames
from querymix.stages.cells import Cells, Ordering
from querymix.stages.classifying import Classifying
from querymix.stages.crowding import Crowding
from querymix.stages.period_ids import PeriodIds
from querymix.stages.pooling import Pooling
from querymix.stages.releasing import Releasing
from querymix.stores.memory import MemoryProfiles

HEADER = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL"
LOGS = 60
CELL = 300
"""Seconds: 5 records."""
TIMES: dict[str, TimePolicy] = {"sorted": "query"}


def topic_of(text: str, url: str | None = None, /) -> Classification:
    """Classify "cat3 words" under 3, "none" under nothing."""
    word = text.partition(" ")[0]
    if word == "joe":
        return Classification(UNCLASSIFIED, "", "", "", ("name",))
    category = int(word.removeprefix("cat")) if word.startswith("cat") else UNCLASSIFIED
    return Classification(category, "", word, text)


def line(number: int) -> str:
    """Return a log, or at every tenth place one that is refused, every seventh one without a category."""
    if number % 10 == 9:
        return f"user{number % 6}\tno time {number}"
    word = "none" if number % 7 == 6 else "joe" if number % 13 == 12 else f"cat{number % 2}"
    return f"user{number % 6}\t{word} words\t2006-03-01 00:{number:02d}:00\t{number}\t"


class Stop(Exception):  # noqa: N818 - what a kill is to a process
    """The process ends here."""


class Fragile(MemoryProfiles):
    """A profile store that outlives the run, and a place at which the run dies."""

    def __init__(self, die: str = "", at: int = 0) -> None:
        super().__init__()
        self.die, self.at = die, at
        self.store = MemoryProfiles()

    def here(self, place: str) -> None:
        if place == self.die:
            self.at -= 1
            if not self.at:
                raise Stop

    async def apply(self, source: str, frames: Frames) -> None:
        self.here("before profile")
        await self.store.apply(source, frames)
        self.here("after profile")

    async def get(self, user: str) -> Counts | None:
        return await self.store.get(user)

    def export(self) -> AsyncIterator[tuple[str, Counts]]:
        return self.store.export()

    async def close(self) -> None:
        return None


class FragileCheckpoint(Checkpoint):
    """A checkpoint at which the run may die, before or after a batch was decided."""

    def __init__(self, folder: Path, fragile: Fragile) -> None:
        super().__init__(folder, {"k": 2})
        self._fragile = fragile

    def save(self, state: dict[str, Any], out: bytes, refused: bytes) -> None:
        self._fragile.here("before save")
        super().save(state, out, refused)
        self._fragile.here("after save")

    def end(self, batch: int, taken: Sequence[Taken]) -> None:
        self._fragile.here("before end")
        super().end(batch, taken)
        self._fragile.here("after end")


class Bench:
    """A folder with a log of `LOGS` lines in several inputs, and what runs over it."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.kind = kind
        self.period: float | None = None
        self.crowding: Crowding | None = None
        self.out = folder / {"packed": "out.tsv.gz", "split": "out-{date}-{category}.tsv"}.get(kind, "out.tsv")
        written = {"sorted": f"{self.out}{SUFFIX}", "packed": f"{self.out}{PARTIAL}"}
        self.written = Path(written.get(kind, str(self.out)))
        """Where released lines stand before the end."""
        self.refused = folder / "refused.jsonl"
        self.folder = folder / "checkpoint"
        self.inputs = []
        self.seed = 0
        for part in range(6):
            path = folder / f"log{part}.tsv"
            lines = [HEADER] * (not part) + [line(number) for number in range(part * 10, part * 10 + 10)]
            path.write_text("\n".join(lines) + "\n")
            self.inputs.append(str(path))
        self.held: Counter[tuple[str, Origin]] = Counter()
        self.by_time = SortedOutput

    def shown(self) -> bytes:
        """Return what a reader sees: of several files their lines one after the other, under one header."""
        if self.kind == "packed":
            return gzip.decompress(self.out.read_bytes()) if self.out.exists() else b""
        if self.kind != "split":
            return self.out.read_bytes()
        headers, rows = set[str](), list[str]()
        for file in sorted(self.out.parent.glob("out-2006-03-01-*.tsv")):
            if text := file.read_text():
                header, *some = text.splitlines(keepends=True)
                headers.add(header)
                rows += some
        assert len(headers) <= 1
        return "".join([*headers, *rows]).encode()

    def lines(self, keep: Any, *, add: bool, others: bool, done: bool) -> Lines:
        assert not others
        """Make the output, as `make_lines` does."""
        if self.kind == "split":
            return SplitOutput(
                str(self.out), own_time=False, precision=None, keep=keep, add=add, done=done, most_open=1
            )
        base, length = keep or (0, None)
        if self.kind == "sorted":
            draw = seeded_draw(self.seed + 200)
            return self.by_time(str(self.out), draw, None, keep=length, add=add, done=done)
        return Output(str(self.out), keep=length, base=base, add=add, done=done)

    def run(
        self,
        fragile: Fragile,
        *,
        order: str = "input",
        checkpoint: bool = True,
        batches: int = 0,
        profiles: bool = True,
    ) -> dict[str, Any]:
        """Run to the end, until it dies, or so many batches; every start draws other numbers, as a real one does."""
        left = batches

        def tick() -> None:
            nonlocal left
            left -= 1
            if not left:
                job.stop()

        self.seed += 1
        draw = seeded_draw(self.seed + 100)
        cells = Cells(Ordering(CELL if self.kind == "cells" else None), draw)
        pooling = Pooling(Rules(2, reserve=1), seeded_draw(self.seed), AolCodec.format)
        saved = FragileCheckpoint(self.folder, fragile) if checkpoint else None
        sources = [Input(name) for name in self.inputs]
        codec = AolCodec(precision=CELL) if self.kind == "cells" else AolCodec(time=TIMES.get(self.kind, "trigger"))
        job = Run(
            Source(sources, codec, in_order=order == "time"),
            codec,
            Classifying(topic_of),
            Releasing(pooling, cells, self.crowding),
            fragile if profiles else None,
            self.lines,
            str(self.refused),
            noticed=Noticed(2),
            ids=PeriodIds(self.period),
            checkpoint=saved,
            tick=tick,
        )
        try:
            summary = asyncio.run(job())
        finally:
            for source in sources:
                source._raw.close()  # a killed process needs none of this
            if saved:
                saved.close()
        self.held = Counter((user, origin) for _, pool in pooling.pools for user, origin, _ in pool.users)
        self.held += Counter((user, origin) for _, (user, origin, *_) in cells.rows())
        return summary


@pytest.fixture(params=["plain", "cells", "sorted", "packed", "split"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    return Bench(tmp_path, request.param)


def exported(store: Fragile) -> dict[str, Counts]:
    async def all_of_it() -> dict[str, Counts]:
        return {user: counts async for user, counts in store.export()}

    return asyncio.run(all_of_it())


def check_whole(bench: Bench, summary: dict[str, Any], fragile: Fragile) -> None:
    """Check that output, refusals, profiles and summary are those of one run over the whole log."""
    text = bench.shown().decode()
    assert text.endswith("\n")
    header, *rows = text.splitlines()
    assert header == HEADER
    good = [number for number in range(LOGS) if number % 10 != 9]
    classified = {number: topic_of(line(number).split("\t")[1]).category for number in good}
    numbers = [int(row.split("\t")[3]) for row in rows]
    assert len(set(numbers)) == len(numbers) == summary["released"]
    assert all(row.split("\t")[0] != f"user{number % 6}" for row, number in zip(rows, numbers, strict=True))
    refused = [json.loads(row) for row in bench.refused.read_text().splitlines()]
    assert sorted(Path(row["source"]).stem[3:] for row in refused) == list("012345")
    assert len({row["source"] for row in refused}) == summary["refused"] == 6
    assert summary["in"] == LOGS
    parts = ("released", "held", "suppressed", "unclassified", "empty", "refused")
    assert sum(summary[part] for part in parts) == LOGS
    shown: Counter[tuple[str, Origin]] = Counter()
    for row, number in zip(rows, numbers, strict=True):
        shown[row.split("\t")[0], classified[number]] += 1
    profiles = {(user, category): n for user, counts in exported(fragile).items() for category, n in counts.items()}
    assert profiles == dict(shown)
    came = Counter((f"user{n % 6}", category) for n, category in classified.items() if category != UNCLASSIFIED)
    assert shown + bench.held == came
    times = [row.split("\t")[2] for row in rows]
    if bench.kind in ("cells", "sorted"):
        assert times == sorted(times)
    if bench.kind == "cells":
        assert {time[14:] for time in times} <= {f"{minute:02d}:00" for minute in range(0, 60, 5)}
    assert not [path for path in bench.out.parent.iterdir() if path.suffix in (SUFFIX, PARTIAL, PACKING)]


@pytest.mark.parametrize("order", ["input", "time"])
def test_a_run_without_a_stop_is_whole(bench: Bench, order: str) -> None:
    fragile = Fragile()
    check_whole(bench, bench.run(fragile, order=order), fragile)


def test_a_run_without_profiles_writes_the_same() -> None:
    written = []
    for profiles in (True, False):
        with TemporaryDirectory() as folder:
            bench = Bench(Path(folder), "plain")
            summary = bench.run(Fragile(), profiles=profiles)
            written.append((bench.shown(), summary["released"], summary["held"]))
    assert written[0] == written[1]
    assert written[0][1] > 0


def test_both_orders_refuse_and_classify_the_same(bench: Bench) -> None:
    one = bench.run(Fragile(), checkpoint=False)
    for file in bench.out.parent.glob("out-2006*"):
        file.unlink()  # several files of one name are never replaced
    other = bench.run(Fragile(), order="time", checkpoint=False)
    same = ("in", "classified", "suppressed", "unclassified", "empty", "refused")
    assert [one[name] for name in same] == [other[name] for name in same]


PLACES = ("before save", "after save", "before profile", "after profile")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("at", [1, 2, 4])
def test_a_run_killed_at_any_step_and_resumed_is_whole(bench: Bench, place: str, at: int) -> None:
    fragile = Fragile(place, at)
    with pytest.raises(Stop):
        bench.run(fragile)
    seen = bench.shown()
    fragile.die = ""
    check_whole(bench, bench.run(fragile), fragile)
    shown = bench.shown()
    assert shown.startswith(seen) or set(seen.splitlines()) <= set(shown.splitlines()), (
        "what a reader saw is what stays"
    )


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("at", [1, 2, 4])
def test_a_run_killed_at_any_step_goes_on_under_the_ids_of_the_period(bench: Bench, place: str, at: int) -> None:
    bench.period = 3600.0  # the whole log is of one hour
    fragile = Fragile(place, at)
    with pytest.raises(Stop):
        bench.run(fragile)
    fragile.die = ""
    bench.run(fragile)
    found: dict[str, Counter[int]] = {}
    for row in bench.shown().decode().splitlines()[1:]:
        user, text, *_ = row.split("\t")
        found.setdefault(user, Counter())[topic_of(text).category] += 1
    expected = [sorted(counts.items()) for counts in exported(fragile).values()]
    assert sorted(sorted(counted.items()) for counted in found.values()) == sorted(expected)
    assert all(user.isdecimal() for user in found)


@pytest.mark.parametrize("place", ["before end", "after end"])
def test_a_run_killed_when_all_is_in_its_place_is_whole(bench: Bench, place: str) -> None:
    fragile = Fragile(place, 1)
    with pytest.raises(Stop):
        bench.run(fragile)
    seen = bench.shown()
    fragile.die = ""
    for _ in range(2):
        check_whole(bench, bench.run(fragile), fragile)
        assert bench.shown() == seen


def test_a_run_killed_at_every_step_of_every_batch_is_whole(bench: Bench) -> None:
    fragile = Fragile()
    deaths = 0
    while True:
        # The first save of a start is a new batch; what comes after a save dies again and again otherwise.
        fragile.die, fragile.at = PLACES[deaths % 4], 1 + (deaths % 4 != 1)
        try:
            summary = bench.run(fragile)
        except Stop:
            deaths += 1
            assert deaths < 100, "no start gets any further"
        else:
            break
    assert deaths >= 4
    fragile.die = ""
    check_whole(bench, bench.run(fragile), fragile)
    assert summary["released"] == len(bench.shown().splitlines()) - 1


@pytest.mark.parametrize("torn", [b"", b"half a li", b"whole line\nand half a li"])
def test_what_was_half_written_at_a_kill_is_cut_off(bench: Bench, torn: bytes) -> None:
    fragile = Fragile("after save", 3)
    with pytest.raises(Stop):
        bench.run(fragile)
    written = sorted(bench.out.parent.glob("out-2006-03-01-*.tsv")) if bench.kind == "split" else [bench.written]
    for path in (*written, bench.refused):
        path.write_bytes(path.read_bytes() + torn)
    fragile.die = ""
    check_whole(bench, bench.run(fragile), fragile)


def test_a_finished_run_given_again_changes_nothing_and_says_the_same(bench: Bench) -> None:
    fragile = Fragile()
    first = bench.run(fragile)
    out, refused, profiles = bench.shown(), bench.refused.read_bytes(), exported(fragile)
    again = bench.run(fragile)
    rates = {"seconds", "logs_per_second", "peak_memory_bytes", "stages"}
    assert {k: v for k, v in first.items() if k not in rates} == {k: v for k, v in again.items() if k not in rates}
    assert (bench.shown(), bench.refused.read_bytes(), exported(fragile)) == (out, refused, profiles)


def test_a_run_begun_by_a_version_that_wrote_other_columns_is_not_mixed_with_ours(bench: Bench) -> None:
    bench.run(Fragile(), batches=1)
    with closing(sqlite3.connect(bench.folder / "checkpoint.sqlite")) as db, db:
        ((state,),) = db.execute("SELECT state FROM batch")
        db.execute("UPDATE batch SET state = ?", (json.dumps(json.loads(state) | {"columns": "ts,q,uid"}),))
    before = bench.shown()
    with pytest.raises(ConfigError, match="let that one end it"):
        bench.run(Fragile())
    assert bench.shown() == before


def test_a_run_that_was_stopped_ends_after_a_batch_and_resumes(bench: Bench) -> None:
    fragile = Fragile()
    stopped = bench.run(fragile, batches=1)
    assert stopped["in"] == 10
    check_whole(bench, bench.run(fragile), fragile)


def test_what_waits_for_its_cell_is_held_while_a_run_is_stopped(tmp_path: Path) -> None:
    bench, fragile = Bench(tmp_path, "cells"), Fragile()
    stopped = bench.run(fragile, batches=3)
    assert stopped["released"] == len(bench.shown().splitlines()) - 1
    assert stopped["held"] >= sum(bench.held.values()), "rows of a query that may have more are held too"
    assert sum(pool["held"] for pool in stopped["categories"].values()) < stopped["held"], "some wait for a cell"
    check_whole(bench, bench.run(fragile), fragile)


def test_without_a_checkpoint_what_waits_is_written_where_a_run_is_stopped(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "cells")
    stopped = bench.run(Fragile(), checkpoint=False, batches=2)
    assert stopped["released"] == len(bench.shown().splitlines()) - 1 > 0


@pytest.mark.parametrize("finished", [False, True])
def test_a_run_killed_while_its_output_is_sorted_is_whole(tmp_path: Path, *, finished: bool) -> None:
    class FragileOutput(SortedOutput):
        def finish(self) -> None:
            if finished:
                super().finish()
            else:
                it.out.write_text("a part of the out")
            raise Stop

    it, fragile = Bench(tmp_path, "sorted"), Fragile()
    it.by_time = FragileOutput
    with pytest.raises(Stop):
        it.run(fragile)
    it.by_time = SortedOutput
    check_whole(it, it.run(fragile), fragile)
    check_whole(it, it.run(fragile), fragile)


def test_a_store_that_gives_way_ends_the_run_where_it_can_resume(bench: Bench) -> None:
    class Full(Fragile):
        async def apply(self, source: str, frames: Frames) -> None:
            if self.die:
                raise TransientError("the disk is full")
            await super().apply(source, frames)

    fragile = Full("yes")
    with pytest.raises(TransientError):
        bench.run(fragile)
    fragile.die = ""
    check_whole(bench, bench.run(fragile), fragile)


def test_a_run_over_nothing_writes_nothing(bench: Bench) -> None:
    empty = bench.out.with_name("empty.tsv")
    empty.touch()
    bench.inputs = [str(empty)]
    summary = bench.run(Fragile())
    assert summary["in"] == 0
    assert bench.shown() == bench.refused.read_bytes() == b""


def test_a_log_of_refused_lines_only_is_counted(bench: Bench) -> None:
    Path(bench.inputs[0]).write_text("nothing of use\n" * 3)
    bench.inputs = bench.inputs[:1]
    for _ in range(2):
        summary = bench.run(Fragile())
        assert (summary["in"], summary["refused"]) == (3, 3)
        assert len(bench.refused.read_text().splitlines()) == 3


def test_no_repr_shows_what_a_batch_holds() -> None:
    queries, refusals = AolCodec().decode([line(0), line(9)], "a.tsv", 1)
    shown = repr(Batch(queries, refusals))
    assert refusals
    assert "user" not in shown
    assert "words" not in shown
    assert "no time" not in shown
