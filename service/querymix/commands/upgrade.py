"""`querymix upgrade`: what will happen when workers of this version start."""

import asyncio
from pathlib import Path
from typing import Any, Final

import click

from querymix.commands.common import MISUSED, PARTIAL, echo, print_json, reporting
from querymix.commands.lazy import late
from querymix.commands.options import options
from querymix.kafka.upgrade import FINE, LOOK, STOP, Finding
from querymix.settings import WorkerSettings, load

check_upgrade: Final = late("querymix.bootstrap.upgrade", "check_upgrade")

_VERDICTS: Final = {
    FINE: (0, "start", "The workers of this version may start: nothing is lost, nothing counts twice."),
    LOOK: (PARTIAL, "look", "The workers of this version can start. Look at the lines marked with ! first."),
    STOP: (MISUSED, "stop", "Do not start the workers of this version: see the lines marked with !!."),
}
"""Exit code, one word and a sentence."""


@click.group()
def upgrade() -> None:
    """Look before the workers of a new version start."""


@upgrade.command(short_help="Say what will happen when workers of this version start.")
@options(WorkerSettings)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def check(settings: Path | None, as_json: bool, **given: Any) -> None:
    """Say for each partition what will happen when workers of this version start. Nothing is changed.

    \b
    querymix upgrade check --broker kafka:9092 --mongodb mongodb://mongo:27017 --k 20

    Run it when the workers of the old version have ended and `querymix topics create` was run, with the options of the
    new workers. After a kill it waits up to a minute for transactions that were left open.

    Exit codes: 0 they may start; 3 they can, and something is lost or changes; 2 they must not or would refuse; 1 Kafka
    or MongoDB is unavailable.
    """
    found = asyncio.run(check_upgrade(load(WorkerSettings, given, settings)))
    code, word, sentence = _VERDICTS[max((one.gravity for one in found), default=FINE)]
    if as_json:
        print_json({"verdict": word, "findings": [one._asdict() for one in found]})
    else:
        for one in found:
            echo(f"{'!' * one.gravity:2} {_place(one)}{one.says}")
        echo(sentence)
    raise SystemExit(code)


def _place(one: Finding) -> str:
    # What a worker would refuse to start with names its place itself.
    return f"{one.topic} partition {one.partition}: " if one.topic and one.kind != "refused" else ""
