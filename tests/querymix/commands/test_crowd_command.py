"""`querymix crowd`: from logs to a table, by way of day parts or not."""

import errno
import gzip
import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb  # noqa: F401 - without it the module is skipped
import pytest
from click.testing import Result
from querymix.core.crowd import CountedCrowd, items_of
from querymix.core.generalize import group_item
from querymix.crowd.table import CrowdTable

from tests.conftest import Spawn

Command = Callable[..., Result]
FIELDS = ("--fields", "user=who,query=what,time=when")
ALL = ("--established", "0", "--crowd-users", "2")


def csv(path: Path, rows: list[tuple[str, int, str]]) -> Path:
    """Write records of a user, a day of March 2026 and a text; packed where the name says so."""
    text = "who,what,when\n" + "".join(f"{user},{what},2026-03-{day:02d} 12:00:00\n" for user, day, what in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


ROWS = [(user, day, "red shoes") for user in ("ann", "bob", "cyd") for day in (1, 2, 9, 12)] + [("dee", 12, "blue")]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return csv(tmp_path / "log.csv.gz", ROWS)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "crowd.table"


def done(result: Result, code: int = 0) -> str:
    assert result.exit_code == code, result.output
    return result.output


def shown(querymix: Command, file: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(done(querymix("crowd", "show", file, "--json")))
    return told


def test_a_table_is_made_of_a_log_and_says_what_it_holds(querymix: Command, log: Path, file: Path) -> None:
    said = done(querymix("crowd", "build", log, "-o", file, "--crowd-users", "3", *FIELDS))
    assert "4 items of 2026-03-01 to 2026-03-12" in said
    told = shown(querymix, file)
    assert (told["first_day"], told["last_day"], told["crowd_users"], told["established"]) == (
        "2026-03-01", "2026-03-12", 3, 7 * 86400.0,
    )  # fmt: skip
    assert {kind: count for kind, count in told["items"].items() if count} == {"term": 2, "pair": 1, "query": 1}
    assert CrowdTable(file).enough("pair red shoes", 3)
    for text in ("red", "ann"):
        assert text not in done(querymix("crowd", "show", file))
    assert sorted(path.name for path in file.parent.iterdir()) == [file.name, log.name]  # nothing else is left


def test_a_table_of_a_made_up_log_is_a_plain_count_of_it(querymix: Command, made_up_log: Path, file: Path) -> None:
    done(querymix("crowd", "build", made_up_log, "-o", file, *ALL))
    crowd, items = CountedCrowd(), set[str]()
    for line in made_up_log.read_text().splitlines()[1:]:
        user, text, *_ = line.split("\t")
        crowd.add(user, items_of(text))
        items |= items_of(text)
    table = CrowdTable(file)
    assert all(table.enough(item, users) == crowd.enough(item, users) for item in items for users in (2, 3, 10, 50))
    assert sum(table.kinds()[kind] for kind in ("term", "pair", "query")) == sum(crowd.enough(one, 2) for one in items)
    assert 0 < table.kinds()["domain"] <= table.kinds()["host"]


def test_parts_day_by_day_give_the_table_of_the_whole_log(querymix: Command, log: Path, tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    for day in (1, 2, 9, 12):
        one = csv(tmp_path / f"{day}.csv", [row for row in ROWS if row[1] == day])
        for _ in range(2):  # the second time changes nothing
            done(querymix("crowd", "add", one, "--parts", parts, *FIELDS))
    done(querymix("crowd", "build", "--parts", parts, "-o", tmp_path / "one", "--crowd-users", "2"))
    done(querymix("crowd", "build", log, "-o", tmp_path / "two", "--crowd-users", "2", *FIELDS))
    added, read = CrowdTable(tmp_path / "one"), CrowdTable(tmp_path / "two")
    assert added.kinds() == read.kinds()
    assert added.enough("query red shoes", 3)
    assert read.enough("query red shoes", 3)
    assert sorted(path.name for path in parts.iterdir()) == [
        "2026-03-01.parquet", "2026-03-02.parquet", "2026-03-09.parquet", "2026-03-12.parquet",
        "groups.parquet", "key", "window.json",
    ]  # fmt: skip


def test_a_day_that_was_dropped_is_not_added_again(querymix: Command, log: Path, file: Path, tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    done(querymix("crowd", "add", log, "--parts", parts, *FIELDS))
    done(querymix("crowd", "drop", "--parts", parts, "--before", "2026-03-09"))
    said = done(querymix("crowd", "add", log, "--parts", parts, *FIELDS), 3)
    assert "6 of 13 records were refused (its day was dropped from the parts: 6)" in said
    old = csv(tmp_path / "old.csv", [row for row in ROWS if row[1] < 9])
    said = done(querymix("crowd", "add", old, "--parts", parts, *FIELDS), 2)
    assert "all records are of days that were dropped" in said
    assert "begins on 2026-03-09" in said
    done(querymix("crowd", "build", "--parts", parts, "-o", file, "--crowd-users", "3"))
    assert CrowdTable(file).enough("query red shoes", 3)  # all three are as old as they were


def test_with_the_last_part_the_key_goes(querymix: Command, log: Path, tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    for way in (("--all",), ("--before", "2026-04-01")):
        done(querymix("crowd", "add", log, "--parts", parts, *FIELDS))
        assert (parts / "key").stat().st_mode & 0o777 == 0o600
        done(querymix("crowd", "drop", "--parts", parts, *way))
        assert not parts.exists()
        assert "no folder" in done(querymix("crowd", "drop", "--parts", parts, *way), 2)


def test_only_the_days_that_are_asked_for_count(querymix: Command, log: Path, file: Path) -> None:
    done(querymix("crowd", "build", log, "-o", file, "--last-day", "2026-03-09", *FIELDS, *ALL))
    assert shown(querymix, file)["last_day"] == "2026-03-09"
    assert not CrowdTable(file).enough("term blue", 2)
    said = done(querymix("crowd", "build", log, "-o", file, "--first-day", "2026-05-01", *FIELDS, *ALL), 2)
    assert "no record is of the days" in said
    assert "records of 2026-03-01 to 2026-03-12" in said
    for wrong in ("01.03.2026", "yesterday"):
        said = done(querymix("crowd", "build", log, "-o", file, "--first-day", wrong, *FIELDS), 2)
        assert "--first-day" in said
        assert "give a day such as 2026-11-29" in said


def test_where_nobody_counts_nothing_is_written_and_it_says_what_to_do(
    querymix: Command, log: Path, file: Path, tmp_path: Path
) -> None:
    file.write_text("the table of yesterday")
    young = csv(tmp_path / "young.csv", ROWS[:2])
    said = done(querymix("crowd", "build", young, "-o", file, *FIELDS), 2)
    assert "the records span 2 days, and --established is 7d" in said
    said = done(querymix("crowd", "build", log, "-o", file, "--crowd-users", "50", *FIELDS), 2)
    assert "no item has 50 users that count" in said
    assert file.read_text() == "the table of yesterday"


def test_logs_of_two_forms_are_counted_together(querymix: Command, log: Path, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "log.tsv"
    other.write_text("AnonID\tQuery\tQueryTime\n7\tblue\t2026-03-12 10:00:00\n")
    lines = tmp_path / "log.json"
    lines.write_text('{"who": "eve", "what": "Blue?", "when": "2026-03-12T11:00:00Z"}\n')
    done(querymix("crowd", "build", log, lines, "-o", file, *FIELDS, *ALL))
    assert CrowdTable(file).enough("term blue", 2)
    done(querymix("crowd", "build", other, other.with_suffix(".x"), "-o", file, *ALL), 2)
    other.with_suffix(".x").write_text('{"user": "eve", "query": "blue", "time": "2026-03-12T11:00:00Z"}\n')
    done(querymix("crowd", "build", other, other.with_suffix(".x"), "-o", file, *ALL))
    assert CrowdTable(file).enough("term blue", 2)


def test_refused_lines_are_counted_and_too_many_of_them_are_a_warning(
    querymix: Command, log: Path, file: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text(csv(tmp_path / "x.csv", ROWS).read_text() + "eve,red,no time\n" * 3)
    said = done(querymix("crowd", "build", bad, "-o", file, *FIELDS, *ALL), 3)
    assert "3 of 16 records were refused (the time is neither" in said
    done(querymix("crowd", "build", bad, "-o", file, "--max-refused", "20%", *FIELDS, *ALL))
    bad.write_text("who,what,when\neve,red,no time\n")
    said = done(querymix("crowd", "build", bad, "-o", file, *FIELDS, *ALL), 2)
    assert "no record could be read: the time is neither" in said
    cut = tmp_path / "cut.csv.gz"
    cut.write_bytes(log.read_bytes()[:-20])
    assert "cut.csv.gz" in done(querymix("crowd", "build", cut, log, "-o", file, *FIELDS, *ALL), 3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("build", "-o", "t"), "nothing to count: name logs, or --parts FOLDER"),
        (("build", "LOG", "LOG", "-o", "t"), "given twice"),
        (("build", "LOG", "-o", "LOG"), "which would be overwritten"),
        (("build", "LOG", "-o", "-"), "- is no file, and a table is one"),
        (("build", "LOG", "-o", "absent/t"), "there is no folder absent"),
        (("build", "LOG", "-o", "t", "--parts", "LOG"), "is no folder"),
        (("build", "LOG", "-o", "."), ". is no file, and a table is one"),
        (("build", "LOG", "-o", "/dev/null"), "/dev/null is no file, and a table is one"),
        (("build", "absent.csv", "-o", "t"), "cannot open absent.csv"),
        (("build", "LOG", "-o", "t", "--established", "12h"), "give whole days, such as 7d"),
        (("build", "LOG", "-o", "t", "--crowd-users", "1"), "give 2 or more"),
        (("build", "LOG", "-o", "t", "--generalize", "place=city"), "no column 'city'"),
        (("build", "-o", "t", "--parts", "absent"), "is no folder: make one with 'querymix crowd add"),
        (("build", "-o", "../t", "--parts", "."), "has no parts: add a log"),
        (("build", "-o", "t", "--parts", "."), "would lie in the folder of the parts"),
        (("add", "LOG", "--parts", "."), "something else is in it"),
        (("add", "LOG"), "name the folder of the parts: --parts FOLDER"),
        (("drop", "--parts", "."), "give --before DAY, or --all"),
        (("drop", "--parts", ".", "--all"), "is no folder of parts: nothing was removed"),
        (("drop", "--parts", ".", "--before", "soon"), "give a day such as"),
        (("show", "LOG"), "is no crowd table"),
        (("show", "absent"), "No such file"),
    ],
)
def test_what_is_wrong_is_told_with_what_to_do(
    querymix: Command, log: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(log.parent)
    fields = FIELDS if given[0] in ("build", "add") else ()
    told = done(querymix("crowd", *(log.name if word == "LOG" else word for word in given), *fields), 2)
    assert said in told.replace("\n", " ")
    assert [path.name for path in log.parent.iterdir()] == [log.name]


def test_groups_are_counted_by_the_fields_of_a_log(querymix: Command, file: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    records = [
        {"who": user, "what": "red", "when": "2026-03-12T11:00:00Z", "geo": {"city": city, "country": "IT"}}
        for user, city in (("ann", "Rome"), ("bob", "Rome"), ("cyd", "Bari"), ("dee", "Pisa"))
    ]
    log.write_text("".join(json.dumps(record) + "\n" for record in records))
    ladders = ("--generalize", "place=geo.city>geo.country", "--group-users", "2")
    done(querymix("crowd", "build", log, "-o", file, *FIELDS, *ALL, *ladders))
    table = CrowdTable(file)
    assert table.ladders == {"place": ["geo.city", "geo.country"]}
    assert table.enough(group_item(0, ("Rome", "IT")), 2)
    assert not table.enough(group_item(0, ("Bari", "IT")), 2)
    assert table.enough(group_item(1, (None, "IT")), 2)
    assert not table.enough(group_item(1, (None, "IT")), 3)  # those of Rome are not counted again
    assert "geo.city>geo.country" in done(querymix("crowd", "show", file))


def test_a_run_asks_for_the_groups_that_were_counted_whatever_its_ladders_are_called(
    querymix: Command, file: Path, tmp_path: Path
) -> None:
    log, out = tmp_path / "log.json", tmp_path / "out.json"
    records = [
        {"user": f"{user}", "query": "red", "time": minute * 60 + user, "zone": "north", "age": "old", "lang": "fr-CA"}
        for minute in range(20)
        for user in range(6)
    ]
    log.write_text("".join(json.dumps(record) + "\n" for record in records))
    ladders = ("--generalize", "place=zone,who=age,language=lang", "--group-users", "6")
    done(querymix("crowd", "build", log, "-o", file, *ALL, *ladders))
    options = ("--k", "2", "--reserve", "0", "--rare", "release", "--format", "json", *ladders)
    done(querymix("run", log, "-o", out, "--crowd", file, "--crowd-users", "2", *options))
    rows = [json.loads(row) for row in out.read_text().splitlines()]
    assert rows
    assert {(row.get("zone"), row.get("age"), row.get("lang")) for row in rows} == {("north", "old", "fr-CA")}


def test_a_table_is_not_written_among_the_parts(querymix: Command, log: Path, tmp_path: Path) -> None:
    """Under the name of the key it would make all parts worthless."""
    parts = tmp_path / "parts"
    done(querymix("crowd", "add", log, "--parts", parts, *FIELDS))
    key = (parts / "key").read_bytes()
    for name in ("key", "crowd.table"):
        assert "the folder of the parts" in done(querymix("crowd", "build", "--parts", parts, "-o", parts / name), 2)
    assert (parts / "key").read_bytes() == key
    assert not (parts / "crowd.table").exists()


def test_settings_of_a_run_do_for_a_count_but_none_says_nothing_to_it(
    querymix: Command, log: Path, file: Path, tmp_path: Path
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('established = "none"\n')
    command = ("crowd", "build", log, "-o", file, "--settings", settings, "--crowd-users", "2", *FIELDS)
    assert "or 0 to count all users" in done(querymix(*command), 2).replace("\n", " ")
    done(querymix(*command, "--established", "0"))
    assert "also the settings file" in done(querymix(*command, "--established", "0", "-o", settings), 2)


def test_a_field_that_is_counted_is_not_told_to_be_dropped(querymix: Command, file: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("who,what,when,city,age\nann,red,2026-03-01 12:00:00,Rome,7\nbob,red,2026-03-01 12:00:00,Rome,8\n")
    said = done(querymix("crowd", "build", log, "-o", file, *FIELDS, *ALL, "--generalize", "place=city"))
    assert "dropped: age" in said


def test_fields_of_ladders_are_those_of_a_run(querymix: Command, log: Path, file: Path, tmp_path: Path) -> None:
    """What a run refuses is not counted, and what it cannot generalize is refused here too."""
    lists = tmp_path / "log.json"
    record = {"what": "red", "when": "2026-03-01 12:00:00"}
    lists.write_text("".join(json.dumps(record | {"who": who, "geo": {"city": [who]}}) + "\n" for who in "abc"))
    build = ("crowd", "build", "-o", file, *FIELDS, *ALL, "--generalize")
    for field, said in (("geo", "list or an object"), ("geo.city", "list or an object"), ("who", "which is the user")):
        assert said in done(querymix(*build, f"place={field}", lists), 2).replace("\n", " ")
    assert "which is the query" in done(querymix(*build, "place=what", log), 2)
    assert not file.exists()


def test_a_time_that_has_not_come_makes_no_part(querymix: Command, log: Path, tmp_path: Path) -> None:
    """It would keep the key after all others were dropped."""
    parts, late = tmp_path / "parts", tmp_path / "late.csv"
    late.write_text("who,what,when\nann,red shoes,9999-12-31 23:59:59\n")
    assert "later than tomorrow" in done(querymix("crowd", "add", late, "--parts", parts, *FIELDS), 2)
    assert "later than tomorrow: 1" in done(querymix("crowd", "add", log, late, "--parts", parts, *FIELDS), 3)
    done(querymix("crowd", "drop", "--parts", parts, "--before", "2026-03-13"))
    assert not parts.exists()


def test_a_day_without_records_is_no_fault(querymix: Command, log: Path, file: Path, tmp_path: Path) -> None:
    empty, parts = csv(tmp_path / "empty.csv", []), tmp_path / "parts"
    assert "0 days" in done(querymix("crowd", "add", empty, "--parts", parts, *FIELDS))
    assert "there are no records to count" in done(querymix("crowd", "build", "--parts", parts, "-o", file), 2)
    done(querymix("crowd", "add", log, "--parts", parts, *FIELDS))
    done(querymix("crowd", "build", empty, "--parts", parts, "-o", file, *FIELDS, *ALL))
    assert CrowdTable(file).enough("query red shoes", 3)


def test_a_folder_of_any_name_holds_parts(querymix: Command, log: Path, file: Path, tmp_path: Path) -> None:
    parts = tmp_path / "a[1]*'\u00e9 \"x"
    done(querymix("crowd", "build", log, "--parts", parts, "-o", file, *FIELDS, *ALL))
    assert CrowdTable(file).enough("query red shoes", 3)


def test_a_damaged_part_is_named(querymix: Command, log: Path, file: Path, tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    done(querymix("crowd", "add", log, "--parts", parts, *FIELDS))
    part = parts / "2026-03-09.parquet"
    part.write_bytes(part.read_bytes()[:40])
    said = done(querymix("crowd", "build", "--parts", parts, "-o", file, *ALL), 2)
    assert "a part is damaged" in said
    assert "2026-03-09.parquet" in said
    part.unlink()
    done(querymix("crowd", "build", log, "--parts", parts, "-o", file, *FIELDS, *ALL))
    assert CrowdTable(file).enough("query red shoes", 3)


def test_standard_input_is_read(spawn: Spawn, log: Path, file: Path) -> None:
    process = spawn("crowd", "build", "-", "-o", file, *FIELDS, *ALL)
    _, said = process.communicate(log.read_bytes())
    assert process.returncode == 0, said
    assert CrowdTable(file).enough("query red shoes", 3)


def test_a_full_disk_is_told_and_what_was_there_stays(
    querymix: Command, log: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(querymix("crowd", "build", log, "-o", file, *FIELDS, *ALL))
    before = file.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for place in ("querymix.crowd.writing.make_own", "querymix.crowd.window.Window.take"):
        with monkeypatch.context() as patched:
            patched.setattr(place, full)
            said = done(querymix("crowd", "build", log, "-o", file, *FIELDS, *ALL), 1)
        assert "No space left on device. Make room" in said.replace("\n", " ")
        assert file.read_bytes() == before
        assert sorted(path.name for path in file.parent.iterdir()) == [file.name, log.name]


def test_a_killed_add_leaves_no_half_part_and_may_be_given_again(
    querymix: Command, spawn: Spawn, log: Path, file: Path, tmp_path: Path
) -> None:
    parts = tmp_path / "parts"
    process = spawn("crowd", "add", "-", "--parts", parts, *FIELDS, "--verbose")
    assert process.stdin
    assert process.stderr
    process.stdin.write(b"who,what,when\nann,half,2026-03-12 12:00:00\n")
    process.stdin.flush()
    assert any(b"reading" in line for line in process.stderr), "it has ended"
    process.kill()
    process.wait()
    done(querymix("crowd", "build", log, "--parts", parts, "-o", file, *FIELDS, *ALL))
    assert CrowdTable(file).enough("query red shoes", 3)
    assert not (parts / "adding").exists()


def test_a_stop_leaves_no_part_and_no_table(spawn: Spawn, file: Path, tmp_path: Path) -> None:
    """A request to stop arrives while a pipe is waited for."""
    for command in (["build", "-", "-o", file], ["add", "-", "--parts", tmp_path / "parts"]):
        process = spawn("crowd", *command, *FIELDS, "--verbose")
        assert process.stdin
        assert process.stderr
        process.stdin.write(b"who,what,when\nann,red,2026-03-01 12:00:00\n")
        process.stdin.flush()
        assert any(b"reading" in line for line in process.stderr), "it has ended"
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 130
    assert not file.exists()
    assert not list(tmp_path.rglob("*.parquet"))
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
