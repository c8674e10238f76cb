"""`querymix worker`: the service on Kafka. What it does: working.py."""

from pathlib import Path
from typing import Any, Final

import click

from querymix.commands.common import reporting
from querymix.commands.lazy import late
from querymix.commands.options import options
from querymix.settings import WorkerSettings

_worker: Final = late("querymix.commands.working", "worker")


@click.command(short_help="Run a worker of the service on Kafka.")
@options(WorkerSettings)
@reporting
def worker(settings: Path | None, **given: Any) -> None:
    """Run a worker of the service until it is told to stop (SIGTERM) or something breaks for good.

    \b
    querymix worker --broker kafka:9092 --mongodb mongodb://mongo:27017

    Make the topics first: querymix topics create.

    While Kafka is away it waits, is not ready and says why. It reads rules and credentials again on SIGHUP, and when a
    file with them has changed.

    Exit codes: 0 stopped; 1 something broke, start it again and it resumes; 2 an option, a right or a topic is wrong.
    """
    _worker(settings, given)
