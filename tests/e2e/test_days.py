"""`querymix run --state`: a day's file after the other, killed, given twice, out of order, through a pipe."""

import gzip
import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from querymix.bootstrap.parts import make_classifier
from querymix.core.records import UNCLASSIFIED
from querymix.knowledge.bundle import Bundle
from querymix.settings import KnowledgeSettings

from tests.e2e.kit import hit_as_it_writes, size_of
from tests.keys import key_file

Command = Callable[..., Result]
Spawn = Callable[..., "subprocess.Popen[bytes]"]

QUERIES = ("soccer", "chess", "cheap shoes", "zyxw", "soccer joe@example.com", "joe@example.com", "-")
PARTS = ("released", "held", "suppressed", "unclassified", "empty", "refused")
DAYS = (1, 2, 3)
HEADER = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"


def line(day: int, number: int, logs: int) -> str:
    """Return a record whose rank is its number, every thousandth without a time."""
    second = number * 86_400 // logs
    time = f"2006-03-{day:02d} {second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
    rank = day * 1_000_000 + number
    text = QUERIES[number * 5 % 11 % 7]
    return f"{1 + (number * number + number // 7) % 211}\t{text}\t{'?' if number % 1_000 == 999 else time}\t{rank}\t\n"


def day_of(folder: Path, day: int, logs: int = 200, *, header: bool = False) -> Path:
    path = folder / f"day{day}.tsv"
    path.write_text(HEADER * header + "".join(line(day, number, logs) for number in range(logs)))
    return path


def sums(summary: dict[str, Any]) -> tuple[int, int]:
    """Check both accounts; return what came in with all runs, and with this one."""
    run = summary["this_run"]
    assert sum(summary[part] for part in PARTS) == summary["in"]
    assert sum(run[part] for part in PARTS) == run["in"]
    return summary["in"], run["in"]


class Days:
    """A folder with a state, and its command line."""

    def __init__(self, querymix: Command, folder: Path) -> None:
        self.querymix = querymix
        self.folder = folder

    def run(self, log: Path | str, *more: str | Path, out: str = "") -> Result:
        name = self.folder / (out or f"out-{Path(log).name}")
        args = (
            "run",
            log,
            "-o",
            name,
            "--profiles",
            self.folder / "p.db",
            "--state",
            self.folder / "state",
            "--k",
            "5",
        )
        return self.querymix(*args, "--json", *more)

    def good(self, log: Path | str, *more: str | Path, out: str = "") -> dict[str, Any]:
        result = self.run(log, *more, out=out)
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)  # type: ignore[no-any-return]

    def refused(self, log: Path | str, *more: str | Path, out: str = "") -> str:
        before = self.everything()
        result = self.run(log, *more, out=out)
        assert result.exit_code == 2, result.output
        assert self.everything() == before, "a refusal changes nothing"
        return result.stderr

    def everything(self) -> dict[str, bytes]:
        files = [path for path in self.folder.iterdir() if path.is_file() and "p.db-" not in path.name]
        return {path.name: path.read_bytes() for path in files}

    @property
    def counted(self) -> int:
        exported = self.querymix("profiles", "export", "--profiles", self.folder / "p.db").stdout
        return sum(int(json.loads(row)["total"]) for row in exported.splitlines())


@pytest.fixture
def days(querymix: Command, tmp_path: Path) -> Days:
    return Days(querymix, tmp_path)


def test_a_day_goes_on_from_the_state_of_the_one_before_and_both_accounts_hold(days: Days) -> None:
    came = [sums(days.good(day_of(days.folder, day))) for day in DAYS]
    assert came == [(200, 200), (400, 200), (600, 200)]
    rows = [row.split("\t") for day in DAYS for row in (days.folder / f"out-day{day}.tsv").read_text().splitlines()]
    assert len({row[3] for row in rows}) == len(rows)
    assert any(row[2][:10] == "2006-03-02" and row[3].startswith("1") for row in rows), "held over from the day before"


