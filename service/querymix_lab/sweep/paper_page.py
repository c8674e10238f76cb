"""The paper's evaluation with its values beside ours: figures 4 to 8 and tables 2 to 4."""

from collections.abc import Mapping, Sequence
from typing import Final

from querymix_lab.published import STREAM as PUBLISHED
from querymix_lab.sweep import html, plots
from querymix_lab.sweep.costs import Cost
from querymix_lab.sweep.grid import PRINTED
from querymix_lab.sweep.pieces import Row, percent, pick, points, seconds, success

_KIB_A_MIB: Final = 1024


def evaluation(rows: Sequence[Row], costs: Mapping[str, Cost], accuracy: Mapping[str, float]) -> list[str]:
    """Return the figures and tables in HTML; a table whose values nobody measured says what would measure them."""
    grown = sorted(pick(rows, **PRINTED), key=lambda row: row["k"])
    fixed = pick(rows, **PRINTED, delta="1")
    base = grown[len(grown) // 2]["k"] if grown else 0
    by_delta = sorted(
        (row for row in rows if row["mode"] == "paper" and row["k"] == base), key=lambda row: float(row["delta"])
    )
    matching = {
        "A": points(grown, lambda row: row["own returned"]),
        "A(NR)": points(fixed, lambda row: row["own returned"]),
    } | {
        name.upper(): points(grown, success(name)) for name in ("d1", "d2", "d3", "d4", "d1+t", "d2+t", "d3+t", "d4+t")
    }
    spent = {name.upper(): points(grown, seconds(name)) for name in ("d1", "d2", "d3", "d4")}
    delta_time = {"pool stage": [(float(row["delta"]), row["microseconds a log"]) for row in by_delta]}
    delta_k = {
        name: [(float(row["delta"]), float(row[key])) for row in by_delta if key in row]
        for name, key in (("largest k", "final k"), ("mean of the categories", "mean k"))
    }
    return [
        plots.lines("Figure 4: effect of delta on time", "delta", "microseconds a log", delta_time),
        plots.lines("Figure 5: effect of delta on the final k", "delta", "k at the end", delta_k),
        plots.lines("Figures 6 and 7: matching records (paper mode)", "k", "% of lines", percent(matching)),
        f"<p class=note>Paper: 0 % for A, at most {PUBLISHED['matching_at_most']:.2%} for every attack, "
        "with 650,000 users interleaved. With few users a burst of one fills a pool.</p>",
        plots.lines("Figure 8: time of an attack", "k", "microseconds a log", spent),
        "<h3>Tables 2 and 3: time and memory of each process</h3>",
        _costs(costs),
        "<h3>Table 4: right answers by category</h3>",
        _accuracy(accuracy),
        *html.differences(PUBLISHED["differs"]),
    ]


def _costs(costs: Mapping[str, Cost]) -> str:
    rows = []
    for name, kib in PUBLISHED["kib"].items():
        theirs, ours = PUBLISHED["microseconds"].get(name), costs.get(name)
        rows.append([
            name, theirs and f"{theirs:,.0f}", ours and f"{ours.microseconds:,.1f}", f"{kib / _KIB_A_MIB:,.0f}",
            ours and f"{ours.mebibytes:,.0f}",
        ])  # fmt: skip
    columns = ["process", "paper, microseconds a log", "here", "paper, MiB", "here"]
    note = "Each was measured in a process of its own. The memory here holds Python, numpy and the whole log."
    return html.table(columns, rows) + f"<p class=note>{note}</p>"


def _accuracy(accuracy: Mapping[str, float]) -> str:
    if not accuracy:
        return "<p class=note>Needs labelled queries: give <code>--labels FILE</code>.</p>"
    theirs = PUBLISHED["right_by_category"]
    rows = [[name, theirs.get(name), accuracy.get(name)] for name in sorted({*theirs, *accuracy})]
    note = "Share of the answers that name the category and are right; the paper's are of 1,068 AOL queries."
    return html.table(["category", "paper", "here"], rows) + f"<p class=note>{note}</p>"
