"""`querymix study classifier`: how good the classifier is on labelled queries."""

from pathlib import Path
from typing import Any

import click
from querymix.bootstrap.parts import make_classifier, open_bundle
from querymix.commands.common import print_json, reporting
from querymix.commands.options import options
from querymix.consoles import Console
from querymix.core.classify import Classify
from querymix.core.errors import ConfigError
from querymix.settings import KnowledgeSettings, load
from rich.table import Table

from querymix_lab.commands.showing import table
from querymix_lab.evaluation.classifier import Figures, Labelled, measure, plot, read_labels, speed
from querymix_lab.evaluation.languages import HALVES, HELD_OUT, LANGUAGES, MADE_UP, topics

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(short_help="Measure the classifier on labelled queries.")
@click.option(
    "--labels",
    default=HELD_OUT,
    show_default=True,
    help=f"File: query, tab, category; or one column a labeler. Or '{MADE_UP}' or '{HELD_OUT}', which come along.",
)
@click.option(
    "--language", type=click.Choice([*LANGUAGES, "all"]), help="Of the made-up and held-out sets; by default all."
)
@click.option("--plot", "picture", type=click.Path(path_type=Path), help="Draw the confusion matrix into this file.")
@click.option(
    "--speed", "timed", type=_FILE, help="Plain queries, one a line, to take the speed on; default: the labelled."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@options(KnowledgeSettings)
@reporting
def classifier(
    labels: str,
    language: str | None,
    picture: Path | None,
    timed: Path | None,
    as_json: bool,
    settings: Path | None,
    **given: Any,
) -> None:
    """Measure the classifier: coverage, accuracy, precision and recall per category, confusion, speed.

    \b
    querymix study classifier --labels labelled.tsv
    querymix study classifier --language de

    \b
    A line of the labels is query <tab> category, or query <tab> the categories of the
    first labeler, parted by commas <tab> those of the second ...; then right is what at
    least two labelers gave.

    The sets that come along are in six languages. A language model made them up and labelled them twice.
    """
    chosen = load(KnowledgeSettings, given, settings)
    sets = _sets(labels, language)
    if picture is not None and len(sets) > 1:
        raise ConfigError("--plot draws one set: name one with --language, or a file with --labels")
    bundle = open_bundle(chosen)

    def make() -> Classify:
        return make_classifier(chosen, bundle)

    about = {"classifier": chosen.classifier, "confidence": chosen.confidence, "knowledge": bundle.version}
    results = {}
    for name, rows in sets.items():
        queries = [row.query for row in rows]
        if timed is not None:
            queries = timed.read_text("utf-8", errors="replace").splitlines()
        rates = speed(make, queries)
        figures = measure(make(), rows)
        results[name] = figures.as_json() | {"queries/s": rates}
        if picture is not None:
            plot(figures, picture, _title(chosen.classifier, figures))
    _print(about, results, as_json=as_json)


def _sets(labels: str, language: str | None) -> dict[str, list[Labelled]]:
    """Return the labelled queries by the set's name: a language, or "" for a file's."""
    if labels in HALVES:
        names = LANGUAGES if language in (None, "all") else (language,)
        return {name: read_labels(topics(name, labels)) for name in names}
    if language is not None:
        raise ConfigError(f"--language is for --labels {MADE_UP} and --labels {HELD_OUT}: leave one of them out")
    return {"": read_labels(Path(labels))}


def _title(classifier: str, figures: Figures) -> str:
    return f"{classifier}, {figures.queries} queries, {figures.summary()['right of all']:.1%} right of all"


def _print(about: dict[str, Any], results: dict[str, dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json(about | (results.get("") or {"languages": results}))
        return
    console = Console(highlight=False)
    if len(results) > 1:
        console.print(f"{about['classifier']}, knowledge {about['knowledge'][:16]}")
        console.print(_languages(results))
        return
    for result in results.values():
        _show(console, about | result)


def _languages(results: dict[str, dict[str, Any]]) -> Table:
    columns = ("language", "queries", "covered", "right of all", "95 %", "right of covered")
    return table(
        columns,
        [
            (name, f"{one['queries']:,}", f"{one['covered']:.1%}", f"{one['right of all']:.1%}", _between(one),
             f"{one['right of covered']:.1%}")
            for name, one in results.items()
        ],
    )  # fmt: skip


def _between(result: dict[str, Any]) -> str:
    return f"{100 * result['right of all, low']:.0f}-{100 * result['right of all, high']:.0f}"


def _show(console: Console, result: dict[str, Any]) -> None:
    console.print(f"{result['classifier']} on {result['queries']:,} queries, knowledge {result['knowledge'][:16]}")
    for name in ("covered", "right of all", "right of covered"):
        interval = f"  (95 %: {_between(result)})" if name == "right of all" else ""
        console.print(f"  {name:<17}{result[name]:7.1%}{interval}")
    rates = result["queries/s"]
    console.print(f"  queries/s of CPU time: {rates['cold']:,} cold, {rates['warm']:,} with every term known")
    by_category = Table("category", "queries", "answers", "precision", "recall")
    for name, row in result["categories"].items():
        by_category.add_row(
            name, f"{row['queries']:,}", f"{row['answers']:,}", f"{row['precision']:.2f}", f"{row['recall']:.2f}"
        )
    console.print(by_category)
