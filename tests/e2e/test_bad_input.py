"""Bad input and bad options: a clear message, the rest goes on or the exit code says what failed, nothing is lost."""

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from click.testing import Result

from tests.keys import KEY

Command = Callable[..., Result]
Spawn = Callable[..., "Popen[bytes]"]

PRIVATE = "xylophone"
"""Stands in every bad line, and must not show outside the output and the file of refused lines."""
GOOD = b"".join(b"%d\tsoccer\t2006-03-01 00:00:%02d\t%d\t\n" % (n, n, n) for n in range(20))


class Case:
    """A folder, and what one run over a log in it came to."""

    def __init__(self, querymix: Command, folder: Path) -> None:
        self.querymix = querymix
        self.folder = folder
        self.out = folder / "out.tsv"

    def log(self, content: bytes, name: str = "log.tsv") -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path

    def run(self, *args: str | Path, **environment: str) -> Result:
        result = self.querymix("run", "-o", self.out, "--k", "2", "--reserve", "0", "--json", *args, **environment)
        assert PRIVATE not in result.output
        return result

    def good(self, content: bytes, *args: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Run over a log that must be taken; return the summary and the refused lines."""
        result = self.run(self.log(content), *args)
        assert (result.exit_code, result.stderr) == (0, "")
        summary = json.loads(result.stdout)
        refused = [json.loads(line) for line in Path(f"{self.out}.refused").read_text().splitlines()]
        parts = ("released", "held", "suppressed", "unclassified", "empty", "refused")
        assert sum(summary[part] for part in parts) == summary["in"]
        assert summary["refused"] == len(refused)
        return summary, refused


@pytest.fixture
def case(querymix: Command, tmp_path: Path) -> Case:
    return Case(querymix, tmp_path)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"1\t" + PRIVATE.encode() * 120_000 + b"\t2006-03-01 00:00:00", "longer than"),
        (b"1\t" + PRIVATE.encode() + b"\0\t2006-03-01 00:00:00", "NUL"),
        (b"1\t" + PRIVATE.encode(), "fields"),
        (PRIVATE.encode(), "fields"),
        (b"", "fields"),
        (b"1\t" + PRIVATE.encode() + b"\t2006-03-01 00:00:00\t1\thttp://a.example\tmore", "fields"),
        (b"1\t" + PRIVATE.encode() + b"\t2006-02-30 00:00:00\t\t", "time"),
        (b"1\t" + PRIVATE.encode() + b"\tyesterday\t\t", "time"),
        (b"1\t" + PRIVATE.encode() + b"\t\t\t", "time"),
        (b"\t" + PRIVATE.encode() + b"\t2006-03-01 00:00:00\t\t", "user"),
        (b"1\t" + PRIVATE.encode() + b"\t2006-03-01 00:00:00\tfirst\t", "rank"),
    ],
)
def test_a_bad_line_is_refused_with_source_line_and_reason_and_the_rest_goes_on(
    case: Case, line: bytes, reason: str
) -> None:
    half = len(GOOD) // 2
    half = GOOD.index(b"\n", half) + 1
    summary, refused = case.good(GOOD[:half] + line + b"\n" + GOOD[half:])
    assert (summary["in"], summary["refused"]) == (21, 1)
    assert summary["released"] + summary["held"] == 20
    (found,) = refused
    assert found["source"] == str(case.folder / "log.tsv")
    assert found["line"] == GOOD[:half].count(b"\n") + 1
    assert reason in found["reason"]
    assert PRIVATE not in found["reason"]
    assert len(found["raw"]) <= 4096
    assert found["raw"].encode() == line[:4096]


def test_refused_lines_hold_raw_queries_and_are_for_their_owner_only(case: Case) -> None:
    case.good(GOOD + b"1\tno time\n")
    assert Path(f"{case.out}.refused").stat().st_mode & 0o077 == 0


def test_a_log_that_is_not_utf8_leaves_as_utf8_and_no_user_becomes_another(case: Case) -> None:
    rows = b"".join(b"u%d\tsoccer caf\xe9\t2006-03-01 00:00:%02d\t%d\t\n" % (n, n, n) for n in range(20))
    summary, _ = case.good(
        rows + b"\xff\xfe\nu\xe9\tsoccer\t2006-03-01 00:00:30\n",
        *("--profiles", str(case.folder / "p.db"), "--max-refused", "20%"),
    )
    assert (summary["refused"], summary["released"]) == (2, 18)
    assert case.out.read_bytes().decode().count("\tsoccer caf\u00e9\t") == 18
    exported = case.querymix("profiles", "export", "--profiles", case.folder / "p.db")
    assert exported.exit_code == 0
    assert sum(json.loads(line)["total"] for line in exported.stdout.splitlines()) == 18


@pytest.mark.parametrize(
    "line",
    [
        b"not json " + PRIVATE.encode(),
        b'["' + PRIVATE.encode() + b'"]',
        b'{"user": "a", "query": "' + PRIVATE.encode() + b'"}',
        b'{"user": {}, "query": "' + PRIVATE.encode() + b'", "time": 1}',
        b'{"user": "a", "query": "' + PRIVATE.encode() + b'", "time": "soon"}',
        b'{"user": "a", "query": "' + PRIVATE.encode() + b'\xff", "time": 1}',
        b'{"user": "a", "query": "' + PRIVATE.encode() + b'", "time": "0001-01-01T00:00:00+23:00"}',
        b'{"user": "a", "query": ' + b"[" * 5_000 + b"]" * 5_000 + b', "time": 1}',
    ],
)
def test_a_bad_json_line_is_refused_and_the_rest_goes_on(case: Case, line: bytes) -> None:
    rows = b"".join(b'{"user": "%d", "query": "soccer", "time": %d}\n' % (n, n) for n in range(9))
    result = case.run(case.log(rows + line + b"\n" + rows), "--format", "json")
    summary = json.loads(result.stdout)
    assert (summary["in"], summary["refused"], result.exit_code) in ((19, 1, 3), (19, 0, 0)), "1 of 19 is above 5 %"
    assert summary["released"] + summary["held"] >= 18


@pytest.mark.parametrize("content", [b"", b"AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"])
def test_an_empty_file_is_a_log_of_nothing(case: Case, content: bytes) -> None:
    summary, _ = case.good(content)
    assert summary["in"] == 0
    assert case.out.read_bytes() == content


def test_a_log_without_an_end_of_line_loses_no_line(case: Case) -> None:
    summary, _ = case.good(GOOD.removesuffix(b"\n"))
    assert summary["in"] == 20
    assert case.out.read_bytes().endswith(b"\n")


def test_a_truncated_gzip_is_used_as_far_as_it_goes_and_said(case: Case) -> None:
    packed = gzip.compress(b"".join(b"%d\tsoccer\t2006-03-01 00:00:%02d\t%d\t\n" % (n, n % 60, n) for n in range(5000)))
    result = case.run(case.log(packed[: len(packed) // 2], "log.tsv.gz"))
    assert result.exit_code == 3
    assert "log.tsv.gz: the gzip data is damaged or cut short" in result.stderr
    assert "\n" not in result.stderr.strip()
    summary = json.loads(result.stdout)
    assert 1_000 < summary["in"] < 5_000
    assert summary["released"] + summary["held"] + summary["refused"] == summary["in"]
    assert summary["refused"] <= 1, "the line at the cut"


def test_one_damaged_input_does_not_stop_the_others(case: Case) -> None:
    damaged = case.log(gzip.compress(GOOD)[:-12], "damaged.gz")
    result = case.run(damaged, case.log(GOOD))
    assert result.exit_code == 3
    assert json.loads(result.stdout)["in"] >= 20


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the full device")
@pytest.mark.parametrize("bad", ["-o", "--refused"])
def test_a_full_disk_ends_the_run_with_a_message(case: Case, bad: str) -> None:
    args = {"-o": str(case.out), "--refused": str(case.folder / "refused")} | {bad: "/dev/full"}
    log = case.log(GOOD + PRIVATE.encode() + b"\n")
    result = case.querymix("run", log, *(part for pair in args.items() for part in pair), "--k", "2", "--reserve", "0")
    assert result.exit_code == 1
    assert "cannot write /dev/full: No space left on device" in result.stderr
    assert PRIVATE not in result.output
    assert not Path("/dev/full.refused").exists()


def test_an_output_to_a_device_leaves_no_file_beside_it(case: Case) -> None:
    result = case.querymix("run", case.log(GOOD), "-o", os.devnull, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["in"] == 20
    assert not Path(f"{os.devnull}.refused").exists()


def test_a_reader_that_leaves_ends_the_run(spawn: Spawn) -> None:
    process = spawn("run", "-", "-o", "-", "--k", "2", "--reserve", "0")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(GOOD)
    assert process.returncode == 1
    assert b"Traceback" not in err
    assert b"standard output: Broken pipe" in err


def test_a_file_that_is_not_there_or_cannot_be_opened_is_named(case: Case) -> None:
    loop = case.folder / "loop"
    loop.symlink_to(loop)
    for path, reason in ((case.folder / "none.tsv", "No such file"), (loop, "Too many levels")):
        result = case.run(case.log(GOOD), path)
        assert result.exit_code == 2
        assert f"cannot open {path}: {reason}" in result.stderr
    assert not case.out.exists(), "nothing is written before all inputs are open"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_without_permission_is_named(case: Case) -> None:
    path = case.log(GOOD)
    path.chmod(0)
    result = case.run(path)
    assert result.exit_code == 2
    assert "Permission denied" in result.stderr


def test_a_directory_is_no_log(case: Case) -> None:
    result = case.run(case.folder)
    assert result.exit_code == 2
    assert f"{case.folder} is a directory" in result.stderr


def test_an_output_in_the_place_of_a_folder_is_refused(case: Case) -> None:
    case.out.mkdir()
    result = case.run(case.log(GOOD))
    assert result.exit_code == 2
    assert "cannot write" in result.stderr


def test_an_input_is_never_overwritten(case: Case) -> None:
    log = case.log(GOOD)
    beside = case.log(GOOD, "out.tsv.refused")
    for args in ((log, "-o", log), (log, "--refused", log), (log, "--profiles", log), (beside,)):
        result = case.querymix("run", *(("-o", case.out) if "-o" not in args else ()), *args)
        assert result.exit_code == 2
        assert "is also the input" in result.stderr
    assert log.read_bytes() == beside.read_bytes() == GOOD


def test_two_outputs_cannot_share_a_file(case: Case) -> None:
    for option in ("--refused", "--profiles"):
        result = case.run(case.log(GOOD), option, case.folder / "x" / ".." / "out.tsv")
        assert result.exit_code == 2
        assert "two outputs need two names" in result.stderr


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("--k", "1"), "--k"),
        (("--k", PRIVATE), "--k"),
        (("--delta", "0.5"), "delta"),
        (("--delta", "1/0"), "delta"),
        (("--max-hold", PRIVATE), "--max-hold"),
        (("--max-hold", "0s"), "max hold"),
        (("--mode", "loose"), "--mode"),
        (("--format", "xml"), "--format"),
        (("--json-fields", "user"), "--fields"),
        (("--fields", "user"), "--fields"),
        (("--fields", "user=uid,query=q"), "--fields names fields, and the AOL form has none"),
        (("--format", "json", "--json-fields", "person=uid"), "person"),
        (("--format", "json", "--json-fields", "user=query"), "same name"),
        (("--keep-identifiers", "shoe size"), "--keep-identifiers"),
        (("--pseudonym-key-file", "no such key"), "no such key"),
        (("--knowledge", "no such bundle"), "no such bundle"),
        (("--settings", "no such settings"), "no such settings"),
        (("--profiles", "no such folder/p.db"), "no such folder"),
        (("--no-such-option",), "--no-such-option"),
        (("-",), "standard input"),
    ],
)
def test_a_wrong_option_is_named_and_nothing_is_written(case: Case, args: tuple[str, ...], named: str) -> None:
    result = case.run(case.log(GOOD), *args)
    assert result.exit_code == 2
    assert named in result.stderr
    assert "Traceback" not in result.stderr
    assert not case.out.exists()


def test_a_wrong_value_in_the_environment_is_named_and_not_shown(case: Case) -> None:
    result = case.run(case.log(GOOD), QUERYMIX_MAX_HOLD=PRIVATE)
    assert result.exit_code == 2
    assert "QUERYMIX_MAX_HOLD" in result.stderr


def test_a_short_pseudonym_key_is_refused_and_not_shown(case: Case) -> None:
    key = case.log(PRIVATE.encode(), "key")
    key.chmod(0o600)
    result = case.run(case.log(GOOD), "--pseudonym-key-file", key)
    assert result.exit_code == 2
    assert "needs 32" in result.stderr


@pytest.mark.parametrize(
    ("mode", "taken"), [(0o600, True), (0o440, True), (0o640, True), (0o644, False), (0o602, False)]
)
def test_a_pseudonym_key_that_everybody_can_read_is_refused_and_a_group_may(case: Case, mode: int, taken: bool) -> None:
    key = case.log(KEY, "key")
    key.chmod(mode)
    result = case.run(case.log(GOOD), "--pseudonym-key-file", key)
    assert ("chmod 600" in result.stderr) == (not taken)
    assert (result.exit_code == 2) == (not taken)


def test_a_bundle_that_is_none_is_refused(case: Case) -> None:
    for content in (b"", b"nothing of the kind", b"querymix knowledge\n\xff\xff\xff\x7f{"):
        result = case.run(case.log(GOOD), "--knowledge", case.log(content, "x.bundle"))
        assert result.exit_code == 2
        assert "x.bundle" in result.stderr


def test_a_source_whose_name_is_no_text_can_be_refused_from(case: Case) -> None:
    path = os.fsdecode(os.fsencode(case.folder) + b"/log\xff.tsv")
    Path(path).write_bytes(GOOD + PRIVATE.encode() + b"\n")
    result = case.run(path)
    assert result.exit_code == 0
    (line,) = Path(f"{case.out}.refused").read_text().splitlines()
    assert json.loads(line)["line"] == 21


def test_a_file_that_gives_way_while_it_is_read_is_said(case: Case) -> None:
    """/proc/self/mem can be opened, but its first bytes cannot be read."""
    memory = Path("/proc/self/mem")
    if not memory.exists():
        pytest.skip("needs /proc")
    result = case.run(memory)
    assert result.exit_code == 3
    assert "/proc/self/mem" in result.stderr