@pytest.mark.parametrize("out", ["out-day1.tsv", "elsewhere.tsv"])
@pytest.mark.parametrize("form", ["copied", "packed", "grown", "merged"])
def test_a_day_given_twice_is_refused_by_what_it_holds(days: Days, form: str, out: str) -> None:
    first = day_of(days.folder, 1, header=True)
    days.good(first)
    days.good(day_of(days.folder, 2))
    again = days.folder / "again"
    data = first.read_bytes()
    if form == "packed":
        data = gzip.compress(data[:3_000]) + gzip.compress(data[3_000:])
    elif form == "grown":
        data += line(3, 1, 200).encode()
    again.write_bytes(data)
    inputs = [day_of(days.folder, 3)] if form == "merged" else []
    assert "taken already" in days.refused(again, *inputs, out=out)


def test_again_releases_once_more_what_was_taken_and_names_the_price(days: Days) -> None:
    first = day_of(days.folder, 1)
    days.good(first)
    days.good(day_of(days.folder, 2))
    assert "--again on" in days.refused(first, out="more.tsv")
    again = days.run(first, "--again", "on", out="more.tsv")
    assert again.exit_code == 0
    assert sums(json.loads(again.stdout)) == (600, 200)
    assert "whoever has several names more owners" in again.stderr
    rows = [(days.folder / name).read_text().splitlines() for name in ("out-day1.tsv", "more.tsv")]
    assert {row.split("\t")[1] for row in rows[0]} & {row.split("\t")[1] for row in rows[1]}
    assert sums(json.loads(days.run(first, "--again", "on", out="more.tsv").stdout)) == (800, 200)


def test_again_without_a_state_has_no_effect_and_says_so(days: Days) -> None:
    result = days.querymix("run", day_of(days.folder, 1), "-o", days.folder / "o.tsv", "--k", "5", "--again", "on")
    assert result.exit_code == 3
    assert "--again has no effect without --state" in result.stderr


def test_the_same_command_given_again_does_nothing_and_says_so(days: Days) -> None:
    first = day_of(days.folder, 1)
    summary = days.good(first)
    (days.folder / "out-day1.tsv").rename(days.folder / "published.tsv")
    before, counted = days.everything(), days.counted
    result = days.run(first)
    assert (result.exit_code, "ended already" in result.stderr) == (0, True)
    assert json.loads(result.stdout)["released"] == summary["released"]
    assert (days.everything(), days.counted) == (before, counted)


def test_an_older_day_is_refused_and_a_small_overlap_is_not(days: Days) -> None:
    for day in (1, 3):
        days.good(day_of(days.folder, day))
    assert "older than what was taken" in days.refused(day_of(days.folder, 2))
    late = day_of(days.folder, 4)
    late.write_text(line(3, 190, 200) + late.read_text())
    days.good(late)


@pytest.mark.parametrize("log", ["", HEADER])
def test_a_day_without_records_changes_nothing_and_may_come_again(days: Days, log: str) -> None:
    first = sums(days.good(day_of(days.folder, 1)))
    for name in ("two.tsv", "three.tsv"):
        (days.folder / name).write_text(log)
        assert sums(days.good(days.folder / name)) == (first[0], 0)
    assert sums(days.good(day_of(days.folder, 4))) == (400, 200)


FORMS = {
    "csv": ("text,who,at,region", "{text},{user},{time},x", "user=who,query=text,time=at"),
    "tsv": ("at\twho\ttext", "{time}\t{user}\t{text}", "user=who,query=text,time=at"),
    "json": ("", '{{"who":{{"id":"{user}"}},"text":"{text}","at":"{time}"}}', "user=who.id,query=text,time=at"),
}


def named_day(path: Path, day: int, form: str, head: str = "", row: str = "") -> Path:
    """Write a day of named fields; `head` and `row` take the place of the form's own."""
    rows = [line(day, number, 200).split("\t")[:3] for number in range(199)]
    texts = [(row or FORMS[form][1]).format(user=user, text=text, time=time) for user, text, time in rows]
    path.write_text("\n".join([head or FORMS[form][0], *texts]).lstrip() + "\n")
    return path


