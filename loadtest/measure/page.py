"""The report as one HTML page with its plots inside; needs matplotlib (the extra `loadtest`)."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import log10
from typing import Any, Final

from querymix_lab.sweep import html
from querymix_lab.sweep.plots import NINES, TIME, lines

from loadtest.measure.latency import merged
from loadtest.measure.tables import Table, tables

Report = Mapping[str, Any]
Points = list[tuple[float, float]]
_TAIL: Final = 5
"""Nines up to which the distribution is drawn."""


def page(report: Report) -> str:
    """Return the whole report as HTML."""
    scenario = report["scenario"]
    name = scenario["name"]
    machine = ", ".join(f"{key} {value}" for key, value in report["machine"].items())
    parts = [
        f"<h1>Load test: {escape(name)}</h1>",
        f"<p>{escape(scenario.get('about', ''))}</p>",
        f"<p class=note>{escape(report['began'])}; {escape(report['ended'])}. {escape(machine)}. Made by "
        f"<code>python -m loadtest run</code>.</p>",
        _verdict(report),
        *(_table(table) for table in tables(report)),
        *plots(report),
    ]
    return html.document(f"load test {name}", parts, width="60em")


def plots(report: Report) -> list[str]:
    """Return the plots as SVG; none where the run ended before it was sampled."""
    samples = report["samples"]
    if len(samples) < 2:
        return []
    samples = [one | {"at": one["at"] - samples[0]["at"]} for one in samples]
    found = [
        lines("Throughput", TIME, "records a second", {
            name: _rates(samples, key)
            for name, key in (("due", "due"), ("sent", "sent"), ("taken in", "taken"), ("released", "released"),
                              ("into profiles", "profiled"))
        }),
        lines("Records that wait", TIME, "records", {
            "on the way to the pools": _inside(samples, "waiting", "pools"),
            "raw topic": _over(samples, lambda one: one["waiting"]["raw"]),
            "due, not sent": _over(samples, lambda one: max(0, one["due"] - one["sent"])),
        }),
        lines("Frames that wait on the internal topics", TIME, "frames", {
            name: _inside(samples, "waiting", name) for name in ("classified", "evidence")
        }),
        lines("Latency beyond the hold", TIME, "milliseconds", {
            name: _inside(samples, "beyond", name) for name in ("p50", "p95", "p99")
        }),
        lines("Latency beyond the hold, of the whole run", NINES, "milliseconds", {
            "beyond the hold": _nines(report["latency"]["histograms"]["beyond_hold"]),
        }),
        lines("Latency with the hold, of the whole run", NINES, "milliseconds", {
            "with the hold": _nines(report["latency"]["histograms"]["with_hold"]),
        }),
        lines("CPU by kind of process", TIME, "cores", {
            **{kind: _rates(samples, kind, "cpu") for kind in samples[-1]["cpu"]},
            "whole machine": _rates(samples, "busy"),
        }),
        lines("Memory", TIME, "MiB", {
            name: _inside(samples, "memory", name, 2**-20)
            for name in samples[-1]["memory"]
        }),
        lines("Records in the pools", TIME, "records", {"held": _over(samples, lambda one: one["held"])}),
    ]  # fmt: skip
    return found + _knee(report)


def _knee(report: Report) -> list[str]:
    """Return what came of each rate that was tried, where the knee was looked for."""
    if report["knee"] is None:
        return []
    steps = sorted((one for one in report["phases"] if one["kind"] == "knee"), key=lambda one: one["offered"])
    drawn: list[tuple[str, str, dict[str, Callable[[Any], float | None]]]] = [
        ("What came of each rate", "records a second", {
            "taken in": lambda one: one["in_rate"], "released": lambda one: one["out_rate"],
        }),
        ("Latency beyond the hold at each rate", "milliseconds", {
            "p50": lambda one: one["beyond_hold"]["p50"], "p99": lambda one: one["beyond_hold"]["p99"],
        }),
    ]  # fmt: skip
    return [
        lines(
            title, "records due a second", unit,
            {name: [(one["offered"], value) for one in steps if (value := get(one)) is not None]
             for name, get in series.items()},
        )
        for title, unit, series in drawn
    ]  # fmt: skip


def _over(samples: Sequence[Any], value: Callable[[Any], float | None]) -> Points:
    return [(one["at"], found) for one in samples if (found := value(one)) is not None]


def _inside(samples: Sequence[Any], table: str, key: str, unit: float = 1.0) -> Points:
    return _over(samples, lambda one: None if one[table].get(key) is None else one[table][key] * unit)


def _rates(samples: Sequence[Any], key: str, inside: str | None = None) -> Points:
    """Return how fast a count rises, between samples."""

    def value(one: Any) -> float:
        return float((one[inside] if inside else one).get(key, 0.0))

    return [
        (two["at"], max(0.0, (value(two) - value(one)) / (two["at"] - one["at"])))
        for one, two in pairwise(samples)
        if two["at"] - one["at"] > 0.2
    ]


def _nines(packed: str) -> Points:
    found = merged([packed])
    count = found.get_total_count()
    if not count:
        return []
    most = min(_TAIL, log10(count))
    shares = [nine / 10 for nine in range(int(most * 10) + 1)]
    return [(nines, float(found.get_value_at_percentile(100 * (1 - 10**-nines)))) for nines in shares]


def _verdict(report: Report) -> str:
    first, *others = map(escape, report["verdict"])
    mark = "good" if report["passed"] else "bad"
    return f"<p class={mark}><b>{first}</b></p><ul>{''.join(f'<li>{one}</li>' for one in others)}</ul>"


def _table(table: Table) -> str:
    rows = [[*map(html.prose, row[: table.texts]), *row[table.texts :]] for row in table.rows]
    return f"<h2>{escape(table.title)}</h2>{html.table(table.columns, rows)}"
