"""The report on the client-side protocol: our figures beside the thesis', as text tables, JSON and one HTML page.

Its texts are in sections.toml.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Any, Final

from querymix_lab.protocol import experiments, real
from querymix_lab.protocol.experiments import Plan, Row, Tick
from querymix_lab.published import PROTOCOL as PUBLISHED
from querymix_lab.sweep import html, plots

MADE_UP: Final[dict[str, Callable[[Plan, Tick], list[Row]]]] = {
    "pruning": experiments.pruned,
    "positions": experiments.by_neighbours,
    "penalties": experiments.penalties,
    "selfish submissions": experiments.selfish_submissions,
    "hops": experiments.hops,
    "sizes": experiments.growing,
}
REAL: Final[dict[str, Callable[[Plan, Tick], list[Row]]]] = {
    "exposed": real.exposed,
    "similarity": real.similarity,
    "selfish shares": real.selfish_shares,
    "real selfish submissions": real.selfish_submissions,
}
_TEXTS: Final = tomllib.loads(resources.files(__package__).joinpath("sections.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Section:
    """One table of the report, and its plot as SVG text where it has one."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str
    plot: str = ""


def run(plan: Plan, say: Callable[[str], None], tick: Tick) -> dict[str, list[Row]]:
    """Return every experiment's rows by its name; `say` is told the names, `tick` is called after each step."""
    found = {}
    for name, experiment in (MADE_UP | REAL if plan.profiles else MADE_UP).items():
        say(name)
        found[name] = experiment(plan, tick)
    return found


def steps(plan: Plan) -> int:
    """Return how often `run` calls `tick`."""
    made_up = (
        len(PUBLISHED["pruning"])
        + len(experiments.RETURNING)
        + 2
        + len(PUBLISHED["zeta"])
        + len(experiments.exponents(plan))
        + len(plan.sizes)
    )
    return made_up + (real.steps(plan) if plan.profiles else 0)


def sections(plan: Plan, found: Mapping[str, list[Row]]) -> list[Section]:
    """Return the report's tables in the thesis' order; those of experiments that did not run are left out."""
    made = {
        "pruning": _pruning,
        "exposed": _exposed,
        "similarity": _similarity,
        "penalties": _penalties,
        "selfish shares": _selfish,
        "selfish submissions": _submissions,
        "positions": _positions,
        "hops": _hops,
        "sizes": _sizes,
    }
    return [make(plan, found) for name, make in made.items() if name in found]


def page(plan: Plan, found: Mapping[str, list[Row]]) -> str:
    """Return the report as HTML."""
    parts = [
        "<h1>The client-side protocol, simulated</h1>",
        f"<p class=note>Thesis chapter 4 beside our simulation: {plan.tests} networks of {experiments.USERS:,} users a "
        f"setting, seed {plan.seed}, exponent {plan.exponent}, zeta {plan.zeta}. Made by <code>querymix study protocol"
        "</code>; the same seed gives the same figures.</p>",
    ]
    for section in sections(plan, found):
        parts += [f"<h2>{escape(section.title)}</h2>", section.plot, html.table(section.columns, section.rows)]
        parts.append(f"<p class=note>{escape(section.note)}</p>")
    return html.document("querymix study protocol", parts)


def _section(name: str, rows: Sequence[Sequence[str]], plot: str = "", **words: Any) -> Section:
    """Return a section whose texts have `words` filled in."""
    texts = _TEXTS[name]
    columns = [column.format(**words) for column in texts["columns"]]
    return Section(texts["title"].format(**words), columns, rows, texts["note"].format(**words), plot)


def _pruning(_: Plan, found: Mapping[str, list[Row]]) -> Section:
    rows, ours = [], [row for row in found["pruning"] if row["users"]]
    for row in ours:
        name = f"{row['least']}-{row['most']}"
        position, deviation = PUBLISHED["pruning"][name]
        error = row["deviation"] / row["users"] ** 0.5
        values = (row["position"], position, error, row["variance"], deviation**2, row["deviation"], deviation)
        back = f", back, {row['queries']}" if row["may go back"] else ""
        rows.append([f"{name} %{back}", *_numbers(*values)])
    plain = sorted((row for row in ours if not row["may go back"]), key=lambda row: -float(row["variance"]))
    largest = " and ".join(f"{row['least']}-{row['most']} %" for row in plain[:2])
    return _section("pruning", rows, largest=largest)


