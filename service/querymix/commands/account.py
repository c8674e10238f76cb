"""`querymix account`: where every record went, exactly."""

import asyncio
from pathlib import Path
from typing import Any, Final

import click
from rich.table import Table

from querymix.commands.common import print_json, reporting
from querymix.commands.options import options
from querymix.consoles import Console
from querymix.kafka.operations import total_account
from querymix.settings import GroupSettings, load

_SHOWN_IF_ANY: Final = ("never_read", "frames_uncounted")


@click.command(short_help="Show what became of every record in the topics.")
@options(GroupSettings)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def account(settings: Path | None, as_json: bool, **given: Any) -> None:
    """Show where every record went since the topics began, read from the positions and the state topic.

    \b
    querymix account --broker kafka:9092 --json

    in = released + held + suppressed + unclassified + empty + refused + lost + waiting, where `waiting` is classified
    and not yet pooled, and `lost` was gone from the topic between before it was pooled. The numbers are exact, whatever
    was killed; while workers work they are a little apart in time.

    Beside the sum: `never_read`, raw records that retention removed before a worker read them, which never came in; and
    `frames_uncounted`, lost frames of 0.4.0 or before, whose records stay `waiting` since nobody counted them.
    """
    chosen = load(GroupSettings, given, settings)
    found = asyncio.run(total_account(chosen))
    if as_json:
        print_json(found)
        return
    table = Table.grid(padding=(0, 3))
    for name, count in found.items():
        if name in _SHOWN_IF_ANY and not count:
            continue
        table.add_row(name, f"{count:,}")
    Console().print(table)
