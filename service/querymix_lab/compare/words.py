"""What the figures mean, in words: which method to choose when."""

from collections.abc import Sequence
from typing import Final

from querymix_lab.compare import seeds
from querymix_lab.compare.grid import NONE, STREAMS
from querymix_lab.compare.seeds import Row
from querymix_lab.sweep import html

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
    """Return what each of some batch methods does best, where the seeds tell which one it is."""
    task = {name: _first_measure(batch, name) for name in ("query completion", "personalised ranking")}
    wanted = [
        ("keeps most of completion", task["query completion"], True),
        ("keeps most distinct queries", "kept distinct", True),
        ("ranks topics for users best", task["personalised ranking"], True),
        ("exposes the least of profiles (PEL)", "privacy pel queries", False),
        ("loses the least information (IL)", "information il", False),
        ("shows the fewest own queries", "privacy own returned", False),
    ]
    parts = []
    for what, figure, highest in wanted:
        found = seeds.best(places(batch, figure), highest=highest)
        if found:
            names = ", ".join(f"{place.method} {place.value:.1%}" for place in found)
            one = f"{found[0].method} {what} ({found[0].value:.1%})"
            parts.append(one if len(found) == 1 else f"not distinguishable in who {what}: {names}")
    return parts


def _first_measure(rows: Sequence[Row], task: str) -> str:
    """Return the name of a task's first measure, which is the one that stands for it."""
    found = (f"{task}, {figure['measure']}" for row in rows for figure in row["utility"] if figure["task"] == task)
    return next(found, "")


def places(rows: Sequence[Row], figure: str) -> list[seeds.Place]:
    """Return the rows' places by a figure, such as "information il" or "query completion, MRR at 10"."""
    task, _, measure = figure.partition(", ")
    found = []
    for row in rows:
        part, _, name = figure.partition(" ")
        value = row[part].get(name) if part in row else score(row, task, measure)
        if value is not None:
            found.append(seeds.Place(row["method"], float(value), seeds.interval_of(row, figure, float(value))))
    return found


def cell(row: Row, part: str, key: str) -> object:
    """Return the cell of a share, with its interval below it where chance moves it."""
    value = row[part].get(key)
    found = row["intervals"].get(f"{part} {key}")
    return value if found is None else html.between(value, found)


def size(rows: Sequence[Row]) -> str:
    """Return how many settings there are, as the command and the page say it."""
    failed = sum("failed" in row for row in rows)
    most = max((row["seeds"] for row in rows), default=1)
    said = f"{len(rows) - failed:,} settings measured"
    said += f", those with chance in them with {most} seeds" if most > 1 else ""
    return f"{said}; {failed:,} more were left out" if failed else said


def left_out(rows: Sequence[Row]) -> list[str]:
    """Return why settings could not be measured, each reason once."""
    reasons: dict[str, dict[str, list[int]]] = {}
    for row in rows:
        if "failed" in row:
            ks = reasons.setdefault(row["failed"], {}).setdefault(row["method"], [])
            ks += [row["k"]] if row["k"] and row["k"] not in ks else []
    said = []
    for why, methods in reasons.items():
        named = [f"{name}{f' (k = {_spelt(sorted(ks))})' if ks else ''}" for name, ks in methods.items()]
        said.append(f"left out: {', '.join(named)}: {why}")
    return said


def _spelt(ks: Sequence[int]) -> str:
    return ", ".join(map(str, ks))
