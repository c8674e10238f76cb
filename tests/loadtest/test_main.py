"""The command `python -m loadtest synthesize` writes whole files, keeps quiet off a terminal and says what is wrong."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import faker  # noqa: F401 - what is tested here needs it, so without it the module is skipped
import pytest
from click.testing import CliRunner

from loadtest.__main__ import main
from loadtest.synthesize import synthesize

SMALL = ["synthesize", "--lines", "200", "--users", "20", "--seed", "3"]


@pytest.mark.parametrize("order", ["user", "time"])
def test_standard_output_holds_the_log_and_nothing_else(order: str) -> None:
    result = CliRunner().invoke(main, [*SMALL, "--order", order])
    assert result.exit_code == 0
    assert result.stdout.splitlines() == list(synthesize(200, 20, 3, order="time" if order == "time" else "user"))
    assert result.stdout.endswith("\n")
    assert result.stderr == ""


def test_a_file_holds_the_log(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    assert CliRunner().invoke(main, [*SMALL, "-o", str(path)]).exit_code == 0
    assert path.read_text().splitlines() == list(synthesize(200, 20, 3))
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_in_gz_makes_a_gzipped_file_the_same_each_time(tmp_path: Path) -> None:
    first, second = tmp_path / "a.tsv.gz", tmp_path / "b.tsv.gz"
    for path in (first, second):
        assert CliRunner().invoke(main, [*SMALL, "-o", str(path)]).exit_code == 0
    assert gzip.decompress(first.read_bytes()).decode().splitlines() == list(synthesize(200, 20, 3))
    assert first.read_bytes() == second.read_bytes()


def test_rich_records_are_those_of_the_same_queries() -> None:
    result = CliRunner().invoke(main, [*SMALL, "--form", "rich"])
    assert result.exit_code == 0
    queries = {tuple(line.split("\t")[:2]) for line in list(synthesize(200, 20, 3))[1:]}
    assert {(row["user"]["id"], row["q"]) for row in map(json.loads, result.stdout.splitlines())} == queries
    assert CliRunner().invoke(main, [*SMALL, "--form", "rich", "--processes", "2"]).exit_code == 2


def test_a_folder_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [*SMALL, "-o", str(tmp_path / "no" / "log.tsv")])
    assert result.exit_code == 1
    assert "cannot write" in result.stderr
    assert "No such file or directory" in result.stderr


def test_a_failed_run_leaves_the_old_file_and_no_part(tmp_path: Path) -> None:
    folder = tmp_path / "log.tsv"
    folder.mkdir()
    result = CliRunner().invoke(main, [*SMALL, "-o", str(folder)])
    assert result.exit_code == 1
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize(
    "arguments", [["--lines", "0"], ["--users", "0"], ["--seed", "-1"], ["--order", "query"], ["--lines", "many"]]
)
def test_wrong_usage_ends_with_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, [*SMALL, *arguments]).exit_code == 2


def test_the_module_runs_and_a_reader_that_leaves_early_makes_no_noise() -> None:
    command = [sys.executable, "-m", "loadtest", "synthesize", "--lines", "200000", "--users", "50"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_more_processes_write_the_same_file(tmp_path: Path) -> None:
    one, two = tmp_path / "one.tsv", tmp_path / "two.tsv"
    for path, processes in ((one, "1"), (two, "2")):
        assert CliRunner().invoke(main, [*SMALL, "--processes", processes, "-o", str(path)]).exit_code == 0
    assert one.read_bytes() == two.read_bytes()
    assert CliRunner().invoke(main, [*SMALL, "--processes", "2", "--order", "time"]).exit_code == 2
