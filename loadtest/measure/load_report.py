"""The report of a run, as one JSON object: what was measured, made into figures. Pure.

Rules:
- Latencies are in milliseconds, times in seconds, costs in microseconds of CPU a record, memory in bytes if not named.
- A figure that was not measured is None, never 0.
- No query and no user is in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from loadtest.measure.calibration import wider
from loadtest.measure.checks import account_checks, expected, verdict
from loadtest.measure.latency import figures, merged, pack
from loadtest.measure.running import Measured, Phase
from loadtest.measure.watching import Sample

FORMAT: Final = 1
_PREFIX: Final = "querylog"
"""Of the topics of a deployment that is started."""


def build(
    found: Measured, machine: Mapping[str, Any], options: Mapping[str, Any], share: float | None = None
) -> dict[str, Any]:
    """Return the report of a run. `machine` and `options` go in as they are.

    `share` is what the machine had to give, against two quiet cores; None: it was not measured.
    """
    phases = [phase(one) for one in found.phases]
    load = load_of(found.phases)
    search = found.search
    report: dict[str, Any] = {
        "format": FORMAT,
        "scenario": found.scenario.model_dump(exclude_defaults=True),
        "began": datetime.fromtimestamp(found.began, UTC).isoformat(timespec="seconds"),
        "ended": "interrupted" if found.interrupted else "done",
        "machine": dict(machine),
        "limits": {"share": share, "wider": wider(share)},
        "options": dict(options),
        "resting": found.resting,
        "knee": None if search is None else {"rate": search.kept or None, "tried": search.tried},
        "total": total(found, load),
        "latency": latency(found.marks[load[0].first_mark :] if load else []),
        "costs": costs(load, found.samples),
        "disk": {
            topic: round(size / found.after["in"], 1)
            for topic, size in sorted(found.disk.items())
            if topic.startswith(f"{_PREFIX}.") and found.after.get("in")
        },
        "processes": processes(found),
        "phases": phases,
        "events": [event(at, what, found.samples, load) for at, what in found.events],
        "account": {name: count - found.before.get(name, 0) for name, count in found.after.items()},
        "samples": [asdict(sample) for sample in found.samples],
    }
    checks = account_checks(report) + expected(found.scenario.expect, report)
    report["checks"] = [check._asdict() for check in checks]
    report["problems"] = list(found.problems)
    report["passed"], report["verdict"] = verdict(report)
    return report


def failed(report: Mapping[str, Any]) -> bool:
    """Say whether something that must hold does not."""
    return not report["passed"]


def load_of(phases: Sequence[Phase]) -> list[Phase]:
    """Return the phases that the figures are about: the load, or the search for the knee where there is no load."""
    return [one for one in phases if one.kind == "load"] or [one for one in phases if one.kind == "knee"]


def total(found: Measured, load: Sequence[Phase]) -> dict[str, Any]:
    """Return the counts of the whole run, and the rates of the load."""
    reports = found.reports
    seconds = sum(one.end.at - one.begin.at for one in load)
    sent, due = (sum(getattr(one.end, name) - getattr(one.begin, name) for one in load) for name in ("sent", "due"))
    taken = sum(one.end.taken - one.begin.taken for one in load)
    released = sum(one.end.released - one.begin.released for one in load)
    profiled = sum(one.end.profiled - one.begin.profiled for one in load)
    return {
        "seconds": round(seconds, 3),
        "due": sum(report["sent"] + report["owed"] for report in reports),
        "sent": sum(report["sent"] for report in reports),
        "unsure": sum(report["unsure"] for report in reports),
        "owed": sum(report["owed"] for report in reports),
        "exact": all(report["ended"] == "done" for report in reports),
        "bad": sum(report["bad"] for report in reports),
        "unread": found.unread,
        "released": sum(mark["released"] for mark in found.marks),
        "foreign": sum(mark["foreign"] for mark in found.marks),
        "sent_rate": _rate(sent, seconds),
        "in_rate": _rate(taken, seconds),
        "out_rate": _rate(released, seconds),
        "profiled_rate": _rate(profiled, seconds),
        "kept": round(taken / due, 4) if due else None,
        "lag_seconds": lag_seconds(load[-1]) if load else None,
        "send_late_ms": {
            name: max((round(1000 * report[f"late_{name}"]) for report in reports), default=None)
            for name in ("p50", "p99", "max")
        },
        **limit(load, found.samples),
        "categories": _summed(mark["categories"] for mark in found.marks),
    }


def _rate(count: float, seconds: float) -> float | None:
    return round(count / seconds, 1) if seconds > 0 else None


def _summed(parts: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for part in parts:
        for name, count in part.items():
            total[name] = total.get(name, 0) + count
    return dict(sorted(total.items(), key=lambda item: -item[1]))


def lag_seconds(last: Phase) -> float | None:
    """Return what waits at the end of a phase, and what was not even sent, in seconds of its arrivals."""
    if not last.offered:
        return None
    return round(owed(last.end) / last.offered, 3)


def latency(marks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return latency with and beyond the hold, and the histograms in HDR's own form.

    `marks` go to the run's end: what the load has set off and came late counts too.
    """
    beyond, whole = (merged(mark[name] for mark in marks) for name in ("beyond", "whole"))
    return {
        "beyond_hold": figures(beyond),
        "with_hold": figures(whole),
        "histograms": {"beyond_hold": pack(beyond), "with_hold": pack(whole)},
    }