@pytest.mark.parametrize("form", FORMS)
def test_an_empty_file_is_a_day_of_any_log_before_between_and_after(days: Days, form: str) -> None:
    fields = ("--fields", FORMS[form][2], "--time-precision", "6h")
    empty = [days.folder / f"empty{number}" for number in range(4)]
    for path in empty:
        path.touch()
    assert sums(days.good(empty[0])) == (0, 0), "without fields it is told to be AOL, which binds nobody"
    assert sums(days.good(empty[1], *fields)) == (0, 0)
    assert sums(days.good(named_day(days.folder / "1", 1, form), *fields, out="all")) == (199, 199)
    assert sums(days.good(empty[2], *fields, out="all")) == (199, 0)
    assert sums(days.good(named_day(days.folder / "2", 2, form), *fields, out="all")) == (398, 199)
    last = days.querymix(
        "run", empty[3], "-o", days.folder / "last", "--profiles", days.folder / "p.db", "--checkpoint",
        days.folder / "state", "--k", "5", "--json", *fields,
    )  # fmt: skip
    assert last.exit_code == 0, last.stderr
    lines = [(days.folder / name).read_text().splitlines() for name in ("all", "last")]
    assert {rows[0] for rows in lines if form != "json"} <= {"who,text,at", "who\ttext\tat"}
    written = sum(len(rows) - (form != "json") for rows in lines)
    assert len(lines[1]) > 1, "what waited for its cell of time has left"
    assert written == json.loads(last.stdout)["released"]


def test_a_day_without_records_writes_what_waits_in_the_form_of_the_days_before(days: Days) -> None:
    fields = ("--fields", FORMS["json"][2], "--time-precision", "6h")
    log = named_day(days.folder / "1", 1, "json")
    rows = [json.loads(text) for text in log.read_text().splitlines()]
    seconds = [int(datetime.fromisoformat(f"{row['at']}Z").timestamp()) for row in rows if row["at"] != "?"]
    log.write_text("".join(json.dumps(row | {"at": at}) + "\n" for row, at in zip(rows, seconds, strict=False)))
    days.good(log, *fields, out="all")
    before = (days.folder / "all").read_text()
    (days.folder / "empty").touch()
    days.good(days.folder / "empty", *fields[:2], out="all")  # where no cells are any more, nothing waits for one
    after = (days.folder / "all").read_text()
    assert after.startswith(before)
    assert len(after) > len(before)
    assert {type(json.loads(text)["at"]) for text in after.splitlines()} == {int}


@pytest.mark.parametrize("form", FORMS)
def test_an_empty_file_among_others_does_not_tell_their_form(days: Days, form: str) -> None:
    (days.folder / "empty").touch()
    log = named_day(days.folder / "1", 1, form)
    days.good(days.folder / "empty", log, "--fields", FORMS[form][2], out="out")
    first = (days.folder / "out").read_text().partition("\n")[0]
    assert first in ("who,text,at", "who\ttext\tat") or form == "json"


def test_what_is_empty_and_no_state_is_read_with_fields_too(days: Days) -> None:
    (days.folder / "empty").touch()
    result = days.querymix("run", days.folder / "empty", "--fields", "user=u", "-o", days.folder / "out")
    assert (result.exit_code, (days.folder / "out").read_bytes()) == (0, b"")


