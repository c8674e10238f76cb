"""The study's report: one HTML page with plots inside, and the same figures as CSV and JSON.

In this order: what this log leaks at the chosen setting, in words; the figures of the chosen setting; the paper's
figures and tables with ours beside them; the attacks beyond the paper; what holding, users and the draw change.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from service.study.sweep import html, plots, published

Row = dict[str, Any]


def write(folder: Path, name: str, rows: Sequence[Row], costs: Mapping[str, float], base_k: int) -> list[Path]:
    """Write report.html, report.json and report.csv into `folder` and return their paths."""
    figures = {"log": name, "costs": dict(costs), "settings": list(rows)}
    return html.write(folder, page(name, rows, costs, base_k), figures, [_flat(row) for row in rows])


def page(name: str, rows: Sequence[Row], costs: Mapping[str, float], base_k: int) -> str:
    """Return the whole report as HTML."""
    chosen = _pick(rows, k=base_k)[0]
    parts = [
        f"<h1>What {escape(name)} gives away</h1>",
        f"<p class=note>{chosen['lines']:,} classified lines of {chosen['population']:,} users. All shares are of "
        f"classified lines. Made by <code>querymix study run</code>; the same seed gives the same figures.</p>",
        "<h2>For a privacy officer</h2>",
        *words(chosen),
        "<h2>The chosen setting by k</h2>",
        _by_k(rows),
        "<h2>The paper's evaluation, with its values beside ours</h2>",
        *_paper(rows, costs),
        "<h2>Attacks beyond the paper</h2>",
        *_beyond(rows),
        "<h2>What holding, users and the draw change</h2>",
        _others(rows, base_k),
        "<h2>Categories</h2>",
        _categories(chosen),
    ]
    return html.document("querymix study", parts)


def words(chosen: Row) -> list[str]:
    """Return what a log leaks at one setting, in sentences."""
    k, found = chosen["k"], chosen["attacks"]
    bound = 1 / k
    if chosen["hours p50"] is None:
        said = [f"With k = {k}, nothing of this log is released: no category has enough users. Take a smaller k."]
        return [f"<p>{escape(sentence)}</p>" for sentence in said]
    said = [
        f"With k = {k}, {chosen['released']:.1%} of the classified queries are released and {chosen['held']:.1%} are "
        f"still held. Half of them leave within {chosen['hours p50']:.1f} hours, 95 % within "
        f"{chosen['hours p95']:.0f}.",
        f"{chosen['own returned']:.2%} of the released queries stand under their own user.",
    ]
    if single := [found[name] for name in found if name != "repeats"]:
        worst = max(single, key=lambda row: float(row["success"]))
        verdict = "at or under" if worst["success"] <= bound else "OVER"
        said.append(
            f"The strongest attack on single lines, {worst['attack']}, names the right owner of "
            f"{worst['success']:.1%} of the lines. That is {verdict} the bound of 1/k, {bound:.1%}. Naming the busiest "
            f"user of each category would reach {worst['baseline']:.1%}. Users are not alike: of the tenth of users "
            f"that it names most, it names {worst['worst_tenth']:.1%} of the lines."
        )
    else:
        said.append("Too few lines are released for the attacks: this study says nothing about them.")
    if "repeats" in found:
        said.append(
            f"Texts that are released five times and more, {found['repeats']['lines']:,} lines, tell more together: "
            f"{found['repeats']['success']:.1%} of their owners are named. Whoever asks the same rare text "
            f"again and again stands out."
        )
    said.append(
        "The figures say nothing of what a text tells by itself: a query with a person's name tells it under any user."
    )
    return [f"<p>{escape(sentence)}</p>" for sentence in said]


def _pick(rows: Iterable[Row], **wanted: Any) -> list[Row]:
    """Return the rows of the default setting but for what is `wanted`."""
    default = {"mode": "distinct", "draw": "owner", "delta": "1.2", "max_hold": None, "users": None} | wanted
    return [row for row in rows if all(row[key] == value for key, value in default.items())]


def _by_k(rows: Sequence[Row]) -> str:
    columns = ["k", "1/k", "released", "hours p50", "hours p95", "own returned", "d1", "d4", "kernel", "repeats"]
    table = []
    for row in _pick(rows):
        bound = 1 / row["k"]
        shares = [row["attacks"].get(name, {}).get("success") for name in ("d1", "d4", "kernel", "repeats")]
        cells = [html.cell(row["k"]), html.share(bound), html.share(row["released"])]
        cells += [html.cell("" if row[name] is None else f"{row[name]:.1f}") for name in ("hours p50", "hours p95")]
        cells += [
            html.share(row["own returned"]),
            *(html.share(share, bound) for share in shares[:3]),
            html.share(shares[3]),
        ]
        table.append(cells)
    return html.table(columns, table) + "<p class=note>Green: at or under 1/k. Red: over it.</p>"


def _paper(rows: Sequence[Row], costs: Mapping[str, float]) -> list[str]:
    grown = sorted(_pick(rows, mode="paper", draw="entry", delta="1.2"), key=lambda row: row["k"])
    fixed = _pick(rows, mode="paper", draw="entry", delta="1")
    base = grown[len(grown) // 2]["k"] if grown else 0
    by_delta = sorted(
        (row for row in rows if row["mode"] == "paper" and row["k"] == base), key=lambda row: float(row["delta"])
    )
    matching = {
        "A": _points(grown, lambda row: row["own returned"]),
        "A(NR)": _points(fixed, lambda row: row["own returned"]),
    } | {
        name.upper(): _points(grown, _success(name))
        for name in ("d1", "d2", "d3", "d4", "d1+t", "d2+t", "d3+t", "d4+t")
    }
    spent = {name.upper(): _points(grown, _seconds(name)) for name in ("d1", "d2", "d3", "d4")}
    delta_time = {"pool stage": [(float(row["delta"]), row["microseconds a log"]) for row in by_delta]}
    delta_k = {"largest k": [(float(row["delta"]), float(row["final k"])) for row in by_delta]}
    return [
        plots.lines("Figure 4: effect of delta on time", "delta", "microseconds a log", delta_time),
        plots.lines("Figure 5: effect of delta on the final k", "delta", "largest k of a category", delta_k),
        plots.lines("Figures 6 and 7: matching records (paper mode)", "k", "% of lines", _percent(matching)),
        f"<p class=note>Paper: 0 % for A, at most {published.MATCHING['every attack, at most']:.2%} for every attack, "
        "with 650,000 users interleaved. With few users a burst of one fills a pool.</p>",
        plots.lines("Figure 8: time of an attack", "k", "microseconds a log", spent),
        _costs(costs, grown),
    ]


def _costs(costs: Mapping[str, float], grown: Sequence[Row]) -> str:
    ours = dict(costs)
    if grown:
        ours["anonymizer"] = grown[0]["microseconds a log"]
    table = [
        [html.cell(name), html.cell(f"{value:,.0f}"), html.cell(f"{ours[name]:.1f}" if name in ours else "")]
        for name, value in published.MICROSECONDS.items()
    ]
    memory = f"{max((row['peak MiB'] for row in grown), default=0):.0f} MiB"
    return (
        "<h3>Tables 2 and 3</h3>"
        + html.table(["microseconds a log", "paper", "here"], table)
        + f"<p class=note>Peak memory of a process that pools and attacks: {memory}. The paper's anonymizer took "
        f"{published.KIB['anonymizer'] / 1024:.0f} MiB, its de-anonymizer 3 {published.KIB['d3'] / 1024:.0f} MiB. "
        f"Table 4 (right by category) needs labels: <code>querymix study classifier</code>.</p>"
    )


def _beyond(rows: Sequence[Row]) -> list[str]:
    uniform, entries = _pick(rows), _pick(rows, draw="entry")
    bound = [(float(row["k"]), 100 / row["k"]) for row in sorted(uniform, key=lambda row: row["k"])]
    single = {
        f"{attack}, draw by {name}": _points(some, _success(attack))
        for attack in ("d1", "kernel")
        for name, some in (("owner", uniform), ("entry", entries))
    }
    both = {"draw by owner": uniform, "draw by entry": entries}
    often = {name: _points(some, _success("repeats")) for name, some in both.items()}
    left = {name: _points(some, lambda row: row["released"]) for name, some in both.items()}
    return [
        plots.lines("Owners named, single lines", "k", "% of lines", _percent(single), bound),
        plots.lines("Owners named, texts released 5 times and more", "k", "% of lines", _percent(often), bound),
        plots.lines("Released", "k", "% of classified", _percent(left)),
    ]


def _others(rows: Sequence[Row], base_k: int) -> str:
    columns = ["setting", "users", "released", "suppressed", "hours p95", "kernel", "repeats", "profiles equal"]
    table = []
    for row in rows:
        if row["k"] != base_k or row["mode"] != "distinct":
            continue
        name = f"draw by {row['draw']}"
        if row["max_hold"]:
            name = f"{row['hold_policy']} after {row['max_hold'] / 3600:.0f} h"
        found = row["attacks"]
        cells = [
            html.cell(name),
            html.cell(f"{row['population']:,}"),
            html.share(row["released"]),
            html.share(row["suppressed"]),
        ]
        cells.append(html.cell("" if row["hours p95"] is None else f"{row['hours p95']:.1f}"))
        cells += [html.share(found.get(attack, {}).get("success")) for attack in ("kernel", "repeats")]
        table.append([*cells, html.cell("yes" if row["profiles equal"] else "no")])
    return html.table(columns, table)


def _categories(chosen: Row) -> str:
    groups = {
        name: [count["arrived"], count["released"]]
        for name, count in sorted(chosen["categories"].items(), key=lambda item: -item[1]["arrived"])
    }
    return plots.bars("Lines by category", "lines", groups, ["arrived", "released"])


def _success(name: str) -> Callable[[Row], float | None]:
    return lambda row: row["attacks"].get(name, {}).get("success")


def _seconds(name: str) -> Callable[[Row], float | None]:
    def spent(row: Row) -> float | None:
        seconds = row["attacks"].get(name, {}).get("seconds")
        return None if seconds is None else 1e6 * float(seconds) / float(row["lines"])

    return spent


def _points(rows: Iterable[Row], value: Callable[[Row], float | None]) -> list[tuple[float, float]]:
    points = [(float(row["k"]), value(row)) for row in rows]
    return sorted((k, float(y)) for k, y in points if y is not None)


def _percent(series: Mapping[str, Sequence[tuple[float, float]]]) -> dict[str, list[tuple[float, float]]]:
    return {name: [(x, 100 * y) for x, y in points] for name, points in series.items()}


def _flat(row: Row) -> dict[str, Any]:
    flat = {key: value for key, value in row.items() if key not in ("attacks", "categories")}
    for name, figures in row["attacks"].items():
        flat |= {f"{name} {key}": figures[key] for key in ("success", "low", "high", "baseline", "worst_tenth")}
    return flat
