"""`querymix compare`: the stream and all batch methods on one log, in one report."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import click
from querymix.bootstrap import make_classifier, open_bundle
from querymix.commands.common import print_json, reporting
from querymix.commands.options import options
from querymix.commands.progress import loudness, speaking, tell_options
from querymix.core.errors import ConfigError
from querymix.settings import load
from rich.console import Console

from querymix_lab.bootstrap import make_phrases, read_log
from querymix_lab.commands.showing import progress
from querymix_lab.settings import CompareSettings

_FILE = click.Path(exists=True, dir_okay=False)


@click.command(short_help="Compare the stream with all batch methods on a log.")
@click.argument("log", type=_FILE)
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), required=True, help="Folder of the report.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object too.")
@options(CompareSettings)
@speaking
@reporting
def compare(log: str, folder: Path, as_json: bool, settings: Path | None, **given: Any) -> None:
    """Run the stream and all batch methods over LOG, measure what each costs in privacy, utility and time.

    \b
    querymix compare log.tsv.gz -o compared/
    querymix compare log.tsv.gz -o compared/ --methods stream,mdav --k 2..50

    The folder gets report.html, report.csv and report.json, which hold figures only, no query and no user. It keeps
    the result of each setting: a comparison that was interrupted goes on where it was with the same command. The same
    seed gives the same figures, but for time and memory.
    """
    from querymix_lab.batch.log_reading import read  # noqa: PLC0415 - numpy is an extra, and slow to import
    from querymix_lab.compare import comparison_report, grid, measuring  # noqa: PLC0415
    from querymix_lab.sweep import running  # noqa: PLC0415

    chosen = load(CompareSettings, given, settings)
    tell_options(chosen)
    ks, methods = grid.ks_of(chosen.k), grid.methods_of(chosen.methods)
    with ExitStack() as owned, progress() as bar:
        task = bar.add_task("classifying", total=None)
        bundle = open_bundle(chosen)
        classify = make_classifier(chosen, bundle)
        whole = read(read_log(log, chosen, owned), classify, phrases=make_phrases(bundle))
        if len(whole.users) < 2:
            raise ConfigError(f"{log}: fewer than two users are in it, so there is nothing to compare")
        running.claim(folder, whole.content())
        every = list(dict.fromkeys(grid.choices(methods, ks, len(whole.users), chosen.seed)))
        before = grid.preparations(methods, chosen.seed)
        bar.update(task, description="measuring", total=len(before) + len(every), completed=0)
        measure = partial(measuring.measure, whole, folder)
        for settings_ in (before, every):
            rows = running.run(folder, settings_, measure, chosen.processes, lambda: bar.advance(task))
    paths = comparison_report.write(folder, Path(log).name, rows, grid.base_of(ks))
    if as_json:
        print_json({"settings": rows})
    if loudness() != "quiet":
        Console(stderr=True).print(f"{len(rows)} settings measured. Open {paths[0]}")
