"""`querymix crowd`: count what enough users share, for rules that let only that leave."""

from pathlib import Path
from typing import Final

import click
from rich.table import Table
from rich.text import Text

from querymix.commands.common import print_json, reporting
from querymix.commands.lazy import LazyGroup, Place
from querymix.consoles import Console
from querymix.crowd.table import CrowdTable
from querymix.settings.values import show_seconds
from querymix.terminal import visible

_NEEDS: Final = ("duckdb", "publicsuffixlist")
COMMANDS: Final = {
    "build": Place("querymix.commands.crowd_parts", "build", _NEEDS),
    "add": Place("querymix.commands.crowd_parts", "add", _NEEDS),
    "drop": Place("querymix.commands.crowd_parts", "drop", _NEEDS),
    "show": Place(__name__, "show"),
}


@click.group(cls=LazyGroup, places=COMMANDS, within="crowd", short_help="Count which texts and URLs many users share.")
def crowd() -> None:
    """Count which texts, URLs and groups of fields enough users share: what a run's --crowd asks."""


@click.command(short_help="Show which days a crowd table counts, and how many items it has.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def show(file: Path, as_json: bool) -> None:
    """Show what a crowd table holds: its days, from how many users on, and how many items. Never an item.

    \b
    querymix crowd show crowd.table
    """
    table = CrowdTable(file)
    size = file.stat().st_size
    found = {
        "file": str(file),
        "version": table.version,
        "bytes": size,
        "first_day": table.first.isoformat(),
        "last_day": table.last.isoformat(),
        "crowd_users": table.least,
        "group_users": table.least_group,
        "established": table.established,
        "generalize": table.ladders,
        "items": table.kinds(),
    }
    if as_json:
        print_json(found)
        return
    console = Console(highlight=False)
    console.print(Text(visible(f"{file}: {size / 2**20:.1f} MiB, version {table.version[:16]}")), soft_wrap=True)
    rows = Table.grid(padding=(0, 3))
    rows.add_row("days", f"{table.first} to {table.last}")
    rows.add_row("users of an item", f"{table.least:,} or more")
    if table.ladders:
        rows.add_row("users of a group", f"{table.least_group:,} or more")
        ladders = ",".join(f"{name}={'>'.join(fields)}" for name, fields in table.ladders.items())
        rows.add_row("groups of", Text(visible(ladders)))
    rows.add_row("users counted after", show_seconds(table.established))
    for kind, count in table.kinds().items():
        rows.add_row(f"{kind} items", f"{count:,}")
    console.print(rows)
