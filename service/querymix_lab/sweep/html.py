"""The parts of a study's report: an HTML document, its tables, and the same figures as CSV and JSON."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader
from markupsafe import Markup
from querymix.own_files import write_own

_TEMPLATES: Final = Environment(loader=PackageLoader("querymix_lab.sweep"), autoescape=True, keep_trailing_newline=True)
_TEMPLATES.trim_blocks = True
_TEMPLATES.filters["percent"] = lambda value, digits=1: f"{value:.{digits}%}"


def write(folder: Path, page: str, figures: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[Path]:
    """Write report.html, report.json and, of flat rows, report.csv into `folder` and return their paths."""
    paths = [folder / f"report.{kind}" for kind in ("html", "json", "csv")]
    cells = io.StringIO(newline="")
    writer = csv.DictWriter(cells, list(dict.fromkeys(key for row in rows for key in row)))
    writer.writeheader()
    writer.writerows(rows)
    for path, text in zip(paths, (page, json.dumps(figures, indent=1), cells.getvalue()), strict=True):
        write_own(path, text.encode())
    return paths


def document(title: str, parts: Iterable[str], width: str = "72em") -> str:
    """Return a whole HTML document of parts that are HTML already."""
    return _TEMPLATES.get_template("base.html").render(title=title, parts=list(map(Markup, parts)), width=width)


def paragraphs(template: str, **values: Any) -> list[str]:
    """Return the paragraphs of a text, which empty lines part, with `values` filled in and escaped."""
    text = _TEMPLATES.get_template(template).render(values)
    return [f"<p>{' '.join(part.split())}</p>" for part in re.split(r"\n\s*\n", text) if part.strip()]


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table. A cell is a share where it is a float, empty where it is None, else text."""
    cells = (map(_cell, row) for row in rows)
    return _TEMPLATES.get_template("table.html").render(columns=columns, rows=cells)


def differences(found: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the section on results of the papers that do not come out (`querymix_lab.published`), if there are any."""
    cells = [[prose(" ".join(str(row[key]).split())) for key in ("result", "here", "why")] for row in found]
    head = ["the paper", "real AOL log of 1,017 users", "why"]
    return ["<h3>What does not come out as in the papers</h3>", table(head, cells)] if cells else []


def prose(value: object) -> Markup:
    """Return a cell with a sentence."""
    return Markup("<td class=text>{}</td>").format(value)


def share(value: float | None, bound: float | None = None) -> Markup:
    """Return a cell with a share in per cent, green up to `bound` and red over it; empty for None."""
    if value is None:
        return Markup("<td></td>")
    mark = "" if bound is None else f" class={'good' if value <= bound else 'bad'}"
    return Markup(f"<td{mark}>{100 * value:.2f} %</td>")  # noqa: S704 - a number


def between(value: float, interval: tuple[float, float]) -> Markup:
    """Return a cell with a share in per cent, and the interval that it lies in below it; none of it is below 0."""
    low, high = max(0.0, interval[0]), interval[1]
    return Markup(f"<td>{100 * value:.2f} %<br><small>{100 * low:.2f} to {100 * high:.2f}</small></td>")  # noqa: S704 - numbers


def _cell(value: object) -> Markup:
    if isinstance(value, Markup):
        return value
    return share(value) if value is None or isinstance(value, float) else Markup("<td>{}</td>").format(value)
