"""The parts of a study's report: an HTML document, its tables, and the same figures as CSV and JSON."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

STYLE: Final = """body{font:15px/1.5 system-ui,sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0;font-size:13px}td,th{border:1px solid #ccc}
td,th{padding:.2em .6em;text-align:right}td{white-space:nowrap}td.text{text-align:left;white-space:normal}
th{text-align:center}td:first-child,th:first-child{text-align:left}
.bad{background:#fdd}.good{background:#dfd}svg{max-width:100%;height:auto}
.note{color:#666;font-size:13px}"""


def write(folder: Path, page: str, figures: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[Path]:
    """Write report.html, report.json and, of flat rows, report.csv into `folder` and return their paths."""
    paths = [folder / f"report.{kind}" for kind in ("html", "json", "csv")]
    paths[0].write_text(page, "utf-8")
    paths[1].write_text(json.dumps(figures, indent=1), "utf-8")
    with paths[2].open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(key for row in rows for key in row)))
        writer.writeheader()
        writer.writerows(rows)
    return paths


def document(title: str, parts: Iterable[str]) -> str:
    """Return a whole HTML document of parts that are HTML already."""
    head = f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title><style>{STYLE}</style>"
    return head + "\n".join(parts) + "</html>\n"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; each cell is one that `cell`, `prose` or `share` made."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    return f"<table><tr>{head}</tr>" + "".join(f"<tr>{''.join(cells)}</tr>" for cells in rows) + "</table>"


def cell(value: object) -> str:
    """Return a cell of a table."""
    return f"<td>{escape(str(value))}</td>"


def prose(value: object) -> str:
    """Return a cell with a sentence."""
    return f"<td class=text>{escape(str(value))}</td>"


def share(value: float | None, bound: float | None = None) -> str:
    """Return a cell with a share in per cent, green up to `bound` and red over it; empty for None."""
    if value is None:
        return "<td></td>"
    mark = "" if bound is None else f" class={'good' if value <= bound else 'bad'}"
    return f"<td{mark}>{100 * value:.2f} %</td>"
