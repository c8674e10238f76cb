"""A run that failed is given again: its profiles are those of its output, once, whatever stopped it before."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import HANGS
from tests.e2e.kit import hit_as_it_writes, size_of

LOGS = 60_000


class Runs:
    """A folder with a log, its profiles, and runs over it in processes of their own."""

    def __init__(self, folder: Path, bundle: Path) -> None:
        self.folder = folder
        self.log = folder / "log.tsv"
        clean = {name: value for name, value in os.environ.items() if not name.startswith("QUERYMIX_")}
        self.environment = clean | {"QUERYMIX_KNOWLEDGE": str(bundle)}
        self.write()

    def write(self, users: int = 60, logs: int = LOGS) -> None:
        """Write the log anew under its name."""
        times = (
            f"2006-03-{1 + n // 9_000:02d} {n // 3600 % 24:02d}:{n // 60 % 60:02d}:{n % 60:02d}" for n in range(logs)
        )
        rows = (f"{n % users}\tsoccer\t{time}\t{n}\t\n" for n, time in enumerate(times))
        self.log.write_text("".join(rows))

    def start(
        self, *args: str, largest: int = resource.RLIM_INFINITY, program: Sequence[str] = ("-m", "querymix")
    ) -> "subprocess.Popen[bytes]":
        """Start a run, which may write files of `largest` bytes at most; `program` is how Python starts it."""
        command = [sys.executable, *program, "run", *args, "--k", "5", "--profiles", "p.db", "--json", "-q"]
        limit = f"import resource, os; resource.setrlimit(resource.RLIMIT_FSIZE, ({largest}, {largest}));"
        return subprocess.Popen(
            [sys.executable, "-c", f"{limit} os.execv({command[0]!r}, {command!r})"],
            cwd=self.folder, env=self.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def released(self, *args: str, content: bytes | None = None) -> int:
        """Run to the end; return how many were released."""
        process = self.start(*args)
        out, err = process.communicate(content)
        assert (process.returncode, err) == (0, b"")
        return int(json.loads(out)["released"])

    @property
    def counted(self) -> int:
        """Counts in all profiles."""
        done = subprocess.run(
            [sys.executable, "-m", "querymix", "profiles", "export", "--profiles", "p.db"],
            cwd=self.folder, env=self.environment, capture_output=True, check=True,
        )  # fmt: skip
        return sum(int(json.loads(line)["total"]) for line in done.stdout.splitlines())


@pytest.fixture
def runs(tmp_path: Path, small_bundle: Path) -> Runs:
    return Runs(tmp_path, small_bundle)


FILES = [("log.tsv", "-o", "out"), ("log.tsv", "-o", "out", "--order", "input")]


@pytest.mark.parametrize("args", FILES)
def test_a_run_that_met_a_full_disk_has_counted_nothing(runs: Runs, args: tuple[str, ...]) -> None:
    process = runs.start(*args, largest=1_500_000)
    _, err = process.communicate()
    assert process.returncode == 1
    assert b"give the same command again" in err.splitlines()[-1]
    assert runs.counted == 0
    assert runs.released(*args) == runs.counted


@pytest.mark.parametrize("args", FILES)
def test_a_run_that_was_killed_has_counted_nothing(runs: Runs, args: tuple[str, ...]) -> None:
    process = runs.start(*args, program=hit_as_it_writes(signal.SIGKILL))
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert size_of(runs.folder / "out.partial") > 0
    assert runs.counted == 0
    assert runs.released(*args) == runs.counted


def test_a_run_given_again_with_another_output_counts_once(runs: Runs) -> None:
    runs.start("log.tsv", "-o", "out", largest=1_500_000).communicate()
    assert runs.released("log.tsv", "-o", "elsewhere") == runs.counted


def test_a_run_whose_figures_could_not_be_told_has_counted_nothing(runs: Runs) -> None:
    runs.write(logs=1_000)
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "querymix", "run", "log.tsv", "-o", "out", "--k", "5", "--profiles", "p.db"]
        done = subprocess.run(command, cwd=runs.folder, env=runs.environment, stdout=full, check=False)
    assert done.returncode == 1
    assert runs.counted == 0


def test_another_log_under_the_same_name_and_a_log_that_has_grown_are_counted_whole(runs: Runs) -> None:
    runs.write(users=30, logs=900)
    first = runs.released("log.tsv", "-o", "out")
    runs.write(users=40, logs=900)
    second = runs.released("log.tsv", "-o", "out")
    assert runs.counted == first + second
    runs.write(users=40, logs=1_800)
    assert runs.counted + runs.released("log.tsv", "-o", "out") == runs.counted


def test_a_log_given_twice_on_purpose_is_counted_twice(runs: Runs) -> None:
    runs.write(logs=900)
    total = runs.released("log.tsv", "-o", "out") + runs.released("log.tsv", "-o", "out")
    assert runs.counted == total
    (runs.folder / "same.tsv").write_bytes(runs.log.read_bytes())
    assert runs.released("log.tsv", "same.tsv", "-o", "out", "--click-wait", "0") == runs.counted - total


def test_a_log_that_is_piped_in_is_counted_as_it_goes(runs: Runs) -> None:
    runs.write(logs=900)
    content = runs.log.read_bytes()
    process = runs.start("-", "-o", "out")
    assert process.stdin is not None
    process.stdin.write(content)
    process.stdin.flush()
    until = time.monotonic() + HANGS
    while not (runs.folder / "p.db").exists() or not runs.counted:
        assert time.monotonic() < until, "no profile shows while the pipe is open"
    out, _ = process.communicate()
    assert json.loads(out)["released"] == runs.counted
