"""The comparison's report: one HTML page with plots inside, and the same figures as CSV and JSON.

In this order: one table of all methods at one k; when to choose what; then privacy, information, what is kept, utility
and cost by k, each with a plot; then the papers' figures with ours beside them. No query and no user is in it.
"""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from querymix_lab.compare import papers, words
from querymix_lab.compare.grid import PROMISES, TITLES
from querymix_lab.compare.seeds import Row
from querymix_lab.compare.words import score
from querymix_lab.sweep import html, plots

PRIVACY: Final = {
    "pel queries": "PEL, queries",
    "pel categories": "PEL, topics",
    "rl queries": "linked by queries",
    "rl categories": "linked by topics",
    "own returned": "own queries",
    "halves by categories": "halves by topics",
    "halves by words": "halves by words",
    "users alone": "users alone",
}
KEPT: Final = {"lines": "queries", "distinct": "distinct queries", "users": "users", "clicks": "clicks"}
INFORMATION: Final = {
    "ilr": "ILR",
    "il": "IL",
    "jaccard categories": "Jaccard, topics",
    "rand categories": "Rand, topics",
    "jaccard words": "Jaccard, words",
    "rand words": "Rand, words",
    "top queries kept": "top 10 queries",
    "top words kept": "top 10 words",
    "top categories kept": "top 10 topics",
}

_NOTE: Final = """Made by <code>querymix compare</code>; the same seed gives the same figures, but for time and memory.
A figure is the mean over the seeds, with the 95 % interval of that mean below it. The interval is about the method's
chance on this log: another log may rank otherwise."""
PRIVACY_NOTE: Final = """<p class=note>PEL: how much of what a user asked its released queries expose; where few leave
and all are the user's own, it is high for those few. Linked: whoever knows the original finds the user by the queries
(topics) that it has most in common. Halves: the two halves of a user's released lines are found to be the same user's.
Alone: users whose released queries are nobody else's too.</p>"""
INFORMATION_NOTE: Final = """<p class=note>ILR: entropy of a user's queries lost or added. IL: how far clusters of users
by topics are from the original's. Jaccard and Rand: how far k-means clusters agree with the original's (1: the same).
Top 10: how many of the occurrences of the ten commonest are still there.</p>"""


def write(folder: Path, name: str, rows: Sequence[Row], base_k: int) -> list[Path]:
    """Write report.html, report.json and report.csv into `folder` and return their paths."""
    return html.write(folder, page(name, rows, base_k), {"log": name, "settings": list(rows)}, list(map(flat, rows)))


def page(name: str, rows: Sequence[Row], base_k: int) -> str:
    """Return the whole report as HTML."""
    whole = [row for row in rows if "privacy" in row]
    chosen = [row for row in whole if row["k"] in (base_k, None)]
    size = f"{rows[0]['lines']:,} queries of {rows[0]['population']:,} users" if rows else ""
    parts = [
        f"<h1>Ways to release {escape(name)}</h1>",
        f"<p class=note>{size}, identifiers cut. {words.size(rows)}. {_NOTE}</p>",
        f"<h2>All methods at k = {base_k}</h2>",
        _summary(chosen),
        *(f"<p class=note>{escape(sentence)}</p>" for sentence in words.left_out(rows)),
        "<h2>When to choose what</h2>",
        *words.advice(chosen),
        _promises(chosen),
        "<h2>Privacy</h2>",
        *_section(whole, "privacy", PRIVACY, {"PEL, queries": "pel queries", "linked by queries": "rl queries"}),
        PRIVACY_NOTE,
        "<h2>Information</h2>",
        *_section(whole, "information", INFORMATION, {"IL": "il", "ILR": "ilr"}),
        INFORMATION_NOTE,
        "<h2>Kept</h2>",
        *_section(whole, "kept", KEPT, {"queries": "lines", "distinct queries": "distinct"}),
        "<h2>What consumers can still do</h2>",
        *_utility(whole, chosen),
        "<h2>Cost</h2>",
        *_cost(rows, base_k),
        *papers.parts(rows),
        *_own(chosen),
    ]
    return html.document("querymix compare", parts)


def _summary(rows: Sequence[Row]) -> str:
    columns = [
        "method", "k", "queries kept", "distinct kept", "own queries", "PEL", "linked by queries", "halves by topics",
        "IL", "completion", "topic ranking", "next query", "seconds", "MiB",
    ]  # fmt: skip
    tasks = ("query completion", "personalised ranking", "next-query suggestion")
    table = []
    for row in rows:
        privacy, kept, cost = row["privacy"], row["kept"], row["cost"]
        table.append([
            row["method"], row["k"], kept["lines"], kept["distinct"], privacy["own returned"], privacy["pel queries"],
            privacy["rl queries"], privacy["halves by categories"], words.cell(row, "information", "il"),
            *(score(row, task) for task in tasks), f"{cost['seconds']:.1f}", f"{cost['MiB']:.0f}",
        ])  # fmt: skip
    note = "Completion, topic ranking and next query: as a share of what the original reaches. Less is better in the "
    return html.table(columns, table) + f"<p class=note>{note}columns from own queries to IL, more in the others.</p>"


