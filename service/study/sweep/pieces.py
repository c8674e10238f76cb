"""The pieces that reports are made of: tables in HTML, and curves over k.

A figure that was not measured is an empty cell, or no point.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from html import escape
from typing import Any, Final

from service.study.sweep.grid import Setting

Row = dict[str, Any]
"""One setting's figures (`service.study.sweep.measuring.measure`)."""

STYLE: Final = """body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0;font-size:13px}td,th{border:1px solid #ccc}
td,th{padding:.2em .6em;text-align:right}
td:first-child,th:first-child{text-align:left}.bad{background:#fdd}.good{background:#dfd}svg{max-width:100%;height:auto}
.note{color:#666;font-size:13px}"""


def pick(rows: Iterable[Row], **wanted: Any) -> list[Row]:
    """Return the rows of the default setting but for what is `wanted`, at any k."""
    default = {one.name: one.default for one in fields(Setting) if one.name not in ("k", "seed")} | wanted
    return [row for row in rows if all(row[key] == value for key, value in default.items())]


def success(name: str) -> Callable[[Row], float | None]:
    """Return what gives an attack's success at a setting."""
    return lambda row: row["attacks"].get(name, {}).get("success")


def seconds(name: str) -> Callable[[Row], float | None]:
    """Return what gives an attack's processor time at a setting, in microseconds a log."""

    def spent(row: Row) -> float | None:
        taken = row["attacks"].get(name, {}).get("seconds")
        return None if taken is None else 1e6 * float(taken) / float(row["lines"])

    return spent


def points(rows: Iterable[Row], value: Callable[[Row], float | None]) -> list[tuple[float, float]]:
    """Return (k, value) for each setting that has the value, by k."""
    found = [(float(row["k"]), value(row)) for row in rows]
    return sorted((k, float(y)) for k, y in found if y is not None)


def percent(series: Mapping[str, Sequence[tuple[float, float]]]) -> dict[str, list[tuple[float, float]]]:
    """Return curves of shares as curves of percent."""
    return {name: [(x, 100 * y) for x, y in curve] for name, curve in series.items()}


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; each row is its cells in HTML."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    return f"<table><tr>{head}</tr>" + "".join(f"<tr>{''.join(cells)}</tr>" for cells in rows) + "</table>"


def cell(value: object) -> str:
    """Return a cell with a text in it."""
    return f"<td>{escape(str(value))}</td>"


def share(value: float | None, bound: float | None = None) -> str:
    """Return a cell with a share in percent; green at or under `bound`, red over it."""
    if value is None:
        return "<td></td>"
    mark = "" if bound is None else f" class={'good' if value <= bound else 'bad'}"
    return f"<td{mark}>{100 * value:.2f} %</td>"
