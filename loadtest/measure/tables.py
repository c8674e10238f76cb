"""A report's figures as tables of plain cells, for the terminal and for the page alike."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Report = Mapping[str, Any]


WORKERS = ("worker", "classifier", "anonymizer", "profiler")
"""Kinds of processes that are workers: of all roles, or of one."""


class Table(NamedTuple):
    """A title, the columns' names, and rows of text."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1
    """Columns, from the left, that hold words and no figures."""


def number(value: float | None, digits: int = 0) -> str:
    """Return a figure with commas, a dash where it was not measured."""
    return "-" if value is None else f"{value:,.{digits}f}"


def mebibytes(value: float | None) -> str:
    """Return bytes as MiB."""
    return "-" if value is None else f"{value / 2**20:,.0f}"


def tables(report: Report) -> list[Table]:
    """Return all tables of a report."""
    found = [checks(report), throughput(report), latencies(report), costs(report), phases(report), account(report)]
    if report["events"]:
        found.insert(5, events(report))
    return found


def throughput(report: Report) -> Table:
    """Return what came in and went out."""
    total = report["total"]
    rows = [
        ("sent, steps that warm up included", number(total["sent"]), number(total["sent_rate"])),
        ("taken in by the classifiers", "", number(total["in_rate"])),
        ("released and read", number(total["released"]), number(total["out_rate"])),
        ("counted into profiles", "", number(total["profiled_rate"])),
        ("due and never sent", number(total["owed"]), ""),
        ("bad records among them", number(total["bad"]), ""),
    ]
    if (total["lag_seconds"] or 0) > 1:
        rows.append(("done until nothing waited", "", number(total["settled_rate"])))
    if report["knee"] is not None:
        rows.append(("knee: highest rate that was kept", "", number(report["knee"]["rate"])))
    return Table(f"Throughput over {number(total['seconds'], 1)} s of load", ("", "records", "records/s"), rows)


def latencies(report: Report) -> Table:
    """Return how long releases took."""
    names = {"beyond_hold": "beyond the hold (the system's own)", "with_hold": "with the hold (time in the pool)"}
    found = [(text, report["latency"][name]) for name, text in names.items()]
    rows = [
        (text, *(number(one[name]) for name in ("p50", "p95", "p99", "max")), number(one["count"]))
        for text, one in found
    ]
    return Table("Latency, ms", ("", "p50", "p95", "p99", "max", "releases"), rows)


def costs(report: Report) -> Table:
    """Return CPU and memory by process."""
    by_kind = report["costs"] or {}
    rows = [
        (
            one["name"], number(one["cpu_seconds"], 1), number(by_kind.get(one["kind"]), 1), mebibytes(one["peak"]),
            mebibytes(one["last"]),
        )
        for one in report["processes"]
    ]  # fmt: skip
    return Table("CPU and memory", ("process", "CPU s", "µs a record, by kind", "peak MiB", "MiB at the end"), rows)


def phases(report: Report) -> Table:
    """Return the steps."""
    columns = ("step", "s", "due/s", "in/s", "out/s", "lag s", "p50", "p99", "worker cores", "others' cores")
    rows = []
    for one in report["phases"]:
        beyond = one["beyond_hold"]
        name = one["name"].removeprefix("step ") + (", warm" if one["kind"] == "warm" else "")
        cores = sum(one["cores"].get(kind, 0.0) for kind in WORKERS)
        rows.append(
            (
                name, number(one["seconds"], 1), number(one["offered"]), number(one["in_rate"]),
                number(one["out_rate"]), number(one["lag_seconds"], 2), number(beyond["p50"]), number(beyond["p99"]),
                number(cores, 2), number(one["others_cores"], 2),
            )
        )  # fmt: skip
    return Table("Steps; latency beyond the hold in ms", columns, rows)


def events(report: Report) -> Table:
    """Return what happened, and how long it was felt."""
    rows = []
    begin = report["samples"][0]["at"] if report["samples"] else 0.0
    for one in report["events"]:
        after = one["recovered_after"]
        rows.append((number(one["at"] - begin, 1), one["do"], "never" if after is None else number(after, 1)))
    return Table("Events", ("at second", "event", "seconds until the lag was what it was"), rows, texts=2)


def account(report: Report) -> Table:
    """Return where every record went."""
    return Table("Account", ("", "records"), [(name, number(count)) for name, count in report["account"].items()])


def checks(report: Report) -> Table:
    """Return what had to hold."""
    rows = [("ok" if one["ok"] else "FAILED", one["name"], one["found"]) for one in report["checks"]]
    rows += [("FAILED", "problem", text) for text in report["problems"]]
    return Table("Checks", ("", "what", "found"), rows, texts=3)


def side_by_side(first: Report, second: Report) -> Table:
    """Return two reports' main figures, with the second as a multiple of the first."""
    rows = []
    for name, (one, other, ratio) in compared(first, second).items():
        digits = 0 if max(one or 0, other or 0) >= 100 else 2
        rows.append((name, number(one, digits), number(other, digits), number(ratio, 2)))
    return Table("Second against first", ("", "first", "second", "ratio"), rows)


def compared(first: Report, second: Report) -> dict[str, tuple[float | None, float | None, float | None]]:
    """Return the main figures of two reports, and the second as a multiple of the first; None: not measured."""
    found = {}
    for name, path in COMPARED.items():
        one, other = _at(first, path), _at(second, path)
        found[name] = one, other, round(other / one, 4) if one and other is not None else None
    return found


COMPARED = {
    "sent, records/s": ("total", "sent_rate"),
    "taken in, records/s": ("total", "in_rate"),
    "released, records/s": ("total", "out_rate"),
    "into profiles, records/s": ("total", "profiled_rate"),
    "knee, records/s": ("knee", "rate"),
    "done until nothing waited, records/s": ("total", "settled_rate"),
    "lag at the end, s": ("total", "lag_seconds"),
    "beyond the hold, p50, ms": ("latency", "beyond_hold", "p50"),
    "beyond the hold, p95, ms": ("latency", "beyond_hold", "p95"),
    "beyond the hold, p99, ms": ("latency", "beyond_hold", "p99"),
    "beyond the hold, max, ms": ("latency", "beyond_hold", "max"),
    "with the hold, p50, ms": ("latency", "with_hold", "p50"),
    "with the hold, p99, ms": ("latency", "with_hold", "p99"),
    "workers, µs a record": ("costs", "worker"),
    "classifiers, µs a record": ("costs", "classifier"),
    "anonymizers, µs a record": ("costs", "anonymizer"),
    "profilers, µs a record": ("costs", "profiler"),
    "brokers, µs a record": ("costs", "broker"),
    "database, µs a record": ("costs", "database"),
    "records sent": ("total", "sent"),
    "released": ("account", "released"),
    "held": ("account", "held"),
}
"""What two reports are compared by, and where it stands in them."""


def _at(report: Report, path: Sequence[str]) -> float | None:
    value: Any = report
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, int | float) else None
