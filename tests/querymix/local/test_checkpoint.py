"""A checkpoint gives back the last decided batch, to the run that it belongs to and to no other."""

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.errors import ConfigError, TransientError
from querymix.local.checkpoint import Checkpoint, Saved, form_in

RUN = {"k": 20, "mode": "distinct", "inputs": [["log.tsv", 12, 34]], "max_hold": None, "click_wait": 1.0}

KILLED = """
import os, signal, sys
from pathlib import Path
from querymix.local.checkpoint import Checkpoint
checkpoint = Checkpoint(Path(sys.argv[1]), {})
for batch in range(1, 4):
    checkpoint.save({"batch": batch, "held": ["x" * 100_000]}, b"out %d" % batch, b"")
checkpoint._db.execute("BEGIN")
checkpoint.save({"batch": 4}, b"out 4", b"")
os.kill(os.getpid(), signal.SIGKILL)
"""

texts = st.one_of(st.text(), st.binary(max_size=8).map(lambda raw: raw.decode("utf-8", "surrogateescape")))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=10,
)
states = st.dictionaries(texts.filter(lambda key: key != "run"), values, max_size=4)


@contextmanager
def opened(folder: Path, run: dict[str, Any] | None = None) -> Iterator[Checkpoint]:
    """Open a checkpoint and close it."""
    with closing(Checkpoint(folder, RUN if run is None else run)) as checkpoint:
        yield checkpoint


