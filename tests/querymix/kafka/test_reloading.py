"""The settings are read again: what may change does, all or nothing, and what is wrong leaves the old in force."""

import asyncio
import logging
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from querymix.bootstrap.reload import rules_of, screening_of
from querymix.core.errors import ConfigError, TransientError
from querymix.core.records import Query
from querymix.kafka.reloading import Reloader, Take
from querymix.settings import WorkerSettings, load
from querymix.settings.reloading import FILES, KAFKA, RULES, changed, look, told
from querymix.stages.screening import Rule
from querymix.telemetry import REGISTRY

from tests.crowds import table_of


class Part:
    """A part of a worker that notes what it was asked and what it took over."""

    def __init__(self) -> None:
        self.refuses = ""
        self.asked: list[frozenset[str]] = []
        self.taken: list[WorkerSettings] = []

    async def __call__(self, new: WorkerSettings, names: frozenset[str]) -> Take:
        self.asked.append(names)
        if self.refuses:
            raise TransientError(self.refuses)
        return partial(self.taken.append, new)


class Setting:
    """A settings file, the files that it names, and who reads them again."""

    def __init__(self, folder: Path, **given: str) -> None:
        self.file, self.password = folder / "worker.toml", folder / "password"
        self.password.write_text("made-up secret one")
        self.write()
        self.read = partial(load, WorkerSettings, given, self.file)
        self.parts = [Part(), Part()]
        self.reloader = Reloader(self.read, self.file, self.parts, rules_of)

    def write(self, text: str = "k = 20\n") -> None:
        self.file.write_text(f'{text}sasl_password_file = "{self.password}"\n')

    @property
    def failed(self) -> bool:
        return REGISTRY.get_sample_value("querymix_reload_failed") == 1


@pytest.fixture
def says(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    caplog.set_level(logging.INFO, "querymix.kafka.reloading")

    def said() -> list[str]:
        lines = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return lines

    return said


async def test_asked_all_parts_take_over_what_has_changed_and_the_log_has_both_hashes_and_the_values(
    tmp_path: Path, says: Callable[[], list[str]]
) -> None:
    it = Setting(tmp_path)
    old = it.reloader.settings
    it.write('k = 30\nmax_hold = "1d"\npreset = "strict"\n')
    await it.reloader.reload()
    (new,) = it.parts[0].taken
    assert (new.k, new.max_hold, new.established) == (30, 86400.0, 7 * 86400.0)
    assert it.parts[1].taken == [new] == [it.reloader.settings]
    (line,) = says()
    assert f"rules {rules_of(old)} -> {rules_of(new)}; " in line
    assert "--k 20 -> 30; --max-hold 30d -> 1d; --preset default -> strict; " in line
    assert "--established none -> 7d; " in line
    assert not it.failed


async def test_asked_where_nothing_has_changed_nothing_is_done_and_that_is_said(
    tmp_path: Path, says: Callable[[], list[str]]
) -> None:
    it = Setting(tmp_path, k="50")
    it.write("k = 30\n")  # the command line has it
    await it.reloader.reload()
    assert [part.asked for part in it.parts] == [[], []]
    assert "nothing has changed" in says()[0]


async def test_a_file_counts_once_it_stands_still_for_a_look(tmp_path: Path, says: Callable[[], list[str]]) -> None:
    it = Setting(tmp_path)
    await it.reloader.look()
    it.file.write_text("k = 3")  # the beginning of k = 30
    await it.reloader.look()
    it.write("k = 30\n")
    await it.reloader.look()
    assert it.parts[0].taken == []
    await it.reloader.look()
    assert [new.k for new in it.parts[0].taken] == [30]
    await it.reloader.look()
    await it.reloader.look()
    assert len(it.parts[0].taken) == 1
    assert len(says()) == 1


@pytest.mark.parametrize("again", [False, True])
async def test_what_is_written_while_the_settings_are_read_is_noticed_at_the_next_looks(
    tmp_path: Path, again: bool
) -> None:
    it = Setting(tmp_path)
    read = it.read

    def read_and_write() -> WorkerSettings:
        found = read()
        it.write("k = 30\n")
        return found

    if again:
        it.write("k = 25\n")
        it.reloader._read = read_and_write
        await it.reloader.reload()
        it.reloader._read = read
    else:
        it.reloader = Reloader(read_and_write, it.file, it.parts, rules_of)
        it.reloader._read = read
    for _ in range(2):
        await it.reloader.look()
    assert it.reloader.settings.k == 30


async def test_a_secret_that_changes_in_its_file_is_taken_over_and_never_shown(
    tmp_path: Path, says: Callable[[], list[str]]
) -> None:
    it = Setting(tmp_path)
    it.password.write_text("made-up secret two")
    for _ in range(2):
        await it.reloader.look()
    assert it.parts[1].asked == [frozenset({"sasl_password_file"})]
    (line,) = says()
    assert line.endswith("; --sasl-password-file read again")
    assert "secret" not in line


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("k = 1\n", "k"),
        ("k = 'many'\n", "k"),
        ("k = 20\nno_option = 5\n", "unknown key"),
        ("k = [\n", "is no TOML"),
        ("k = 1000000\n", "k must be at most"),
        ('mode = "paper"\nestablished = "7d"\n', "established needs"),
        ('broker = "other:9092"\nk = 30\n', "--broker: a running worker cannot change that"),
        ('hot = "Arts=4"\n', "restart"),
        ('preset = "stricter"\n', "preset"),
        ('preset = "threshold"\n', "querymix crowd build"),
        ('preset = "threshold"\ncrowd = "stream"\n', "--crowd"),
        ('preset = "sessions"\n', "--pseudonym-period: a running worker cannot change that"),
    ],
)
async def test_settings_that_are_wrong_or_cannot_change_leave_all_old_ones_in_force(
    tmp_path: Path, says: Callable[[], list[str]], text: str, why: str
) -> None:
    it = Setting(tmp_path)
    old = it.reloader.settings
    it.write(text)
    await it.reloader.reload()
    assert it.failed
    assert it.reloader.settings is old
    assert [part.taken for part in it.parts] == [[], []]
    (line,) = says()
    assert line.startswith("the settings were not read again, and all old ones stay in force: ")
    assert why in line
    for _ in range(3):
        await it.reloader.look()
    assert says() == [], "the same is said once, and again to whoever asks"
    it.write("k = 30\n")
    for _ in range(2):
        await it.reloader.look()
    assert (it.reloader.settings.k, it.failed) == (30, False)


