"""Outputs as a user names them: refused before anything is written, whole or not there, in their files."""

import gzip
import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.e2e.kit import hit_as_it_writes, size_of

Command = Callable[..., Result]
Spawn = Callable[..., "subprocess.Popen[bytes]"]


def make_log(path: Path, logs: int = 90, header: str = "") -> Path:
    times = (
        f"2006-03-{1 + n * 2 // logs:02d} {n // 3600 % 24:02d}:{n // 60 % 60:02d}:{n % 60:02d}" for n in range(logs)
    )
    rows = (f"{n % 9}\t{('soccer', 'chess')[n // 9 % 2]}\t{at}\t{n}\t\n" for n, at in enumerate(times))
    path.write_text(header + "".join(rows))
    return path


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("-o", "out.zip"), "no form that is written"),
        (("-o", "out.orc"), "no form that is written"),
        (("-o", "out.{day}.tsv"), "{day} is no placeholder; there are {date} and {category}"),
        (("-o", "out.tsv", "--refused", "refused.gz"), "refused records is not packed"),
        (("-o", "{category}.tsv", "--refused", "Sports.tsv"), "may be the file of refused records"),
        (("-o", "log-{date}.tsv"), "may be the input"),
        (("-o", "log-2006-03-01.tsv.gz"), "the unfinished output"),
        (("-o", "{date}.tsv", "--time-policy", "query", "--state", "state"), "without { }"),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_anything_is_written(
    querymix: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "log-2006-03-01.tsv.gz.partial" if "unfinished" in says else "log-2006-03-01.tsv"
    make_log(tmp_path / name)
    before = (tmp_path / name).read_bytes()
    result = querymix("run", name, *args, "--profiles", "p.db")
    assert (result.exit_code, says in result.stderr) == (2, True), result.stderr
    assert (tmp_path / name).read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} <= {name, "p.db", "state"}


@pytest.mark.parametrize("policy", ["trigger", "query"])
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_file_a_day_and_category_holds_its_lines_under_the_header(
    querymix: Command, tmp_path: Path, policy: str, ending: str
) -> None:
    header = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
    log = make_log(tmp_path / "log.tsv", 400, header)
    out = tmp_path / "out" / f"{{category}} {{date}}.tsv{ending}"
    result = querymix("run", log, "-o", out, "--k", "3", "--time-policy", policy, "--json")
    assert result.exit_code == 0, result.stderr
    lines = 0
    for path in (tmp_path / "out").iterdir():
        if path.name.endswith("refused"):
            continue
        head, *rows = (gzip.decompress(path.read_bytes()) if ending else path.read_bytes()).decode().splitlines(True)
        category, day = path.name.split(".")[0].split(" ")
        assert head == header
        times = [row.split("\t")[2] for row in rows]
        assert {time[:10] for time in times} == {day}
        assert {row.split("\t")[1] for row in rows} == {"soccer" if category == "Sports" else "chess"}
        assert times == sorted(times)
        lines += len(rows)
    assert lines == json.loads(result.stdout)["released"]


@pytest.mark.parametrize("signal", [2, 9, 15])
@pytest.mark.parametrize("name", ["out.tsv", "out.tsv.xz"])
def test_a_run_that_did_not_end_leaves_the_old_output_and_a_part_that_is_called_so(
    spawn: Spawn, tmp_path: Path, name: str, signal: int
) -> None:
    log = make_log(tmp_path / "log.tsv", 60_000)  # more than three batches
    (tmp_path / name).write_bytes(b"old\n")
    process = spawn("run", log, "-o", tmp_path / name, "--k", "3", program=hit_as_it_writes(signal))
    process.communicate()
    assert process.returncode == (-9 if signal == 9 else 130)
    assert (tmp_path / name).read_bytes() == b"old\n"
    assert size_of(tmp_path / f"{name}.partial") > 0


def test_a_pipe_that_was_interrupted_leaves_a_whole_packed_file(spawn: Spawn, tmp_path: Path) -> None:
    process = spawn("run", "-", "-o", tmp_path / "out.gz", "--k", "3", "--reserve", "0")
    assert process.stdin
    process.stdin.write(make_log(tmp_path / "log.tsv").read_bytes())
    process.stdin.flush()
    part = tmp_path / "out.gz.partial"
    while not size_of(part):
        assert process.poll() is None
        time.sleep(0.001)
    process.send_signal(2)
    process.communicate()
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()).count(b"\n") > 50
    assert not part.exists()


@pytest.mark.parametrize(
    ("time", "form", "left"),
    [
        (1141197432, "auto", 1141197432),
        (1141197432123, "auto", 1141197432000),
        (1141197432123456, "auto", 1141197432000000),
        ("1141197432", "auto", 1141197432),
        ("2006-03-01 07:17:12.5", "auto", "2006-03-01 07:17:12"),
        ("01/Mar/2006:07:17:12 +0000", "auto", "2006-03-01T07:17:12Z"),
        (1141197432, "iso", "2006-03-01T07:17:12Z"),
        ("2006-03-01T07:17:12Z", "seconds", 1141197432),
    ],
)
def test_times_leave_in_the_form_of_the_first_lines_or_in_that_which_was_named(
    querymix: Command, tmp_path: Path, time: object, form: str, left: object
) -> None:
    records = [{"user": number, "query": "movie posters", "time": time} for number in range(40)]
    records.append({"user": 41, "query": "movie posters", "time": "2006-03-01T07:17:12Z"})  # another producer's
    (tmp_path / "log").write_text("".join(json.dumps(record) + "\n" for record in records))
    done = querymix("run", tmp_path / "log", "-o", tmp_path / "out", "--k", "2", "--reserve", "0", "--time-form", form)
    assert done.exit_code == 0, done.stderr
    rows = [json.loads(row) for row in (tmp_path / "out").read_text().splitlines()]
    assert len(rows) > 20
    assert {row["time"] for row in rows} == {left}
