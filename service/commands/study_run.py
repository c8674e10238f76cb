"""`querymix study run`: one log over many settings, attacked, in one report."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from service.bootstrap import make_classifier, open_bundle, read_log
from service.commands.common import print_json, reporting
from service.commands.options import options
from service.core.errors import Misconfigured
from service.settings import StudySettings, load

_FILE = click.Path(exists=True, dir_okay=False)


@click.command(short_help="Try many settings on a log, attack each, write a report.")
@click.argument("log", type=_FILE)
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), required=True, help="Folder of the report.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object too.")
@options(StudySettings)
@reporting
def run(log: str, folder: Path, as_json: bool, settings: Path | None, **given: Any) -> None:
    """Measure the method on LOG over many settings, attack what it releases, and write one report.

    \b
    querymix study run log.tsv.gz -o study/
    querymix study run log.tsv.gz -o study/ --ks 10,20,50 --k 20 --processes 4

    The folder gets report.html, report.csv and report.json. It keeps the result of each setting: a study that was
    interrupted goes on where it was with the same command. The same seed gives the same figures.
    """
    from service.study.attacks import logs  # noqa: PLC0415 - numpy is an extra, and slow to import
    from service.study.sweep import grid, measuring, report, running  # noqa: PLC0415

    chosen = load(StudySettings, given, settings)
    try:
        ks = sorted({int(k) for k in chosen.ks} | {chosen.k})
    except ValueError:
        raise Misconfigured("--ks: give whole numbers parted by commas, such as 5,10,20") from None
    if ks[0] < 2:
        raise Misconfigured(f"--ks: k must be at least 2, not {ks[0]}")
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with ExitStack() as owned, Progress(*columns, TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task("classifying", total=None)
        bundle = open_bundle(chosen)
        start = process_time()
        read = logs.read(read_log(log, chosen, owned), make_classifier(chosen, bundle), logs.Vocabulary())
        classified = read.classified().in_time_order()
        if not len(classified):
            raise Misconfigured(f"{log}: no query of it has a category, so there is nothing to study")
        costs = {"classifier": 1e6 * (process_time() - start) / len(read)}
        running.claim(folder, running.mark_of(classified))
        every = list(dict.fromkeys(grid.grid(ks, classified.population, chosen.seed, chosen.k)))
        bar.update(task, description="measuring", total=len(every), completed=0)
        measure = partial(measuring.measure, classified)
        rows = running.run(folder, every, measure, chosen.processes, lambda: bar.advance(task))
    paths = report.write(folder, Path(log).name, rows, costs, chosen.k)
    if as_json:
        print_json({"settings": rows, "costs": costs})
    console.print(f"{len(rows)} settings measured. Open {paths[0]}")
