"""A report says what was measured, and no more; what does not hold is said."""

import json
from dataclasses import replace
from typing import Any

import aiokafka  # noqa: F401 - what is tested here needs it, so without it the module is skipped
import faker  # noqa: F401
import pytest

from loadtest.measure.knee import Search
from loadtest.measure.load_report import build, event, failed
from loadtest.measure.running import Measured, Phase
from loadtest.measure.scenario import Knee
from loadtest.measure.tables import side_by_side, tables
from tests.loadtest.measure.kit import account, mark, measured, sample, scenario

MACHINE = {"cores": 2}


def report(found: Measured | None = None) -> dict[str, Any]:
    """Return the report of a run, which is JSON."""
    built = build(found or measured(), MACHINE, {"workers": 1})
    assert json.loads(json.dumps(built)).keys() == built.keys()
    return built


def failures(found: dict[str, Any]) -> list[str]:
    return [check["name"] for check in found["checks"] if not check["ok"]]


def test_rates_latencies_and_costs_are_those_of_the_load() -> None:
    found = report()
    total = found["total"]
    assert (total["seconds"], total["sent_rate"], total["in_rate"], total["out_rate"]) == (10, 1000, 1000, 800)
    assert (total["profiled_rate"], total["kept"], total["lag_seconds"]) == (400, 1.0, 0.0)
    beyond, whole = found["latency"]["beyond_hold"], found["latency"]["with_hold"]
    assert (beyond["count"], beyond["p50"], beyond["p99"], beyond["max"]) == (8000, 10, 200, 200)
    assert whole["p50"] == 1010
    # 1 s of CPU for 10,000 records taken in; the database's 0.2 s are for the 4,000 that went into profiles.
    assert found["costs"] == {"worker": 100.0, "broker": 50.0, "database": 50.0}
    (step,) = found["phases"]
    assert step["cores"] == {"worker": 0.1, "broker": 0.05, "database": 0.02}
    assert step["others_cores"] == pytest.approx(0.33)


def test_costs_run_until_nothing_waits_any_more() -> None:
    found = measured()
    end = sample(10, 10_000, 5_000, 4_000)
    later = [sample(15, 10_000, 9_000, 7_200), sample(20, 10_000, 10_000, 8_000), sample(60, 10_000, 10_000, 8_000)]
    found.phases = [replace_end(found.phases[0], end)]
    found.samples = [*found.samples[:-1], end, *later]
    costs = report(found)["costs"]
    assert costs["worker"] == 200.0  # 2 s of CPU in 20 s
    assert report(found)["total"]["lag_seconds"] == 5.0


def replace_end(phase: Phase, end: Any) -> Phase:
    return replace(phase, end=end)


def test_the_account_is_that_of_this_run_alone_and_disk_is_told_by_log() -> None:
    found = report()
    assert (found["account"]["in"], found["account"]["released"], found["account"]["unclassified"]) == (
        10_000,
        8_000,
        1_000,
    )
    assert found["disk"] == {"querylog.raw": 100.0, "querylog.state": 10.0}
    assert not failed(found)


def test_a_log_that_is_lost_doubled_or_not_accounted_for_fails_the_run() -> None:
    assert failures(report(measured(after=account(10_499, 8_400)))) == ["sent = in + not yet read"]
    assert failures(report(measured(after=account(10_500, 8_401)))) == ["released = read from the anonymized topic"]
    assert failures(report(measured(after=account(10_500, 8_400) | {"held": 1}))) == [
        "in = released + held + suppressed + unclassified + empty + refused + waiting"
    ]
    assert failures(report(measured(after=account(10_400, 8_400), unread=100))) == []
    assert failures(report(measured(after={}))) == ["account"]
    assert failed(report(measured(after=account(10_499, 8_400))))


def test_counts_of_a_deployment_that_goes_on_may_be_a_little_apart_and_no_more() -> None:
    assert failures(report(measured(after=account(10_900, 8_500), resting=False))) == []
    assert failures(report(measured(after=account(12_900, 8_500), resting=False))) == ["sent = in + not yet read"]


def test_a_record_that_was_never_confirmed_is_due_once() -> None:
    found = measured()
    found.reports[0] |= {"sent": 9_990, "unsure": 6, "owed": 10}
    assert report(found)["total"]["due"] == 10_000


def test_as_many_are_refused_as_bad_records_were_sent() -> None:
    def with_bad(bad: int, refused: int, ended: str = "done") -> dict[str, Any]:
        found = measured()
        found.reports[0] |= {"bad": bad, "ended": ended}
        found.after["refused"] += refused
        found.after["held"] -= refused
        return report(found)

    assert failures(with_bad(7, 7)) == []
    assert failures(with_bad(7, 6)) == ["refused = bad records"]
    assert failures(with_bad(0, 1)) == ["refused = bad records"]
    # Where the replay was stopped, some that it was handed have not left.
    assert failures(with_bad(7, 6, "stopped")) == []


def test_an_event_that_never_happened_fails_the_run() -> None:
    plan = scenario(event=[{"at": 2.0, "do": "kill worker"}])
    assert failures(report(measured(plan, events=[(2.0, "kill worker")]))) == []
    assert failures(report(measured(plan))) == ["events that happened"]


