"""`querymix run`: the whole method over files or standard input, with no servers. What it does: running.py."""

from pathlib import Path
from typing import Any, Final

import click

from querymix.commands.common import reporting
from querymix.commands.lazy import late
from querymix.commands.options import options
from querymix.commands.progress import speaking
from querymix.settings import RunSettings

_run: Final = late("querymix.commands.running", "run")


@click.command(short_help="Anonymize query logs in files or from standard input.")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@options(RunSettings, short={"output": "-o"})
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON object.")
@speaking
@reporting
def run(inputs: tuple[str, ...], settings: Path | None, as_json: bool, **given: Any) -> None:
    """Anonymize query logs: INPUT is a file, plain or packed (gzip, bzip2, xz, zstd, zip), or - for standard input.

    \b
    querymix run log.tsv.gz -o released.tsv --profiles profiles.db
    querymix run log.csv -o released.csv --fields user=uid,query=q,time=ts
    tail -F log.tsv | querymix run - -o -

    Exit codes: 0 done; 1 a disk or a database failed, give the same command again; 2 an option or a file is wrong;
    3 done, but a warning says what to look at: an input not read to its end, more refused lines than --max-refused,
    little released, many records of one user or of a placeholder, an option without effect; 130 interrupted.
    """
    _run(inputs, settings, given, as_json=as_json)
