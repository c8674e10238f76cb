"""`querymix study run`: one log over many settings, attacked, in one report."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import click
from querymix.bootstrap.parts import make_classifier, open_bundle
from querymix.commands.common import print_json, reporting
from querymix.commands.options import options
from querymix.commands.progress import loudness, speaking, tell_options
from querymix.consoles import Console
from querymix.core.errors import ConfigError
from querymix.settings import load

from querymix_lab.bootstrap import read_log
from querymix_lab.commands.showing import progress
from querymix_lab.evaluation.classifier import measure as measure_classifier
from querymix_lab.evaluation.classifier import read_labels
from querymix_lab.settings import StudySettings

if TYPE_CHECKING:
    from querymix_lab.attacks import logs
    from querymix_lab.sweep.costs import Cost

LABELS = "Labelled queries, for the table of right answers by category; as `querymix study classifier` takes them."
_FILE = click.Path(exists=True, dir_okay=False)


@click.command(short_help="Try many settings on a log, attack each, write a report.")
@click.argument("log", type=_FILE)
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), required=True, help="Folder of the report.")
@click.option("--labels", type=click.Path(exists=True, dir_okay=False, path_type=Path), help=LABELS)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object too.")
@options(StudySettings)
@speaking
@reporting
def run(
    log: str, folder: Path, labels: Path | None, as_json: bool, settings: Path | None, **given: Any
) -> None:  # fmt: skip
    """Measure the method on LOG over many settings, attack what it releases, and write one report.

    \b
    querymix study run log.tsv.gz -o study/
    querymix study run log.tsv.gz -o study/ --ks 10,20,50 --k 20 --processes 4

    The folder gets report.html, report.csv and report.json. It keeps the result of each setting: a study that was
    interrupted goes on where it was with the same command. The same seed gives the same figures.
    """
    from querymix_lab.sweep import costs, grid, measuring, running, study_report, watching  # noqa: PLC0415 - numpy is slow to import
    from querymix_lab.task_processes import alone  # noqa: PLC0415

    chosen = load(StudySettings, given, settings)
    tell_options(chosen)
    try:
        ks = sorted({int(k) for k in chosen.ks} | {chosen.k})
    except ValueError:
        raise ConfigError("--ks: give whole numbers parted by commas, such as 5,10,20") from None
    if ks[0] < 2:
        raise ConfigError(f"--ks: k must be at least 2, not {ks[0]}")
    accuracy = _accuracy(labels, chosen)
    with progress() as bar:
        task = bar.add_task("classifying", total=None)
        read, texts, cost = alone(classify, log, chosen)
        running.claim(folder, read.content())
        every = list(dict.fromkeys(grid.grid(ks, read.population, chosen.seed, chosen.k)))
        overs = list(watching.watched(chosen.k, chosen.seed))
        bar.update(task, description="measuring", total=len(every) + len(overs), completed=0)
        measure = partial(measuring.measure, read)
        rows = running.run(folder, every, measure, chosen.processes, lambda: bar.advance(task))
        watch = partial(watching.measure, read, texts)
        watched = running.run(folder, overs, watch, chosen.processes, lambda: bar.advance(task))
        bar.update(task, description="time and memory of each process")
        spent = {"classifier": cost} | costs.measure(read, grid.Setting(chosen.k, **grid.PRINTED, seed=chosen.seed))
    study = study_report.Study(Path(log).name, rows, spent, accuracy, watched)
    paths = study_report.write(folder, study, chosen.k)
    if as_json:
        print_json(study.as_dict())
    if loudness() != "quiet":
        Console(stderr=True, markup=False).print(f"{len(rows) + len(watched)} settings measured. Open {paths[0]}")


def _accuracy(labels: Path | None, chosen: StudySettings) -> dict[str, float]:
    """Return the share of right answers by category, of the answers that name it."""
    if labels is None:
        return {}
    rows = read_labels(labels)
    found = measure_classifier(make_classifier(chosen, open_bundle(chosen)), rows)
    return {name: float(figures["precision"]) for name, figures in found.categories().items() if figures["answers"]}


def classify(log: str, chosen: StudySettings) -> "tuple[logs.Log, list[str], Cost]":
    """Return the classified queries of a log in time order, the texts by number, and what classifying cost.

    Raises ConfigError where no query of it has a category.
    """
    from querymix_lab.attacks import logs  # noqa: PLC0415 - as above
    from querymix_lab.sweep import costs  # noqa: PLC0415

    with ExitStack() as owned:
        bundle = open_bundle(chosen)
        start = process_time()
        vocabulary = logs.Vocabulary()
        read = logs.read(read_log(log, chosen, owned), make_classifier(chosen, bundle), vocabulary)
        spent = process_time() - start
    classified = read.classified().in_time_order()
    if not len(classified):
        raise ConfigError(f"{log}: no query of it has a category, so there is nothing to study")
    return classified, list(vocabulary.texts), costs.cost(spent, len(read))