def test_a_search_that_found_no_knee_fails_the_run() -> None:
    found = measured()
    found.search = Search(Knee(first=1000))
    found.search.tell(1000, kept=False)
    assert failures(report(found)) == ["a knee was found"]
    found.search.tell(500, kept=True)
    assert failures(report(found)) == []


@pytest.mark.parametrize(
    ("expect", "name"),
    [
        ({"p99_beyond_hold_ms": 199}, "p99 beyond the hold, ms"),
        ({"kept_rate": 0.99}, "share of the arrivals that was kept up with"),
        ({"lag_seconds_at_end": 0.5}, "lag at the end of the load, s"),
        ({"recovery_seconds": 4}, "longest recovery after an event, s"),
    ],
)
def test_an_expectation_that_is_not_met_fails_the_run(expect: dict[str, float], name: str) -> None:
    good = measured(scenario(expect=dict.fromkeys(expect, 0.1 if "kept_rate" in expect else 1000.0)))
    assert failures(report(good)) == []
    behind = measured(scenario(expect=expect), events=[(2.0, "kill worker")])
    behind.samples[5:] = [sample(second, 1000 * second, 3000, 800) for second in range(5, 11)]
    behind.phases = [replace_end(behind.phases[0], behind.samples[-1])]
    assert name in failures(report(behind))


def test_the_figures_are_those_of_the_load_and_of_what_it_set_off_later() -> None:
    found = measured()
    slow, late = mark({5000: 100}), mark({300: 80})
    samples = [sample(second, 1000 * second, 1000 * second, 800 * second) for second in range(21)]
    found.samples = samples
    found.marks = [mark({}), slow, mark({}), found.marks[0], mark({}), late]
    found.phases = [
        Phase("2,000 records/s", "knee", 2000.0, samples[0], samples[5], slow, 1),
        Phase("step 1", "load", 1000.0, samples[10], samples[20], found.marks[3], 3),
        Phase("drain", "drain", None, samples[20], samples[20], late, 5),
    ]
    built = report(found)
    assert built["total"]["seconds"] == 10
    assert (built["total"]["sent_rate"], built["total"]["kept"]) == (1000, 1.0)
    beyond = built["latency"]["beyond_hold"]
    assert (beyond["count"], beyond["max"]) == (8080, 300)
    assert built["total"]["released"] == 8180
    search = [phase for phase in built["phases"] if phase["kind"] == "knee"]
    assert search[0]["beyond_hold"]["max"] >= 4995


def test_recovery_is_the_time_until_the_lag_is_what_it_was() -> None:
    waits = [0, 0, 0, 900, 2500, 3500, 2100, 1500, 800, 0]
    samples = [sample(second, 1000 * second, 1000 * second - wait, 0) for second, wait in enumerate(waits)]
    load = [Phase("step 1", "load", 1000.0, samples[0], samples[-1], mark({}))]
    # More than a second of arrivals waits from 4 s to 7 s.
    assert event(2.0, "kill worker", samples, load)["recovered_after"] == 6.0
    assert event(2.0, "kill worker", samples[:6], load)["recovered_after"] is None
    calm = [sample(second, 1000 * second, 1000 * second, 0) for second in range(10)]
    assert event(2.0, "kill worker", calm, load)["recovered_after"] == 0.0


def test_a_run_that_was_interrupted_before_anything_was_sent_has_a_report_all_the_same() -> None:
    found = report(Measured(scenario(), interrupted=True))
    assert found["ended"] == "interrupted"
    assert found["latency"]["beyond_hold"]["p50"] is None
    assert tables(found)[1].title == "Throughput over 0.0 s of load"
    assert found["verdict"][0].startswith("FAILED, of what was measured until it was interrupted: 0 of 1")


def test_problems_fail_a_run() -> None:
    found = report(measured(problems=["worker 1 has ended by itself"]))
    assert failed(found)
    assert ("FAILED", "problem", "worker 1 has ended by itself") in tables(found)[0].rows


def test_the_page_shows_tables_and_plots_and_escapes_what_it_is_given() -> None:
    from loadtest.measure.page import page  # noqa: PLC0415 - without matplotlib this test alone is skipped

    search = Search(Knee(first=1000))
    search.tell(1000, kept=True)
    text = page(report(measured(search=search)))
    assert text.count("<svg") == 11
    assert "a &lt;test&gt;" in text
    assert "knee: highest rate that was kept" in text
    assert page(report(Measured(scenario()))).count("<svg") == 0


def test_two_reports_side_by_side_have_ratios_and_dashes_for_what_was_not_measured() -> None:
    slower = measured()
    slower.marks = [mark({20: 8000})]
    slower.samples = [replace(one, taken=one.taken // 2) for one in slower.samples]
    slower.phases = [Phase("step 1", "load", 1000.0, slower.samples[0], slower.samples[-1], slower.marks[0])]
    rows = {row[0]: row[1:] for row in side_by_side(report(), report(slower)).rows}
    assert rows["taken in, records/s"] == ("1,000", "500", "0.50")
    assert rows["beyond the hold, p50, ms"] == ("10.00", "20.00", "2.00")
    assert rows["knee, records/s"] == ("-", "-", "-")
