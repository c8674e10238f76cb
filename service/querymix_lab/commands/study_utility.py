"""`querymix study utility`: what a released log is still good for."""

from contextlib import ExitStack
from typing import Any

import click
from querymix.bootstrap.parts import make_classifier, open_bundle
from querymix.commands.common import echo, print_json, reporting
from querymix.commands.options import options
from querymix.commands.progress import speaking, tell_options
from querymix.consoles import Console
from querymix.core.errors import ConfigError
from querymix.settings import load

from querymix_lab.bootstrap import read_log
from querymix_lab.commands.showing import passing, table
from querymix_lab.settings import UtilitySettings

_FILE = click.Path(exists=True, dir_okay=False)


@click.command(short_help="Measure what a released log is good for.")
@click.argument("original", type=_FILE)
@click.argument("released", type=_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@options(UtilitySettings)
@speaking
@reporting
def utility(original: str, released: str, as_json: bool, settings: Any, **given: Any) -> None:
    """Learn what consumers learn from a log, from RELEASED and from ORIGINAL, and test both on what came later.

    \b
    querymix study utility log.tsv.gz released.tsv
    querymix study utility log.tsv.gz released.tsv --json
    querymix study utility log.tsv.gz released.tsv --tasks completion,heads

    Learned from is the first four fifths of the time; the last fifth of ORIGINAL tests. Tasks: query completion,
    next-query suggestion, spelling correction, click prediction, trends by day, personalised ranking of topics, head
    counts of the commonest queries, and a language model (of perplexities less is better).
    "relative" is the released log's figure as a share of the original's, "gain kept" the same beyond the baseline.
    """
    from querymix_lab.utility import lines, suite  # noqa: PLC0415 - numpy is an extra, and slow to import

    chosen = load(UtilitySettings, given, settings)
    tell_options(chosen)
    tasks = suite.tasks_of(chosen.tasks)
    with ExitStack() as owned, passing() as bar:
        task = bar.add_task("reading", total=len(tasks) + 1)
        classify = make_classifier(chosen, open_bundle(chosen))
        parts = lines.split(*(lines.read(read_log(name, chosen, owned), classify) for name in (original, released)))
        if not parts.released:
            raise ConfigError(f"{released}: nothing of it was released in the first four fifths of {original}")
        found, left_out = suite.measure(
            parts, chosen.seed, lambda name: bar.update(task, advance=1, description=name), tasks
        )
    figures = [figure._asdict() for figure in found]
    if not {line.user for line in parts.original} & {line.user for line in parts.released}:
        echo(f"querymix: {lines.OTHER_USERS}", err=True)
    for reason in left_out:
        echo(f"querymix: left out: {reason}", err=True)
    sizes = {"original": len(parts.original), "released": len(parts.released), "test": len(parts.test)}
    if as_json:
        print_json({"lines": sizes, "figures": figures, "left_out": left_out})
    else:
        _show(figures, sizes)


def _show(figures: list[dict[str, Any]], sizes: dict[str, int]) -> None:
    columns = ("task", "measure", "original", "released", "baseline", "relative", "95 %", "gain kept", "cases")
    told = {row["task"]: row for row in reversed(figures)}  # a task's name stands at its first measure
    cells = [
        [
            row["task"] if told[row["task"]] is row else "", row["measure"],
            *("" if row[name] is None else f"{row[name]:.3f}" for name in columns[2:6]),
            "" if row["low"] is None else f"{row['low']:.3f}-{row['high']:.3f}",
            "" if row["kept"] is None else f"{row['kept']:.0%}", f"{row['cases']:,}",
        ]
        for row in figures
    ]  # fmt: skip
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 140
    console.print(table(columns, cells, names=2, box=None))
    console.print(f"Learned from {sizes['original']:,} lines and from {sizes['released']:,} released ones.")
    for row in figures:
        console.print(f"{row['task']}, {row['measure']}: {row['meaning']}", soft_wrap=True)
