"""The study's plots, each as SVG text to stand inside the report."""

import io
from collections.abc import Mapping, Sequence
from typing import Final

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Series = Mapping[str, Sequence[tuple[float, float]]]
"""Points (x, y) by the line's name."""
_COLOURS: Final = 10
"""Colours of matplotlib's own cycle."""
_FEW = 40
"""Points of a line that are marked one by one; of more, the marks would hide the line."""


def lines(title: str, x: str, y: str, series: Series, bound: Sequence[tuple[float, float]] = ()) -> str:
    """Return a plot of lines; `bound` is drawn dashed and named 1/k."""
    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    axes: Axes = figure.subplots()
    if len(series) > _COLOURS:
        axes.set_prop_cycle(color=colormaps["tab20"].colors)  # type: ignore[attr-defined]  # a list of colours
    for name, points in series.items():
        if points:
            xs, ys = zip(*points, strict=True)
            axes.plot(xs, ys, marker="o" if len(points) < _FEW else "", markersize=4, label=name)
    if bound:
        xs, ys = zip(*bound, strict=True)
        axes.plot(xs, ys, "k--", linewidth=1, label="1/k")
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    else:
        axes.text(0.5, 0.5, "no figures: the log is too short", ha="center", transform=axes.transAxes)
    return _svg(figure)


def bars(title: str, y: str, values: Mapping[str, Sequence[float | None]], names: Sequence[str]) -> str:
    """Return a plot of bars: one group a key of `values`, one bar a name."""
    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    axes: Axes = figure.subplots()
    width = 0.8 / max(1, len(names))
    for number, name in enumerate(names):
        heights = [group[number] or 0.0 for group in values.values()]
        axes.bar([place + number * width for place in range(len(values))], heights, width, label=name)
    axes.set_xticks([place + 0.4 - width / 2 for place in range(len(values))], list(values), rotation=45, ha="right")
    axes.set_title(title, fontsize=10)
    axes.set_ylabel(y)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize=7)
    return _svg(figure)


def _svg(figure: Figure) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]
