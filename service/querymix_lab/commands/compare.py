"""`querymix compare`: the stream and all batch methods on one log, in one report."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import click
from querymix.bootstrap.parts import make_classifier, open_bundle
from querymix.commands.common import print_json, reporting
from querymix.commands.options import options
from querymix.commands.progress import loudness, say, speaking, tell_options
from querymix.consoles import Console
from querymix.core.errors import ConfigError
from querymix.settings import load

from querymix_lab.bootstrap import make_phrases, read_log
from querymix_lab.commands.showing import progress
from querymix_lab.settings import CompareSettings

_PAPERS = "Also measure what the papers show: small k, odp by levels, the time on a quarter and a half of the users."
_FILE = click.Path(exists=True, dir_okay=False)


@click.command(short_help="Compare the stream with all batch methods on a log.")
@click.argument("log", type=_FILE)
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), required=True, help="Folder of the report.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object too.")
@click.option("--papers", is_flag=True, help=_PAPERS)
@options(CompareSettings)
@speaking
@reporting
def compare(
    log: str, folder: Path, as_json: bool, papers: bool, settings: Path | None, **given: Any
) -> None:  # fmt: skip
    """Run the stream and all batch methods over LOG, measure what each costs in privacy, utility and time.

    \b
    querymix compare log.tsv.gz -o compared/
    querymix compare log.tsv.gz -o compared/ --methods stream,mdav --k 2..50
    querymix compare log.tsv.gz -o compared/ --papers

    A setting is a method at a k. Each runs with several seeds, so that a method is called better only where chance does
    not explain it.

    The folder gets report.html, report.csv and report.json, which hold figures only, no query and no user. It keeps
    the result of each setting: a comparison that was interrupted goes on where it was with the same command. The same
    seed gives the same figures, but for time and memory.
    """
    from querymix_lab.batch.log_reading import read  # noqa: PLC0415 - numpy is an extra, and slow to import
    from querymix_lab.compare import comparison_report, grid, measuring, words  # noqa: PLC0415
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
        every = grid.choices(methods, ks, chosen.seed, chosen.seeds)
        if papers:
            every += grid.of_papers(methods, ks, len(whole.users), chosen.seed, chosen.seeds)
        measure = partial(measuring.measure, whole, folder, wordnet=chosen.wordnet)
        bar.update(task, description="distances for mdav" if "mdav" in methods else "measuring")
        running.run(folder, grid.preparations(methods, chosen.seed), measure, chosen.processes)
        bar.update(task, description="measuring", total=len(every), completed=0)
        rows = running.run(folder, every, measure, chosen.processes, lambda: bar.advance(task))
    paths = comparison_report.write(folder, Path(log).name, rows, grid.base_of(ks))
    if as_json:
        print_json({"settings": rows})
    for sentence in words.left_out(rows):
        say(sentence)
    if loudness() != "quiet":
        Console(stderr=True, markup=False).print(f"{words.size(rows)}. Open {paths[0]}", soft_wrap=True)
