"""`querymix profiles`: what the profiler knows."""

import asyncio
import csv
import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import click
import orjson
from rich.bar import Bar
from rich.table import Table

from querymix.bootstrap.profiles import open_existing_profiles
from querymix.bootstrap.pseudonym_key import read_pseudonyms
from querymix.commands.common import fail, print_json, reporting
from querymix.commands.options import path_option
from querymix.commands.progress import say
from querymix.core.knowledge import CATEGORIES
from querymix.core.profiles import weights
from querymix.core.user_ids import normal_user
from querymix.local.file_identity import Use, check_apart, database
from querymix.local.output import STANDARD_OUTPUT, Output
from querymix.local.summary import report_console
from querymix.ports import Counts, ProfileStore
from querymix.terminal import visible, visible_json

UNKNOWN_USER = 1
_WIDTH = 40
_FORMULA: Final = re.compile(
    r"(^|[\t\r\n;,|])([\s\x00-\x20\u200b-\u200f\u2060\ufeff\"']*[=+\-@|\uff1d\uff0b\uff0d\uff20])"
)
"""What a spreadsheet takes for the beginning of a formula; the full-width forms are some too. It may stand behind a
separator, where the spreadsheet is told to part cells by another one than the comma."""
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_AT_ONCE = 1_000
"""Users that are written at once."""

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
    """Show one user's profile as a bar chart. Exit code 1: the user is unknown.

    \b
    querymix profiles show 22422 --profiles profiles.db
    """
    pseudonyms = read_pseudonyms(pseudonym_key_file)
    user = normal_user(user)
    counts = asyncio.run(_get(open_existing_profiles(profiles), pseudonyms[user] if pseudonyms is not None else user))
    if counts is None:
        fail("no profile of that user: look at the ids with 'querymix profiles export'", UNKNOWN_USER)
    if as_json:
        print_json(_as_object(user, counts))
    else:
        console = report_console(to_stderr=False)
        console.print(chart(counts, ascii_only=console.options.ascii_only))


def chart(counts: Counts, *, ascii_only: bool = False) -> Table:
    """Return a bar chart of a profile's weights."""
    shares = weights(counts)
    table = Table.grid(padding=(0, 2))
    highest = max(shares.values(), default=1.0)
    for category, share in sorted(shares.items(), key=lambda item: (-item[1], item[0])):
        bar = "#" * round(_WIDTH * share / highest) if ascii_only else Bar(highest, 0, share, width=_WIDTH)
        table.add_row(CATEGORIES[category], f"{100 * share:.4f} %", f"{counts[category]:,}", bar)
    return table


@profiles.command("export")
@_file
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True,
    help="JSON lines, or CSV for spreadsheets.",
)  # fmt: skip
@click.option("-o", "--output", default=STANDARD_OUTPUT, help="File to write; - for standard output.")
@reporting
def export_profiles(profiles: Path, form: str, output: str) -> None:
    """Write all profiles, one user a line.

    \b
    querymix profiles export --profiles profiles.db --format csv -o profiles.csv

    In CSV a user id that a spreadsheet would take for a formula has an apostrophe before it, unless it is a number.
    """
    to_stdout = output == STANDARD_OUTPUT
    check_apart([], [*database("the profiles", profiles), Use("the output", 1 if to_stdout else output)])
    store = open_existing_profiles(profiles)
    if to_stdout:
        stream, terminal = click.get_binary_stream("stdout"), sys.stdout.isatty()
        changed = asyncio.run(_export(store, form, lambda data: stream.write(_seen(data, form) if terminal else data)))
    else:
        with closing(Output(output, beside=True)) as file:
            file.start()
            changed = asyncio.run(_export(store, form, file.write))
            file.finish()
    if changed:
        say(
            f"{changed:,} user ids could be taken for formulas and have an apostrophe before them; JSON lines are exact"
        )


async def _get(store: ProfileStore, user: str) -> Counts | None:
    try:
        return await store.get(user)
    finally:
        await store.close()


def _seen(data: bytes, form: str) -> bytes:
    return visible_json(data) if form == "jsonl" else visible(data.decode()).encode()


async def _export(store: ProfileStore, form: str, write: Callable[[bytes], object]) -> int:
    """Write all profiles; return how many cells had to be changed for a spreadsheet."""
    changed = 0
    waiting: list[bytes] = [] if form == "jsonl" else [_as_row(["user", "total", *CATEGORIES])]
    try:
        async for user, counts in store.export():
            if form == "csv":
                numbers = (counts.get(n, 0) for n in range(len(CATEGORIES)))
                name = _readable(user)
                changed += (cell := _cell(name)) != name
                waiting.append(_as_row([cell, sum(counts.values()), *numbers]))
            else:
                waiting.append(orjson.dumps(_as_object(user, counts), option=orjson.OPT_APPEND_NEWLINE))
            if len(waiting) >= _AT_ONCE:
                write(b"".join(waiting))
                waiting.clear()
        write(b"".join(waiting))
        return changed
    finally:
        await store.close()


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula; numbers stay as they are."""
    if _NUMBER.fullmatch(text):
        return text
    changed = _FORMULA.sub(r"\1'\2", text)
    return f"'{changed}" if changed[:1] and changed[0] in "\t\r\n" else changed


def _as_row(values: Iterable[object]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerow(values)  # with its own line end, since it quotes a CR for no other
    return text.getvalue().removesuffix("\r\n").encode() + b"\n"


def _as_object(user: str, counts: Counts) -> Mapping[str, Any]:
    return {
        "user": _readable(user),
        "total": sum(counts.values()),
        "counts": {CATEGORIES[category]: count for category, count in counts.items()},
        "weights": {CATEGORIES[category]: share for category, share in weights(counts).items()},
    }


def _readable(user: str) -> str:
    return user.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
