"""What lies under a name that can be guessed is ours, or it is refused and left as it is."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from querymix.core.errors import ConfigError, TransientError
from querymix.knowledge.writing import write
from querymix.local.checkpoint import FILE, Checkpoint, form_in
from querymix.local.output import PACKING, PARTIAL, Output
from querymix.own_files import ROOT, check_own, make_own, open_own, write_own
from querymix.stores.sqlite import BESIDE, SqliteProfiles

PRECIOUS = b"precious\n"
Trap = Callable[[Path, Path], None]


def by_link(trap: Path, victim: Path) -> None:
    trap.symlink_to(victim)


def by_hard_link(trap: Path, victim: Path) -> None:
    trap.hardlink_to(victim)


traps = pytest.mark.parametrize("lay", [by_link, by_hard_link])


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file of the user's that somebody else would have overwritten."""
    (tmp_path / "home").mkdir()
    file = tmp_path / "home" / "victim"
    file.write_bytes(PRECIOUS)
    return file


@traps
def test_a_private_file_is_no_link(tmp_path: Path, victim: Path, lay: Trap) -> None:
    lay(tmp_path / "out.refused", victim)
    with pytest.raises(ConfigError, match="link"):
        Output(str(tmp_path / "out.refused"), private=True)
    assert victim.read_bytes() == PRECIOUS


@traps
def test_an_unfinished_output_is_no_link(tmp_path: Path, victim: Path, lay: Trap) -> None:
    lay(tmp_path / f"out{PARTIAL}", victim)
    with pytest.raises(ConfigError, match="link"):
        Output(str(tmp_path / "out"), beside=True)
    assert victim.read_bytes() == PRECIOUS


@traps
def test_what_is_packed_is_written_to_a_file_that_was_made_for_it(tmp_path: Path, victim: Path, lay: Trap) -> None:
    lay(tmp_path / f"out.gz{PACKING}", victim)
    output = Output(str(tmp_path / "out.gz"))
    output.start()
    output.write(b"line\n")
    output.finish()
    output.close()
    assert victim.read_bytes() == PRECIOUS
    assert (tmp_path / "out.gz").read_bytes().startswith(b"\x1f\x8b")


@traps
def test_a_part_of_a_bundle_is_no_link(tmp_path: Path, victim: Path, lay: Trap) -> None:
    lay(tmp_path / f"a.bundle.{os.getpid()}.part", victim)
    write(tmp_path / "a.bundle", b"bundle")
    assert victim.read_bytes() == PRECIOUS
    assert (tmp_path / "a.bundle").read_bytes() == b"bundle"


