"""An input of which nothing could be read is never success, and the last line says what to do."""

import bz2
import gzip
import json
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from click.testing import Result

Command = Callable[..., Result]
Spawn = Callable[..., object]

ROWS = [(n % 9, "soccer", f"2006-03-01 00:00:{n:02d}") for n in range(60)]
AOL = "".join(f"{user}\t{query}\t{time}\t\t\n" for user, query, time in ROWS).encode()
JSON = "".join(json.dumps({"user": u, "query": q, "time": t}) + "\n" for u, q, t in ROWS).encode()
ARRAY = json.dumps([{"user": u, "query": q, "time": t} for u, q, t in ROWS]).encode()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("log.gz", gzip.compress(AOL, mtime=0)),
        ("log.bz2", bz2.compress(AOL)),
        ("log.xz", lzma.compress(AOL)),
        ("log.zst", zstandard.compress(AOL)),
        ("a wrong name.gz", bz2.compress(AOL)),
        ("utf-16", AOL.decode().encode("utf-16")),
        ("utf-16-le", AOL.decode().encode("utf-16-le")),
        ("marked", b"\xef\xbb\xbf" + AOL),
        ("cr", AOL.replace(b"\n", b"\r")),
        ("crlf", AOL.replace(b"\n", b"\r\n")),
        ("mixed", AOL[: len(AOL) // 2].replace(b"\n", b"\r") + AOL[len(AOL) // 2 :]),
    ],
)
def test_a_log_is_read_in_each_packing_encoding_and_line_end(
    querymix: Command, tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    result = querymix("run", tmp_path / name, "-o", tmp_path / "out", "--k", "2", "--reserve", "0", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    summary = json.loads(result.stdout)
    assert (summary["in"], summary["refused"]) == (60, 0)
    assert {line.split(b"\t")[0] for line in (tmp_path / "out").read_bytes().split(b"\n") if line} <= {
        b"%d" % n for n in range(9)
    }


def test_a_zip_of_several_logs_is_read_whole(querymix: Command, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "log.zip", "w") as archive:
        archive.writestr("one.tsv", AOL)
        archive.writestr("two.tsv", AOL)
    result = querymix("run", tmp_path / "log.zip", "-o", tmp_path / "out", "--k", "2", "--reserve", "0", "--json")
    assert json.loads(result.stdout)["in"] == 120


@pytest.mark.parametrize("part", [AOL, b"AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + AOL])
def test_a_mark_before_each_part_of_a_joined_log_makes_no_second_user(
    querymix: Command, tmp_path: Path, part: bytes
) -> None:
    (tmp_path / "log").write_bytes((b"\xef\xbb\xbf" + part) * 3)
    result = querymix(
        "run",
        tmp_path / "log",
        "-o",
        tmp_path / "out",
        "--k",
        "2",
        "--reserve",
        "0",
        "--reserve",
        "0",
        "--json",
        "--profiles",
        tmp_path / "p",
    )
    assert json.loads(result.stdout)["in"] == 180
    assert json.loads(result.stdout)["refused"] == 0
    assert b"\xef\xbb\xbf" not in (tmp_path / "out").read_bytes()
    rows = querymix("profiles", "export", "--profiles", tmp_path / "p").stdout.splitlines()
    assert {json.loads(row)["user"] for row in rows} == {str(n) for n in range(9)}


@pytest.mark.parametrize(
    ("content", "form", "says"),
    [
        (JSON, "aol", "give --format json"),
        (AOL, "json", "looks like the AOL form: user, query, time, rank and URL parted by tabs: give --format aol"),
        (ARRAY, "json", "jq -c '.[]'"),
        (json.dumps(json.loads(ARRAY), indent=1).encode(), "json", "jq -c '.[]'"),
        (json.dumps(json.loads(JSON.splitlines()[0]), indent=1).encode(), "json", "jq -c ."),
        (AOL.replace(b"\t", b","), "aol", "It looks like CSV: give --format csv, or leave --format out"),
        (AOL.replace(b"2006-03-01 ", b"01.03.2006 "), "aol", "give --format tsv, or leave --format out"),
        (b"\n\n\n", "aol", "The file of refused records says why"),
        (gzip.compress(AOL, mtime=0)[:20], "aol", "nothing could be read: the gzip data is damaged"),
        (bz2.compress(AOL)[:40], "aol", "nothing could be read: the bzip2 data is damaged"),
        (b"PK\x03\x04" + bytes(100), "aol", "nothing could be read: the zip data is damaged"),
    ],
)
def test_an_input_of_which_nothing_is_read_is_exit_code_3_with_what_to_do(
    querymix: Command, tmp_path: Path, content: bytes, form: str, says: str
) -> None:
    (tmp_path / "log").write_bytes(content)
    result = querymix("run", tmp_path / "log", "-o", tmp_path / "out", "--format", form, "--json")
    assert result.exit_code == 3
    assert says in result.stderr.splitlines()[-1]
    assert "soccer" not in result.output
    assert json.loads(result.stdout)["released"] == 0


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"7z\xbc\xaf\x27\x1c" + bytes(600), "a 7z archive: unpack it"),
    ],
)
def test_a_file_of_a_form_that_is_not_read_is_refused_before_anything_is_written(
    querymix: Command, tmp_path: Path, content: bytes, says: str
) -> None:
    (tmp_path / "log").write_bytes(content)
    (tmp_path / "out").write_bytes(b"the last run's\n")
    result = querymix("run", tmp_path / "log", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert says in result.stderr
    assert (tmp_path / "out").read_bytes() == b"the last run's\n"


def test_one_unreadable_input_among_others_is_told_and_the_others_are_read(querymix: Command, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(AOL)
    (tmp_path / "b").write_bytes(JSON)
    command = (
        "run",
        tmp_path / "a",
        tmp_path / "b",
        "-o",
        tmp_path / "out",
        "--json",
        "--k",
        "2",
        "--reserve",
        "0",
        "--reserve",
        "0",
    )
    refused = querymix(*command)
    assert refused.exit_code == 2
    said = f"{tmp_path / 'b'} is read as JSON lines, unlike {tmp_path / 'a'}: give them in runs of their own"
    assert said in refused.stderr
    result = querymix(*command, "--format", "aol")
    assert result.exit_code == 3
    assert f"{tmp_path / 'b'}: none of its 60 lines could be read" in result.stderr
    summary = json.loads(result.stdout)
    assert (summary["in"], summary["refused"]) == (120, 60)
