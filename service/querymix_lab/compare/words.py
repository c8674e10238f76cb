"""What the figures mean, in words: which method to choose when."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from querymix_lab.compare.grid import NONE, STREAMS
from querymix_lab.sweep import html

Row = dict[str, Any]
MANY: Final = 0.5
"""Share of the lines below which a method says little of a log."""
TASKS: Final = {
    "Completion": "query completion",
    "topic ranking": "personalised ranking",
    "next-query suggestion": "next-query suggestion",
}
"""Tasks of consumers, by what the advice calls them."""
SOME: Final = 0.01
"""Share of the distinct queries below which what leaves are no queries."""


def advice(rows: Sequence[Row]) -> list[str]:
    """Return paragraphs about the rows of one k: when to choose the stream, and when which batch method."""
    whole = [row for row in rows if "privacy" in row]
    alone = {row["method"]: row for row in reversed(whole)}
    bare, stream = alone.get(NONE), alone.get("stream")
    tasks = {name: score(stream, task) for name, task in TASKS.items()} if stream else {}
    others = [row for row in whole if row["method"] not in (NONE, *STREAMS)]
    many = [row for row in others if row["kept"]["lines"] >= MANY]
    batch = [row for row in many if row["kept"]["distinct"] >= SOME]
    return html.paragraphs(
        "advice.txt", bare=bare, stream=stream, tasks=tasks, batch=[row["method"] for row in batch], best=_best(batch),
        k=next((row["k"] for row in batch if row["k"]), None),
        general=[row["method"] for row in whole if row["kept"]["lines"] >= MANY and row["kept"]["distinct"] < SOME],
        poor=[f"{row['method']} ({row['kept']['lines']:.0%})" for row in others if row["kept"]["lines"] < MANY],
    )  # fmt: skip


def score(row: Row, task: str, measure: str = "") -> float | None:
    """Return how much of the original's figure a method keeps at a task; the task's first measure unless named."""
    for figure in row.get("utility", ()):
        if figure["task"] == task and measure in ("", figure["measure"]):
            relative: float | None = figure["relative"]
            return relative
    return None


def _best(batch: Sequence[Row]) -> list[str]:
    """Return what each of some batch methods does best."""
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
        known = [(number, row["method"]) for row in batch if (number := value(row)) is not None]
        if known:
            number, method = (max if highest else min)(known, key=lambda pair: pair[0])
            parts.append(f"{method} {what} ({number:.1%})")
    return parts