@pytest.mark.parametrize(
    ("head", "row", "more"),
    [
        ("text;who;at", "{text};{user};{time}", ()),
        ("text,who,at", "{text},{user},{time}", ("--category-column", "on")),
    ],
)
@pytest.mark.parametrize("out", ["out", "out-{date}", "out.gz"])
def test_other_columns_than_a_file_has_are_not_added_to_it(
    days: Days, out: str, head: str, row: str, more: tuple[str, ...]
) -> None:
    fields = ("--fields", FORMS["csv"][2])
    days.good(named_day(days.folder / "1", 1, "csv"), *fields, out=out)
    second = named_day(days.folder / "2", 2, "csv", head, row)
    assert "name another output" in days.refused(second, *fields, *more, out=out)
    assert sums(days.good(second, *fields, *more, out=f"other-{out}")) == (398, 199)


def test_a_further_column_that_is_dropped_and_another_order_change_no_output(days: Days) -> None:
    fields = ("--fields", FORMS["csv"][2])
    days.good(named_day(days.folder / "1", 1, "csv"), *fields, out="out")
    days.good(named_day(days.folder / "2", 2, "csv", "x,text,who,at", "1,{text},{user},{time}"), *fields, out="out")
    days.good(named_day(days.folder / "3", 3, "csv", "at,text,who", "{time},{text},{user}"), *fields, out="out")
    assert {row.count(",") for row in (days.folder / "out").read_text().splitlines()} == {2}


def test_what_may_change_from_day_to_day_and_what_may_not(days: Days) -> None:
    key = key_file(days.folder / "key")
    days.good(day_of(days.folder, 1), "--pseudonym-key-file", key)
    second = day_of(days.folder, 2)
    assert "pseudonym_key" in days.refused(second)
    assert "other format" in days.refused(second, "--pseudonym-key-file", key, "--format", "json")
    named = days.refused(second, "--pseudonym-key-file", key, "--format", "json", "--fields", "user=uid")
    assert "other format, fields:" in named
    changed = ("--k", "7", "--dedupe", "1h", "--time-precision", "1h", "--unclassified", "drop")
    assert sums(days.good(second, "--pseudonym-key-file", key, *changed)) == (400, 200)


@pytest.mark.parametrize(("option", "whole"), [("--state", False), ("--checkpoint", True)])
def test_an_open_cell_waits_for_the_next_day_unless_no_day_follows(
    days: Days,
    option: str,
    whole: bool,
) -> None:
    cells = ("--time-precision", "2d")
    args = ("run", day_of(days.folder, 1), "-o", days.folder / "out", option, days.folder / "st", "--k", "5", *cells)
    result = days.querymix(*args)
    assert result.exit_code == 0
    assert "records were released" not in result.stderr, "what waits for its cell is not taken for little"
    assert bool((days.folder / "out").read_bytes()) == whole


def test_a_later_day_adds_to_an_output_of_the_same_name(days: Days) -> None:
    for number, name in enumerate(["all.tsv", "all.tsv.gz"]):
        for day in DAYS:
            state = days.folder / f"state{number}"
            log = day_of(days.folder, day, header=True)
            args = ("run", log, "-o", days.folder / name, "--state", state, "--k", "5", "--json")
            summary = json.loads(days.querymix(*args).stdout)
        data = (days.folder / name).read_bytes()
        head, *rows = (gzip.decompress(data) if name.endswith("gz") else data).decode().splitlines(keepends=True)
        assert (head, len(rows), len(set(rows))) == (HEADER, summary["released"], len(rows))


def test_both_names_of_the_state_at_once_are_refused(days: Days) -> None:
    assert "give one of them" in days.refused(day_of(days.folder, 1), "--checkpoint", "elsewhere")


def as_of_0_3_0(folder: Path) -> None:
    """Make the state what version 0.3.0 wrote: without what came after it."""
    with closing(sqlite3.connect(folder / "checkpoint.sqlite")) as db, db:
        state = json.loads(db.execute("SELECT state FROM batch").fetchone()[0])
        for name in ("before", "taking", "header", "columns"):
            del state[name]
        state["out"] = state["out"][1]
        state["run"]["knowledge"] = "that of 0.3.0"
        db.execute("UPDATE batch SET state = ?", (json.dumps(state),))
        db.execute("DROP TABLE ended")
        db.execute("DROP TABLE taken")


