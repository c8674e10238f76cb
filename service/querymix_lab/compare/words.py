"""What the figures mean, in words: which method to choose when."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

from querymix_lab.compare.grid import NONE, STREAMS

Row = dict[str, Any]
MANY: Final = 0.5
"""Share of the lines below which a method says little of a log."""
SOME: Final = 0.01
"""Share of the distinct queries below which what leaves are no queries."""


def advice(rows: Sequence[Row]) -> list[str]:
    """Return paragraphs about the rows of one k: when to choose the stream, and when which batch method."""
    whole = [row for row in rows if "privacy" in row]
    said = [_none(whole), _stream(whole), _batch(whole), _never(whole)]
    return [f"<p>{escape(sentence)}</p>" for sentence in said if sentence]


def score(row: Row, task: str, measure: str = "") -> float | None:
    """Return how much of the original's figure a method keeps at a task; the task's first measure unless named."""
    for figure in row.get("utility", ()):
        if figure["task"] == task and measure in ("", figure["measure"]):
            relative: float | None = figure["relative"]
            return relative
    return None


def _none(rows: Sequence[Row]) -> str:
    row = _of(rows, NONE)
    if row is None:
        return ""
    return (
        "Cutting identifiers alone is no protection: whoever knows what a user asked finds "
        f"{_p(row, 'rl queries')} of the users again, and {_p(row, 'rl categories')} by their topics."
    )


def _stream(rows: Sequence[Row]) -> str:
    row = _of(rows, "stream")
    if row is None:
        return ""
    tasks = [
        _task(row, "query completion", "Completion"),
        _task(row, "personalised ranking", "topic ranking"),
        _task(row, "next-query suggestion", "next-query suggestion"),
    ]
    said = (
        f"Choose the stream (k = {row['k']}) where the log is wanted at once, or where texts have to stay as they are: "
        f"{row['kept']['lines']:.0%} of the queries and {row['kept']['distinct']:.0%} of the distinct ones leave, "
        f"{_p(row, 'own returned')} of them under their own user, and {_p(row, 'rl queries')} of the users are found "
        f"by their queries. {', '.join(tasks)} of the original's."
    )
    linked = row["privacy"]["halves by categories"]
    if linked is not None:
        said += f" Profiles stay true, so {linked:.0%} of the users with enough lines are known again by their topics."
    return said


def _batch(rows: Sequence[Row]) -> str:
    batch = [row for row in rows if row["method"] not in (NONE, *STREAMS) and row["kept"]["lines"] >= MANY]
    batch = [row for row in batch if row["kept"]["distinct"] >= SOME]
    if not batch:
        return ""
    k = next((row["k"] for row in batch if row["k"]), None)
    said = "Who may wait has batch methods too" + (f" (those with a k: k = {k})" if k else "")
    said += f". Of {', '.join(row['method'] for row in batch)}, which keep most lines and some texts as they were: "
    wanted: list[tuple[str, Callable[[Row], float | None], bool]] = [
        ("keeps most of completion", lambda row: score(row, "query completion"), True),
        ("keeps most distinct queries", lambda row: float(row["kept"]["distinct"]), True),
        ("ranks topics for users best", lambda row: score(row, "personalised ranking"), True),
        ("exposes the least of profiles (PEL)", lambda row: float(row["privacy"]["pel queries"]), False),
        ("loses the least information (IL)", lambda row: float(row["information"]["il"]), False),
        ("shows the fewest own queries", lambda row: float(row["privacy"]["own returned"]), False),
    ]
    parts = []
    for what, value, highest in wanted:
        known = [(number, row) for row in batch if (number := value(row)) is not None]
        if known:
            number, row = (max if highest else min)(known, key=lambda pair: pair[0])
            parts.append(f"{row['method']} {what} ({number:.1%})")
    return said + "; ".join(parts) + "."


def _never(rows: Sequence[Row]) -> str:
    poor = [
        f"{row['method']} ({row['kept']['lines']:.0%})"
        for row in rows
        if row["method"] not in (NONE, *STREAMS) and row["kept"]["lines"] < MANY
    ]
    general = [row["method"] for row in rows if row["kept"]["lines"] >= MANY and row["kept"]["distinct"] < SOME]
    said = "Sessions: no method with a bound keeps them. Take another source for next-query suggestions."
    if general:
        said += f" {', '.join(general)} releases general terms, not queries: they serve none of the tasks here."
    return said + (f" Less than half of the queries leave from {', '.join(poor)}." if poor else "")


def _of(rows: Sequence[Row], method: str) -> Row | None:
    return next((row for row in rows if row["method"] == method), None)


def _p(row: Row, name: str) -> str:
    value = row["privacy"][name]
    return "none" if value == 0 else f"{value:.2%}" if value < 0.005 else f"{value:.1%}"


def _task(row: Row, task: str, name: str) -> str:
    value = score(row, task)
    return f"{name} has no figure" if value is None else f"{name} reaches {value:.0%}"
