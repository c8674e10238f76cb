"""`querymix study identifiers` and `linguistics`: identifier removal and the compiled analyzer, measured."""

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import click
from querymix.commands.common import echo, print_json, reporting
from querymix.commands.options import path_option
from querymix.consoles import Console
from querymix.core.draw import system_draw
from querymix.core.errors import ConfigError
from querymix.core.identifiers import KINDS, Detector, kinds_but
from querymix.core.surrogates import Surrogates
from querymix.knowledge.bundle import DEFAULT, Bundle
from rich.table import Table

from querymix_lab.evaluation.hiding import Hiding, measure, usual
from querymix_lab.evaluation.identifiers import Finder, Gated, Row, Score, evaluate, read
from querymix_lab.shares import Part

MADE_UP: Final = "made-up"
HELD_OUT: Final = "held-out"
"""Made up too, half patterned kinds and half people, in forms and templates that nothing was tuned on."""
_KNOWLEDGE = path_option("knowledge", default=DEFAULT, help="Bundle to use.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.command(short_help="Measure how many identifiers are removed.")
@click.option(
    "--labels",
    default=MADE_UP,
    show_default=True,
    help=f"Labelled queries, plain or .gz, or '{MADE_UP}' or '{HELD_OUT}'.",
)
@click.option("--seed", default=1, show_default=True, help="Of the queries that are made up.")
@click.option(
    "--count", default=15_000, show_default=True, help="Queries that are made up, about a third of them harmless."
)
@_KNOWLEDGE
@click.option(
    "--keep-identifiers", multiple=True, type=click.Choice([*KINDS, "ssn"]), help="Kinds that are not looked for."
)
@click.option("--compare", type=click.Choice(["presidio"]), help="Run this on the same queries too (about 5 ms each).")
@click.option(
    "--surrogates", is_flag=True, help="Measure what readers get of missed names, with surrogates and without."
)
@_JSON
@reporting
def identifiers(
    labels: str,
    seed: int,
    count: int,
    knowledge: Path,
    keep_identifiers: tuple[str, ...],
    compare: str | None,
    surrogates: bool,
    as_json: bool,
) -> None:
    """Measure how many identifiers are removed, and how much else.

    \b
    querymix study identifiers --labels labelled.tsv

    \b
    A file has one query a line:  query <tab> kind <tab> identifier as it stands in the query
    Harmless queries:             query <tab> <tab>
    Queries without a label:      query        (only the share that is changed is told)

    With --surrogates: of the names that are missed, how many a reader who looks for names sees, and how much of what it
    takes for a name is real.

    An identifier counts only if nothing of it is left. Speed is CPU time, with the bundle's terms decoded before.
    """
    rows = _rows(labels, seed, count)
    if not rows:
        raise ConfigError(f"{labels} holds no queries")
    bundle = Bundle(knowledge)
    detector = Detector(bundle, kinds_but(keep_identifiers))
    if surrogates:
        _hiding(bundle, detector, rows, as_json=as_json)
        return
    scores, skipped = _scores(Gated(bundle, detector), rows, presidio=compare is not None)
    if as_json:
        answer: dict[str, Any] = {name: score.as_json() for name, score in scores.items()}
        print_json(answer | {"knowledge": bundle.version, "skipped": skipped or None})
        return
    _show(scores)
    if skipped:
        echo(skipped, err=True)


def _scores(finder: Finder, rows: list[Row], *, presidio: bool) -> tuple[dict[str, Score], str]:
    """Return the scores by name, and why Presidio has none where it was asked for."""
    evaluate(finder, rows)
    scores = {"querymix": evaluate(finder, rows)}
    if presidio:
        try:
            from querymix_lab.evaluation.presidio import Presidio  # noqa: PLC0415 - an optional extra

            scores["presidio"] = evaluate(Presidio(), rows)
        except ConfigError as error:
            return scores, str(error)
    return scores, ""


def _census() -> tuple[list[str], list[str]]:
    from querymix_lab.evaluation.made_up import census_names  # noqa: PLC0415 - needs Faker

    given, family = census_names()
    return [name for name, _ in given], [name for name, _ in family]


def _rows(labels: str, seed: int, count: int) -> list[Row]:
    if labels not in (MADE_UP, HELD_OUT):
        return list(read(Path(labels)))
    try:
        from querymix_lab.evaluation.made_up import census_names, labelled  # noqa: PLC0415 - needs Faker
        from querymix_lab.evaluation.made_up_codes import held_out  # noqa: PLC0415 - with its siblings
        from querymix_lab.evaluation.made_up_people import people  # noqa: PLC0415 - needs Faker
    except ImportError:
        raise ConfigError("queries are made up with Faker: pip install 'querymix[lab]'") from None
    if labels == MADE_UP:
        return list(labelled(seed, count, *census_names()))
    return [*held_out(seed, count - count // 2), *people(seed, count // 2)]


def _show(scores: dict[str, Score]) -> None:
    first = next(iter(scores.values()))
    table = Table("", "of", *scores, title="Identifiers removed entirely")

    def add(name: str, found: Sequence[Part], form: str) -> None:
        if found[0].whole:
            table.add_row(name, f"{found[0].whole:,}", *(format(one.share, form) for one in found))

    for kind in first.kinds:
        add(kind, [score.kinds[kind] for score in scores.values()], ".1%")
    add("names in 2 to 6 words", [score.short_names for score in scores.values()], ".1%")
    table.add_section()
    add("look-alikes changed", [score.lookalikes for score in scores.values()], ".2%")
    add("unlabelled changed", [score.unlabelled for score in scores.values()], ".2%")
    table.add_row("queries/s", "", *(f"{score.queries_per_second:,.0f}" for score in scores.values()))
    Console(highlight=False).print(table)


def _hiding(bundle: Bundle, detector: Detector, rows: list[Row], *, as_json: bool) -> None:
    found = measure(Gated(bundle, detector), Surrogates(system_draw()), rows, usual(detector, *_census()))
    if as_json:
        print_json(found.as_json() | {"knowledge": bundle.version})
    else:
        _show_hiding(found)


def _show_hiding(found: Hiding) -> None:
    table = Table("reader", "seen, cut", "real", "seen, surrogates", "real", title="Missed names that readers get")
    for name, cut in found.cut.items():
        swapped = found.swapped[name]
        cells = (
            cell
            for read in (cut, swapped)
            for cell in (
                f"{Part(len(read.missed), found.leaked).share:.1%}",
                f"{Part(read.real, read.real + read.made_up).share:.1%}",
            )
        )
        table.add_row(name, *cells)
    table.caption = (
        f"of {found.names:,} queries with a name that leave {found.leaked:,} have it or a part of it still, "
        f"{found.alone:,} and nothing else; seen: of those; real: of all that a reader takes for a name"
    )
    Console(highlight=False).print(table)


@click.command(short_help="Compare the compiled analyzer with spaCy.")
@click.option(
    "--queries", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), help="One query a line."
)
@click.option("--count", default=5_000, show_default=True, help="Queries drawn from the file.")
@click.option("--seed", default=1, show_default=True, help="Of the queries that are drawn.")
@click.option("--model", help="spaCy model, by default the one of the extra `lab`.")
@_KNOWLEDGE
@_JSON
@reporting
def linguistics(queries: Path, count: int, seed: int, model: str | None, knowledge: Path, as_json: bool) -> None:
    """Measure how often the compiled analyzer and spaCy agree on a query's units, and how much faster it is.

    \b
    querymix study linguistics --queries queries.txt

    They agree on a word where both or neither take it for content (a noun, a proper noun or an adjective), on a query
    where they agree on each of its words.
    """
    from querymix_lab.evaluation.linguistics import compare  # noqa: PLC0415
    from querymix_lab.knowledge.train.reference_tagger import MODEL, reference  # noqa: PLC0415

    texts = [row.text for row in read(queries)]
    drawn: Iterable[str] = random.Random(seed).sample(texts, count) if count < len(texts) else texts
    bundle = Bundle(knowledge)
    figures = compare(drawn, bundle, reference(model or MODEL))
    if as_json:
        print_json(figures | {"knowledge": bundle.version})
        return
    table = Table.grid(padding=(0, 3))
    for name, figure in figures.items():
        table.add_row(name.replace("_", " "), f"{figure:,}")
    Console(highlight=False).print(table)


@click.command(short_help="Measure how many misspellings are put right.")
@click.option("--count", default=2_000, show_default=True, help="Misspellings of each kind, and rare words.")
@click.option("--seed", default=1, show_default=True, help="Of the misspellings that are made up.")
@_KNOWLEDGE
@_JSON
@reporting
def recommendations(count: int, seed: int, knowledge: Path, as_json: bool) -> None:
    """Measure how many made-up misspellings are put right, and how many right but rare words are spoiled.

    \b
    querymix study recommendations --count 1000

    Rows: the paper's recommendations, and the reduction of unknown words that the classifier `terms` makes.
    """
    from querymix_lab.evaluation.recommendations import figures as measured  # noqa: PLC0415 - much that others do not need

    bundle = Bundle(knowledge)
    figures = measured(bundle, count, seed)
    if as_json:
        print_json(figures | {"knowledge": bundle.version})
        return
    table = Table("", "of", *figures, title="Misspellings put right (made something else); rare words spoiled")
    for kind, first in figures["recommendations"].items():
        cells = (
            f"{one[kind]['right']:.1%} ({one[kind]['wrong']:.1%})"
            if "right" in first
            else f"{one[kind]['changed']:.2%}"
            for one in figures.values()
        )
        table.add_row(kind, f"{first['of']:,}", *cells)
    Console(highlight=False).print(table)
