"""`querymix account`: where every record went, exactly."""

import asyncio
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from querymix.commands.common import print_json, reporting
from querymix.commands.options import options
from querymix.kafka.operations import total_account
from querymix.settings import GroupSettings, load


@click.command(short_help="Show what became of every record in the topics.")
@options(GroupSettings)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def account(settings: Path | None, as_json: bool, **given: Any) -> None:
    """Show where every record went since the topics began, read from the positions and the state topic.

    \b
    querymix account --broker kafka:9092 --json

    in = released + held + suppressed + unclassified + empty + refused + waiting, where `waiting` is classified and not
    yet pooled. The numbers are exact, whatever was killed; while workers work they are a little apart in time.
    """
    chosen = load(GroupSettings, given, settings)
    found = asyncio.run(total_account(chosen))
    if as_json:
        print_json(found)
        return
    table = Table.grid(padding=(0, 3))
    for name, count in found.items():
        table.add_row(name, f"{count:,}")
    Console().print(table)
