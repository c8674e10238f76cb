"""The study's plots, each as SVG text to stand inside the report."""

import io
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MultipleLocator

Series = Mapping[str, Sequence[tuple[float, float]]]
"""Points (x, y) by the line's name."""
TIME: Final = "time, minutes:seconds"
"""Name of an x axis whose points are seconds."""
NINES: Final = "share of all that took no longer"
"""Name of an x axis of shares near 1: a point x is the share 1 - 10^-x."""
_STEPS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)
"""Seconds between two marks of an axis of time."""
_MARKS: Final = 8
"""Marks of an axis of time, at most."""
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
    _mark(axes, x, [one for points in series.values() for one, _ in points])
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    else:
        axes.text(0.5, 0.5, "no figures: the log is too short", ha="center", transform=axes.transAxes)
    return _svg(figure)


def bars(
    title: str, y: str, values: Mapping[str, Sequence[float | None]], names: Sequence[str], bound: float | None = None
) -> str:
    """Return a plot of bars: one group a key of `values`, one bar a name; `bound` is drawn dashed and named 1/k."""
    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    axes: Axes = figure.subplots()
    width = 0.8 / max(1, len(names))
    for number, name in enumerate(names):
        heights = [group[number] or 0.0 for group in values.values()]
        axes.bar([place + number * width for place in range(len(values))], heights, width, label=name)
    if bound is not None:
        axes.axhline(bound, color="k", linestyle="--", linewidth=1, label="1/k")
    axes.set_xticks([place + 0.4 - width / 2 for place in range(len(values))], list(values), rotation=45, ha="right")
    axes.set_title(title, fontsize=10)
    axes.set_ylabel(y)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize=7)
    return _svg(figure)


def _mark(axes: Axes, x: str, at: Sequence[float]) -> None:
    """Let axes show figures as a person reads them: commas between thousands, time as minutes, shares in percent."""
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: shown(value)))
    if x == TIME and at:
        step = next(
            (one for one in _STEPS if max(at) / one <= _MARKS), _STEPS[-1] * ceil(max(at) / _STEPS[-1] / _MARKS)
        )
        axes.set_xlim(left=0)
        axes.xaxis.set_major_locator(MultipleLocator(step))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: clock(value)))
    elif x == NINES:
        axes.xaxis.set_major_locator(MultipleLocator(1))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: percent(value)))
    else:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: shown(value)))


def shown(value: float) -> str:
    """Return a figure of an axis: commas between thousands, and as many decimals as it needs."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.6g}"


def clock(seconds: float) -> str:
    """Return seconds as minutes and seconds: 90 is 1:30."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"


def percent(nines: float) -> str:
    """Return the share 1 - 10^-nines in percent: 3 is 99.9 %."""
    return f"{100 - 100 * 10**-nines:.{max(0, round(nines) - 2)}f} %"


def _svg(figure: Figure) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]
