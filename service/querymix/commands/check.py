"""`querymix check`: what a log is, and what a run would make of it, before one. What it does: checking.py."""

from pathlib import Path
from typing import Any, Final

import click

from querymix.commands.common import reporting
from querymix.commands.lazy import late
from querymix.commands.options import options
from querymix.commands.progress import speaking
from querymix.settings import CheckSettings

_check: Final = late("querymix.commands.checking", "check")


@click.command(short_help="Say what a log is and what a run would make of it.")
@click.argument("log")
@options(CheckSettings)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@speaking
@reporting
def check(log: str, settings: Path | None, as_json: bool, **given: Any) -> None:
    """Say what LOG is, and what a run with these options would release. Nothing is written.

    \b
    querymix check log.csv --fields user=uid,query=q,time=ts
    zcat log.tsv.gz | head -n 100000 | querymix check - --k 50

    Exit codes: 0 a run would do; 1 a disk failed; 2 an option or the file is wrong; 3 done, but a warning says what to
    look at, as of a run; 130 interrupted.
    """
    _check(log, settings, given, as_json=as_json)
