"""The study's report: one HTML page with plots inside, and the same figures as CSV and JSON.

In this order: what this log leaks at the chosen setting, in words; the figures of the chosen setting; the paper's
figures and tables with ours beside them; the attacks beyond the paper; who watches over time; what holding,
users and the draw change.
"""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from querymix_lab.sweep import html, paper_page, plots, watching_page
from querymix_lab.sweep.costs import Cost
from querymix_lab.sweep.grid import Setting
from querymix_lab.sweep.pieces import Row, percent, pick, points, success


class Study(NamedTuple):
    """Everything that a report tells."""

    name: str
    """The log's."""
    rows: Sequence[Row]
    """Figures by setting."""
    costs: Mapping[str, Cost]
    """Of each process."""
    accuracy: Mapping[str, float]
    """Right answers by category; empty where there were no labels."""
    watched: Sequence[Row] = ()
    """Figures by setting of who watches over time (querymix_lab.sweep.watching), the default first."""

    def as_dict(self) -> dict[str, Any]:
        """Return the study for JSON."""
        costs = {name: cost._asdict() for name, cost in self.costs.items()}
        return {"log": self.name, "costs": costs, "accuracy": dict(self.accuracy), "settings": list(self.rows)} | {
            "watched": list(self.watched)
        }


def write(folder: Path, study: Study, base_k: int) -> list[Path]:
    """Write report.html, report.json and report.csv into `folder` and return their paths."""
    return html.write(folder, page(study, base_k), study.as_dict(), [_flat(row) for row in study.rows])


def page(study: Study, base_k: int) -> str:
    """Return the whole report as HTML."""
    name, rows, costs, accuracy, watched = study
    chosen = pick(rows, k=base_k)[0]
    parts = [
        f"<h1>What {escape(name)} gives away</h1>",
        f"<p class=note>{chosen['lines']:,} classified lines of {chosen['population']:,} users. All shares are of "
        f"classified lines. Made by <code>querymix study run</code>; the same seed gives the same figures.</p>",
        "<h2>For a privacy officer</h2>",
        *words(chosen),
        "<h2>The chosen setting by k</h2>",
        _by_k(rows),
        "<h2>The paper's evaluation, with its values beside ours</h2>",
        *paper_page.evaluation(rows, costs, accuracy),
        "<h2>Attacks beyond the paper</h2>",
        *_beyond(rows),
        *watching_page.over_time(watched),
        "<h2>What holding, users and the draw change</h2>",
        _others(rows, base_k),
        "<h2>Categories</h2>",
        _categories(chosen),
    ]
    return html.document("querymix study", parts)


def words(chosen: Row) -> list[str]:
    """Return what a log leaks at one setting, in paragraphs."""
    attacks = chosen["attacks"]
    single = [found for name, found in attacks.items() if not name.startswith(("repeats", "sybils"))]
    worst = max(single, key=lambda found: float(found["success"]), default=None)
    return html.paragraphs("leaks.txt", row=chosen, attacks=attacks, worst=worst)


def _by_k(rows: Sequence[Row]) -> str:
    columns = ["k", "1/k", "released", "hours p50", "hours p95", "own returned", "d1", "d4", "kernel", "repeats"]
    lines = []
    for row in pick(rows):
        bound = 1 / row["k"]
        single = [html.share(success(name)(row), bound) for name in ("d1", "d4", "kernel")]
        lines.append([
            row["k"], bound, row["released"], _hours(row["hours p50"]), _hours(row["hours p95"]), row["own returned"],
            *single, success("repeats")(row),
        ])  # fmt: skip
    return html.table(columns, lines) + "<p class=note>Green: at or under 1/k. Red: over it.</p>"


def _hours(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _beyond(rows: Sequence[Row]) -> list[str]:
    uniform, entries = pick(rows), pick(rows, draw="entry")
    bound = [(float(row["k"]), 100 / row["k"]) for row in sorted(uniform, key=lambda row: row["k"])]
    single = {
        f"{attack}, draw by {name}": points(some, success(attack))
        for attack in ("d1", "kernel")
        for name, some in (("owner", uniform), ("entry", entries))
    }
    both = {"draw by owner": uniform, "draw by entry": entries}
    often = {name: points(some, success("repeats")) for name, some in both.items()}
    filled = {
        f"{count} queries, {name}": points(some, success(f"sybils {count}"))
        for count in (10, 30)
        for name, some in both.items()
    }
    left = {name: points(some, lambda row: row["released"]) for name, some in both.items()}
    return [
        plots.lines("Owners named, single lines", "k", "% of lines", percent(single), bound),
        plots.lines("Owners named, texts released 5 times and more", "k", "% of lines", percent(often), bound),
        plots.lines("Owners named by who fills a pool with accounts", "k", "% of lines", percent(filled), bound),
        plots.lines("Released", "k", "% of classified", percent(left)),
    ]


def _others(rows: Sequence[Row], base_k: int) -> str:
    columns = [
        "setting", "users", "released", "suppressed", "repeats suppressed", "hours p95", "kernel", "repeats",
        "sybils 10", "sybils 30", "profiles equal",
    ]  # fmt: skip
    shown = ("kernel", "repeats", "sybils 10", "sybils 30")
    lines = [
        [
            _told(row), f"{row['population']:,}", row["released"], row["suppressed"], row["repeats suppressed"],
            _hours(row["hours p95"]), *(success(attack)(row) for attack in shown),
            "yes" if row["profiles equal"] else "no",
        ]
        for row in rows
        if row["k"] == base_k and row["mode"] == "distinct"
    ]  # fmt: skip
    return html.table(columns, lines)


def _told(row: Row) -> str:
    """Return what a setting changes of the default."""
    default, said = Setting(row["k"]), []
    if row["draw"] != default.draw:
        said.append(f"draw by {row['draw']}")
    if row["hold_policy"] == "wait":
        said.append("hold without a bound")
    elif (row["max_hold"], row["hold_policy"]) != (default.max_hold, default.hold_policy):
        said.append(f"{row['hold_policy']} after {row['max_hold'] / 3600:.0f} h")
    said += [f"{name} {row[name] / 3600:.0f} h" for name in ("established", "dedupe") if row[name]]
    if row["click_wait"] != default.click_wait:
        said.append("each click a query")
    if row["reserve"] != default.reserve:
        said.append(f"a reserve of {row['reserve']}" if row["reserve"] else "no reserve")
    if row["unit"] == "session":
        said.append("sessions" if row["session_scope"] == "category" else "sessions of all categories")
    return ", ".join(said) or "default"


def _categories(chosen: Row) -> str:
    groups = {
        name: [count["arrived"], count["released"]]
        for name, count in sorted(chosen["categories"].items(), key=lambda item: -item[1]["arrived"])
    }
    return plots.bars("Lines by category", "lines", groups, ["arrived", "released"])


def _flat(row: Row) -> dict[str, Any]:
    flat = {key: value for key, value in row.items() if key not in ("attacks", "categories")}
    for name, figures in row["attacks"].items():
        flat |= {f"{name} {key}": figures[key] for key in ("success", "low", "high", "baseline", "worst_tenth")}
    return flat