def _promises(rows: Sequence[Row]) -> str:
    names = [row["method"] for row in rows]
    cells = [[name, html.prose(TITLES[name]), html.prose(PROMISES[name])] for name in names]
    return html.table(["method", "what it is", "what it promises"], cells)


def _section(rows: Sequence[Row], part: str, columns: Mapping[str, str], drawn: Mapping[str, str]) -> list[str]:
    """Return a table of one part's figures by method and k, and plots of some of them."""
    table = [[row["method"], row["k"], *(words.cell(row, part, key) for key in columns)] for row in rows]
    bound = [(float(k), 100 / k) for k in sorted({row["k"] for row in rows if row["k"]})]
    drawings = []
    for title, key in drawn.items():
        series = by_method(rows, [row[part].get(key) for row in rows])
        drawings.append(plots.lines(title, "k", "%", series, bound if "PEL" in title else ()))
    return [*drawings, html.table(["method", "k", *columns.values()], table)]


def by_method(rows: Sequence[Row], values: Sequence[float | None]) -> dict[str, list[tuple[float, float]]]:
    """Return points (k, per cent) by method, of the rows' values; a method without a k has a level line."""
    ks = sorted({row["k"] for row in rows if row["k"]})
    series: dict[str, list[tuple[float, float]]] = {}
    for row, number in zip(rows, values, strict=True):
        if number is not None:
            at = [row["k"]] if row["k"] else ks
            series.setdefault(row["method"], []).extend((float(k), 100 * number) for k in at)
    return {name: sorted(points) for name, points in series.items()}


def _utility(rows: Sequence[Row], chosen: Sequence[Row]) -> list[str]:
    out = []
    for title, task in (("Query completion", "query completion"), ("Topic ranking", "personalised ranking")):
        series = by_method(rows, [score(row, task) for row in rows])
        out.append(plots.lines(f"{title}, share of the original's MRR", "k", "%", series))
    measures = list(dict.fromkeys((f["task"], f["measure"]) for row in chosen for f in row["utility"]))
    table = [
        [html.prose(f"{task}, {measure}"), *(score(row, task, measure) for row in chosen)] for task, measure in measures
    ]
    out.append(html.table(["share of the original's", *(row["method"] for row in chosen)], table))
    stream = next((row for row in chosen if row["method"] == "stream"), None)
    if stream:
        out.append(_meanings(stream))
    left_out = sorted({reason for row in chosen for reason in row.get("left out", ())})
    return out + [f"<p class=note>Left out: {escape(reason)}</p>" for reason in left_out]


def _meanings(row: Row) -> str:
    table = []
    for figure in row["utility"]:
        cells: list[object] = [html.prose(f"{figure['task']}, {figure['measure']}")]
        cells += [f"{figure[key]:.3f}" for key in ("original", "released", "baseline")]
        low, high = figure["low"], figure["high"]
        between = None if low is None else f"{100 * low:.0f} to {100 * high:.0f} %"
        table.append([*cells, between, html.prose(figure["meaning"])])
    head = ["the stream, task by task", "original", "released", "baseline", "95 % of the share", "what it means"]
    return html.table(head, table)


def _cost(rows: Sequence[Row], base_k: int) -> list[str]:
    measured = [row for row in rows if "cost" in row and row["k"] in (base_k, None) and row["scope"] != "information"]
    series: dict[str, list[tuple[float, float]]] = {}
    table = []
    for row in sorted(measured, key=lambda row: (row["method"], row["population"])):
        cost = row["cost"]
        series.setdefault(row["method"], []).append((float(row["population"]), cost["seconds"]))
        table.append([
            row["method"], f"{row['population']:,}", f"{row['lines']:,}", f"{cost['seconds']:.2f}",
            f"{cost['microseconds a line']:.0f}", f"{cost['MiB']:.0f}",
        ])  # fmt: skip
    note = [f"<p class=note>{escape(sentence)}</p>" for sentence in [papers.growth(series)] if sentence]
    head = ["method", "users", "queries", "seconds", "microseconds a query", "peak MiB of the process"]
    return [plots.lines(f"Time by users, k = {base_k}", "users", "seconds", series), html.table(head, table), *note]


def _own(rows: Sequence[Row]) -> list[str]:
    told = [(row["method"], text) for row in rows for text in row.get("notes", ())]
    figures = [
        (row["method"], f"{key.replace('_', ' ')}: {value:,.4g}")
        for row in rows
        for key, value in row["own figures"].items()
    ]
    if not told and not figures:
        return []
    cells = [[method, html.prose(text)] for method, text in (*figures, *told)]
    return ["<h2>What the methods say of themselves</h2>", html.table(["method", ""], cells)]


def flat(row: Row) -> dict[str, Any]:
    """Return a row's figures side by side, for CSV."""
    out = {key: value for key, value in row.items() if not isinstance(value, dict | list)}
    for part in ("cost", "privacy", "information", "kept", "own figures"):
        for key, value in row.get(part, {}).items():
            if isinstance(value, dict):
                out |= {f"{key} {inner}": number for inner, number in value.items()}
            else:
                out[key if part != "kept" else f"kept {key}"] = value
    for figure in row.get("utility", ()):
        out[f"{figure['task']}, {figure['measure']}"] = figure["relative"]
    for name, (low, high) in row.get("intervals", {}).items():
        out |= {f"{name}, low": low, f"{name}, high": high}
    return out
