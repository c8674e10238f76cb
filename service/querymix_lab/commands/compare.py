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
from querymix.own_files import write_own
from querymix.settings import load

from querymix_lab.bootstrap import make_phrases, read_log
from querymix_lab.commands.showing import progress
from querymix_lab.settings import CompareSettings

_PAPERS = "Also measure what the papers show: small k, odp by levels, the time on a quarter and a half of the users."
_OUTPUT = "Folder of the report; with --frontier its page: .html, or .md for Markdown without the pictures."
_FRONTIER = "One page instead: what each way to release keeps against what it tells, and the trend by users."
_LARGEST = "With --frontier: most made-up users of the trend, 0 for no trend.  [default: 1000000]"
_OTHERS = ("k", "methods", "seeds", "wordnet")
"""Options that the frontier, whose ways are its own, has no use for."""
_FILE = click.Path(exists=True, dir_okay=False)


@click.command(short_help="Compare the stream with all batch methods on a log.")
@click.argument("log", type=_FILE)
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), required=True, help=_OUTPUT)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object too.")
@click.option("--papers", is_flag=True, help=_PAPERS)
@click.option("--frontier", is_flag=True, help=_FRONTIER)
@click.option("--largest", type=click.IntRange(0), help=_LARGEST)
@options(CompareSettings)
@speaking
@reporting
def compare(
    log: str, folder: Path, as_json: bool, papers: bool, frontier: bool, largest: int | None, settings: Path | None,
    **given: Any,
) -> None:  # fmt: skip
    """Run the stream and all batch methods over LOG, measure what each costs in privacy, utility and time.

    \b
    querymix compare log.tsv.gz -o compared/
    querymix compare log.tsv.gz -o compared/ --methods stream,mdav --k 2..50
    querymix compare log.tsv.gz -o compared/ --papers
    querymix compare --frontier log.tsv.gz -o page.html

    A setting is a method at a k. Each runs with several seeds, so that a method is called better only where chance does
    not explain it.

    The folder gets report.html, report.csv and report.json, which hold figures only, no query and no user. It keeps
    the result of each setting: a comparison that was interrupted goes on where it was with the same command. The same
    seed gives the same figures, but for time and memory.

    With --frontier: the rules of others (threshold, rare terms, pseudonyms of a day), the stream at several settings,
    its presets and two offline methods. It sets distinct queries, completion and the order of clicked hosts that each
    keeps against users who are found by their ids, owners who are named and lines that one person only had. Minutes.
    What was measured stays in a folder beside the page, such as page.figures: the same command goes on with it.
    """
    if frontier:
        _frontier(log, folder, as_json, papers, largest, settings, given)
        return
    if largest is not None:
        raise ConfigError("--largest needs --frontier: it is about the trend by users there")
    _methods(log, folder, as_json, papers, settings, given)


def _methods(
    log: str, folder: Path, as_json: bool, papers: bool, settings: Path | None, given: dict[str, Any]
) -> None:  # fmt: skip
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


def _frontier(
    log: str, output: Path, as_json: bool, papers: bool, largest: int | None, settings: Path | None,
    given: dict[str, Any],
) -> None:  # fmt: skip
    from querymix_lab.batch.log_reading import read  # noqa: PLC0415 - as above
    from querymix_lab.frontier import page, presets, running, trend, ways, words  # noqa: PLC0415

    stray = [name for name in _OTHERS if given[name] is not None] + ["papers"] * papers
    if stray:
        raise ConfigError(f"--{stray[0]} has no use with --frontier, whose ways are its own: leave out one of the two")
    if output.suffix not in (".html", ".md"):
        raise ConfigError(f"--output: {output} must end in .html, or in .md for Markdown without the pictures")
    if output.is_dir() or not output.parent.is_dir():
        raise ConfigError(f"--output: {output} cannot be written: name a file in a folder that is there")
    chosen = load(CompareSettings, given, settings)
    tell_options(chosen)
    every = [*ways.ways(chosen.seed), *presets.presets(chosen.seed)]
    most = trend.SIZES[-1] if largest is None else largest
    sizes = [users for users in trend.SIZES if users <= most]
    with ExitStack() as owned, progress() as bar:
        task = bar.add_task("classifying", total=None)
        asked = list(read_log(log, chosen, owned))
        whole = read(asked, make_classifier(chosen, open_bundle(chosen)))
        if len(whole.users) < 2:
            raise ConfigError(f"{log}: fewer than two users are in it, so there is nothing to compare")
        bar.update(task, description="measuring", total=len(every) + bool(sizes), completed=0)
        folder, tick = output.with_suffix(".figures"), partial(bar.advance, task)
        found = {"log": Path(log).name} | running.measured(
            whole, asked, every, sizes, chosen.seed, folder, chosen.processes, tick
        )
    write_own(output, (page.markdown(found) if output.suffix == ".md" else page.page(found)).encode())
    if as_json:
        print_json(found)
    for sentence in (*words.seen(found["ways"]), *words.left_out(found["ways"])):
        say(sentence)
    if loudness() != "quiet":
        Console(stderr=True, markup=False).print(f"Open {output}", soft_wrap=True)
