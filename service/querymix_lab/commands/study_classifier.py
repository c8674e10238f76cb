"""`querymix study classifier`: how good the classifier is on labelled queries."""

from pathlib import Path
from typing import Any

import click
from querymix.bootstrap.parts import make_classifier, open_bundle
from querymix.commands.common import print_json, reporting
from querymix.commands.options import options
from querymix.consoles import Console
from querymix.core.classify import Classify
from querymix.settings import KnowledgeSettings, load
from rich.table import Table

from querymix_lab.evaluation.classifier import measure, plot, read_labels, speed

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(short_help="Measure the classifier on labelled queries.")
@click.option("--labels", type=_FILE, required=True, help="Query, tab, category; or one column a labeler.")
@click.option("--plot", "picture", type=click.Path(path_type=Path), help="Draw the confusion matrix into this file.")
@click.option(
    "--speed", "timed", type=_FILE, help="Plain queries, one a line, to take the speed on; default: the labelled."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@options(KnowledgeSettings)
@reporting
def classifier(
    labels: Path, picture: Path | None, timed: Path | None, as_json: bool, settings: Path | None, **given: Any
) -> None:
    """Measure the classifier: coverage, accuracy, precision and recall per category, confusion, speed.

    \b
    querymix study classifier --labels labelled.tsv

    \b
    A line of the labels is query <tab> category, or query <tab> the categories of the
    first labeler, parted by commas <tab> those of the second ...; then right is what at
    least two labelers gave.
    """
    chosen = load(KnowledgeSettings, given, settings)
    rows = read_labels(labels)
    bundle = open_bundle(chosen)

    def make() -> Classify:
        return make_classifier(chosen, bundle)

    queries = [row.query for row in rows]
    if timed is not None:
        queries = timed.read_text("utf-8", errors="replace").splitlines()
    rates = speed(make, queries)
    figures = measure(make(), rows)
    result = {
        "classifier": chosen.classifier,
        "confidence": chosen.confidence,
        "knowledge": bundle.version,
        **figures.summary(),
        "queries/s": rates,
        "categories": figures.categories(),
    }
    if picture is not None:
        name = f"{chosen.classifier}, {figures.queries} queries, {figures.summary()['right of all']:.1%} right of all"
        plot(figures, picture, name)
    if as_json:
        print_json(result | {"confusion": figures.confusion})
    else:
        _show(result)


def _show(result: dict[str, Any]) -> None:
    console = Console(highlight=False)
    console.print(f"{result['classifier']} on {result['queries']:,} queries, knowledge {result['knowledge'][:16]}")
    for name in ("covered", "right of all", "right of covered"):
        console.print(f"  {name:<17}{result[name]:7.1%}")
    rates = result["queries/s"]
    console.print(f"  queries/s of CPU time: {rates['cold']:,} cold, {rates['warm']:,} with every term known")
    table = Table("category", "queries", "answers", "precision", "recall")
    for name, row in result["categories"].items():
        table.add_row(
            name, f"{row['queries']:,}", f"{row['answers']:,}", f"{row['precision']:.2f}", f"{row['recall']:.2f}"
        )
    console.print(table)
