"""The frontier's pictures: each way a numbered point, what it keeps against what it tells; and the trend."""

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from querymix_lab.frontier.measures import pareto
from querymix_lab.frontier.ways import FAMILIES, Family
from querymix_lab.frontier.words import percent

Row = Mapping[str, Any]
TOLD: Final = {
    "linkage": ("Are users found by their ids?", "users found, %"),
    "owner named": ("Are owners named?", "lines whose owner is named, %"),
    "isolation": ("Had one person only what leaves?", "lines that are one person's only, %"),
}
"""What is told: the title and the axis of each panel."""
KEPT: Final = {"distinct": "distinct queries kept", "completion": "query completion kept"}
_COLOURS: Final = dict(zip(FAMILIES, ("#777777", "#d62728", "#ff7f0e", "#1f77b4", "#2ca02c"), strict=True))
_OF: Final[dict[str, Family]] = {"threshold": FAMILIES[1], "rare terms": FAMILIES[2], "stream": FAMILIES[3]}
"""The family of a rule by the beginning of its name in the trend."""
_STYLES: Final = ("-", "--", ":")
_SIZE: Final = 8
_EDGE: Final = 0.06


def frontier(rows: Sequence[Row], kept: str) -> Figure:
    """Return the figure of what is kept against all that is told; the numbers are those of the rows, from 1 on."""
    figure = Figure(figsize=(13.5, 5.6), layout="constrained")
    panels = figure.subplots(1, len(TOLD), sharey=True)
    for axes, told in zip(panels, TOLD, strict=True):
        _panel(axes, rows, told, kept)
        axes.set_title(TOLD[told][0], fontsize=11)
        axes.set_xlabel(TOLD[told][1], fontsize=10)
    panels[0].set_ylabel(f"{KEPT[kept]}, %", fontsize=10)
    for family in FAMILIES:
        names = [f"{place} {row['told']}" for place, row in enumerate(rows, 1) if row["family"] == family]
        if names:
            label = f"{family}:\n" + "\n".join(names)
            panels[0].plot([], [], "o", color=_COLOURS[family], markersize=8, label=label)
    panels[0].plot([], [], "k--", linewidth=1, label="nothing keeps more\nand tells less")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right upper", fontsize=8.5, frameon=False)
    return figure


def _panel(axes: Axes, rows: Sequence[Row], told: str, kept: str) -> None:
    shown = [
        (place, row) for place, row in enumerate(rows, 1) if row.get(told) is not None and row.get(kept) is not None
    ]
    points = [(float(row[told]), float(row[kept])) for _, row in shown]
    best = pareto(points)
    axes.plot(
        *zip(*[(100 * points[at][0], 100 * points[at][1]) for at in best], strict=True), "k--", linewidth=1
    ) if best else None
    axes.set_xlim(-100 * _EDGE, 100 * (1 + _EDGE))
    axes.set_ylim(-100 * _EDGE, 100 * (1 + _EDGE))
    places = _apart([(100 * x, 100 * y) for x, y in points])
    for (number, row), (x, y), (at_x, at_y) in zip(shown, points, places, strict=True):
        colour = _COLOURS[row["family"]]
        axes.plot([100 * x, at_x], [100 * y, at_y], color=colour, linewidth=0.7)
        axes.plot(100 * x, 100 * y, "o", color=colour, markersize=3)
        axes.text(
            at_x, at_y, str(number), color="white", fontsize=_SIZE, ha="center", va="center", fontweight="bold",
            bbox={"boxstyle": "circle,pad=0.18", "facecolor": colour, "edgecolor": "white", "linewidth": 0.6},
        )  # fmt: skip
    axes.grid(alpha=0.3)


def _apart(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return where the marks of points stand, none upon another: each as near as there is room, rather beside it."""
    taken: list[tuple[float, float]] = []
    for x, y in points:
        offers = ((x + dx, y + dy) for dx, dy in _AROUND)
        inside = [one for one in offers if all(-_EDGE / 2 <= at / 100 <= 1 + _EDGE / 2 for at in one)]
        free = (one for one in inside if all(abs(one[0] - a) > _WIDE or abs(one[1] - b) > _HIGH for a, b in taken))
        taken.append(next(free, (x, y)))
    return taken


_WIDE, _HIGH = 7.5, 4.6
"""Of a mark, in the units of the axes, which are per cent."""
_AROUND: Final = sorted(
    ((float(dx), float(dy)) for dx in range(-40, 41, 2) for dy in range(-15, 16)),
    key=lambda by: (by[0] ** 2 + (2 * by[1]) ** 2, by),
)


def tail(rows: Sequence[Row]) -> Figure:
    """Return the figure of what some ways keep of the distinct queries, and what they tell, a bar for each."""
    figure = Figure(figsize=(11, 0.6 + 0.42 * len(rows)), layout="constrained")
    parts = {
        "distinct": "distinct queries kept, %\n(the rest is deleted)",
        "owner named": "lines whose owner is named, %",
        "isolation": "lines that are one person's only, %",
    }
    for axes, (name, title) in zip(figure.subplots(1, len(parts), sharey=True), parts.items(), strict=True):
        values = [100 * float(row[name] or 0.0) for row in rows]
        bars = axes.barh(range(len(rows)), values, color=[_COLOURS[row["family"]] for row in rows])
        axes.bar_label(bars, [percent(row[name]) for row in rows], padding=3, fontsize=9)
        axes.set_title(title, fontsize=10)
        axes.set_xlim(0, 125)
        axes.set_xticks([])
        axes.set_yticks(range(len(rows)), [row["told"] for row in rows])
        axes.spines[["top", "right", "bottom"]].set_visible(False)
        axes.invert_yaxis() if name == "distinct" else None
    return figure


def trend(sizes: Sequence[Row], fit: Sequence[Row]) -> Figure:
    """Return the figure of what rules keep of distinct queries and of the volume, by users; `fit` has the log's."""
    figure = Figure(figsize=(11, 4), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    names = list(dict.fromkeys(name for size in sizes for name in size["rules"]))
    for axes, part, title in zip(panels, ("distinct", "volume"), ("distinct queries kept", "volume kept"), strict=True):
        for name in names:
            kind, *_ = name.split(",")
            style = _STYLES[[one for one in names if one.startswith(kind)].index(name) % len(_STYLES)]
            colour = _COLOURS[_OF[kind]]
            made_up = [(size["users"], 100 * size["rules"][name][part]) for size in sizes if name in size["rules"]]
            real = [(one["users"], 100 * one["rules"][name][0][part]) for one in fit if name in one["rules"]]
            axes.plot(*zip(*made_up, strict=True), style, marker="o", markersize=4, color=colour, label=name)
            axes.plot(*zip(*real, strict=True), "s", markersize=5, color=colour, fillstyle="none") if real else None
        axes.set_xscale("log")
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("users; squares: the log and parts of it, dots: made up")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.grid(alpha=0.3)
        axes.axvspan(fit[-1]["users"], max(size["users"] for size in sizes) * 1.3, color="#000000", alpha=0.06, lw=0)
        axes.text(fit[-1]["users"] * 1.1, 70, "made up from here on", fontsize=9, color="#444444")
    panels[0].set_ylabel("%")
    panels[0].set_ylim(0, 102)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right upper", fontsize=8.5, frameon=False)
    return figure


def svg(figure: Figure) -> str:
    """Return a figure as SVG text to stand inside a page."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]