async def test_a_crowd_table_that_changes_in_its_file_is_taken_over_and_a_broken_one_is_refused(
    tmp_path: Path, says: Callable[[], list[str]], bare_environment: None
) -> None:
    table = tmp_path / "words.crowd"
    table_of(table, [("ann", "red"), ("bob", "red")])
    it = Setting(tmp_path, crowd=str(table), crowd_users="2")
    taken: list[list[Rule]] = []

    async def screens(new: WorkerSettings, names: frozenset[str]) -> Take:
        assert names == {"crowd"}
        return partial(taken.append, screening_of(new)[0])

    it.reloader._parts = [screens]
    for _ in range(2):
        await it.reloader.look()
    assert taken == []
    table_of(table, [("ann", "blue"), ("bob", "blue")])
    for _ in range(2):
        await it.reloader.look()
    ((rule,),) = taken
    assert rule(Query("ann", "blue", "", 0.0)) == Query("ann", "blue", "", 0.0)
    assert rule(Query("ann", "red", "", 0.0)) == "rare"
    assert says()[-1].endswith("; --crowd read again")
    table.rename(tmp_path / "kept")
    table.write_bytes(b"no table")
    for _ in range(4):
        await it.reloader.look()
    (line,) = says()
    assert "all old ones stay in force: " in line
    assert "is no crowd table" in line
    assert it.failed
    assert len(taken) == 1
    table.unlink()
    (tmp_path / "kept").rename(table)
    for _ in range(3):
        await it.reloader.look()
    assert not it.failed


def test_a_table_behind_links_that_are_swapped_as_kubernetes_does_is_another_one(
    tmp_path: Path, bare_environment: None
) -> None:
    table, data = tmp_path / "words.crowd", tmp_path / "..data"
    settings = load(WorkerSettings, {"crowd": str(table), "crowd_users": "2"})
    seen = []
    for folder, word in (("..1", "red"), ("..2", "blue")):
        (tmp_path / folder).mkdir()
        table_of(tmp_path / folder / table.name, [("ann", word), ("bob", word)])
        (tmp_path / "..new").symlink_to(folder)
        (tmp_path / "..new").rename(data)
        if not table.is_symlink():
            table.symlink_to(f"..data/{table.name}")
        seen += [look(settings, None), look(settings, None)]
        (rule,) = screening_of(settings)[0]
        assert rule(Query("ann", word, "", 0.0)) == Query("ann", word, "", 0.0)
    assert seen[0] == seen[1] != seen[2] == seen[3]


@pytest.mark.parametrize(
    ("old", "new", "may"),
    [
        ("a.crowd", "b.crowd", True), ("a.crowd", "none", False), ("none", "a.crowd", False),
        ("stream", "a.crowd", False), ("a.crowd", "stream", False), ("stream", "none", False),
    ],
)  # fmt: skip
def test_a_worker_takes_another_file_for_its_table_and_begins_and_ends_to_screen_with_a_restart(
    old: str, new: str, may: bool, bare_environment: None
) -> None:
    before, after = (load(WorkerSettings, {"crowd": crowd}) for crowd in (old, new))
    assert look(load(WorkerSettings, {"crowd": "stream"}), None) == {}
    if may:
        assert changed(before, after, {}, {}) == {"crowd"}
    else:
        with pytest.raises(ConfigError, match="--crowd: a running worker cannot change that"):
            changed(before, after, {}, {})


