"""`querymix profiles`: what the profiler knows."""

import asyncio
import csv
import io
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import orjson
from rich.bar import Bar
from rich.console import Console
from rich.table import Table

from service.bootstrap import read_pseudonyms
from service.commands.common import fail, print_json, reporting
from service.core.errors import Misconfigured
from service.core.knowledge import CATEGORIES
from service.core.profiles import weights
from service.ports import Counts
from service.settings import path_option
from service.stores.sqlite import SqliteProfiles

UNKNOWN_USER = 1

_file = path_option("profiles", help="SQLite file of the profiles.")


@click.group()
def profiles() -> None:
    """Show or export user profiles."""


@profiles.command("show")
@click.argument("user")
@_file
@click.option("--pseudonym-key-file", type=click.Path(path_type=Path), help="Look the user up under its pseudonym.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def show_profile(user: str, profiles: Path, pseudonym_key_file: Path | None, as_json: bool) -> None:
    """Show one user's profile as a bar chart. Exit code 1: the user is unknown."""
    pseudonyms = read_pseudonyms(pseudonym_key_file)
    counts = asyncio.run(_get(_existing(profiles), pseudonyms[user] if pseudonyms is not None else user))
    if counts is None:
        fail("no profile of that user: look at the ids with 'querymix profiles export'", UNKNOWN_USER)
    if as_json:
        print_json(_as_object(user, counts))
    else:
        Console().print(chart(counts))


def chart(counts: Counts) -> Table:
    """Return a bar chart of a profile's weights."""
    shares = weights(counts)
    table = Table.grid(padding=(0, 2))
    highest = max(shares.values(), default=1.0)
    for category, share in sorted(shares.items(), key=lambda item: (-item[1], item[0])):
        table.add_row(
            CATEGORIES[category], f"{100 * share:.4f} %", f"{counts[category]:,}", Bar(highest, 0, share, width=40)
        )
    return table


@profiles.command("export")
@_file
@click.option("--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True)
@click.option("-o", "--output", type=click.File("w"), default="-", help="File to write; - for standard output.")
@reporting
def export_profiles(profiles: Path, form: str, output: io.TextIOBase) -> None:
    """Write all profiles, one user a line."""
    asyncio.run(_export(_existing(profiles), form, output))


def _existing(path: Path) -> SqliteProfiles:
    if not path.is_file():
        raise Misconfigured(f"there are no profiles in {path}: 'querymix run ... --profiles {path}' makes them")
    return SqliteProfiles(path)


async def _get(store: SqliteProfiles, user: str) -> Counts | None:
    try:
        return await store.get(user)
    finally:
        await store.close()


async def _export(store: SqliteProfiles, form: str, output: io.TextIOBase) -> None:
    if form == "csv":
        rows = csv.writer(output, lineterminator="\n")
        rows.writerow(["user", "total", *CATEGORIES])
        async for user, counts in store.export():
            rows.writerow([_readable(user), sum(counts.values()), *(counts.get(n, 0) for n in range(len(CATEGORIES)))])
    else:
        async for user, counts in store.export():
            output.write(orjson.dumps(_as_object(user, counts)).decode() + "\n")
    await store.close()
    sys.stdout.flush()


def _as_object(user: str, counts: Counts) -> Mapping[str, Any]:
    return {
        "user": _readable(user),
        "total": sum(counts.values()),
        "counts": {CATEGORIES[category]: count for category, count in counts.items()},
        "weights": {CATEGORIES[category]: share for category, share in weights(counts).items()},
    }


def _readable(user: str) -> str:
    return user.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