def phase(one: Phase) -> dict[str, Any]:
    """Return the figures of one phase."""
    begin, end = one.begin, one.end
    seconds = end.at - begin.at
    taken = end.taken - begin.taken
    cores = (
        {kind: round((cpu - begin.cpu.get(kind, 0.0)) / seconds, 3) for kind, cpu in end.cpu.items()} if seconds else {}
    )
    return {
        "name": one.name,
        "kind": one.kind,
        "from": begin.at,
        "seconds": round(seconds, 3),
        "offered": one.offered,
        "sent_rate": _rate(end.sent - begin.sent, seconds),
        "in_rate": _rate(taken, seconds),
        "out_rate": _rate(end.released - begin.released, seconds),
        "profiled_rate": _rate(end.profiled - begin.profiled, seconds),
        "waiting": end.waiting,
        "held": end.held,
        "lag_seconds": lag_seconds(one),
        "beyond_hold": figures(merged([one.mark["beyond"]])),
        "with_hold": figures(merged([one.mark["whole"]])),
        "cores": cores,
        "others_cores": round((end.busy - begin.busy) / seconds - sum(cores.values()), 3) if seconds else None,
        "costs": costs([one], [one.end]),
    }


def costs(phases: Sequence[Phase], samples: Sequence[Sample]) -> dict[str, float] | None:
    """Return CPU microseconds a record by kind of process, from the first phase's begin until nothing of it waits.

    A log is one that the classifiers took in; for the database, and for profilers of their own, one that went into a
    profile by the end of the run: profiles may be behind. None where nothing was taken in.
    """
    if not phases:
        return None
    begin, end = window(phases, samples)
    last = samples[-1] if samples else end
    found: dict[str, float] = {}
    for kind in sorted(end.cpu):
        until, counted = (last, "profiled") if kind in ("database", "profiler") else (end, "taken")
        if logs := getattr(until, counted) - getattr(begin, counted):
            found[kind] = round(1e6 * (until.cpu[kind] - begin.cpu.get(kind, 0.0)) / logs, 2)
    return found if end.taken > begin.taken else None


def window(phases: Sequence[Phase], samples: Sequence[Sample]) -> tuple[Sample, Sample]:
    """Return the first phase's begin, and the first sample after the last one's end at which nothing waits."""
    begin, end = phases[0].begin, phases[-1].end
    done = (sample for sample in samples if sample.at >= end.at and not sample.behind)
    return begin, next(done, samples[-1] if samples else end)


def limit(phases: Sequence[Phase], samples: Sequence[Sample]) -> dict[str, float | None]:
    """Return what the service did from the load's begin until nothing waited, and what the machine had left for it.

    Where records came faster than it took them in, this is the most that it does.
    """
    figures: dict[str, float | None] = {"settled_rate": None, "settled_profiled": None, "settled_others": None}
    if not phases:
        return figures
    begin, end = window(phases, samples)
    seconds, taken = end.at - begin.at, end.taken - begin.taken
    if not seconds or not taken:
        return figures
    ours = sum(end.cpu.values()) - sum(begin.cpu.get(kind, 0.0) for kind in end.cpu)
    return {
        "settled_rate": _rate(taken, seconds),
        "settled_profiled": round((end.profiled - begin.profiled) / taken, 4),
        "settled_others": round((end.busy - begin.busy - ours) / seconds, 3),
    }


def processes(found: Measured) -> list[dict[str, Any]]:
    """Return CPU and memory of each process; those of workers elsewhere are what their pages said."""
    rows = [{"name": one.name, "kind": one.kind, "cpu_seconds": round(one.cpu, 2)} for one in found.usages]
    known = {one.name for one in found.usages}
    rows += [{"name": name, "kind": "worker", "cpu_seconds": None} for name in found.peaks if name not in known]
    last = found.samples[-1].memory if found.samples else {}
    return [row | {"peak": found.peaks.get(str(row["name"])), "last": last.get(str(row["name"]))} for row in rows]


def event(at: float, what: str, samples: Sequence[Sample], load: Sequence[Phase]) -> dict[str, Any]:
    """Return an event with how long it took until what waits was back to what it was: a second's arrivals more at most.

    `recovered_after` is None where it never was.
    """
    rate = next((one.offered or 0.0 for one in load if one.begin.at <= at <= one.end.at), 0.0)
    before = max((owed(sample) for sample in samples if at - 5 <= sample.at <= at), default=0)
    behind = [sample.at for sample in samples if sample.at > at and owed(sample) > before + rate]
    after = [sample.at for sample in samples if sample.at > (behind[-1] if behind else at)]
    recovered = None if not after else (round(after[0] - at, 1) if behind else 0.0)
    return {"at": at, "do": what, "recovered_after": recovered}


def owed(sample: Sample) -> int:
    """Return the records that were due and are in no pool yet."""
    return sample.behind + max(0, sample.due - sample.sent)