def _exposed(_: Plan, found: Mapping[str, list[Row]]) -> Section:
    rows, ours = [], found["exposed"]
    for row in ours:
        pairs = zip(PUBLISHED["exposed_at"], PUBLISHED["exposed"][str(row["neighbours"])], strict=True)
        cells = [cell for least, value in pairs for cell in _numbers(row[f"{least} %"], value)]
        rows.append([str(row["neighbours"]), *cells, *_numbers(row["60 %, heavy"], row["60 % zeta 0"])])
    names = {"all": "60 %", "busy": "60 %, heavy", "unpunished": "60 % zeta 0"}
    sums = {word: sum(row[name] for row in ours) for word, name in names.items()}
    return _section("exposed", rows, heavy=real.HEAVY, **sums)


def _similarity(_: Plan, found: Mapping[str, list[Row]]) -> Section:
    ours, theirs = [row["users %"] or 0.0 for row in found["similarity"]], PUBLISHED["similarity"]
    rows = [[str(10 * (at + 1)), *_numbers(*pair)] for at, pair in enumerate(zip(ours, theirs, strict=True))]
    groups = {name: [float(value) for value in values] for name, *values in rows}
    return _section(
        "similarity", rows, plots.bars("Table 4.3", "% of users", groups, ["here", "thesis"]),
        most_20=sum(ours[:2]), thesis_20=sum(theirs[:2]), under_60=sum(ours[:6]), thesis_60=sum(theirs[:6]),
    )  # fmt: skip


def _penalties(plan: Plan, found: Mapping[str, list[Row]]) -> Section:
    rows = [
        [str(row["zeta"]), *_numbers(row["honest"], honest, row["selfish"], selfish)]
        for row in found["penalties"]
        for honest, selfish in [PUBLISHED["zeta"][str(row["zeta"])]]
    ]
    return _section("penalties", rows, queries=plan.queries)


def _selfish(_: Plan, found: Mapping[str, list[Row]]) -> Section:
    ours = found["selfish shares"]
    points = {
        name: [(float(row["selfish %"]), row[name]) for row in ours if row[name] is not None]
        for name in ("honest", "selfish")
    }
    rows = [[str(row["selfish %"]), *_numbers(row["honest"], row["selfish"])] for row in ours]
    plot = plots.lines("Figure 4.2: exposed users", "% of users that are selfish", "% exposed", points)
    return _section("selfish", rows, plot)


def _submissions(_: Plan, found: Mapping[str, list[Row]]) -> Section:
    both = {"made up": found["selfish submissions"], "real": found.get("real selfish submissions", [])}
    points: dict[str, list[tuple[float, float]]] = {}
    rows = []
    for name, some in both.items():
        for row in some:
            share = 100 * row["own"] / row["asked"]
            points.setdefault(f"{name} queries", []).append((float(row["neighbours"]), share))
            rows.append([name, str(row["neighbours"]), *_numbers(row["own"], row["asked"], share)])
    title = "Figure 4.3: own queries submitted by selfish users"
    return _section("submissions", rows, plots.lines(title, "neighbours", "% of own queries", points))


def _positions(plan: Plan, found: Mapping[str, list[Row]]) -> Section:
    names = ("ideal", "position", "position, thesis", "deviation", "deviation, thesis")
    series: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    rows = []
    for row in found["positions"]:
        at = row["neighbours"]
        position, deviation, old, old_deviation = PUBLISHED["positions"][str(at)]
        ours = (row["position"], row["deviation"])
        rows.append([str(at), *_numbers(row["ideal"], ours[0], position, old, ours[1], deviation, old_deviation)])
        values = (row["ideal"], ours[0] or 0.0, position, ours[1] or 0.0, deviation)
        for points, value in zip(series.values(), values, strict=True):
            points.append((float(at), value))
    plot = plots.lines("Figure 4.1: average position and deviation", "neighbours", "position", series)
    return _section("positions", rows, plot, copies=plan.pruning.most_copies)


def _hops(_: Plan, found: Mapping[str, list[Row]]) -> Section:
    names = ("neighbours", "hops", "response ms", "refused %")
    rows = [[str(row["exponent"]), *_numbers(*(row[name] for name in names))] for row in found["hops"]]
    return _section("hops", rows, **PUBLISHED)


def _sizes(_: Plan, found: Mapping[str, list[Row]]) -> Section:
    names = ("hops", "response ms", "position", "deviation", "seconds")
    rows = [
        [f"{row['users']:,}", f"{row['links']:,}", *_numbers(*(row[name] for name in names)), f"{row['peak MiB']:,.0f}"]
        for row in found["sizes"]
    ]
    return _section("sizes", rows, queries=experiments.QUERIES_BY_SIZE)


def _numbers(*values: Any) -> list[str]:
    return ["" if value is None else f"{value:,.2f}" for value in values]
