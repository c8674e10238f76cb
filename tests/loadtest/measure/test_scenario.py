"""A scenario's file is read as it says, and what is wrong with it is named by its place."""

from pathlib import Path
from typing import Any

import faker  # noqa: F401 - the vocabulary needs it, so without it the module is skipped
import pytest
from querymix.core.errors import ConfigError

from loadtest.measure.scenario import known, load, parse

STEP = {"rate": 5, "seconds": 3}


@pytest.mark.parametrize("name", known())
def test_every_scenario_that_comes_along_can_be_read_and_says_what_it_is(name: str) -> None:
    scenario = load(name)
    assert scenario.name == name
    assert scenario.about


def test_the_scenarios_of_the_guide_are_there() -> None:
    assert {"steady", "ramp", "spike", "hot-category", "bad-input", "worker-killed", "soak"} <= set(known())


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({}, "a.toml: nothing is sent"),
        ({"load": [STEP], "servce": {}}, "a.toml: servce: unknown key; there are name, about, log, load"),
        ({"load": [STEP | {"sec": 1}]}, "a.toml: load[1].sec: unknown key; there are seconds, logs, rate"),
        ({"load": [STEP], "log": {"user": 3}}, "a.toml: log.user: unknown key"),
        (
            {"load": [STEP, {"rate": 5, "seconds": "x"}]},
            "a.toml: load[2].seconds: it should be a valid number (it is 'x')",
        ),
        ({"load": 3}, "a.toml: load: it should be a valid list"),
        ({"load": [{"rate": 5}]}, "a.toml: load[1]: give either 'seconds' or 'logs'"),
        ({"load": [{"seconds": 5}]}, "a.toml: load[1]: give either 'rate' or 'of_knee'"),
        ({"load": [{"seconds": 5, "of_knee": 0.8}]}, "a.toml: load: 'of_knee' needs a [knee]"),
        ({"load": [STEP | {"rate": -1}]}, "a.toml: load[1].rate: it should be greater than 0"),
        ({"load": [STEP | {"rate": float("nan")}]}, "a.toml: load[1].rate: it should be"),
        ({"load": [STEP | {"rate": float("inf")}]}, "a.toml: load[1].rate: it should be a finite number"),
        ({"load": [STEP], "service": {"workers": True}}, "a.toml: service.workers: it should be a valid integer"),
        ({"load": [STEP], "service": {"options": {"k": [1]}}}, "a.toml: service.options.k"),
        ({"load": [STEP], "event": [{"at": 2, "do": "kil"}]}, "a.toml: event[1].do: it should be 'kill worker'"),
        ({"load": [STEP], "log": {"hot": "cheese"}}, "a.toml: log: hot: 'cheese' is no topic; there are arts"),
        ({"load": [STEP], "expect": {"knee": 5}}, "a.toml: expect: 'knee' needs a [knee]"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(found: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse(found, "a.toml")
    assert str(error.value).startswith(said)


def test_a_file_that_is_not_there_or_no_toml_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read the scenario nothing: No such file.*steady"):
        load("nothing")
    bad = tmp_path / "bad.toml"
    bad.write_text("[log\n")
    with pytest.raises(ConfigError, match=r"bad\.toml: this is no TOML"):
        load(str(bad))
    bad.write_text("load = " + "[" * 9000 + "]" * 9000)
    with pytest.raises(ConfigError, match=r"bad\.toml: this is no TOML: it is nested too deeply"):
        load(str(bad))
    bad.write_text(f"[[load]]\nrate = 0x{'f' * 9000}\n")
    with pytest.raises(ConfigError, match=r"bad\.toml: this is no TOML: it holds a number of more than 64 bits"):
        load(str(bad))
    bad.write_text("service = 3\n")
    with pytest.raises(ConfigError, match=r"bad\.toml: service: it should be"):
        load(str(bad), {"service.workers": 2})


def test_files_of_a_log_are_found_from_the_scenario_and_a_missing_one_is_named(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[log]\nfiles = ["log.tsv"]\n[[load]]\nrate = 5\nseconds = 3\n')
    with pytest.raises(ConfigError, match=r"log\.files: there is no file"):
        load(str(plan))
    (tmp_path / "log.tsv").write_text("1\tq\t2006-03-01 07:00:00\t\t\n")
    assert load(str(plan)).log.files == [str(tmp_path / "log.tsv")]


def test_a_change_goes_over_what_the_file_says() -> None:
    assert load("worker-killed", {"service.workers": 3}).service.workers == 3
    assert load("steady", {"service.workers": 3}).service.workers == 3
    assert load("worker-killed", {"service.workers": None}).service.workers == 2
