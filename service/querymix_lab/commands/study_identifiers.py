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
from querymix.core.identifiers import Detector, kinds_but
from querymix.core.surrogates import Surrogates
from querymix.knowledge.bundle import DEFAULT, Bundle
from rich.table import Table

from querymix_lab.evaluation.hiding import Hiding, measure, usual
from querymix_lab.evaluation.identifiers import Finder, Gated, Row, Score, evaluate, read
from querymix_lab.evaluation.languages import HELD_OUT, LANGUAGES, MADE_UP
from querymix_lab.evaluation.sets import NUMBERS, SETS, Columns, columns
from querymix_lab.shares import Part

NONE: Final = Part(0, 0)
_KNOWLEDGE = path_option("knowledge", default=DEFAULT, help="Bundle to use.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.command(short_help="Measure how many identifiers are removed.")
@click.option(
    "--labels",
    default=MADE_UP,
    show_default=True,
    help="Labelled queries, plain or .gz, or one of " + ", ".join(f"'{name}'" for name in SETS) + ".",
)
@click.option(
    "--language",
    type=click.Choice([*LANGUAGES, "all"]),
    help=f"Of the sets '{MADE_UP}', '{HELD_OUT}' and '{NUMBERS}'; by default English.",
)
@click.option("--seed", default=1, show_default=True, help="Of the queries that are made up.")
@click.option(
    "--count", default=15_000, show_default=True, help="Queries that are made up, about a third of them harmless."
)
@_KNOWLEDGE
@click.option("--keep-identifiers", metavar="KIND", multiple=True, help="A kind that is not looked for, or several.")
@click.option("--compare", type=click.Choice(["presidio"]), help="Run this on the same queries too (about 5 ms each).")
@click.option(
    "--surrogates", is_flag=True, help="Measure what readers get of missed names, with surrogates and without."
)
@_JSON
@reporting
def identifiers(
    labels: str,
    language: str | None,
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
    querymix study identifiers --labels held-out --language all

    \b
    A file has one query a line:  query <tab> kind <tab> identifier as it stands in the query
    Harmless queries:             query <tab> <tab>
    Queries without a label:      query        (only the share that is changed is told)

    With --surrogates: of the names that are missed, how many a reader who looks for names sees, and how much of what it
    takes for a name is real.

    Sets that come along: made up in English or in other languages, of which one half is held out; numbers of products,
    prices and days, which are nobody's; python-stdnum's examples, bare and with a word; texts of Presidio's tests.

    An identifier counts only if nothing of it is left. Speed is CPU time, with the bundle's terms decoded before.
    """
    try:
        kinds = kinds_but(keep_identifiers)
    except ValueError as error:
        raise ConfigError(f"--keep-identifiers: {error}") from None
    sets = _sets(labels, language, seed, count, alone=surrogates or compare is not None)
    bundle = Bundle(knowledge)
    detector = Detector(bundle, kinds)
    if surrogates:
        _hiding(bundle, detector, *sets.values(), as_json=as_json)
        return
    scores, skipped = _scores(Gated(bundle, detector), sets, presidio=compare is not None)
    if as_json:
        answer: dict[str, Any] = {name: score.as_json() for name, score in scores.items()}
        print_json(answer | {"knowledge": bundle.version, "skipped": skipped or None})
        return
    _show(scores)
    if skipped:
        echo(skipped, err=True)


def _sets(labels: str, language: str | None, seed: int, count: int, *, alone: bool) -> Columns:
    """Return the queries; raises ConfigError where there are none, or several sets where one has to stand alone."""
    sets = columns(labels, language, seed, count)
    if not all(sets.values()):
        raise ConfigError(f"{labels} holds no queries")
    if alone and len(sets) > 1:
        raise ConfigError(
            "--compare and --surrogates take one set of queries, and these are several: name one language"
        )
    return sets


def _scores(finder: Finder, sets: Columns, *, presidio: bool) -> tuple[dict[str, Score], str]:
    """Return the scores by column, and why Presidio has none where it was asked for."""
    for rows in sets.values():
        evaluate(finder, rows)  # the bundle's terms are decoded then
    scores = {name: evaluate(finder, rows) for name, rows in sets.items()}
    if presidio:
        try:
            from querymix_lab.evaluation.presidio import Presidio  # noqa: PLC0415 - an optional extra

            scores["presidio"] = evaluate(Presidio(), *sets.values())
        except ConfigError as error:
            return scores, str(error)
    return scores, ""


def _census() -> tuple[list[str], list[str]]:
    from querymix_lab.evaluation.made_up import census_names  # noqa: PLC0415 - needs Faker

    given, family = census_names()
    return [name for name, _ in given], [name for name, _ in family]


def _show(scores: dict[str, Score]) -> None:
    table = Table("", "of", *scores, title="Identifiers removed entirely, and in brackets only partly")

    def add(name: str, found: Sequence[Part], form: str, partly: Sequence[Part] = ()) -> None:
        sizes = {one.whole for one in found}
        if sizes != {0}:
            cells = [format(one.share, form) if one.whole else "" for one in found]
            for place, one in enumerate(partly):
                cells[place] += f" ({one.share:{form}})" if one.part else ""
            table.add_row(name, f"{sizes.pop():,}" if len(sizes) == 1 else "", *cells)

    for kind in sorted({kind for score in scores.values() for kind in score.kinds}):
        found = [score.kinds.get(kind, NONE) for score in scores.values()]
        add(kind, found, ".1%", [score.partly.get(kind, NONE) for score in scores.values()])
    add("all", [score.all for score in scores.values()], ".1%")
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
