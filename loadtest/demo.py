"""The demonstration: a made-up log through the whole method, with no servers.

Each step is a command that the reader can give too; it is shown before it runs.
"""

import itertools
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

LINES: Final = 50_000
USERS: Final = 3_000
SHOWN: Final = 10


def demo(folder: Path) -> None:
    """Run every step in `folder`, which is made where it is not there."""
    console = Console(highlight=False)
    folder.mkdir(parents=True, exist_ok=True)
    log, out, profiles = (folder / name for name in ("log.tsv", "released.tsv", "profiles.db"))
    for stale in (profiles, out):
        stale.unlink(missing_ok=True)
    console.rule("1. What the classifier knows")
    _run(console, "querymix", "knowledge", "info")
    console.rule("2. A made-up log in the AOL format")
    _run(
        console, "python", "-m", "loadtest", "synthesize", "--lines", str(LINES), "--users", str(USERS), "--seed", "1",
        "-o", str(log),
    )  # fmt: skip
    console.rule("3. Classify, anonymize, profile")
    console.print("By default a released id lasts for a day. Here ids stay as they are, so that step 4 can compare.")
    ids = ("--pseudonym-period", "none")
    _run(console, "querymix", "run", str(log), "-o", str(out), "--profiles", str(profiles), *ids)
    console.rule("4. What went in, and what came out")
    console.print(_beside(log, out))
    console.rule("5. One profile")
    _run(console, "querymix", "profiles", "show", _busiest(profiles), "--profiles", str(profiles))
    console.print(f"All files are in {folder}/. The README says how to wire querymix to Kafka.")


def _run(console: Console, *command: str) -> None:
    console.print(f"[bold]$ {shlex.join(command)}[/]", soft_wrap=True)
    program = [sys.executable, "-m", "querymix"] if command[0] == "querymix" else [sys.executable]
    subprocess.run([*program, *command[1:]], check=True)  # noqa: S603 - our own commands


def _beside(log: Path, out: Path) -> Table:
    """Return lines of the log in time order beside the lines that were released for the same users."""
    with log.open() as came, out.open() as left:
        released = [line.rstrip("\n") for line in itertools.islice(left, 1, 1 + SHOWN)]
        users = {line.split("\t")[0] for line in released}
        asked: dict[str, list[list[str]]] = {}
        for line in itertools.islice(came, 1, None):
            user = line.split("\t", 1)[0]
            if user in users:
                asked.setdefault(user, []).append(line.rstrip("\n").split("\t"))
    table = Table("user", "what it asked around then", "what was released under it", show_lines=False)
    for line in released:
        user, query, time, *_ = line.split("\t")
        own = min(asked[user], key=lambda fields: abs(_minutes(fields[2]) - _minutes(time)))
        table.add_row(user, own[1], query)
    return table


def _minutes(time: str) -> int:
    day, clock = time.split(" ")
    year, month, date = map(int, day.split("-"))
    hour, minute, _ = map(int, clock.split(":"))
    return ((year * 12 + month) * 31 + date) * 1440 + hour * 60 + minute


def _busiest(profiles: Path) -> str:
    """Return the user with the most categories, for a chart worth looking at."""
    command = [sys.executable, "-m", "querymix", "profiles", "export", "--profiles", str(profiles)]
    rows = map(json.loads, subprocess.run(command, check=True, capture_output=True).stdout.splitlines())  # noqa: S603
    return str(max(rows, key=lambda row: (len(row["counts"]), row["total"], row["user"]))["user"])
