"""The command `python -m loadtest replay`: files, pipes, options, reports and exit codes."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import faker  # noqa: F401 - the made-up log needs it, so without it the module is skipped
import pytest
from click.testing import CliRunner, Result
from querymix.core.errors import ConfigError

from loadtest.__main__ import main
from loadtest.commands.values import Target, arrivals, rate, target
from loadtest.replay.arrivals import Ramped, Recorded, Spiky, Steady
from loadtest.synthesize import HEADER, synthesize

COMMAND = [sys.executable, "-m", "loadtest", "replay"]
PATIENCE = 120


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.tsv"
    path.write_text("\n".join(synthesize(2_000, 100, 1)) + "\n")
    return path


def replay(*arguments: str | Path) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["replay", *map(str, arguments)])


def test_a_log_is_written_by_time_and_the_report_says_how(log: Path, tmp_path: Path) -> None:
    result = replay(log, "--to", tmp_path / "out.tsv", "--rate", "1M")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "sent       2,000 records" in result.stdout
    assert "owed       0 at the end" in result.stdout
    assert sorted((tmp_path / "out.tsv").read_text().splitlines()) == sorted(log.read_text().splitlines())


def test_the_report_is_one_json_object(log: Path, tmp_path: Path) -> None:
    result = replay(log, "--to", tmp_path / "out.tsv", "--rate", "1M", "--json")
    report = json.loads(result.stdout)
    assert (report["sent"], report["owed"], report["rounds"], report["refused"]) == (2_000, 0, 1, 0)
    assert report["ended"] == "done"


def test_standard_output_holds_the_log_and_the_report_goes_to_standard_error(log: Path) -> None:
    done = subprocess.run(
        [*COMMAND, log, "--to", "-", "--rate", "1M"], capture_output=True, timeout=PATIENCE, check=True
    )
    assert done.stdout.count(b"\n") == 2_001
    assert b"2,000 records" in done.stderr


def test_standard_input_is_replayed_as_it_comes(log: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "-", "--to", "-", "--speed", "1e9"], input=log.read_bytes(), capture_output=True, timeout=PATIENCE,
        check=True,
    )  # fmt: skip
    assert done.stdout == log.read_bytes()


def test_loop_and_for_go_round_until_the_time_is_up(log: Path, tmp_path: Path) -> None:
    result = replay(log, "--to", tmp_path / "out.tsv", "--rate", "20k", "--loop", "--for", "400ms", "--json")
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert report["ended"] == "stopped"
    lines = (tmp_path / "out.tsv").read_text().splitlines()
    assert report["sent"] == sum(line != HEADER for line in lines)  # of a slow machine none may have been sent


def wait_for(condition: Callable[[], bool]) -> None:
    """Ask until it holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_replay_and_it_says_what_it_sent(log: Path, tmp_path: Path, number: signal.Signals) -> None:
    out = tmp_path / "out.tsv"
    command = [*COMMAND, str(log), "--to", str(out), "--rate", "500", "--loop", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_for(lambda: out.exists() and out.stat().st_size > 1_000)
        process.send_signal(number)
        said, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert errors == b""
    assert json.loads(said)["sent"] == out.read_bytes().count(b"\n") - 1


def test_a_pipe_that_nobody_reads_is_left_at_ctrl_c(log: Path) -> None:
    read, write = os.pipe()
    with subprocess.Popen(
        [*COMMAND, log, "--to", "-", "--rate", "1M"], stdout=write, stderr=subprocess.PIPE
    ) as process:
        os.read(read, 100)
        while select.select([], [write], [], 0)[1]:  # until the pipe is full
            time.sleep(0.05)
        time.sleep(0.3)  # until its next batch waits for it
        os.close(write)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    os.close(read)
    assert process.returncode == 130
    assert b"were on their way" in errors


def test_a_reader_that_leaves_early_ends_it_with_what_was_sent(log: Path) -> None:
    command = [*COMMAND, str(log), "--to", "-", "--rate", "100k", "--loop"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait(PATIENCE) == 1
    assert b"sent" in errors
    assert b"its reader has ended" in errors
    assert b"Traceback" not in errors


def test_rows_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "log.tsv").write_text("7\tsecret words\tno time\t\t\n7\ta\t2006-03-01 00:00:00\t\t\n")
    result = replay(tmp_path / "log.tsv", "--to", tmp_path / "out.tsv", "--rate", "1k")
    assert result.exit_code == 0
    assert "1 rows could not be read" in result.stderr
    assert "log.tsv line 1: the time is no date" in result.stderr
    assert "secret" not in result.output


def test_a_log_that_ends_before_its_end_is_exit_code_3(tmp_path: Path, log: Path) -> None:
    import gzip  # noqa: PLC0415 - only here

    packed = gzip.compress(log.read_bytes())
    (tmp_path / "log.gz").write_bytes(packed[: len(packed) // 2])
    result = replay(tmp_path / "log.gz", "--to", tmp_path / "out.tsv", "--rate", "1M")
    assert result.exit_code == 3
    assert "What could be read of it was taken" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["LOG", "--to", "OUT"], 2, "give one of --rate"),
        (["LOG", "--to", "OUT", "--rate", "1", "--speed", "1"], 2, "give one of --rate"),
        (["LOG", "--to", "OUT", "--as-recorded", "--speed", "2"], 2, "give one of the two"),
        (["LOG", "--to", "OUT", "--rate", "fast"], 2, "give records a second"),
        (["LOG", "--to", "OUT", "--rate", "0"], 2, "above 0"),
        (["LOG", "--to", "OUT", "--speed", "0"], 2, "above 0"),
        (["LOG", "--to", "OUT", "--ramp", "1..2"], 2, "two rates and a time"),
        (["LOG", "--to", "OUT", "--spike", "1:2:3"], 2, "needs --rate"),
        (["LOG", "--to", "OUT", "--rate", "1", "--spike", "1:2"], 2, "how long and how often"),
        (["LOG", "--to", "OUT", "--rate", "1", "--spike", "9:1m:1s"], 2, "shorter"),
        (["LOG", "--to", "OUT", "--rate", "1", "--for", "soon"], 2, "give a time"),
        (["LOG", "--to", "OUT", "--rate", "1", "--fields", "user"], 2, "name=field"),
        (["LOG", "--to", "OUT", "--rate", "1", "--processes", "2"], 2, "are for Kafka"),
        (["LOG", "--to", "LOG", "--rate", "1"], 2, "which would be overwritten"),
        (["LOG", "--to", "http://a/b", "--rate", "1"], 2, "kafka://HOST:PORT/TOPIC"),
        (["LOG", "--to", "kafka:///a", "--rate", "1"], 2, "a broker and a topic"),
        (["missing", "--to", "OUT", "--rate", "1"], 2, "cannot open missing"),
        (["-", "--to", "OUT", "--rate", "1", "--loop"], 2, "needs files"),
        (["-", "LOG", "--to", "OUT", "--rate", "1"], 2, "cannot be merged"),
        (["LOG", "--to", "no/such/folder", "--rate", "1"], 1, "No such file or directory"),
        (["LOG", "--to", "/dev/full", "--rate", "1M"], 1, "No space left"),
        (["LOG", "--to", "kafka://127.0.0.1:1/a", "--rate", "1"], 1, "nothing listens there"),
    ],
)
def test_what_is_wrong_is_said(log: Path, tmp_path: Path, arguments: list[str], code: int, words: str) -> None:
    names = {"LOG": str(log), "OUT": str(tmp_path / "out.tsv")}
    done = subprocess.run(
        [*COMMAND, *(names.get(argument, argument) for argument in arguments)], capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=PATIENCE, cwd=Path(__file__).parents[3], check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert log.read_text().count("\n") == 2_001


def test_rates_are_read_as_people_write_them() -> None:
    found = [rate(text, "--rate") for text in ("40000", "40_000", "40,000", "158.5k", "1M", ".5", "2K")]
    assert found == [40_000, 40_000, 40_000, 158_500, 1_000_000, 0.5, 2_000]
    for wrong in ("", "k", "-1", "1e5", "1 k", "nan", "1..2"):
        with pytest.raises(ConfigError):
            rate(wrong, "--rate")


def test_the_options_name_an_arrival_process() -> None:
    assert arrivals("40k", None, None, None) == Steady(40_000)
    assert arrivals(None, "1k..60k:10m", None, None) == Ramped(1_000, 60_000, 600)
    assert arrivals("5k", None, "60k:5s:1m", None) == Spiky(5_000, 60_000, 60, 5)
    assert arrivals(None, None, None, 2.0) == Recorded(2.0)


def test_a_target_is_a_topic_or_a_file() -> None:
    assert target("kafka://a:9092,b:9092/logs") == Target("a:9092,b:9092", "logs")
    assert target("kafka://a:9092") == target("kafka://a:9092/") == Target("a:9092", "querylog.raw")
    assert target("log.tsv") is None
    assert target("-") is None