def test_a_state_of_0_3_0_is_resumed_and_then_gone_on_from(days: Days) -> None:
    first = day_of(days.folder, 1)
    summary = days.good(first)
    as_of_0_3_0(days.folder / "state")
    assert "has not ended" in days.refused(day_of(days.folder, 2))
    for _ in range(2):
        assert days.good(first)["released"] == summary["released"]
    assert sums(days.good(days.folder / "day2.tsv")) == (400, 200)
    first.rename(days.folder / "other")
    assert "taken already" in days.refused(days.folder / "other")


def test_a_pipe_says_how_far_it_came_and_goes_on_there(days: Days, spawn: Spawn) -> None:
    rows = [line(1, number, 2_500).encode() for number in range(2_500)]
    args = ("run", "-", "-o", days.folder / "o", "--state", days.folder / "st", "--k", "5", "--json")
    process = spawn(*args)
    assert process.stdin
    process.stdin.write(b"".join(rows[:1_000]))
    process.stdin.flush()
    while not size_of(days.folder / "o"):
        assert process.poll() is None
        time.sleep(0.002)
    process.send_signal(2)
    _, err = process.communicate()
    assert process.returncode == 130
    taken = int(err.decode().split("has taken ")[1].split(" ")[0].replace(",", ""))
    assert f"record {taken + 1:,} is next" in err.decode()
    assert "has not ended" in days.querymix(*args[:1], day_of(days.folder, 2), *args[2:]).stderr
    out, err = spawn(*args).communicate(b"".join(rows[taken:]))
    assert f"what comes now is taken for record {taken + 1:,}" in err.decode()
    assert "has taken 2,500 records of the pipe" in err.decode()
    assert sums(json.loads(out)) == (2_500, 2_500)
    ranks = [row.split("\t")[3] for row in (days.folder / "o").read_text().splitlines()]
    assert len(set(ranks)) == len(ranks) == json.loads(out)["released"]
    out, _ = spawn(*args).communicate(line(2, 1, 9).encode())
    assert sums(json.loads(out)) == (2_501, 1)


