"""Rows of a study picked, and made curves over k; a figure that was not measured is no point."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from querymix_lab.sweep.grid import Setting

Row = dict[str, Any]
"""One setting's figures (`querymix_lab.sweep.measuring.measure`)."""


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
