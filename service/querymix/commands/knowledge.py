"""`querymix knowledge`: look into the knowledge bundle, and load it into MongoDB; the laboratory builds it."""

import asyncio
from pathlib import Path
from typing import Any, Final

import click
from rich.table import Table
from rich.text import Text

from querymix.bootstrap.mongo import load_knowledge
from querymix.bootstrap.parts import open_bundle
from querymix.commands.common import echo, print_json, reporting
from querymix.commands.lazy import LAB, LazyGroup, Place
from querymix.commands.options import options, path_option
from querymix.consoles import Console
from querymix.knowledge.bundle import DEFAULT, Bundle
from querymix.settings import LoadSettings, load
from querymix.terminal import visible

COMMANDS: Final = {
    "build": LAB,
    "info": Place(__name__, "info"),
    "learn": LAB,
    "load": Place(__name__, "load_stores"),
    "teach": LAB,
}


@click.group(
    cls=LazyGroup, places=COMMANDS, within="knowledge", short_help="Build or look into what the classifier knows."
)
def knowledge() -> None:
    """Build or look into a knowledge bundle: what the classifier knows."""


@click.command()
@path_option("knowledge", default=DEFAULT, help="Bundle to show.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def info(knowledge: Path, as_json: bool) -> None:
    """Show a bundle's sizes, sources and version. Exit code 2: it is damaged, or no bundle.

    \b
    querymix knowledge info
    querymix knowledge info --knowledge own.bundle --json
    """
    bundle = Bundle(knowledge)
    if as_json:
        print_json(bundle.header | {"file": str(knowledge)})
    else:
        show(bundle, knowledge)


@click.command("load", short_help="Fill MongoDB's stores from a bundle.")
@options(LoadSettings)
@reporting
def load_stores(settings: Path | None, **given: Any) -> None:
    """Fill MongoDB's entropy, recommendation and category stores from a bundle, and make it the current version.

    \b
    querymix knowledge load --mongodb mongodb://mongo:27017
    """
    chosen = load(LoadSettings, given, settings)
    for store, count in asyncio.run(load_knowledge(chosen, open_bundle(chosen))).items():
        echo(f"{store}: {count:,} documents")


def show(bundle: Bundle, path: Path) -> None:
    """Print what a bundle holds."""
    console = Console(highlight=False)
    size = path.stat().st_size / 2**20
    console.print(Text(visible(f"{path}: {size:.1f} MiB, version {bundle.version[:16]}")), soft_wrap=True)
    table = Table.grid(padding=(0, 3))
    for name, number in bundle.header["known"].items():
        table.add_row(Text(visible(name)), f"{number:,}")
    console.print(table)
    sources = Table("source", "licence", "facts")
    for source in bundle.header["sources"]:
        name, licence = (Text(visible(source[field])) for field in ("name", "licence"))
        sources.add_row(name, licence, f"{source['facts']:,}")
    console.print(sources)
