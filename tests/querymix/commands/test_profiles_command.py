"""`querymix profiles`: one profile as numbers or bars, all of them as JSON lines or CSV."""

import asyncio
import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from querymix.core.knowledge import CATEGORIES
from querymix.core.pseudonyms import Pseudonyms
from querymix.stores.sqlite import SqliteProfiles

from tests.conftest import HANGS
from tests.keys import KEY, key_file

Command = Callable[..., Result]
Spawn = Callable[..., "subprocess.Popen[bytes]"]

ANN = {"Science": 5, "Business": 10, "Arts": 20, "Health": 5, "Computers": 10, "Sports": 1}
"""The spec's worked example, after the one Sports query."""


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "profiles.db"

    async def fill() -> None:
        store = SqliteProfiles(path)
        counts = {("ann", CATEGORIES.index(name)): count for name, count in ANN.items()}
        counts |= {("bob", 0): 3, (Pseudonyms(KEY)["cy"], 1): 2, ("d\udcff", 15): 1}
        await store.apply("test", {1: counts})
        await store.close()

    asyncio.run(fill())
    return path


def test_the_worked_example_has_its_weights(querymix: Command, db: Path) -> None:
    result = querymix("profiles", "show", "ann", "--profiles", db, "--json")
    assert result.exit_code == 0
    profile = json.loads(result.stdout)
    assert (profile["user"], profile["total"], profile["counts"]) == ("ann", 51, ANN)
    assert {name: round(100 * weight, 4) for name, weight in profile["weights"].items()} == {
        "Arts": 39.2157, "Health": 9.8039, "Science": 9.8039, "Computers": 19.6078, "Sports": 1.9608,
        "Business": 19.6078,
    }  # fmt: skip


def test_a_profile_is_drawn_with_the_strongest_category_first(querymix: Command, db: Path) -> None:
    lines = querymix("profiles", "show", "ann", "--profiles", db).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["Arts", "Business", "Computers", "Health", "Science", "Sports"]
    assert "39.2157 %" in lines[0]
    assert lines[0].count("█") == 40
    assert 9 <= lines[3].count("█") <= 10


def test_an_unknown_user_is_exit_code_1(querymix: Command, db: Path) -> None:
    result = querymix("profiles", "show", "eve", "--profiles", db)
    assert result.exit_code == 1
    assert "no profile of that user" in result.stderr
    assert "eve" not in result.stderr


def test_a_user_is_found_under_its_pseudonym(querymix: Command, db: Path, tmp_path: Path) -> None:
    key = key_file(tmp_path / "key")
    args = ("profiles", "show", "cy", "--profiles", db, "--json")
    assert querymix(*args).exit_code == 1
    assert json.loads(querymix(*args, "--pseudonym-key-file", key).stdout)["counts"] == {"Arts": 2}


def test_json_lines_have_one_user_each_in_order(querymix: Command, db: Path) -> None:
    result = querymix("profiles", "export", "--profiles", db)
    assert result.exit_code == 0
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["user"] for row in rows] == [Pseudonyms(KEY)["cy"], "ann", "bob", "d\\xff"]
    assert rows[1]["counts"] == ANN
    assert all(abs(sum(row["weights"].values()) - 1) < 1e-9 for row in rows)


def test_csv_has_a_column_for_every_category(querymix: Command, db: Path, tmp_path: Path) -> None:
    out = tmp_path / "profiles.csv"
    assert querymix("profiles", "export", "--profiles", db, "--format", "csv", "-o", out).exit_code == 0
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["user", "total", *CATEGORIES]
    ann = next(row for row in rows if row["user"] == "ann")
    assert {name: int(ann[name]) for name in CATEGORIES if ann[name] != "0"} == ANN
    assert ann["total"] == "51"


def test_the_environment_may_name_the_file(querymix: Command, db: Path) -> None:
    assert querymix("profiles", "show", "bob", QUERYMIX_PROFILES=str(db)).exit_code == 0


@pytest.mark.parametrize("content", [None, b"this is no database, but a text of some length" * 50])
def test_what_is_no_store_of_profiles_is_refused(querymix: Command, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.db"
    if content is not None:
        path.write_bytes(content)
    for args in (("show", "ann"), ("export",)):
        result = querymix("profiles", *args, "--profiles", path)
        assert result.exit_code == 2
        assert "x.db" in result.stderr
    assert content is not None or not path.exists(), "looking makes no file"


@pytest.mark.parametrize("command", [("show", "ann"), ("export",)])
def test_without_a_file_the_missing_option_is_named(querymix: Command, command: tuple[str, ...]) -> None:
    result = querymix("profiles", *command)
    assert result.exit_code == 2
    assert "'--profiles'" in result.stderr


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_reader_that_ends_early_is_told_of_without_a_traceback(db: Path, form: str, spawn: Spawn) -> None:
    many = {(f"user{n}", n % 16): 1 for n in range(5_000)}

    async def fill() -> None:
        store = SqliteProfiles(db)
        await store.apply("many", {1: many})
        await store.close()

    asyncio.run(fill())
    process = spawn("profiles", "export", "--profiles", db, "--format", form)
    assert process.stdout is not None
    process.stdout.close()
    _, said = process.communicate(timeout=HANGS)
    assert process.returncode == 1
    (line,) = said.decode().splitlines()
    assert line.startswith("querymix: cannot write standard output: its reader has ended.")


FORMULAS = [
    "=1+1",
    "@SUM(1)",
    "+cmd|' /C calc'!A0",
    "-7+1",
    " =1",
    "\t=1",
    "\tann",
    "\r1",
    "\n=1",
    "|calc",
    "\uff1d1",
    "\ufeff=1",
    "\u200b=1",
    "'=1",
    '"=1',
]
BEHIND = {"a;=1": "a;'=1", "a,+x": "a,'+x", "a\t@b": "a\t'@b", "a;b| -1": "a;b|' -1"}
"""What a spreadsheet meets that parts cells otherwise."""
NUMBERS = ["-7", "+34", "12", "-0.5", "ann", "a=b", "d\\xff"]


def test_no_cell_of_csv_is_a_formula_and_numbers_and_names_stay(querymix: Command, tmp_path: Path) -> None:
    path, out = tmp_path / "p.db", tmp_path / "p.csv"

    async def fill() -> None:
        store = SqliteProfiles(path)
        await store.apply("test", {1: {(user, 0): 1 for user in [*FORMULAS, *BEHIND, *NUMBERS]}})
        await store.close()

    asyncio.run(fill())
    result = querymix("profiles", "export", "--profiles", path, "--format", "csv", "-o", out)
    assert result.exit_code == 0
    with out.open(newline="") as file:
        users = {row["user"] for row in csv.DictReader(file)}
    assert users == {f"'{text}" for text in FORMULAS} | set(BEHIND.values()) | set(NUMBERS)
    assert f"{len(FORMULAS) + len(BEHIND)} user ids could be taken for formulas" in result.stderr
    exact = querymix("profiles", "export", "--profiles", path, "-o", out)
    assert "formulas" not in exact.stderr
    assert {json.loads(line)["user"] for line in out.read_bytes().splitlines()} == {*FORMULAS, *BEHIND, *NUMBERS}
