"""`querymix worker`: the service on Kafka."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from querymix.bootstrap.mongo import mongodb_uri
from querymix.bootstrap.pages import check_ports, first_pages
from querymix.bootstrap.parts import collect_garbage_seldom
from querymix.bootstrap.worker import make_worker
from querymix.commands.common import echo, reporting
from querymix.commands.logs import log_to_stderr
from querymix.commands.options import options, warn_of
from querymix.kafka.start import once_there
from querymix.settings import WorkerSettings, load
from querymix.settings.exposed import exposed
from querymix.settings.unread import unread
from querymix.signals import Terminal


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
    exit_on_sigterm()
    terminal = Terminal()
    wait_on_sighup(terminal)
    chosen = load(WorkerSettings, given, settings)
    warn_of(chosen)
    for name, why in unread(chosen).items():
        echo(f"querymix: warning: --{name.replace('_', '-')} has no effect {why}", err=True)
    log_to_stderr(chosen.log_level, chosen.log_format)
    for text in exposed(chosen, mongodb_uri(chosen).get_secret_value()):
        logging.getLogger(__name__).warning(text)
    asyncio.run(_serve(chosen, partial(load, WorkerSettings, given, settings), settings, terminal))


def exit_on_sigterm() -> None:
    """End with 0 on SIGTERM from now on, until the worker itself listens to it: nothing has begun that could be lost.

    As a container's first process it would else not hear it, and be killed half a minute later.
    """
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))


def wait_on_sighup(terminal: Terminal) -> None:
    """Let a request to read the settings again do nothing until the worker itself listens to it: it has just read them.

    It would else end the worker. What ended with its terminal still does.
    """
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: os._exit(0) if terminal.gone else None)


async def _serve(
    chosen: WorkerSettings, read: Callable[[], WorkerSettings], file: Path | None, terminal: Terminal
) -> None:
    check_ports(chosen)
    # Read anew at each try: what is corrected meanwhile counts.
    worker = await once_there(lambda: make_worker(read(), read, file, terminal), partial(first_pages, chosen))
    collect_garbage_seldom()
    await worker.run()
