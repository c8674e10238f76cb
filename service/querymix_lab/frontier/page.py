"""The frontier's page: the picture first, what one sees in a sentence, the table, how each was made, and the trend.

As HTML it has the pictures; as Markdown all but these. No query and no user is in it.
"""

from collections.abc import Sequence
from html import escape
from typing import Any

from querymix_lab.frontier import picture, words
from querymix_lab.sweep import html

Row = dict[str, Any]
Table = tuple[list[str], list[list[str]]]


def page(figures: Row) -> str:
    """Return the whole page as HTML, of what `running.measured` gave."""
    rows = [row for row in figures["ways"] if "failed" not in row]
    plain = [row for row in rows if not row["preset"]]
    parts = [
        f"<h1>What {escape(figures['log'])} keeps and tells, by how it is released</h1>",
        f"<p>{escape(words.MESSAGE)}</p>", *_tail(plain),
        *(f"<p><b>{escape(sentence)}</b></p>" for sentence in words.seen(plain)),
        _note(_size(figures)),
        "<h2>All ways</h2>", picture.svg(picture.frontier(plain, "distinct")),
        _note("Each number is one way, as in the table; upper left is best: it keeps much and tells little."),
        _html(ways_table(plain)), *map(_note, words.NOTES),
        "<h2>The presets</h2>", _html(ways_table([row for row in rows if row["preset"]])),
        "<h2>As the population grows</h2>", *_trend(figures),
        "<h2>The same for query completion</h2>", picture.svg(picture.frontier(plain, "completion")),
        "<h2>How each was made</h2>", html.table(["way", ""], [[row["told"], html.prose(row["made"])] for row in rows]),
        *map(_note, words.left_out(figures["ways"])),
        "<h2>What this does not show</h2>", "<ul>", *(f"<li>{escape(one)}</li>" for one in words.LIMITS), "</ul>",
    ]  # fmt: skip
    return html.document("querymix compare --frontier", parts, width="84em")


def _note(text: str) -> str:
    return f"<p class=note>{escape(text)}</p>"


def _size(figures: Row) -> str:
    return f"{figures['records']:,} records of {figures['users']:,} users."


def _tail(rows: Sequence[Row]) -> list[str]:
    known = {row["told"]: row for row in rows}
    shown = [known[told] for told in words.TAIL if told in known]
    return [picture.svg(picture.tail(shown))] if shown else []


def _html(table: Table) -> str:
    return html.table(*table)


def _trend(figures: Row) -> list[str]:
    if not figures["trend"]:
        return [_note("Left out: --largest is below 1,000.")]
    found = figures["trend"]
    parts = [picture.svg(picture.trend(found["sizes"], found["fit"])), _note(words.MADE_UP)]
    return [*parts, _html(trend_table(found["sizes"])), _html(fit_table(found["fit"]))]


def ways_table(rows: Sequence[Row]) -> Table:
    """Return the table of ways, numbered as in the picture."""
    return words.heads(), [words.cells(number, row) for number, row in enumerate(rows, 1)]


def trend_table(sizes: Sequence[Row]) -> Table:
    """Return what rules keep by users: distinct queries, and the volume behind them."""
    names = list(dict.fromkeys(name for size in sizes for name in size["rules"]))
    lines = []
    for size in sizes:
        found = [size["rules"].get(name) for name in names]
        cells = ["not run" if one is None else f"{words.percent(one['distinct'])}; {words.percent(one['volume'])}"
                 for one in found]  # fmt: skip
        lines.append([f"{size['users']:,}", f"{size['different']:,}", *cells])
    return ["made-up users", "distinct queries", *(f"{name}: distinct; volume" for name in names)], lines


def fit_table(fit: Sequence[Row]) -> Table:
    """Return the log beside made-up users: what rules keep of distinct queries, and of the volume."""
    lines = []
    for part in fit:
        users = f"{part['users']:,}"
        lines.append([users, "number of distinct queries", *(f"{count:,.0f}" for count in part["different"]), "", ""])
        for name, both in part["rules"].items():
            shares = [words.percent(side[what]) for what in ("distinct", "volume") for side in both]
            lines.append([users, name, *shares])
    return ["users", "", "distinct, log", "distinct, made up", "volume, log", "volume, made up"], lines


def markdown(figures: Row) -> str:
    """Return the page as Markdown, without the pictures."""
    rows = [row for row in figures["ways"] if "failed" not in row]
    plain = [row for row in rows if not row["preset"]]
    parts = [
        f"# What {figures['log']} keeps and tells, by how it is released",
        words.MESSAGE, *words.seen(plain), _size(figures),
        "## All ways", _marked(ways_table(plain)), *words.NOTES,
        "## The presets", _marked(ways_table([row for row in rows if row["preset"]])),
    ]  # fmt: skip
    if found := figures["trend"]:
        parts += ["## As the population grows", words.MADE_UP, _marked(trend_table(found["sizes"]))]
        parts.append(_marked(fit_table(found["fit"])))
    parts += ["## How each was made", "\n".join(f"- **{row['told']}**: {row['made']}" for row in rows)]
    parts += words.left_out(figures["ways"])
    parts += ["## What this does not show", "\n".join(f"- {one}" for one in words.LIMITS)]
    return "\n\n".join(parts) + "\n"


def _marked(table: Table) -> str:
    head, rows = table
    rule = [("---", "---:")[place > 1] for place in range(len(head))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))
