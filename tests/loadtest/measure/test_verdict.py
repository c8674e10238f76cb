"""The verdict says first whether a run passed, and limits get wider where the machine had less to give."""

import io
from typing import Any

import aiokafka  # noqa: F401 - what is tested here needs it, so without it the module is skipped
import faker  # noqa: F401
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from loadtest.commands.showing import show, show_verdict
from loadtest.measure.calibration import MOST, share, wider
from loadtest.measure.load_report import build, failed
from loadtest.measure.scenario import known, load
from loadtest.measure.tables import tables
from tests.loadtest.measure.kit import measured, scenario

EXPECT = {"p99_beyond_hold_ms": 100, "kept_rate": 1.0, "lag_seconds_at_end": 1}
"""Of the made-up run: 200 ms, all of it and no lag."""


def report(measured_share: float | None, problems: tuple[str, ...] = (), **expect: float) -> dict[str, Any]:
    found = measured(scenario(expect=EXPECT | expect), problems=list(problems))
    return build(found, {"cores": 2}, {}, measured_share)


def shown(found: dict[str, Any], **console: Any) -> str:
    """Return what a terminal of 80 columns is sent."""
    out = io.StringIO()
    terminal = Console(file=out, width=80, highlight=False, **console)
    show_verdict(found["passed"], found["verdict"], terminal)
    show(tables(found), terminal)
    return out.getvalue()


def test_what_failed_is_said_first() -> None:
    found = report(None)
    assert failed(found)
    assert found["verdict"] == [
        "FAILED: 5 of 6 checks hold",
        "p99 beyond the hold, ms: 200, expected at most 100",
        "Limits are those of the scenario, as they are. Other programs took 0.3 cores meanwhile.",
    ]
    assert shown(found).startswith("FAILED: 5 of 6 checks hold\n  p99 beyond the hold")


def test_limits_are_wider_where_the_machine_had_less_to_give_and_the_verdict_says_so() -> None:
    found = report(0.4)
    assert not failed(found)
    passed, why = found["verdict"]
    assert passed == "PASSED: 6 of 6 checks hold"
    assert why.startswith(
        "This machine had 0.40 of what two quiet cores have to give, so limits are 2.5 times as wide."
    )
    (check,) = [one for one in found["checks"] if one["name"] == "p99 beyond the hold, ms"]
    assert check["found"] == "200, expected at most 250 here, 100 on a quiet machine"
    assert (check["value"], check["limit"]) == (200, 250)
    assert found["scenario"]["expect"]["p99_beyond_hold_ms"] == 100


def test_a_share_of_the_arrivals_and_a_knee_are_asked_for_less() -> None:
    (kept,) = [one for one in report(0.5, kept_rate=0.95)["checks"] if one["limit"] and "arrivals" in one["name"]]
    assert kept["limit"] == pytest.approx(0.9)
    (kept,) = [one for one in report(None, kept_rate=0.95)["checks"] if one["limit"] and "arrivals" in one["name"]]
    assert kept["limit"] == 0.95


def test_the_account_is_never_excused_by_a_busy_machine() -> None:
    doubled = measured(scenario(expect=EXPECT))
    doubled.after["released"] += 1
    found = build(doubled, {"cores": 2}, {}, 0.01)
    assert not found["passed"]
    assert "quieter" not in " ".join(found["verdict"])
    slow = report(0.25, p99_beyond_hold_ms=10)
    assert not slow["passed"]
    assert slow["verdict"][-1].endswith("run it on a quieter one.")
    assert "5 times as wide, the most that they get" in report(0.1)["verdict"][-1]


def test_a_problem_fails_a_run_whose_checks_all_hold() -> None:
    found = report(0.4, ("worker 1 has ended by itself",))
    assert not found["passed"]
    assert found["verdict"][:2] == ["FAILED: 6 of 6 checks hold", "worker 1 has ended by itself"]


@given(st.floats(0, 1000), st.floats(0, 1000))
def test_limits_never_get_narrower_nor_without_bound(one: float, other: float) -> None:
    assert 1 <= wider(one) <= MOST
    assert (wider(one) >= wider(other)) or one > other
    assert wider(None) == 1


def test_what_a_machine_has_to_give_is_measured() -> None:
    assert 0 < share(1, 0.05) < 100


def test_every_scenario_with_limits_says_that_they_are_those_of_a_quiet_machine() -> None:
    """A limit of one's own stays as it is: it may be what an operator promised."""
    for name in known():
        expect = load(name).expect
        assert expect.widen == bool(expect.model_fields_set - {"widen"}), name
    assert not scenario(expect={"knee": 5}, knee={"first": 5}).expect.widen


def test_colours_are_for_terminals_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text that goes to a file or a pipe has no escape codes; NO_COLOR takes the colours away, and no words."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    red = "\x1b[1;31mFAILED: 5 of 6 checks hold"
    terminal = {"force_terminal": True, "color_system": "standard"}
    assert shown(report(None), **terminal).startswith(red)
    assert shown(report(0.4), **terminal).startswith("\x1b[1;32mPASSED")
    assert "\x1b" not in shown(report(None))
    monkeypatch.setenv("NO_COLOR", "1")
    plain = shown(report(None), **terminal)
    assert red not in plain
    assert "31m" not in plain
    assert "FAILED" in plain
