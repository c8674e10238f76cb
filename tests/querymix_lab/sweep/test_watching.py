"""Who watches over time: each setting is attacked, and the report shows each attack beside 1/k."""

import json

import numpy as np
import pytest
from querymix_lab.attacks.logs import Log
from querymix_lab.sweep import watching
from querymix_lab.sweep.watching import Watched
from querymix_lab.sweep.watching_page import over_time

DAY = 86_400.0


@pytest.fixture(scope="module")
def log() -> Log:
    """Ten days of two categories, in which forty users ask each text once."""
    chance = np.random.default_rng(5)
    times = np.sort(chance.uniform(0, 10 * DAY, 1_500)).round()
    return Log(chance.integers(40, size=1_500), np.arange(1_500), chance.integers(2, size=1_500), times)


TEXTS = [f"some{number % 300} words{number % 7}" for number in range(1_500)]


def test_the_default_is_the_first_of_the_settings_and_each_is_one_of_its_own() -> None:
    settings = list(watching.watched(5, 1))
    assert settings[0].told == "default"
    assert len({one.name for one in settings}) == len(settings) >= 5


def test_ids_that_last_are_named_by_times_and_ids_of_a_day_are_not(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(watching, "ATTACKS", ("trail",))
    found = {
        name: watching.measure(log, TEXTS, Watched(5, name, period=period))
        for name, period in (("day", DAY), ("lasting", None))
    }
    name = "trail, 10 known, with categories"
    assert found["lasting"]["attacks"][name]["success"] > 2 * found["day"]["attacks"][name]["success"]
    assert found["lasting"]["released"] == found["day"]["released"] > 0.5


def test_figures_of_a_setting_can_be_written_and_read_back(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "ATTACKS", ("kernel", "again", "profiles"))
    figures = watching.measure(log, TEXTS, Watched(5, "ids that last", period=None))
    assert json.loads(json.dumps(figures)) == figures
    assert {"kernel", "profiles, known counts"} <= figures["attacks"].keys()


def test_what_releases_nothing_is_not_attacked(log: Log) -> None:
    figures = watching.measure(log, TEXTS, Watched(50, "default"))
    assert figures["released"] == 0
    assert figures["attacks"] == {}
    assert list(over_time([figures])) == []


def test_the_report_has_each_attack_with_what_it_knows_red_over_one_in_k() -> None:
    def row(told: str, **successes: float) -> dict[str, object]:
        attacks = {name: {"success": success, "knows": f"<{name}>"} for name, success in successes.items()}
        return {"k": 20, "told": told, "released": 0.9, "attacks": attacks}

    page = "".join(over_time([row("default", kernel=0.04), row("ids that last", kernel=0.06, kin=0.1)]))
    assert "&lt;kernel&gt;" in page
    assert page.count("class=good") == 1
    assert page.count("class=bad") == 2
    assert "1/k" in page
