"""`python -m loadtest describe`: how the users of logs search, side by side."""

from pathlib import Path

import click
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import Codec
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.commands.common import PARTIAL, print_json, reporting
from querymix.core.errors import ConfigError
from querymix.core.records import Refusal
from querymix.local.reading import Input
from rich.console import Console
from rich.table import Table

from loadtest.commands.values import pairs
from loadtest.describing import Sample
from loadtest.describing import describe as figures_of
from loadtest.replay.reading import unread


@click.command(short_help="Show how the users of logs search, side by side.")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option(
    "--fields", "--json-fields", metavar="PAIRS", help="Read JSON lines with these names, such as user=uid,query=q."
)
@click.option("--clicked", is_flag=True, help="Only rows with a click, since some real logs hold no others.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def describe(logs: tuple[str, ...], fields: str | None, clicked: bool, as_json: bool) -> None:
    """Show repeats, lengths, sessions and clicks of each LOG in a column: to compare a made-up log with a real one.

    Nothing of a query or a user is shown. An ask is what a user asked at one time, with all its clicks; a session ends
    with half an hour of silence.
    """
    codec: Codec = AolCodec() if fields is None else JsonLinesCodec(fields=pairs(fields, "--fields"))
    columns: dict[str, dict[str, float]] = {}
    remarks: list[str] = []
    for name in logs:
        source, sample = Input(name), Sample()
        first: Refusal | None = None
        for batch in source.batches(codec):
            first = first or next(iter(batch.refusals), None)
            sample.add(query for query in batch.queries if not clicked or query.rank or query.url)
        columns[name] = figures_of(sample.asks())
        remark = unread(source, first)
        if not columns[name]:
            raise ConfigError(f"there are no queries in {source.name}. {remark}".strip())
        remarks += [remark] if remark else []
    if as_json:
        print_json(columns)
    else:
        table = Table("", box=None)
        for name in columns:
            table.add_column(Path(name).name, justify="right", overflow="fold")
        for figure in next(iter(columns.values())):
            table.add_row(figure, *(_shown(column[figure]) for column in columns.values()))
        Console(highlight=False, width=max(Console().width, 60 + 30 * len(columns))).print(table)
    for remark in remarks:
        click.echo(remark, err=True)
    if remarks:
        raise SystemExit(PARTIAL)


def _shown(value: float) -> str:
    return f"{value:,.1f}" if value < 1_000 else f"{value:,.0f}"
