"""Several processes: the same run as in one, whatever happens to them."""

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.bootstrap.parts import make_classifier, make_codec, open_bundle
from querymix.codecs.base import Codec
from querymix.codecs.recognize import AOL, Form
from querymix.core.draw import seeded_draw
from querymix.core.pseudonyms import Pseudonyms
from querymix.core.records import Classification, Query
from querymix.core.rules import Rules
from querymix.local import child_process
from querymix.local.noticed import Noticed
from querymix.local.output import Output
from querymix.local.parallel_source import Processes
from querymix.local.reading import Input
from querymix.local.runner import Run
from querymix.local.sources import OneProcess, Source
from querymix.settings import RunSettings
from querymix.stages.cells import Cells, Ordering
from querymix.stages.classifying import Classifying
from querymix.stages.period_ids import PeriodIds
from querymix.stages.pooling import Pooling
from querymix.stages.releasing import Releasing
from querymix.stores.memory import MemoryProfiles

Command = Callable[..., Result]
Spawn = Callable[..., "subprocess.Popen[bytes]"]
TIMED = ("seconds", "logs_per_second", "peak_memory_bytes", "stages")


def topic_of_none(text: str, url: str | None = None, /) -> Classification:
    """Stand for the classifier of a stage that only adds up what others have counted."""
    raise NotImplementedError


def bad(rows: list[str]) -> bytes:
    """Return the rows with bad ones, identifiers, bytes that are no UTF-8 and a CR LF among them."""
    lines = [row.encode() for row in rows]
    lines[10] = b"no time"
    lines[20] = b"7\tsoccer joe@example.com\t2006-03-01 00:00:00\t1\thttp://joe.example.com"
    lines[30] = b"8\tjoe@example.com\t2006-03-01 00:00:00"
    lines[40] = b"9\tsoccer \xff\xfe\t2006-03-01 00:00:00\t\t"
    lines[50] += b"\r"
    return b"\n".join(lines)


def as_json(log: bytes) -> bytes:
    rows = [line.decode("utf-8", "replace").split("\t") for line in log.splitlines()]
    return b"\n".join(
        json.dumps({"user": int(row[0]), "tags": [{"a": [1]}], "query": row[1], "time": row[2]}).encode()
        if len(row) > 2
        else b"{"
        for row in rows
    )


def codec_and_stage(chosen: RunSettings, key: Pseudonyms | None = None) -> tuple[Codec, Classifying]:
    classify = make_classifier(chosen, open_bundle(chosen))
    stage = Classifying(classify, unclassified=chosen.unclassified, pseudonyms=key)
    return make_codec(chosen, chosen.time_policy, form=AOL if chosen.format == "auto" else Form(chosen.format)), stage


def run(folder: Path, log: bytes, processes: int, order: str, key: Pseudonyms | None, **options: Any) -> dict[str, Any]:
    """Run over a log with draws that repeat themselves; return the summary without its times."""
    path, out = folder / "log", folder / f"out{processes}"
    path.write_bytes(log)
    chosen = RunSettings(**options)
    source = Input(str(path))
    with ExitStack() as owned:
        codec, classifying = codec_and_stage(chosen, key)
        work: Source
        if processes > 1:
            work = started = Processes(processes, [source], codec, classifying, in_order=order == "time")
            owned.callback(started.close)
        else:
            work = OneProcess([source], codec, in_order=order == "time")
        job = Run(
            work,
            codec,
            classifying,
            Releasing(Pooling(Rules(3, reserve=1), seeded_draw(5), codec.format), Cells(Ordering(), seeded_draw(5))),
            MemoryProfiles(),
            lambda keep, add, others, done: Output(str(out), keep=keep, add=add, done=done),
            f"{out}.refused",
            noticed=Noticed(2),
            ids=PeriodIds(None),
        )
        summary = asyncio.run(job())
    return {name: value for name, value in summary.items() if name not in TIMED}