async def test_a_file_that_has_gone_is_a_failure_and_no_end(tmp_path: Path, says: Callable[[], list[str]]) -> None:
    it = Setting(tmp_path)
    it.file.unlink()
    await it.reloader.reload()
    assert "cannot read the settings file" in says()[0]
    assert it.failed


async def test_where_one_part_refuses_none_takes_over_and_it_is_tried_again_at_each_look(
    tmp_path: Path, says: Callable[[], list[str]]
) -> None:
    """A password that the broker does not know yet."""
    it = Setting(tmp_path)
    it.write("k = 30\n")
    it.parts[1].refuses = "the broker refuses the user name or the password"
    for _ in range(4):
        await it.reloader.look()
    assert it.parts[0].taken == []
    assert len(it.parts[1].asked) == 3
    assert len(says()) == 1
    it.parts[1].refuses = ""
    await it.reloader.look()
    assert [new.k for new in it.parts[0].taken] == [30]
    assert not it.failed


async def test_what_can_be_read_only_once_is_not_read_again(tmp_path: Path, says: Callable[[], list[str]]) -> None:
    """As `--settings <(command)`: a second reading would be empty, and all options at their defaults, or never end."""
    it = Setting(tmp_path)
    it.password.unlink()
    os.mkfifo(it.password)
    for _ in range(3):
        await it.reloader.look()
    (line,) = says()
    assert "--sasl-password-file: " in line
    assert "restart" in line
    it.file.unlink()
    os.mkfifo(it.file)
    await it.reloader.reload()
    assert "--settings: " in says()[0]
    assert it.parts[0].asked == []


async def test_a_file_that_is_put_back_as_it_was_is_no_failure_any_more(
    tmp_path: Path, says: Callable[[], list[str]]
) -> None:
    it = Setting(tmp_path)
    it.write("k = 1\n")
    await it.reloader.reload()
    it.write()
    says()
    for _ in range(3):
        await it.reloader.look()
    assert not it.failed
    (line,) = says()
    assert "nothing has changed" in line
    assert it.parts[0].asked == []


async def test_what_nobody_has_foreseen_ends_no_worker(tmp_path: Path, says: Callable[[], list[str]]) -> None:
    it = Setting(tmp_path)

    async def broken(new: WorkerSettings, names: frozenset[str]) -> Take:
        raise ZeroDivisionError("made-up text of a secret")

    it.reloader._parts = [*it.parts, broken]
    it.write("k = 30\n")
    await it.reloader.reload()
    (line,) = says()
    assert "ZeroDivisionError" in line
    assert "made-up" not in line
    assert it.parts[0].taken == []


async def test_whoever_asks_is_heard_by_the_service(tmp_path: Path) -> None:
    it = Setting(tmp_path)
    await it.reloader.start()
    it.write("k = 30\n")
    it.reloader.asked.set()
    async with asyncio.timeout(300):
        while it.reloader.settings.k != 30:  # noqa: ASYNC110 - whoever asks is not told
            await asyncio.sleep(0.01)
    await it.reloader.stop()


SOME = WorkerSettings()
OTHERS = {
    "int": 7, "float": 7.0, "str": "other", "Path": Path("/other"), "list": ["other"], "dict": {"other": "other"},
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(WorkerSettings.model_fields.keys() - RULES - KAFKA - set(FILES)))
def test_every_other_option_is_refused_with_the_way_out(name: str) -> None:
    value = getattr(SOME, name)
    kind = type(value).__name__ if value is not None else "Path"
    other = SOME.model_copy(update={name: OTHERS.get(kind, "other")})
    with pytest.raises(Exception, match=f"--{name.replace('_', '-')}: .*restart"):
        changed(SOME, other, {}, {})


def test_a_page_that_is_not_there_cannot_be_added_or_taken_away() -> None:
    other = SOME.model_copy(update={"profiles_token_file": Path("/token")})
    for one, two in ((SOME, other), (other, SOME)):
        with pytest.raises(Exception, match=r"--profiles-token-file: .*restart"):
            changed(one, two, {}, {})


def test_of_secrets_and_of_what_names_them_only_the_option_is_told(tmp_path: Path) -> None:
    names = {*FILES, "sasl_username"}
    other = SOME.model_copy(update=dict.fromkeys(FILES, Path("/secret")) | {"sasl_username": "secret"})
    assert "secret" not in told(SOME, other, names)
    assert all(f"--{name.replace('_', '-')}" in told(SOME, other, names) for name in names)
    (tmp_path / "file").write_text("made-up secret")
    assert "secret" not in str(look(SOME.model_copy(update={"ssl_cafile": tmp_path / "file"}), None))
