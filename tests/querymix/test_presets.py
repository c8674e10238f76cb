"""Presets: settings files below every other source, each with a reason for every option."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from querymix.core.errors import ConfigError
from querymix.settings import CheckSettings, LibrarySettings, MethodSettings, RunSettings, WorkerSettings, load
from querymix.settings.presets import DEFAULT, PRESETS, options_of, text_of, told
from querymix.settings.unread import unread
from querymix.settings.values import read_toml

CROWDED = ("shared-search-data", "threshold")
"""Presets that need a crowd."""

pytestmark = pytest.mark.usefixtures("bare_environment")


def loaded(name: str, kind: type[MethodSettings] = RunSettings, **given: Any) -> MethodSettings:
    """Return the settings of a preset, with a crowd where it needs one."""
    return load(kind, {"preset": name} | ({"crowd": "stream"} if name in CROWDED else {}) | given)


@pytest.mark.parametrize("kind", [CheckSettings, LibrarySettings, RunSettings, WorkerSettings])
@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_loads_for_each_command_and_has_an_effect(name: str, kind: type[MethodSettings]) -> None:
    found = loaded(name, kind)
    assert found.preset == name
    assert unread(found) == {}
    others = {option for option in options_of(name) if getattr(found, option) != getattr(kind(), option)}
    assert bool(others) == (name != DEFAULT)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_says_why_of_each_option_that_it_sets_and_is_a_settings_file(name: str, tmp_path: Path) -> None:
    text = text_of(name)
    sets = read_toml(text.encode())
    assert sets.keys() <= MethodSettings.model_fields.keys()
    head, explained, reasons = text.split("\n\n")[0], set[str](), set[str]()
    for line in text.removeprefix(head).splitlines():
        if found := re.match(r"# ([a-z_]+(?:, [a-z_]+)*): ", line):
            reasons = set(found[1].split(", "))
        elif line and not line.startswith("#"):
            explained.add(line.split(" = ")[0])
            assert line.split(" = ")[0] in reasons, "the comment above an option names it"
    assert explained == sets.keys()
    assert re.search(r"Sources?:", text)
    assert ("NEEDS A CROWD" in text) == (name in CROWDED) != ("Needs no crowd" in text)
    assert told(name).endswith(".")
    file = tmp_path / "copy.toml"
    file.write_text(text)
    crowd = {"crowd": "stream"} if name in CROWDED else {}
    copied = load(RunSettings, crowd, file)
    for option in RunSettings.model_fields.keys() - {"preset"}:
        assert getattr(copied, option) == getattr(loaded(name), option)


def test_the_default_preset_names_defaults_alone_and_not_those_that_are_the_weaker_choice() -> None:
    named = read_toml(text_of(DEFAULT).encode())
    assert load(RunSettings, named).model_dump() == RunSettings().model_dump()
    assert {"established", "dedupe", "time_precision", "crowd"}.isdisjoint(named)


def test_none_is_the_old_name_of_the_default(tmp_path: Path) -> None:
    file = tmp_path / "old.toml"
    file.write_text('preset = "none"\n')
    for found in (load(RunSettings, {"preset": "none"}), load(RunSettings, {}, file)):
        assert found.preset == DEFAULT
    assert load(RunSettings, {"preset": "none"}, file).established is None


@pytest.mark.parametrize("name", CROWDED)
@pytest.mark.parametrize("kind", [CheckSettings, LibrarySettings, RunSettings, WorkerSettings])
def test_a_preset_that_needs_a_crowd_says_how_to_make_one(name: str, kind: type[MethodSettings]) -> None:
    with pytest.raises(ConfigError, match="querymix crowd build") as caught:
        load(kind, {"preset": name})
    assert name in str(caught.value)
    assert load(kind, {"preset": name, "crowd": "stream"}).crowd == "stream"
    assert load(kind, {"preset": name, "rare": "release", "urls": "host"}).crowd is None


@pytest.mark.parametrize("place", ["given", "environment", "file"])
def test_what_is_named_anywhere_wins_over_the_preset(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "querymix.toml"
    file.write_text('preset = "threshold"\ncrowd = "stream"\n' + ("crowd_users = 7\n" if place == "file" else ""))
    if place == "environment":
        monkeypatch.setenv("QUERYMIX_CROWD_USERS", "7")
    found = load(RunSettings, {"crowd_users": "7"} if place == "given" else {}, file)
    assert (found.crowd_users, found.crowd_items, found.urls) == (7, "queries", "crowd")
    assert "crowd_users" in found.model_fields_set
    assert "crowd_items" not in found.model_fields_set


def test_what_a_preset_sets_counts_as_not_named() -> None:
    found = loaded("sessions", unit="query")
    assert unread(found) == {}
    assert unread(loaded("sessions", unit="query", session_most=3)).keys() == {"session_most"}
    again = load(RunSettings, found.model_dump(include=found.model_fields_set) | {"preset": "strict"})
    assert (again.pseudonym_period, again.established) == (86400.0, 7 * 86400.0)


@pytest.mark.parametrize("wrong", ["stricter", "", "../presets/strict", 7, ["strict"]])
def test_what_is_no_preset_is_refused(wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--preset"):
        load(RunSettings, {"preset": wrong})
    file = tmp_path / "querymix.toml"
    file.write_text(f"preset = {wrong!r}\n")
    with pytest.raises(ConfigError, match="preset"):
        load(RunSettings, {}, file)


def test_the_page_shows_the_presets_side_by_side_as_they_are() -> None:
    page = (Path(__file__).parents[2] / "docs/policy.md").read_text()
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    table = {row[0].strip("`"): row[1:] for row in rows if len(row) == 1 + len(PRESETS)}
    every = {option for name in PRESETS for option in options_of(name)}
    assert every - {"session_gap", "session_most", "session_scope"} == table.keys()
    usual = read_toml(text_of(DEFAULT).encode())
    for option, cells in table.items():
        for name, cell in zip(PRESETS, cells, strict=True):
            assert cell == str(options_of(name).get(option, usual.get(option, "none"))), (name, option)


def test_a_state_names_the_default_as_older_ones_do_and_is_gone_on_from_by_both_names(
    querymix: Callable[..., Result], made_up_log: Path, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    run = ("run", made_up_log, "-o", tmp_path / "out", "--state", state, "-q")
    assert querymix(*run).exit_code == 0
    with closing(sqlite3.connect(state / "checkpoint.sqlite")) as database:
        [(kept,)] = database.execute("SELECT state FROM batch").fetchall()
    assert json.loads(kept)["run"]["preset"] == "none"
    for name in ("none", "default"):
        assert querymix(*run, "--preset", name).exit_code == 0
