"""What only the SQLite store can promise: nothing half done after a kill, and a clear end where the file fails."""

import resource
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from querymix.core.errors import ConfigError, TransientError
from querymix.stores.sqlite import SqliteProfiles

USERS = 50

APPLYING = """
import asyncio, itertools, sys
from pathlib import Path
from querymix.stores.sqlite import SqliteProfiles

async def main():
    store = SqliteProfiles(Path(sys.argv[1]))
    for offset in itertools.count():
        await store.apply("s", {offset: {(f"u{number}", 0): 1 for number in range(50)}})
        print(offset, flush=True)

asyncio.run(main())
"""

DYING = """
import asyncio, os, signal, sys
from pathlib import Path
from querymix.stores.sqlite import SqliteProfiles

class Dying(dict):
    def items(self):
        yield ("a", 0), 1
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    store = SqliteProfiles(Path(sys.argv[1]))
    await store.apply("s", {0: {("a", 0): 1}})
    await store.apply("s", {1: Dying()})

asyncio.run(main())
"""


def killed_after(batches: int, path: Path) -> int:
    """Kill a process that has reported so many batches and goes on; return the last offset that it reported."""
    with subprocess.Popen([sys.executable, "-c", APPLYING, str(path)], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        reported = [int(running.stdout.readline()) for _ in range(batches)]
        running.kill()
    return reported[-1]


def dying(path: Path) -> None:
    """Run a process that is killed inside its second batch."""
    assert subprocess.run([sys.executable, "-c", DYING, str(path)], check=False).returncode == -9


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "profiles.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteProfiles]:
    store = SqliteProfiles(path, patience=0)
    yield store
    await store.close()


async def test_a_kill_leaves_whole_batches_only_and_each_that_was_reported(path: Path) -> None:
    reported = killed_after(20, path)
    store = SqliteProfiles(path)
    counts = [dict(counts) async for _, counts in store.export()]
    batches = counts[0][0]
    assert counts == [{0: batches}] * USERS
    assert batches > reported
    await store.apply("s", {batches - 1: {("u0", 0): 100}})
    await store.apply("s", {batches: {("u0", 0): 1}})
    assert await store.get("u0") == {0: batches + 1}
    await store.close()


async def test_a_kill_inside_a_batch_leaves_neither_its_counts_nor_its_offset(path: Path) -> None:
    dying(path)
    store = SqliteProfiles(path)
    assert await store.get("a") == {0: 1}
    await store.apply("s", {1: {("a", 0): 1}})
    assert await store.get("a") == {0: 2}
    await store.close()


async def test_an_error_inside_a_batch_leaves_nothing_of_it(store: SqliteProfiles) -> None:
    with pytest.raises(TransientError):
        await store.apply("s", {0: {("a", 0): 1, ("b", 0): None}})  # type: ignore[dict-item]
    assert await store.get("a") is None
    await store.apply("s", {0: {("a", 0): 1}})
    assert await store.get("a") == {0: 1}


async def test_a_locked_file_is_broken_and_the_same_call_works_once_it_is_free(
    path: Path, store: SqliteProfiles
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(
            TransientError, match=r"locked \(SQLITE_BUSY\)\. Another program writes to them: wait until"
        ):
            await store.apply("s", {0: {("a", 0): 1}})
        other.execute("ROLLBACK")
    await store.apply("s", {0: {("a", 0): 1}})
    assert await store.get("a") == {0: 1}


async def test_a_full_disk_is_broken_and_the_same_call_works_once_there_is_room(
    path: Path, store: SqliteProfiles
) -> None:
    await store.apply("s", {0: {("a", 0): 1}})
    evidence = {(f"u{number}" * 10, 0): 1 for number in range(5_000)}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(TransientError, match="cannot write the profiles"):
            await store.apply("s", {1: evidence})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [user async for user, _ in store.export()] == ["a"]
    await store.apply("s", {1: evidence})
    assert len([user async for user, _ in store.export()]) == 5_001


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("max_page_count = 1", r"\(SQLITE_FULL\)\. Make room on the disk and give the same command again"),
        ("query_only = 1", r"\(SQLITE_READONLY\)\. Give this user the right to write to the file"),
    ],
)
async def test_why_sqlite_refuses_is_told_by_its_name_with_what_to_do(
    store: SqliteProfiles, setting: str, says: str
) -> None:
    store._db.execute(f"PRAGMA {setting}")
    with pytest.raises(TransientError, match=says):
        await store.apply("s", {1: {(f"u{number}" * 10, 0): 1 for number in range(5_000)}})


