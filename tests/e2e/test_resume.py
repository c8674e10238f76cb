"""`querymix run --checkpoint`, killed for real: the output and the profiles are as if it had never stopped."""

import json
import random
import signal
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from querymix.bootstrap.parts import make_classifier
from querymix.core.records import UNCLASSIFIED
from querymix.knowledge.bundle import Bundle
from querymix.settings import KnowledgeSettings

from tests.e2e.kit import hit_as_it_writes, size_of
from tests.keys import OTHER_KEY, key_file

Command = Callable[..., Result]
Spawn = Callable[..., "subprocess.Popen[bytes]"]

LOGS = 50_000
"""More than three batches of 16,384, and two blocks."""
KILLS = 2
"""Beside the first, which comes as soon as something is written."""
QUERIES = ("soccer", "chess", "cheap shoes", "zyxw", "soccer joe@example.com", "joe@example.com", "-")
PARTS = ("released", "held", "suppressed", "unclassified", "empty", "refused")


def user_of(number: int) -> str:
    return str(1 + (number * number + number // 7) % 211)


def query_of(number: int) -> str:
    return QUERIES[number * 5 % 11 % 7]


def make_log(path: Path) -> None:
    """Write `LOGS` short lines whose rank is their number, every thousandth without a time."""
    with path.open("w") as file:
        for number in range(LOGS):
            minute, second = divmod(number % 3_600, 60)
            day, hour = divmod(number // 3_600, 24)
            time = "?" if number % 1_000 == 999 else f"2006-03-{day + 1:02d} {hour:02d}:{minute:02d}:{second:02d}"
            file.write(f"{user_of(number)}\t{query_of(number)}\t{time}\t{number}\t\n")


def kill_at_a_random_moment(process: "subprocess.Popen[bytes]", out: Path, rng: random.Random) -> bool:
    """Kill a run before it wrote, or some moments after it wrote more; return whether it was still running."""
    size = size_of(out)
    if rng.random() < 0.7:
        while process.poll() is None and size_of(out) <= size:
            wait(process, 0.002)
    wait(process, rng.random() * 0.4)
    running = process.poll() is None
    process.kill()
    process.communicate()
    return running


def wait(process: "subprocess.Popen[bytes]", most: float) -> None:
    """Wait for the end of a process, at most so many seconds."""
    try:
        process.wait(most)
    except subprocess.TimeoutExpired:
        return


def check_whole(folder: Path, summary: dict[str, Any], bundle: Path) -> None:
    """Check output, profiles, refusals and accounting against the log itself."""
    data = (folder / "out.tsv").read_bytes()
    assert data.endswith(b"\n")
    rows = [line.split("\t") for line in data.decode().splitlines()]
    assert {len(row) for row in rows} == {5}
    numbers = [int(row[3]) for row in rows]
    assert len(set(numbers)) == len(numbers), "a query is under two users"
    assert sum(summary[part] for part in PARTS) == summary["in"] == LOGS
    assert summary["released"] == len(rows)
    assert summary["refused"] == LOGS // 1_000 == (folder / "out.tsv.refused").read_bytes().count(b"\n")
    knowledge = Bundle(bundle)
    judge = make_classifier(KnowledgeSettings(), knowledge)
    shown: Counter[tuple[str, int]] = Counter()
    for row, number in zip(rows, numbers, strict=True):
        topic = judge(query_of(number))
        assert row[1] == topic.text
        assert row[0] != user_of(number)
        if topic.category != UNCLASSIFIED:
            shown[row[0], topic.category] += 1
    with sqlite3.connect(folder / "profiles.db") as file:
        found = {(u.decode(), c): n for u, c, n in file.execute("SELECT user, category, count FROM profile")}
    assert found == dict(shown)
    with sqlite3.connect(folder / "state" / "checkpoint.sqlite") as file:
        ((text,),) = file.execute("SELECT state FROM batch")
    pools = json.loads(text)["anonymizing"]["pools"].values()
    held = Counter((user, origin) for pool in pools for user, origin, _ in pool["users"] if origin != UNCLASSIFIED)
    came = Counter(
        (user_of(number), category)
        for number in range(LOGS)
        if number % 1_000 != 999 and (category := judge(query_of(number)).category) != UNCLASSIFIED
    )
    assert shown + held == came


def arguments(folder: Path, order: str, *more: str) -> list[str | Path]:
    return [
        "run", folder / "log.tsv", "-o", folder / "out.tsv", "--profiles", folder / "profiles.db",
        "--checkpoint", folder / "state", "--k", "5", "--order", order, "--json", "--quiet", *more,
    ]  # fmt: skip


@pytest.mark.parametrize("order", ["time", "input"])
def test_a_run_killed_at_random_moments_ends_as_if_it_had_never_stopped(
    spawn: Spawn, small_bundle: Path, tmp_path: Path, order: str
) -> None:
    killed_and_resumed(spawn, small_bundle, tmp_path, [order], tmp_path / "out.tsv")


@pytest.mark.parametrize("more", [["--time-precision", "3h"], ["--time-policy", "query"]], ids=" ".join)
def test_so_does_one_whose_lines_wait(spawn: Spawn, small_bundle: Path, tmp_path: Path, more: list[str]) -> None:
    written = tmp_path / ("out.tsv.unsorted" if "query" in more else "out.tsv")
    killed_and_resumed(spawn, small_bundle, tmp_path, ["time", *more], written)
    times = [line.split("\t")[2] for line in (tmp_path / "out.tsv").read_text().splitlines()]
    assert times == sorted(times)
    assert "query" in more or {time[14:] for time in times} == {"00:00"}


def killed_and_resumed(spawn: Spawn, small_bundle: Path, tmp_path: Path, more: list[str], written: Path) -> None:
    """Kill a run as it writes and at random, resume it, and check it; its lines are `written` to a file first."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")  # noqa: T201 - pytest shows it where the test fails
    rng = random.Random(seed)
    make_log(tmp_path / "log.tsv")
    out = tmp_path / "out.tsv"
    first = spawn(*arguments(tmp_path, *more), program=hit_as_it_writes(signal.SIGKILL))
    first.communicate()
    assert first.returncode == -signal.SIGKILL
    assert size_of(written) > 0
    seen = [out.read_bytes() if out.exists() else b""]
    for _ in range(KILLS):
        if not kill_at_a_random_moment(spawn(*arguments(tmp_path, *more)), written, rng):
            break
        seen.append(out.read_bytes() if out.exists() else b"")
    process = spawn(*arguments(tmp_path, *more))
    summary, err = process.communicate()
    said = [line for line in err.splitlines() if b"has ended already" not in line]  # no kill hit it any more
    assert (process.returncode, b"session" in err, len(said)) == (0, "query" in more, "query" in more)
    final = out.read_bytes()
    assert all(final.startswith(part) for part in seen), "what a reader saw was paired anew"
    check_whole(tmp_path, json.loads(summary), small_bundle)


def small(tmp_path: Path) -> list[str | Path]:
    """Return the arguments of a run over a small log."""
    rows = [f"{n % 9}\tsoccer\t2006-03-01 00:00:{n:02d}\t{n}\t\n" for n in range(60)]
    (tmp_path / "log.tsv").write_text("".join(rows))
    return arguments(tmp_path, "time")


def test_a_finished_run_given_again_does_nothing_and_says_the_same(querymix: Command, tmp_path: Path) -> None:
    args = small(tmp_path)
    first = json.loads(querymix(*args).stdout)
    out = (tmp_path / "out.tsv").read_bytes()
    profiles = querymix("profiles", "export", "--profiles", tmp_path / "profiles.db").stdout
    again = querymix(*args)
    assert again.exit_code == 0
    rates = {"seconds", "logs_per_second", "peak_memory_bytes", "stages"}
    second = json.loads(again.stdout)
    assert {k: v for k, v in first.items() if k not in rates} == {k: v for k, v in second.items() if k not in rates}
    assert (tmp_path / "out.tsv").read_bytes() == out
    assert querymix("profiles", "export", "--profiles", tmp_path / "profiles.db").stdout == profiles


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        (("--k", "6"), "k"),
        (("--mode", "paper"), "mode"),
        (("--time-policy", "query", "--unclassified", "drop"), "time_policy, unclassified"),
        (("--keep-identifiers", "zip"), "keep_identifiers"),
    ],
)
def test_a_checkpoint_of_other_options_is_refused_by_their_names(
    querymix: Command, tmp_path: Path, changed: tuple[str, ...], named: str
) -> None:
    args = small(tmp_path)
    assert querymix(*args).exit_code == 0
    out = (tmp_path / "out.tsv").read_bytes()
    result = querymix(*args, *changed)
    assert result.exit_code == 2
    assert f"a run with other {named}:" in result.stderr
    assert (tmp_path / "out.tsv").read_bytes() == out
    assert querymix(*args).exit_code == 0, "the checkpoint still belongs to its own run"


def test_a_checkpoint_of_another_input_is_refused(querymix: Command, tmp_path: Path) -> None:
    args = small(tmp_path)
    assert querymix(*args).exit_code == 0
    with (tmp_path / "log.tsv").open("a") as file:
        file.write("1\tsoccer\t2006-03-01 00:02:00\t60\t\n")
    result = querymix(*args)
    assert result.exit_code == 2
    assert "begins with all of" in result.stderr


def test_another_pseudonym_key_under_the_same_name_is_refused(querymix: Command, tmp_path: Path) -> None:
    """Else the rest of the run would put each user under a second pseudonym."""
    key = key_file(tmp_path / "key")
    args = [*small(tmp_path), "--pseudonym-key-file", key]
    assert querymix(*args).exit_code == 0
    key_file(key, OTHER_KEY)
    result = querymix(*args)
    assert result.exit_code == 2
    assert "pseudonym" in result.stderr
    assert OTHER_KEY.decode() not in result.output


def test_an_output_that_lost_what_was_written_is_not_continued(querymix: Command, tmp_path: Path) -> None:
    args = small(tmp_path)
    assert querymix(*args).exit_code == 0
    (tmp_path / "out.tsv").write_text("")
    with closing(sqlite3.connect(tmp_path / "state" / "checkpoint.sqlite")) as file, file:
        file.execute("DELETE FROM ended")  # as if it was killed at last
    result = querymix(*args)
    assert result.exit_code == 2
    assert "shorter than the state says" in result.stderr


@pytest.mark.parametrize("output", ["-", "/dev/null", "/dev/stdout"])
def test_a_state_needs_a_file_as_its_output(spawn: Spawn, tmp_path: Path, output: str) -> None:
    small(tmp_path)
    process = spawn("run", tmp_path / "log.tsv", "-o", output, "--state", tmp_path / "state")
    out, err = process.communicate(b"")
    assert (process.returncode, out) == (2, b"")
    assert b"--state needs a file" in err