@pytest.mark.parametrize(("form", "order"), [("aol", "input"), ("aol", "time"), ("json", "input"), ("json", "time")])
def test_with_the_same_draws_the_run_is_the_same_in_any_number_of_processes(
    form: str, order: str, made_up_rows: list[str], small_bundle: Path, tmp_path: Path
) -> None:
    log = bad(made_up_rows * 3)
    key = None
    options: dict[str, Any] = {"knowledge": small_bundle}
    if form == "json":
        log = as_json(log)
        options |= {"format": "json", "safe_fields": ["tags"], "unclassified": "pool"}
        key = Pseudonyms(b"a key of sixteen bytes or more")
    one = run(tmp_path, log, 1, order, key, **options)
    for processes in (2, 3):
        assert run(tmp_path, log, processes, order, key, **options) == one
        for name in ("out{}", "out{}.refused"):
            assert (tmp_path / name.format(processes)).read_bytes() == (tmp_path / name.format(1)).read_bytes()
    assert one["released"] > 500
    assert one["refused"] == 1
    assert one["suppressed"] >= 1


@pytest.mark.parametrize("in_order", [False, True])
def test_what_an_earlier_start_has_decided_is_left_out(
    in_order: bool, made_up_rows: list[str], small_bundle: Path, tmp_path: Path
) -> None:
    rows = bad(made_up_rows * 60).splitlines()
    rows[-1] = b"this is no row"
    (tmp_path / "log").write_bytes(b"\n".join(rows))
    chosen = RunSettings(knowledge=small_bundle)
    codec, stage = codec_and_stage(chosen)

    def after(queries: int, refusals: int) -> tuple[list[Any], list[int], int]:
        source = Input(str(tmp_path / "log"))
        counts = Classifying(topic_of_none)
        work = Processes(2, [source], codec, stage, in_order=in_order)
        try:
            batches = list(work.batches(queries, refusals))
        finally:
            work.close()
        assert source.queries == len(rows) - 2
        assert source.refused == 2
        assert counts.arrived == 0
        out = [one for batch in batches for one in batch.classified(counts)]
        assert counts.arrived == sum(batch.arrived for batch in batches)
        return out, [refusal.line for batch in batches for refusal in batch.refusals], counts.arrived

    out, lines, arrived = after(0, 0)
    assert arrived == len(rows) - 2
    assert lines == [11, len(rows)]
    for queries, refusals in ((1, 0), (arrived // 3, 1), (arrived - 1, 2), (arrived, 2)):
        rest, lines_after, left = after(queries, refusals)
        assert left == arrived - queries
        assert lines_after == lines[refusals:]
        assert rest == out[len(out) - len(rest) :]
        assert len(rest) >= left * 0.9


texts = st.text(st.characters(exclude_characters="\t\n\r\0"), max_size=20)
extras = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
queries = st.builds(
    Query,
    texts,
    texts,
    texts | st.integers() | st.floats(allow_nan=False),
    st.floats(allow_nan=False),
    st.none() | texts | st.integers(),
    st.none() | texts,
    st.just(()) | st.tuples(st.booleans(), st.lists(texts).map(tuple), st.lists(extras).map(tuple)),
)


@pytest.fixture(scope="module")
def work(small_bundle: Path) -> Iterator[None]:
    """Give this process the work that `begin` gives another one, without the thread that ends it."""
    chosen = RunSettings(knowledge=small_bundle, unclassified="pool")
    child_process.use(*codec_and_stage(chosen))
    yield
    del child_process._codec, child_process._classifying


@settings(max_examples=60)
@given(st.lists(queries, max_size=5))
def test_a_query_comes_back_as_it_went_out(work: None, batch: list[Query]) -> None:
    stage = child_process._classifying
    stage.restore(child_process._nothing)
    expected, expected_counts = stage(batch), stage.snapshot()
    counts = Classifying(topic_of_none)
    classified = [one for some in child_process._classified(batch) for one in some.classified(counts)]
    assert repr([one[:] for one in classified]) == repr([one[:] for one in expected])
    assert [tuple(query) for _, query in classified] == [tuple(query) for _, query in expected]
    assert counts.snapshot() == expected_counts


def test_no_repr_shows_what_was_classified(work: None) -> None:
    done = child_process.classify_lines(b"u1\tsecret words\t2006-03-01 00:00:00\t\t\n", 0)
    (batch,) = done.batches
    assert batch.arrived == 1
    sorted_lines = child_process.sort_lines(b"u1\tsecret words\t2006-03-01 00:00:00\t\t\n", 0)
    shown = repr([done, batch, sorted_lines, sorted_lines.blocks])
    assert "secret" not in shown
    assert "u1" not in shown


def children(process: "subprocess.Popen[bytes]") -> list[int]:
    """Return the processes that classify, once there are any."""
    for _ in range(600):
        below = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if below:
            return [int(pid) for pid in below]
        time.sleep(0.05)
    raise AssertionError("no process has begun to classify")


def feed(process: "subprocess.Popen[bytes]", user: int, number: int) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{user}\tsoccer\t2006-03-01 00:00:{number:02d}\t{number}\t\n".encode())
    process.stdin.flush()


def start_a_pipe(spawn: Spawn, *args: str) -> "subprocess.Popen[bytes]":
    """Start a run over a pipe in two processes, and read the first line that it releases."""
    process = spawn(
        "run",
        "-",
        "-o",
        "-",
        "--k",
        "2",
        "--reserve",
        "0",
        "--reserve",
        "0",
        "--json",
        "--click-wait",
        "0",
        "--processes",
        "2",
        *args,
    )
    assert process.stdout is not None
    for number in range(3):
        feed(process, number, number)
    assert process.stdout.readline().decode().split("\t")[2] == "2006-03-01 00:00:02"
    return process


def test_a_release_leaves_a_pipe_as_soon_as_it_is_set_off_and_an_interrupt_of_all_ends_the_run(spawn: Spawn) -> None:
    process = start_a_pipe(spawn)
    assert process.stdout is not None
    feed(process, 3, 3)
    assert process.stdout.readline()
    others = children(process)
    for pid in others:
        os.kill(pid, signal.SIGINT)  # as a terminal's Ctrl-C does
        os.kill(pid, signal.SIGTERM)
        os.kill(pid, signal.SIGHUP)
    feed(process, 4, 4)
    assert process.stdout.readline(), "they go on: the run decides"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert json.loads(err)["in"] == 5
    assert not any(Path(f"/proc/{pid}").exists() for pid in others)


@pytest.mark.parametrize("which", [0, 1])  # one of them holds the lock of the queue
def test_a_process_that_dies_is_said_and_ends_the_run_with_nothing_half_written(
    which: int, spawn: Spawn, tmp_path: Path
) -> None:
    process = start_a_pipe(spawn, "--profiles", str(tmp_path / "p"))
    others = children(process)
    os.kill(others[which], signal.SIGKILL)
    time.sleep(0.5)
    for number in range(3, 30):
        try:
            feed(process, number, number)
        except BrokenPipeError:
            break
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert not any(Path(f"/proc/{pid}").exists() for pid in others)
    assert b"a process that classifies has ended" in err
    assert b"Traceback" not in err
    assert not out or out.endswith(b"\n")


def test_no_process_stays_behind_when_the_run_is_killed(spawn: Spawn) -> None:
    process = start_a_pipe(spawn)
    others = children(process)
    process.kill()
    process.communicate()
    for _ in range(200):
        if not any(Path(f"/proc/{pid}").exists() for pid in others):
            return
        time.sleep(0.05)
    raise AssertionError("processes are left")


def test_a_run_goes_on_from_a_checkpoint_under_another_number_of_processes(
    querymix: Command, made_up_log: Path, tmp_path: Path
) -> None:
    summaries = []
    told = {*TIMED, "advice", "warnings"}  # advice is by what arrives: nothing, where the run has ended already
    for order in ("input", "time"):
        for number, processes in enumerate(("2", "1", "2")):
            out, state = tmp_path / f"{order}.tsv", tmp_path / order
            args = ("run", made_up_log, "-o", out, "--k", "3", "--checkpoint", state, "--order", order, "--json")
            done = querymix(*args, "--processes", processes)
            assert done.exit_code == (3 if order == "input" else 0), "out of order, nearly all is held too long"
            summaries.append({name: value for name, value in json.loads(done.stdout).items() if name not in told})
            assert summaries[-1] == summaries[-1 - number]


def test_what_is_wrong_with_an_option_is_told_before_any_process_begins(querymix: Command, made_up_log: Path) -> None:
    for option in (("--keep-identifiers", "nothing"), ("--knowledge", "missing"), ("--processes", "0")):
        done = querymix("run", made_up_log, "-o", "-", "--processes", "2", *option)
        assert done.exit_code == 2
        assert "a process that classifies" not in done.stderr