def damage(path: Path) -> None:
    """Overwrite all of a file but its first page."""
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"x" * (len(whole) - 4096))


async def test_a_damaged_file_is_told_as_one_and_not_as_a_full_disk(path: Path) -> None:
    store = SqliteProfiles(path)
    await store.apply("s", {0: {(f"u{number}" * 10, 0): 1 for number in range(5_000)}})
    await store.close()
    damage(path)
    store = SqliteProfiles(path)
    with pytest.raises(TransientError, match=r"malformed \(SQLITE_CORRUPT\)\. The file is damaged: put a copy"):
        _ = [user async for user, _ in store.export()]
    await store.close()


@pytest.mark.parametrize("row", ["'text', 0, 1", "x'61', 99, 1", "x'61', 'b', 1", "x'61', 0, 'many'", "x'61', 0, -1"])
async def test_a_row_that_is_none_of_ours_is_told_as_damage(path: Path, row: str) -> None:
    store = SqliteProfiles(path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"INSERT INTO profile VALUES ({row})")  # noqa: S608 - the test's own
    with pytest.raises(TransientError, match="The file is damaged: put a copy"):
        _ = [user async for user, _ in store.export()]
    if "text" not in row:
        with pytest.raises(TransientError, match="The file is damaged: put a copy"):
            await store.get("a")
    await store.close()


async def test_a_closed_store_is_broken_for_every_call(path: Path) -> None:
    store = SqliteProfiles(path)
    await store.close()
    with pytest.raises(TransientError, match="cannot write the profiles"):
        await store.apply("s", {0: {("a", 0): 1}})
    with pytest.raises(TransientError, match="cannot read the profiles"):
        await store.get("a")
    with pytest.raises(TransientError, match="cannot read the profiles"):
        _ = [user async for user, _ in store.export()]


async def test_no_user_shows_in_an_error_or_a_repr(path: Path) -> None:
    store = SqliteProfiles(path)
    await store.apply("s", {0: {("somebody", 0): 1}})
    with pytest.raises(TransientError) as caught:
        await store.apply("s", {1: {("somebody", "x" * 5): None}})  # type: ignore[dict-item]
    assert "somebody" not in f"{caught.value} {store!r}"
    await store.close()


def test_a_missing_folder_is_an_operators_mistake(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot open the profiles in"):
        SqliteProfiles(tmp_path / "missing" / "profiles.db")


def test_a_file_that_is_no_database_is_an_operators_mistake_and_left_alone(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(ConfigError, match="cannot open the profiles in"):
        SqliteProfiles(path)
    assert path.read_bytes() == b"no database at all" * 100


@pytest.mark.parametrize("schema", ["CREATE TABLE profile (other)", "CREATE TABLE applied (other)"])
def test_a_database_of_another_kind_is_an_operators_mistake(path: Path, schema: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(schema)
    with pytest.raises(ConfigError, match="cannot open the profiles in"):
        SqliteProfiles(path)


def test_a_database_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE customers (name TEXT)")
        db.commit()
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="no profiles"):
        SqliteProfiles(path)
    assert path.read_bytes() == before


def test_a_file_that_is_locked_as_it_is_opened_is_no_wrong_option(tmp_path: Path) -> None:
    path = tmp_path / "profiles.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        with pytest.raises(TransientError, match="same command again"):
            SqliteProfiles(path, patience=0.0)
