"""`querymix worker`: the service on Kafka."""

import asyncio
import logging
import os
import signal
from pathlib import Path
from typing import Any

import click

from querymix.bootstrap import collect_garbage_seldom
from querymix.bootstrap_worker import make_worker
from querymix.commands.common import reporting
from querymix.commands.options import options, warn_of
from querymix.kafka.start import once_there
from querymix.kafka.worker import RepeatFilter
from querymix.settings import WorkerSettings, load
from querymix.settings.unread import unread


@click.command(short_help="Run a worker of the service on Kafka.")
@options(WorkerSettings)
@reporting
def worker(settings: Path | None, **given: Any) -> None:
    """Run a worker of the service until it is told to stop (SIGTERM) or something breaks for good.

    \b
    querymix worker --broker kafka:9092 --mongodb mongodb://mongo:27017

    Make the topics first: querymix topics create.

    While Kafka is away it waits, is not ready and says why.

    Exit codes: 0 stopped; 1 something broke, start it again and it resumes; 2 an option, a right or a topic is wrong.
    """
    exit_on_sigterm()
    chosen = load(WorkerSettings, given, settings)
    warn_of(chosen)
    for name, why in unread(chosen).items():
        click.echo(f"querymix: warning: --{name.replace('_', '-')} has no effect {why}", err=True)
    _log(chosen.log_level)
    asyncio.run(_serve(chosen))


def exit_on_sigterm() -> None:
    """End with 0 on SIGTERM from now on, until the worker itself listens to it: nothing has begun that could be lost.

    As a container's first process it would else not hear it, and be killed half a minute later.
    """
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))


def _log(level: str) -> None:
    """Log what querymix and Faust say; the clients' debug lines would hold whole records, so they never do."""
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    for handler in logging.getLogger().handlers:
        handler.addFilter(RepeatFilter())
    for client in ("aiokafka", "pymongo", "kafka", "asyncio"):
        logging.getLogger(client).setLevel(max(logging.INFO, logging.getLevelName(level.upper())))


async def _serve(chosen: WorkerSettings) -> None:
    worker = await once_there(lambda: make_worker(chosen), chosen.http_host, chosen.http_port)
    collect_garbage_seldom()
    await worker.run()
