"""The report on the client-side protocol: our figures beside the thesis', as text tables, JSON and one HTML page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
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
    """Return the report's tables in the thesis' order."""
    made = [_pruning, _exposed, _similarity, _penalties, _selfish, _submissions, _positions, _hops, _sizes]
    return [section for make in made if (section := make(plan, found)) is not None]


def page(plan: Plan, found: Mapping[str, list[Row]]) -> str:
    """Return the report as HTML."""
    parts = [
        "<h1>The client-side protocol, simulated</h1>",
        f"<p class=note>Thesis chapter 4 beside our simulation: {plan.tests} networks of {experiments.USERS:,} users a "
        f"setting, seed {plan.seed}, exponent {plan.exponent}, zeta {plan.zeta}. Made by <code>querymix study protocol"
        "</code>; the same seed gives the same figures.</p>",
    ]
    for section in sections(plan, found):
        cells = [[html.cell(cell) for cell in row] for row in section.rows]
        parts += [f"<h2>{escape(section.title)}</h2>", section.plot, html.table(section.columns, cells)]
        parts.append(f"<p class=note>{escape(section.note)}</p>")
    return html.document("querymix study protocol", parts)


def _pruning(_: Plan, found: Mapping[str, list[Row]]) -> Section:
    rows, ours = [], [row for row in found["pruning"] if row["users"]]
    for row in ours:
        position, deviation = PUBLISHED["pruning"][f"{row['least']}-{row['most']}"]
        error = row["deviation"] / row["users"] ** 0.5
        values = (row["position"], position, error, row["variance"], deviation**2, row["deviation"], deviation)
        name = f"{row['least']}-{row['most']} %"
        rows.append([f"{name}, back, {row['queries']}" if row["may go back"] else name, *_numbers(*values)])
    plain = sorted((row for row in ours if not row["may go back"]), key=lambda row: -float(row["variance"]))
    largest = " and ".join(f"{row['least']}-{row['most']} %" for row in plain[:2])
    return Section(
        "Table 4.1: how much of the choice vector is deleted (users with 10 neighbours)",
        ["deleted", "position", "thesis", "error", "variance", "thesis", "deviation", "thesis"],
        rows,
        f"The largest variances are those of {largest}; in the thesis that of 60-80 %, then of 40-80 %. The first row "
        "of the thesis is above the middle, 5. Here that happens only where a query may go back to whom it came from "
        "(the last rows, by queries a user); its 5.81 is near that of 20 queries. All other rows, and table 4.5, are "
        "nearest where it may not.",
    )


def _exposed(plan: Plan, found: Mapping[str, list[Row]]) -> Section | None:
    if "exposed" not in found:
        return None
    rows, ours = [], found["exposed"]
    for row in ours:
        pairs = zip(PUBLISHED["exposed_at"], PUBLISHED["exposed"][str(row["neighbours"])], strict=True)
        cells = [cell for least, value in pairs for cell in _numbers(row[f"{least} %"], value)]
        rows.append([str(row["neighbours"]), *cells, *_numbers(row["60 %, heavy"], row["60 % zeta 0"])])
    sums = [sum(row[name] for row in ours) for name in ("60 %", "60 %, heavy", "60 % zeta 0")]
    head = [cell for least in PUBLISHED["exposed_at"] for cell in (str(least), "thesis")]
    return Section(
        "Table 4.2: users of 1,000 with a PEL of 60, 70, 80 and more, by number of neighbours k (real queries)",
        ["k", *head, f"60, {real.HEAVY}+", "60, zeta 0"],
        rows,
        f"In all {sums[0]:.1f} of 1,000, thesis 41.37. {sums[1]:.1f} of ours asked {real.HEAVY} queries and more: "
        f"whoever asks its only neighbour much more than it is asked loses that one's trust, as a selfish user does. "
        f"Without punishments (zeta 0) {sums[2]:.1f} are exposed. The thesis' thousand users asked 55,666 queries.",
    )


def _similarity(_: Plan, found: Mapping[str, list[Row]]) -> Section | None:
    if "similarity" not in found:
        return None
    ours, theirs = [row["users %"] or 0.0 for row in found["similarity"]], PUBLISHED["similarity"]
    rows = [[str(10 * (at + 1)), *_numbers(*pair)] for at, pair in enumerate(zip(ours, theirs, strict=True))]
    return Section(
        "Table 4.3: PEL of the users (real queries)",
        ["PEL up to", "% of users", "thesis"],
        rows,
        f"At most 20: {sum(ours[:2]):.1f} % of the users, thesis {sum(theirs[:2]):.1f} %. Under 60: "
        f"{sum(ours[:6]):.1f} %, thesis {sum(theirs[:6]):.1f} %. Users with one text only are left out.",
        plots.bars("Table 4.3", "% of users", _groups(rows), ["here", "thesis"]),
    )


def _penalties(plan: Plan, found: Mapping[str, list[Row]]) -> Section:
    rows = [
        [str(row["zeta"]), *_numbers(row["honest"], honest, row["selfish"], selfish)]
        for row in found["penalties"]
        for honest, selfish in [PUBLISHED["zeta"][str(row["zeta"])]]
    ]
    return Section(
        f"Table 4.4: users exposed by zeta (a tenth selfish, one text a user, {plan.queries} times)",
        ["zeta", "honest %", "thesis", "selfish %", "thesis"],
        rows,
        "With one text a user PEL is 0/0; exposed is who submits 60 % of its queries itself. The step between 0.01 and "
        "0.03 and the growth for honest users come out. At 0.01 selfish users submit about half of their queries "
        "themselves, so the figure hangs on the threshold. Exposed honest users have one neighbour, or two; how many "
        "those are depends on the exponent, which the thesis does not give.",
    )


def _selfish(_: Plan, found: Mapping[str, list[Row]]) -> Section | None:
    if "selfish shares" not in found:
        return None
    ours = found["selfish shares"]
    points = {
        name: [(float(row["selfish %"]), row[name]) for row in ours if row[name] is not None]
        for name in ("honest", "selfish")
    }
    return Section(
        "Figure 4.2: users exposed by the share of selfish ones (real queries)",
        ["selfish %", "honest exposed %", "selfish exposed %"],
        [[str(row["selfish %"]), *_numbers(row["honest"], row["selfish"])] for row in ours],
        "The thesis draws this figure without numbers: the more users are selfish, the more honest ones are exposed.",
        plots.lines("Figure 4.2: exposed users", "% of users that are selfish", "% exposed", points),
    )


def _submissions(_: Plan, found: Mapping[str, list[Row]]) -> Section:
    both = {"made up": found["selfish submissions"], "real": found.get("real selfish submissions", [])}
    points = {
        f"{name} queries": [(float(row["neighbours"]), 100 * row["own"] / row["asked"]) for row in rows]
        for name, rows in both.items()
        if rows
    }
    rows = [
        [name, str(row["neighbours"]), *_numbers(row["own"], row["asked"], 100 * row["own"] / row["asked"])]
        for name, some in both.items()
        for row in some
    ]
    return Section(
        "Figure 4.3: queries that selfish users submit themselves",
        ["queries", "neighbours", "own submitted", "asked", "%"],
        rows,
        "The thesis draws this figure without numbers. The more neighbours, the longer it takes until none accepts.",
        plots.lines("Figure 4.3: own queries submitted by selfish users", "neighbours", "% of own queries", points),
    )


def _positions(plan: Plan, found: Mapping[str, list[Row]]) -> Section:
    rows, ours = [], found["positions"]
    for row in ours:
        position, deviation, old, old_deviation = PUBLISHED["positions"][str(row["neighbours"])]
        cells = _numbers(row["ideal"], row["position"], position, old, row["deviation"], deviation, old_deviation)
        rows.append([str(row["neighbours"]), *cells])
    series = {
        "ideal": [(float(row["neighbours"]), row["ideal"]) for row in ours],
        "position": [(float(row["neighbours"]), row["position"] or 0.0) for row in ours],
        "position, thesis": [(float(at), value[0]) for at, value in PUBLISHED["positions"].items()],
        "deviation": [(float(row["neighbours"]), row["deviation"] or 0.0) for row in ours],
        "deviation, thesis": [(float(at), value[1]) for at, value in PUBLISHED["positions"].items()],
    }
    return Section(
        "Table 4.5 and figure 4.1: position in the group, by number of neighbours k",
        ["k", "ideal", "position", "thesis", "before", "deviation", "thesis", "before"],
        rows,
        f"A query is not handed back to whom it came from, and a vector has 1 to {plan.pruning.most_copies} copies: "
        "the thesis says neither, and these come closest. Before: the protocol of Viejo and Castellà-Roca 2010 in the "
        "thesis' table, which is not simulated: its function is not in the thesis.",
        plots.lines("Figure 4.1: average position and deviation", "neighbours", "position", series),
    )


def _hops(_: Plan, found: Mapping[str, list[Row]]) -> Section:
    rows = [
        [str(row["exponent"]), *_numbers(row["neighbours"], row["hops"], row["response ms"], row["refused %"])]
        for row in found["hops"]
    ]
    return Section(
        "Section 4.7.3: hops and response time (10,000 users), by the power law's exponent",
        ["exponent", "mean neighbours", "hops", "response ms", "refused %"],
        rows,
        f"Thesis: {PUBLISHED['hops']} hops, {PUBLISHED['response_ms']:,.1f} ms; the protocol before: "
        f"{PUBLISHED['previous_response_ms']:,.0f} ms. Response = 2 * hops * {PUBLISHED['latency_ms']:.0f} ms + "
        f"{PUBLISHED['search_ms']:.0f} ms. The exponent is not in the thesis: the default is the one with its hops.",
    )


def _sizes(plan: Plan, found: Mapping[str, list[Row]]) -> Section:
    rows = []
    for row in found["sizes"]:
        cells = _numbers(row["hops"], row["response ms"], row["position"], row["deviation"], row["seconds"])
        rows.append([f"{row['users']:,}", f"{row['links']:,}", *cells, f"{row['peak MiB']:,.0f}"])
    return Section(
        "Section 4.7: from 1,000 to 10 million users",
        ["users", "links", "hops", "ms", "position", "deviation", "seconds", "MiB"],
        rows,
        f"{experiments.QUERIES_BY_SIZE} queries a user; positions are of users with 10 neighbours. Nothing but time "
        "and memory (the highest so far) depends on the size. Seconds and memory differ from run to run.",
    )


def _groups(rows: Iterable[Sequence[str]]) -> dict[str, list[float | None]]:
    return {name: [float(value) for value in values] for name, *values in rows}


def _numbers(*values: Any) -> list[str]:
    return ["" if value is None else f"{value:,.2f}" for value in values]