def mode(path: Path) -> int:
    """Return a file's permissions."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkpoint")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "checkpoint"


def test_at_the_first_start_nothing_was_decided(folder: Path) -> None:
    with opened(folder) as checkpoint:
        assert checkpoint.load() is None


@settings(deadline=None, max_examples=50)
@given(states, st.binary(), st.binary())
def test_what_was_saved_is_loaded_in_the_same_process_and_the_next(
    shared: Path, state: dict[str, Any], out: bytes, refused: bytes
) -> None:
    expected = Saved(state | {"run": RUN}, out, refused)
    with opened(shared) as checkpoint:
        checkpoint.save(state, out, refused)
        assert checkpoint.load() == expected
    with opened(shared) as checkpoint:
        assert checkpoint.load() == expected


def test_only_the_last_batch_is_kept(folder: Path) -> None:
    with opened(folder) as checkpoint:
        for batch in range(3):
            checkpoint.save({"batch": batch}, b"out %d" % batch, b"refused %d" % batch)
        saved = checkpoint.load()
    assert saved == Saved({"batch": 2, "run": RUN}, b"out 2", b"refused 2")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"k": 21}, "other k:"),
        ({"mode": "paper"}, "other mode:"),
        ({"max_hold": 600.0}, "other max_hold:"),
        ({"inputs": [["log.tsv", 12, 35]]}, "other inputs:"),
        ({"k": 2, "mode": "paper"}, "other k, mode:"),
        ({"new": 1}, "other new:"),
    ],
)
def test_another_run_is_told_which_options_differ(folder: Path, change: dict[str, Any], named: str) -> None:
    with opened(folder) as checkpoint:
        checkpoint.save({}, b"", b"")
    with opened(folder, RUN | change) as checkpoint, pytest.raises(ConfigError, match=named):
        checkpoint.load()
    with opened(folder) as checkpoint:
        assert checkpoint.load() is not None


def test_a_run_that_was_killed_goes_on_with_the_knowledge_of_another_version(folder: Path) -> None:
    with opened(folder, RUN | {"knowledge": "old"}) as checkpoint:
        checkpoint.save({}, b"", b"")
    with opened(folder, RUN | {"knowledge": "new"}) as checkpoint:
        saved = checkpoint.load()
    assert saved is not None
    assert saved.mine


def test_a_run_is_told_the_checkpoints_own_values_and_never_its_key(folder: Path) -> None:
    with opened(folder, RUN | {"pseudonym_key": "a hash"}) as checkpoint:
        checkpoint.save({}, b"", b"")
    other = {"k": 21, "mode": "paper", "inputs": [], "pseudonym_key": "other"}
    with opened(folder, RUN | other) as checkpoint, pytest.raises(ConfigError) as raised:
        checkpoint.load()
    assert "(it has k = 20, mode = distinct)" in str(raised.value)
    assert "hash" not in str(raised.value)


def test_a_checkpoint_from_before_an_option_existed_is_refused_and_the_option_named(folder: Path) -> None:
    """What no release wrote: nobody knows which value held."""
    old = {key: value for key, value in RUN.items() if key != "click_wait"}
    with opened(folder, old) as checkpoint:
        checkpoint.save({}, b"", b"")
    with opened(folder) as checkpoint, pytest.raises(ConfigError, match="other click_wait:"):
        checkpoint.load()


def test_folder_and_files_are_for_their_owner_only(folder: Path) -> None:
    with opened(folder) as checkpoint:
        checkpoint.save({"held": ["made-up text"]}, b"out", b"refused")
        assert mode(folder) == 0o700
        assert {mode(file) for file in folder.iterdir()} == {0o600}


def test_no_query_shows_in_a_repr(folder: Path) -> None:
    with opened(folder) as checkpoint:
        checkpoint.save({"held": ["made-up text"]}, b"made-up text", b"made-up text")
        assert "made-up" not in f"{checkpoint.load()!r} {checkpoint.load()} {checkpoint!r}"


def test_a_second_run_cannot_use_a_folder_that_is_in_use(folder: Path) -> None:
    """Both would resume the same state and draw twice from it, which puts one query under two users."""
    with opened(folder) as checkpoint:
        checkpoint.save({"batch": 1}, b"", b"")
        with pytest.raises(ConfigError, match="in use by another run"):
            Checkpoint(folder, RUN)
        checkpoint.save({"batch": 2}, b"", b"")
    with opened(folder) as checkpoint:
        assert checkpoint.load() == Saved({"batch": 2, "run": RUN}, b"", b"")


def test_a_killed_process_leaves_the_last_whole_batch_and_no_lock(folder: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, str(folder)], check=False)
    assert killed.returncode == -9
    with opened(folder, {}) as checkpoint:
        saved = checkpoint.load()
    assert saved is not None
    assert saved.state["batch"] == 3
    assert saved.out == b"out 3"


def test_a_checkpoint_that_cannot_be_written_is_broken(folder: Path) -> None:
    checkpoint = Checkpoint(folder, RUN)
    checkpoint.close()
    with pytest.raises(TransientError, match="cannot write the state"):
        checkpoint.save({}, b"", b"")


def test_a_file_in_the_folders_place_is_an_operators_mistake(folder: Path) -> None:
    folder.touch()
    with pytest.raises(ConfigError, match="cannot use the state folder"):
        Checkpoint(folder, RUN)


def test_a_folder_with_another_file_of_that_name_is_an_operators_mistake(folder: Path) -> None:
    folder.mkdir()
    (folder / "checkpoint.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(ConfigError, match="cannot use the state in"):
        Checkpoint(folder, RUN)


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE batch; CREATE TABLE batch (other)",
        "UPDATE batch SET state = '{'",
        "UPDATE batch SET state = '[]'",
        "UPDATE batch SET state = '{}'",
        "UPDATE batch SET state = replace(hex(zeroblob(4500)), '0', '[')",  # 9,000 brackets
    ],
)
def test_a_damaged_checkpoint_is_an_operators_mistake_and_never_a_fresh_start_by_accident(
    folder: Path, damage: str
) -> None:
    with opened(folder) as checkpoint:
        checkpoint.save({}, b"", b"")
    with closing(sqlite3.connect(folder / "checkpoint.sqlite")) as db:
        db.executescript(damage)
    assert form_in(folder) is None
    with pytest.raises(ConfigError, match="cannot use the state in"), opened(folder) as checkpoint:
        checkpoint.load()


@pytest.mark.parametrize(
    "damage",
    ["state = replace(state, '15', '16')", "out = CAST('ouu' AS BLOB)", "refused = CAST('other' AS BLOB)", "state = 7"],
)
def test_a_state_of_which_a_byte_has_changed_is_not_gone_on_from(folder: Path, damage: str) -> None:
    with opened(folder) as checkpoint:
        checkpoint.save({"held": [15]}, b"out", b"refused")
    with opened(folder) as checkpoint:
        assert checkpoint.load() is not None
    with closing(sqlite3.connect(folder / "checkpoint.sqlite")) as db, db:
        assert db.execute(f"UPDATE batch SET {damage}").rowcount == 1  # noqa: S608 - the test's own
    with pytest.raises(ConfigError, match="damaged"), opened(folder) as checkpoint:
        checkpoint.load()


def test_a_state_of_a_version_that_wrote_no_digest_is_gone_on_from(folder: Path) -> None:
    with opened(folder) as checkpoint:
        checkpoint.save({"held": [15]}, b"out", b"refused")
    with closing(sqlite3.connect(folder / "checkpoint.sqlite")) as db, db:
        db.execute("""UPDATE batch SET state = substr(state, 1, instr(state, ',"digest"') - 1) || '}'""")
    with opened(folder) as checkpoint:
        saved = checkpoint.load()
    assert saved is not None
    assert saved.state["held"] == [15]
    assert "digest" not in saved.state


def test_what_was_taken_is_told_as_damaged_where_it_cannot_be_read(folder: Path) -> None:
    with opened(folder) as checkpoint:
        checkpoint._db.execute("DROP TABLE taken")
        with pytest.raises(ConfigError, match="damaged"):
            _ = checkpoint.taken


@pytest.mark.parametrize("part", ["anonymizing", "classifying", "guesses", "pools", "evidence", "out"])
def test_a_forged_state_ends_with_a_word(querymix: Callable[..., Result], tmp_path: Path, part: str) -> None:
    log = tmp_path / "log.tsv"
    log.write_text("".join(f"{n % 7}\tgolf {n}\t2006-03-01 07:17:{n:02}\t\t\n" for n in range(50)))
    start = ("run", log, "-o", tmp_path / "out.tsv", "--k", "3", "--state", tmp_path / "state", "-q")
    assert querymix(*start).exit_code == 0
    with closing(sqlite3.connect(tmp_path / "state" / "checkpoint.sqlite")) as db, db:
        db.execute("UPDATE batch SET state = substr(state, 1, instr(state, ',\"digest\"') - 1) || '}'")
        db.execute(f"""UPDATE batch SET state = replace(state, '"{part}":', '"{part}":"x","y":')""")  # noqa: S608
        db.execute("DELETE FROM ended")
    result = querymix(*start)
    assert isinstance(result.exception, SystemExit), result.exception


@pytest.mark.parametrize("filled", [0, 1_000_000])
def test_a_key_that_was_dropped_is_in_no_file_of_the_folder(tmp_path: Path, filled: int) -> None:
    folder, key = tmp_path / "state", "8f3c" * 8

    def holds() -> bool:
        return any(key.encode() in path.read_bytes() for path in folder.iterdir())

    checkpoint = Checkpoint(folder, {})
    checkpoint.save({"batch": 1, "filled": "x" * filled, "ids": [86400.0, 1, key], "more": "y" * filled}, b"", b"")
    assert holds()
    checkpoint.save({"batch": 2, "ids": None}, b"", b"")
    assert not holds()
    checkpoint.close()
    assert not holds()


@pytest.mark.parametrize("period", [86_400.0, None, "session"])
def test_a_state_of_before_ids_had_periods_is_gone_on_from_under_any(folder: Path, period: object) -> None:
    with opened(folder) as checkpoint:
        checkpoint.save({"batch": 1, "refusals": 0}, b"", b"")
    with opened(folder, RUN | {"pseudonym_period": period}) as checkpoint:
        saved = checkpoint.load()
        assert saved
        assert saved.mine


def test_a_killed_run_is_not_resumed_under_ids_of_another_period(folder: Path) -> None:
    with opened(folder, RUN | {"pseudonym_period": 86_400.0}) as checkpoint:
        checkpoint.save({"batch": 1, "refusals": 0}, b"", b"")
    other = RUN | {"pseudonym_period": None}
    with opened(folder, other) as checkpoint, pytest.raises(ConfigError, match="other pseudonym_period"):
        checkpoint.load()


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"crowd": "a table", "crowd_table": "two"}, True),
        ({"most_words": 6}, True),
        ({"crowd": "a table", "crowd_users": 30, "most_words": 9}, True),
        ({"crowd": "stream"}, False),
        ({}, False),
    ],
)
def test_what_waits_from_a_run_that_screened_by_other_rules_is_told_of(
    folder: Path, rules: dict[str, Any], told: bool
) -> None:
    for before, now in ((RUN, told), ({**RUN, **rules, "crowd_table": "one"}, False)):
        with opened(folder / str(now), before) as checkpoint:
            checkpoint.save({"batch": 3}, b"", b"")
            checkpoint.end(3, [])
        with opened(folder / str(now), {**RUN, **rules, "inputs": [["next.tsv", 1, 2]]}) as checkpoint:
            checkpoint.load()
            assert checkpoint.unscreened is now


def test_a_run_that_is_resumed_with_another_crowd_table_goes_on_and_says_so(folder: Path) -> None:
    """As with another knowledge: what was decided stays. The next run may have any table."""
    with opened(folder, {**RUN, "crowd": "a table", "crowd_table": "one"}) as checkpoint:
        checkpoint.save({"batch": 3}, b"", b"")
        assert not checkpoint.other_crowd
    for table in ("one", "other"):
        with opened(folder, {**RUN, "crowd": "a table", "crowd_table": table}) as checkpoint:
            saved = checkpoint.load()
            assert saved is not None
            assert saved.mine
            assert checkpoint.other_crowd is (table == "other")
    with opened(folder) as checkpoint, pytest.raises(ConfigError, match="belongs to a run with other crowd"):
        checkpoint.load()
    with opened(folder, {**RUN, "crowd": "a table", "crowd_table": "one"}) as checkpoint:
        checkpoint.load()
        checkpoint.end(3, [])
    following = {**RUN, "inputs": [["next.tsv", 1, 2]], "crowd": "a table", "crowd_table": "next"}
    with opened(folder, following) as checkpoint:
        saved = checkpoint.load()
        assert saved is not None
        assert not saved.mine
        assert not checkpoint.other_crowd
