"""The guide of the load tests names what is there: every scenario, every key, every option."""

import re
from pathlib import Path

import faker  # noqa: F401 - the scenarios' vocabulary needs it, so without it the module is skipped

from loadtest.measure.scenario import Event, Expect, Knee, Log, Scenario, Service, Step, known, parse

GUIDE = (Path(__file__).parents[2] / "loadtest" / "README.md").read_text()


def test_every_scenario_that_comes_along_stands_in_the_guide() -> None:
    assert set(known()) <= set(re.findall(r"^\| `([a-z-]+)` \|", GUIDE, re.MULTILINE))


def test_the_scenario_of_the_guide_has_every_key_and_no_other() -> None:
    import tomllib  # noqa: PLC0415 - only here

    text = GUIDE.partition("### Write a scenario\n")[2].partition("```toml\n")[2].partition("```")[0]
    found = tomllib.loads(text)
    step = found["load"][0]
    parts = (
        (Scenario, found | {"name": ""}),
        (Log, found["log"]),
        (Knee, found["knee"]),
        (Service, found["service"]),
        (Event, found["event"][0]),
        (Expect, found["expect"]),
        (Step, step | {"logs": 1, "of_knee": 1}),
    )
    for part, keys in parts:
        assert set(part.model_fields) == set(keys)
    found["log"] = {key: value for key, value in found["log"].items() if key != "files"}
    assert parse(found, "guide").service.options["k"] == 20