@pytest.mark.parametrize("most", [0, 20_000])
def test_a_full_disk_under_the_state_ends_with_1_and_the_same_command_goes_on(
    days: Days, small_bundle: Path, most: int
) -> None:
    days.good(day_of(days.folder, 1))
    args = [
        "run", str(day_of(days.folder, 2)), "-o", str(days.folder / "out2"), "--state", str(days.folder / "state"),
        "--profiles", str(days.folder / "p.db"), "--k", "5", "--json", "--knowledge", str(small_bundle),
    ]  # fmt: skip

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    command = [sys.executable, "-m", "querymix", *args]
    done = subprocess.run(command, preexec_fn=small, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    assert b"give the same command again" in done.stderr
    result = days.querymix(*args)
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert sums(summary) == (400, 200)
    names = ("out-day1.tsv", "out2")
    assert summary["released"] == sum(len((days.folder / name).read_text().splitlines()) for name in names)


def killed(process: "subprocess.Popen[bytes]", state: Path, later: float) -> None:
    """Kill a run so many seconds after it decided something, or once it has ended."""

    def seen() -> list[tuple[int, int]]:
        with suppress(FileNotFoundError):  # it goes where the run ends between the two looks
            return [(found.st_size, found.st_mtime_ns) for path in state.glob("*-wal") for found in [path.stat()]]
        return []

    before = seen()
    while process.poll() is None and seen() in (before, []):
        time.sleep(0.001)
    time.sleep(later)
    process.kill()
    process.communicate()


@pytest.mark.parametrize(
    ("out", "more"),
    [("out{day}.tsv", ()), ("out{day}.tsv.gz", ("--time-precision", "3h")), ("{{date}}.tsv", ("--order", "input"))],
    ids=["plain", "packed, cells", "a file a day"],
)
def test_three_days_killed_at_random_moments_are_as_if_none_had_stopped(
    spawn: Spawn, small_bundle: Path, tmp_path: Path, out: str, more: tuple[str, ...]
) -> None:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")  # noqa: T201 - pytest shows it where the test fails
    rng = random.Random(seed)
    logs = 34_000
    for day in DAYS:
        args = [
            "run", day_of(tmp_path, day, logs), "-o", tmp_path / out.format(day=day), "--state", tmp_path / "state",
            "--profiles", tmp_path / "p.db", "--k", "5", "--json", "--refused", tmp_path / "refused", *more,
        ]  # fmt: skip
        first = spawn(*args, program=hit_as_it_writes(signal.SIGKILL))
        first.communicate()
        assert first.returncode == -signal.SIGKILL
        for number in range(2):
            killed(spawn(*args), tmp_path / "state", number * rng.random() * 0.2)
        process = spawn(*args)
        result, err = process.communicate()
        assert process.returncode == 0, err
        summary = json.loads(result)
        assert sums(summary) == (day * logs, logs)
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".partial"]
    texts = [path.read_bytes() for path in sorted(tmp_path.glob("out*" if "out" in out else "2006-*"))]
    assert len(texts) == len(DAYS)
    text = b"".join(gzip.decompress(one) if out.endswith("gz") else one for one in texts).decode()
    rows = [row.split("\t") for row in text.splitlines()]
    assert len({row[3] for row in rows}) == len(rows) == summary["released"], "nothing is lost, and nothing twice"
    assert (tmp_path / "refused").read_bytes().count(b"\n") == summary["refused"] == len(DAYS) * logs // 1_000
    judge = make_classifier(KnowledgeSettings(), Bundle(small_bundle))
    shown = Counter((row[0], judge(row[1]).category) for row in rows)
    with closing(sqlite3.connect(tmp_path / "p.db")) as file:
        found = {(u.decode(), c): n for u, c, n in file.execute("SELECT user, category, count FROM profile")}
    assert found == {key: count for key, count in shown.items() if key[1] != UNCLASSIFIED}


def test_the_documents_script_takes_each_day_once_and_tells_the_codes_apart(
    days: Days, small_bundle: Path, tmp_path: Path
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "files.md").read_text()
    script = page.partition("```text\n#!/bin/sh")[2].partition("```")[0]
    assert script.count("/srv/querymix") == script.count("sleep 600") == 1
    script = script.replace("/srv/querymix", str(tmp_path)).replace("sleep 600", "sleep 0")
    for folder in ("logs", "released", "runs"):
        (tmp_path / folder).mkdir()
    command = f'querymix() {{ {sys.executable} -m querymix "$@"; }}\n{script}'

    def run(day: str) -> "subprocess.CompletedProcess[str]":
        environment = os.environ | {"QUERYMIX_KNOWLEDGE": str(small_bundle), "QUERYMIX_K": "5"}
        return subprocess.run(
            ["sh", "-c", command, "sh", day], env=environment, capture_output=True, text=True, check=False
        )

    for day in DAYS:
        data = gzip.compress(day_of(tmp_path, day).read_bytes())
        (tmp_path / "logs" / f"2006-03-{day:02d}.tsv.gz").write_bytes(data[:-900] if day == DAYS[-1] else data)
    assert [run(f"2006-03-{day:02d}").returncode for day in DAYS] == [0, 0, 3]
    assert run("2006-03-03").returncode == 0, "there is nothing to do"
    late = run("2006-03-02")
    assert (late.returncode, "2006-03-02 was not taken" in late.stdout) == (2, True)
    (tmp_path / "state").rename(tmp_path / "before")
    (tmp_path / "state").symlink_to("/dev/full/nowhere")
    assert run("2006-03-04").returncode == 2
    assert [sums(json.loads((tmp_path / "runs" / f"2006-03-0{day}.json").read_text())) for day in (1, 2)] == [
        (200, 200), (400, 200),
    ]  # fmt: skip
