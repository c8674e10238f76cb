"""What `querymix worker` does (worker.py has its options)."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from querymix.bootstrap.mongo import mongodb_uri
from querymix.bootstrap.pages import check_ports, first_pages
from querymix.bootstrap.parts import collect_garbage_seldom
from querymix.bootstrap.roles import checked
from querymix.bootstrap.worker import make_worker
from querymix.commands.common import FAILED, MISUSED
from querymix.commands.logs import log_to_stderr
from querymix.commands.options import given_away
from querymix.core.errors import QuerymixError, TransientError
from querymix.kafka.start import once_there
from querymix.kafka.topics import names
from querymix.settings import WorkerSettings, load
from querymix.settings.exposed import exposed
from querymix.settings.unread import unread
from querymix.signals import Terminal

_log: Final = logging.getLogger(__name__)


def worker(settings: Path | None, given: Mapping[str, Any]) -> None:
    """Run a worker by the options that were `given`, and those of the file `settings`."""
    exit_on_sigterm()
    terminal = Terminal()
    wait_on_sighup(terminal)
    chosen = load(WorkerSettings, given, settings)
    log_to_stderr(chosen.log_level, chosen.log_format)
    _log.info("querymix %s begins, with the roles %s", version("querymix"), ", ".join(chosen.roles))
    try:
        for text in _warnings(chosen):
            _log.warning(text)
        asyncio.run(_serve(chosen, partial(load, WorkerSettings, given, settings), settings, terminal))
    except Exception as error:
        if chosen.log_format == "text":
            raise
        # Whoever collects lines of JSON has to get the last one too, which says why the worker ends.
        _log.error("%s", error, exc_info=not isinstance(error, QuerymixError))
        raise SystemExit(MISUSED if _is_misuse(error) else FAILED) from None
    _log.info("the worker was told to stop and has stopped")


def _warnings(chosen: WorkerSettings) -> list[str]:
    """Return what is to be said of the options at the start."""
    idle = [f"--{name.replace('_', '-')} has no effect {why}" for name, why in unread(chosen).items()]
    return [*given_away(chosen), *idle, *exposed(chosen, mongodb_uri(chosen).get_secret_value())]


def _is_misuse(error: Exception) -> bool:
    return isinstance(error, QuerymixError) and not isinstance(error, TransientError)


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
    names(checked(chosen))  # what is wrong in the options alone is said first, whatever this machine is like
    check_ports(chosen)
    # Read anew at each try: what is corrected meanwhile counts.
    worker = await once_there(lambda: make_worker(read, file, terminal), partial(first_pages, chosen))
    collect_garbage_seldom()
    await worker.run()
