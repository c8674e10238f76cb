"""A study of a small log: every setting measured once, resumed, and told in a report that holds no query."""

import csv
import json
import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from querymix.core.errors import ConfigError
from querymix.core.rules import SessionScope
from querymix_lab.attacks.logs import Log
from querymix_lab.sweep import grid, html, measuring, running, study_report
from querymix_lab.sweep.costs import Cost
from querymix_lab.sweep.grid import Setting
from querymix_lab.sweep.study_report import Study

from loadtest.synthesize import HEADER
from tests.conftest import Command

USERS, LINES = 60, 2_000
Measured = Callable[[Setting], dict[str, Any]]


@pytest.fixture(scope="module")
def log() -> Log:
    """A made-up log of two categories in time order, in which users search in bursts."""
    chance = np.random.default_rng(4)
    users = np.repeat(chance.integers(USERS, size=LINES // 5), 5)
    texts = chance.integers(LINES // 2, size=LINES)
    return Log(users, texts, chance.integers(2, size=LINES), np.arange(0, 60.0 * LINES, 60.0))


@pytest.fixture(scope="module")
def measured(log: Log) -> Measured:
    """What measures a setting, once."""
    return cache(partial(measuring.measure, log))


def test_one_setting_gives_an_account_that_adds_up_and_equal_profiles(measured: Measured) -> None:
    figures = measured(Setting(5))
    assert figures["released"] + figures["held"] + figures["suppressed"] == pytest.approx(1.0)
    assert figures["own returned"] == 0.0
    assert figures["profiles equal"] is True
    assert {"d1", "d4+t", "kernel", "repeats"} <= figures["attacks"].keys()


def test_the_draw_over_owners_withstands_what_the_draw_over_entries_does_not(measured: Measured) -> None:
    """The kernel names more where a heavy user is the likelier owner; the bound is 1/k for the draw over owners."""
    rates = {}
    for draw in ("owner", "entry"):
        figures = measured(Setting(10, draw="owner" if draw == "owner" else "entry"))
        rates[draw] = figures["attacks"]["kernel"]["success"]
    assert rates["owner"] < rates["entry"]
    assert rates["owner"] <= 1 / 10


def test_the_paper_mode_returns_own_queries_and_is_seen_to(measured: Measured) -> None:
    figures = measured(Setting(5, **grid.PRINTED))
    assert figures["own returned"] > 0.01


def test_suppressed_entries_are_told_from_unequal_profiles(measured: Measured) -> None:
    figures = measured(Setting(10, max_hold=600.0, hold_policy="suppress"))
    assert figures["suppressed"] > 0
    assert figures["profiles equal"] is True


@pytest.mark.parametrize("scope", ["category", "all"])
def test_sessions_that_leave_whole_keep_the_account_and_the_profiles(measured: Measured, scope: SessionScope) -> None:
    figures = measured(Setting(5, unit="session", session_scope=scope))
    assert figures["released"] + figures["held"] + figures["suppressed"] == pytest.approx(1.0)
    assert figures["own returned"] == 0.0
    assert figures["profiles equal"] is True
    assert figures["released"] > 0.5


def test_the_same_seed_gives_the_same_figures_and_another_one_others(log: Log) -> None:
    def attacks(seed: int) -> object:
        return measuring.release(log, Setting(5, seed=seed)).log.users.tolist()

    assert attacks(1) == attacks(1)
    assert attacks(1) != attacks(2)


def test_a_sample_holds_whole_users(log: Log) -> None:
    part = measuring.sample(log, 20, 1)
    assert part.population == 20
    for user in np.unique(part.users):
        assert (part.users == user).sum() == (log.users == user).sum()


def test_the_grid_holds_the_default_for_every_k_and_names_each_setting_apart() -> None:
    settings = list(dict.fromkeys(grid.grid([5, 20], 1_000, 1, 20)))
    assert {setting.k for setting in settings if setting == Setting(setting.k)} == {5, 20}
    assert len({setting.name for setting in settings}) == len(settings)
    assert {"query", "session"} == {setting.unit for setting in settings}


def test_a_study_goes_on_where_it_was_and_refuses_another_log(log: Log, tmp_path: Path) -> None:
    settings = [Setting(5), Setting(10)]
    running.claim(tmp_path, log.content())
    measure = partial(measuring.measure, log)
    first = running.run(tmp_path, settings[:1], measure, 1)
    ticks: list[None] = []
    both = running.run(tmp_path, settings, measure, 1, lambda: ticks.append(None))
    assert both[0] == first[0]
    assert both[0]["k"] <= both[0]["mean k"] <= both[0]["final k"]
    assert len(ticks) == 2
    with pytest.raises(ConfigError, match="another"):
        running.claim(tmp_path, log.take(np.arange(10)).content())


def test_the_report_says_in_words_what_leaks_and_has_every_figure_for_machines(
    measured: Measured, tmp_path: Path
) -> None:
    settings = (Setting(5), Setting(10), Setting(5, **grid.PRINTED), Setting(5, unit="session", session_scope="all"))
    rows = [measured(setting) for setting in settings]
    page, figures, table = study_report.write(tmp_path, Study("a <log>", rows, {"classifier": Cost(10.0, 99.0)}, {}), 5)
    html = page.read_text("utf-8")
    assert "a &lt;log&gt;" in html
    assert "For a privacy officer" in html
    assert "1/k, 20.0%, which bounds one draw" in html
    assert html.count("<svg") == html.count("</svg>") >= 8
    assert "so that sorting by these changes nothing" in html, "why +T does not come out as in the paper"
    assert "sessions of all categories" in html
    assert len(json.loads(figures.read_text("utf-8"))["settings"]) == 4
    with table.open(newline="", encoding="utf-8") as file:
        assert [row["k"] for row in csv.DictReader(file)] == ["5", "10", "5", "5"]


def test_the_command_writes_the_report_of_a_log(querymix: Command, made_up_rows: list[str], tmp_path: Path) -> None:
    rows, log = made_up_rows[:1_000], tmp_path / "log.tsv"
    log.write_text("\n".join([HEADER, *rows]) + "\n")
    labels = tmp_path / "labels.tsv"
    labels.write_text("soccer\tSports\n")
    folder = tmp_path / "study"
    result = querymix("study", "run", log, "-o", folder, "--ks", "5", "--k", "5", "--labels", labels)
    assert result.exit_code == 0, result.output
    html = (folder / "report.html").read_text("utf-8")
    study = json.loads((folder / "report.json").read_text("utf-8"))
    assert study["costs"].keys() == {"classifier", "anonymizer", "profiler", "d1", "d2", "d3", "d4"}
    assert all(cost["microseconds"] > 0 and cost["mebibytes"] > 10 for cost in study["costs"].values())
    assert study["accuracy"] == {"Sports": 1.0}
    assert all(row.split("\t")[1] not in html for row in rows if row.count(" ") > 3)


@pytest.mark.parametrize("ks", ["x", "1"])
def test_a_k_that_is_none_is_refused(querymix: Command, made_up_log: Path, tmp_path: Path, ks: str) -> None:
    result = querymix("study", "run", made_up_log, "-o", tmp_path, "--ks", ks)
    assert result.exit_code == 2
    assert "--ks" in result.output


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder of somebody else")
def test_a_folder_that_somebody_else_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    os.chown(tmp_path / "study", 4321, 4321)
    with pytest.raises(ConfigError, match="belongs to another user"):
        running.claim(tmp_path / "study", [b"log"])


def test_a_study_writes_through_no_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    folder = tmp_path / "study"
    folder.mkdir()
    for name in ("log.sha256.part", "report.html", "report.html.part", "report.json", "report.csv"):
        (folder / name).symlink_to(victim)
    running.claim(folder, [b"log"])
    html.write(folder, "page", {}, [{"k": 2}])
    assert victim.read_text() == "precious"
    assert (folder / "report.csv").read_text() == "k\n2\n"
