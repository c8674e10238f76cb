"""A run that never was: what a report is made from, with figures that can be reckoned in the head."""

from typing import Any

from loadtest.measure.latency import histogram, pack, record
from loadtest.measure.resource_usage import Usage
from loadtest.measure.running import Measured, Phase
from loadtest.measure.scenario import Scenario, parse
from loadtest.measure.watching import Sample


def sample(at: float, sent: int, taken: int, released: int, **more: Any) -> Sample:
    """Return a sample; each second of it costs the worker 0.1 s of CPU and the broker 0.05 s."""
    raw = sent - taken
    values: dict[str, Any] = {
        "at": at, "due": sent, "sent": sent, "taken": taken, "released": released, "profiled": released // 2,
        "waiting": {"raw": raw, "pools": 0, "classified": 0, "evidence": 3}, "held": taken - released,
        "lateness": 0.0, "beyond": {"p50": 5, "p95": 6, "p99": 7},
        "cpu": {"worker": at * 0.1, "broker": at * 0.05, "database": at * 0.02},
        "memory": {"worker 1": 100 << 20, "broker 1": 400 << 20}, "busy": 100 + at * 0.5,
    }  # fmt: skip
    return Sample(**values | more)


def mark(latencies: dict[int, int], hold: int = 1000) -> dict[str, Any]:
    """Return what a follower saw."""
    beyond, whole = histogram(), histogram()
    record(beyond, latencies)
    record(whole, {one + hold: number for one, number in latencies.items()})
    return {
        "released": sum(latencies.values()), "foreign": 0, "categories": {"Arts": sum(latencies.values())},
        "beyond": pack(beyond), "whole": pack(whole),
    }  # fmt: skip


def scenario(**more: Any) -> Scenario:
    """Return a scenario of one step."""
    return parse({"name": "made-up", "about": "a <test>", "load": [{"rate": 1000, "seconds": 10}]} | more, "kit")


def measured(plan: Scenario | None = None, **more: Any) -> Measured:
    """Return a run of 10 s: 10,000 records sent and taken in, 8,000 released, 500 of them with much latency."""
    samples = [sample(second, 1000 * second, 1000 * second, 800 * second) for second in range(11)]
    one = mark({10: 7000, 200: 1000})
    found = Measured(
        plan or scenario(),
        phases=[Phase("step 1", "load", 1000.0, samples[0], samples[-1], one)],
        marks=[one],
        samples=samples,
        reports=[
            {"sent": 10_000, "unsure": 0, "owed": 0, "bad": 0, "ended": "done", "late_p50": 0.01, "late_p99": 0.02,
             "late_max": 0.03}
        ],
        usages=[Usage("worker", "worker 1", 1.0), Usage("broker", "broker 1", 0.5)],
        peaks={"worker 1": 120 << 20, "broker 1": 410 << 20},
        before=account(500, 400),
        after=account(10_500, 8_400),
        disk={"querylog.raw": 1_050_000, "querylog.state": 105_000, "__consumer_offsets": 7},
        resting=True,
    )  # fmt: skip
    for name, value in more.items():
        setattr(found, name, value)
    return found


def account(logs: int, released: int) -> dict[str, int]:
    """Return an account of so many records, a tenth of them unclassified."""
    unclassified = logs // 10
    return {
        "in": logs, "released": released, "held": logs - released - unclassified, "suppressed": 0,
        "suppressed_by_identifiers": 0, "suppressed_by_hold": 0, "unclassified": unclassified, "empty": 0, "refused": 0,
        "waiting": 0, "own_query_returned": 0,
    }  # fmt: skip
