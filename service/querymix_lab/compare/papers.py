"""The papers' figures with ours beside them."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import log
from typing import Final

from querymix_lab.compare import seeds, words
from querymix_lab.compare.grid import LEVELS, SMALL, SRP_KS, STREAMS
from querymix_lab.compare.seeds import Row
from querymix_lab.published import BATCH as PUBLISHED
from querymix_lab.sweep import html

FAR: Final = 10_000
"""Users that the time is foretold for."""
SHORT: Final = 180
"""Seconds from which a time is told in minutes."""


def parts(rows: Sequence[Row]) -> list[str]:
    """Return the sections about the papers, of what was measured."""
    measured = [row for row in rows if "information" in row]
    shown = {row["method"] for row in measured}
    sections = [
        *_figure(measured, "Profile exposure", "PEL", "privacy", "pel queries", "1/k", lambda k: 1 / k),
        *_figure(measured, "Information loss ratio", "ILR", "information", "ilr", "paper, MDAV", _ilr_of_mdav),
        *information_loss(measured),
        *_srp(measured),
        *_figure(measured, "Record linkage by categories", "RL", "privacy", "rl categories"),
        *_own(measured),
        *html.differences(each for each in PUBLISHED["differs"] if shown & set(each["methods"])),
    ]
    return ["<h2>The papers' figures, with ours beside them</h2>", *sections] if sections else []


def growth(series: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Return a sentence on how the time grows with the users, from the smallest sample to the whole log."""
    told = []
    for method, points in series.items():
        (first, least), (last, most) = min(points), max(points)
        if last > first and least > 0.05 and most > least:
            power = log(most / least) / log(last / first)
            seconds = most * (FAR / last) ** power
            spelt = f"{seconds:,.0f} s" if seconds < SHORT else f"{seconds / 60:,.0f} minutes"
            told.append(f"{method} as users^{power:.1f} ({spelt})")
    if not told:
        return ""
    start = f"From the smallest sample to the whole log the time grows (and would be, for {FAR:,} users): "
    return start + ", ".join(told) + "."


def _head(title: str, saying: str) -> list[str]:
    return [f"<h3>{escape(title)}</h3>", f"<p class=note>Paper: {escape(PUBLISHED['sayings'][saying])}</p>"]


def _by_k(
    rows: Sequence[Row], ks: Sequence[int], part: str, key: str, first: str = "", values: Sequence[float | None] = ()
) -> str:
    """Return a table of one figure: a line a method, a column a k; `first` is the line of what is expected."""
    methods = dict.fromkeys(row["method"] for row in rows if row["k"])
    found = {
        (row["method"], row["k"]): words.cell(row, part, key)
        for row in rows
        if part in row and row["levels"] == LEVELS[-1]
    }
    table: list[list[object]] = [[first, *values]] if first else []
    table += [[name, *(found.get((name, k)) for k in ks)] for name in methods]
    return html.table(["method", *(f"k = {k}" for k in ks)], table)


def _ks(rows: Sequence[Row], part: str) -> list[int]:
    return sorted({row["k"] for row in rows if row["k"] and part in row})


def _figure(
    rows: Sequence[Row], title: str, saying: str, part: str, key: str, first: str = "",
    expected: Callable[[int], float | None] = lambda _: None,
) -> list[str]:  # fmt: skip
    ks = _ks(rows, part)
    return [*_head(title, saying), _by_k(rows, ks, part, key, first, list(map(expected, ks)))] if ks else []


def _ilr_of_mdav(k: int) -> float | None:
    found: float | None = PUBLISHED["ilr_mdav"].get(str(k))
    return found


def information_loss(rows: Sequence[Row]) -> list[str]:
    """Return the section about IL, which says which method loses least where the seeds tell that."""
    ks = [k for k in _ks(rows, "information") if k in SMALL]
    if not ks:
        return []
    out = [*_head("Information loss by clusters of users", "IL"), _by_k(rows, ks, "information", "il")]
    lowest = []
    for k in ks:
        of_k = [row for row in rows if row["k"] == k and row["levels"] == LEVELS[-1] and row["method"] not in STREAMS]
        found = seeds.best(words.places(of_k, "information il"), highest=False)
        if len(found) == 1:
            lowest.append(f"k = {k}: {found[0].method}")
        elif found:
            names = ", ".join(place.method for place in found)
            lowest.append(f"k = {k}: not distinguishable ({names}), since their intervals meet")
    return [*out, f"<p>Lowest of the batch methods here: {escape('; '.join(lowest))}.</p>"] if lowest else out


def _srp(rows: Sequence[Row]) -> list[str]:
    mine = {(row["k"], row["levels"]): row["information"]["srp"] for row in rows if row["method"] == "odp"}
    ks = [k for k in SRP_KS if any((k, levels) in mine for levels in LEVELS)]
    if not ks:
        return []
    table = [
        [f"k = {k}, L = {levels}", 1 / k, *(mine[k, levels].get(str(level)) for level in LEVELS)]
        for k in ks
        for levels in LEVELS
        if (k, levels) in mine
    ]
    head = ["odp", "1/k", *(f"level {level}" for level in LEVELS)]
    note = "<p class=note>L: levels that users are joined by. A level without a figure is one that no category has.</p>"
    return [*_head("Queries of a category that remain (SRP)", "SRP"), html.table(head, table), note]


def _own(rows: Sequence[Row]) -> list[str]:
    names = [name for name in ("clump", "partition") if any(row["method"] == name for row in rows)]
    own = [row for row in rows if row["method"] in names and row["own figures"]]
    if not own:
        return []
    keys = list(dict.fromkeys(key for row in own for key in row["own figures"]))
    table = [
        [
            row["method"], row["k"],
            *(f"{row['own figures'][key]:,.4g}" if key in row["own figures"] else "" for key in keys),
            f"{row['cost']['seconds']:.1f}",
        ]
        for row in sorted(own, key=lambda row: (row["k"] or 0, row["method"]))
    ]  # fmt: skip
    return [
        *_head("Clump and Partition", "clump"),
        html.table(["method", "k", *(key.replace("_", " ") for key in keys), "seconds"], table),
    ]