@traps
@pytest.mark.parametrize("suffix", ["", *BESIDE])
@pytest.mark.parametrize("opens", [lambda folder: Checkpoint(folder, {}), form_in])
def test_the_files_of_a_state_are_no_links(
    tmp_path: Path, victim: Path, lay: Trap, suffix: str, opens: Callable[[Path], object]
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    if suffix:
        (folder / FILE).touch()
    lay(folder / f"{FILE}{suffix}", victim)
    with pytest.raises(ConfigError, match="link"):
        opens(folder)
    assert victim.read_bytes() == PRECIOUS


@traps
def test_what_lies_beside_profiles_is_no_link_though_they_may_be_one(tmp_path: Path, victim: Path, lay: Trap) -> None:
    (tmp_path / "profiles.db").symlink_to(tmp_path / "home" / "real.db")
    SqliteProfiles(tmp_path / "profiles.db")._db.close()
    assert (tmp_path / "home" / "real.db").stat().st_size
    lay(tmp_path / "home" / "real.db-journal", victim)
    with pytest.raises(ConfigError, match="link"):
        SqliteProfiles(tmp_path / "profiles.db")
    assert victim.read_bytes() == PRECIOUS


@traps
@pytest.mark.parametrize("name", ["report", "report.part"])
def test_a_report_takes_the_place_of_a_link_and_of_what_was_left_over(
    tmp_path: Path, victim: Path, lay: Trap, name: str
) -> None:
    lay(tmp_path / name, victim)
    write_own(tmp_path / "report", b"figures")
    assert (tmp_path / "report").read_bytes() == b"figures"
    assert not (tmp_path / "report").is_symlink()
    assert victim.read_bytes() == PRECIOUS
    assert not (tmp_path / "report.part").exists()


def test_an_output_that_the_user_has_named_may_still_be_a_link(tmp_path: Path, victim: Path) -> None:
    (tmp_path / "out").symlink_to(victim)
    output = Output(str(tmp_path / "out"), beside=True)
    output.start()
    output.write(b"line\n")
    output.finish()
    output.close()
    assert (tmp_path / "out").is_symlink()
    assert victim.read_bytes() == b"line\n"


def status(path: Path, **fields: int) -> os.stat_result:
    """Return a file's status with other fields."""
    found = path.lstat()
    names = (
        "st_mode",
        "st_ino",
        "st_dev",
        "st_nlink",
        "st_uid",
        "st_gid",
        "st_size",
        "st_atime",
        "st_mtime",
        "st_ctime",
    )
    return os.stat_result([fields.get(name, getattr(found, name)) for name in names])


def test_a_file_of_somebody_else_is_refused_unless_the_folder_is_theirs_too(victim: Path) -> None:
    for owner in (os.geteuid(), ROOT):
        check_own(victim, status(victim, st_uid=owner))
    stranger = os.geteuid() + 4321
    with pytest.raises(ConfigError, match="belongs to another user"):
        check_own(victim, status(victim, st_uid=stranger))
    if os.geteuid() == ROOT:
        os.chown(victim.parent, stranger, -1)
        check_own(victim, status(victim, st_uid=stranger))
        with pytest.raises(ConfigError, match="belongs to another user"):
            check_own(victim, status(victim, st_uid=stranger + 1))


@pytest.mark.skipif(os.geteuid() != ROOT, reason="only root can make a file of somebody else")
def test_in_a_folder_of_everybody_nothing_of_a_stranger_is_opened(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    for name in ("out.refused", f"out{PARTIAL}", "state", f"profiles.db{BESIDE[0]}", "theirs.db"):
        (shared / name).mkdir() if name == "state" else (shared / name).touch()
        os.chown(shared / name, 4321, 4321)
    (shared / "state" / FILE).touch()
    os.mkfifo(shared / "pipe.refused")
    os.chown(shared / "pipe.refused", 4321, 4321)
    opens: list[Callable[[], object]] = [
        lambda: Output(str(shared / "out.refused"), private=True),
        lambda: Output(str(shared / "pipe.refused"), private=True),
        lambda: Output(str(shared / "out"), beside=True),
        lambda: Checkpoint(shared / "state", {}),
        lambda: form_in(shared / "state"),
        lambda: SqliteProfiles(shared / "profiles.db"),
        lambda: SqliteProfiles(shared / "theirs.db"),
    ]
    for one in opens:
        with pytest.raises(ConfigError, match="belongs to another user"):
            one()


def test_what_is_private_is_for_its_owner_only_and_what_is_left_over_is_replaced(tmp_path: Path) -> None:
    for opens in (open_own, make_own, make_own):
        os.close(opens(tmp_path / "file", private=True))
        assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "program",
    [
        "CREATE VIEW profile AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT x AS user, 1 AS category, 1 AS count FROM n",
        "CREATE TABLE profile (user, category, count)",
    ],
)
def test_a_forged_database_runs_no_program_of_its_own(tmp_path: Path, program: str) -> None:
    with sqlite3.connect(tmp_path / "profiles.db") as db:
        db.execute("CREATE TABLE applied (source TEXT PRIMARY KEY, offset INTEGER)")
        db.execute(program)
        if "VIEW" not in program:
            db.execute("CREATE TRIGGER more AFTER INSERT ON profile BEGIN DELETE FROM applied; END")
    with pytest.raises(ConfigError, match="views, triggers"):
        SqliteProfiles(tmp_path / "profiles.db")
    (tmp_path / "state").mkdir()
    (tmp_path / "profiles.db").rename(tmp_path / "state" / FILE)
    with pytest.raises(ConfigError, match="views, triggers"):
        Checkpoint(tmp_path / "state", {})


async def test_a_tree_whose_branches_lead_to_each_other_is_not_read_for_ever(tmp_path: Path) -> None:
    """Each page of the file can be met from its parent any number of times."""
    store = SqliteProfiles(tmp_path / "profiles.db")
    await store.apply("source", {0: {(f"user {number:05d}", 1): 1 for number in range(20_000)}})
    await store.close()
    data = bytearray((tmp_path / "profiles.db").read_bytes())
    size = int.from_bytes(data[16:18], "big")
    for page in range(1, len(data) // size):  # of pages whose cells lead to others: all to the first one's
        begin = page * size
        if data[begin] == 2:
            count = int.from_bytes(data[begin + 3 : begin + 5], "big")
            places = [int.from_bytes(data[begin + 12 + 2 * n : begin + 14 + 2 * n], "big") for n in range(count)]
            for place in places[1:]:
                data[begin + place : begin + place + 4] = data[begin + places[0] : begin + places[0] + 4]
    (tmp_path / "profiles.db").write_bytes(data)
    store = SqliteProfiles(tmp_path / "profiles.db")
    users = 0
    with suppress(TransientError, ConfigError):
        async for _ in store.export():
            users += 1
            assert users <= len(data)
    await store.close()
