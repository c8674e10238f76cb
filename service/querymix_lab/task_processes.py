"""Work in other processes, each of which does one thing and ends, so that its peak memory is that thing's.

Workers are forked from a server that has imported what the caller had of the laboratory when its first work began.
Ctrl-C reaches every process of a terminal; the workers leave it to the one that started them, which ends them.
(concurrent.futures cannot do this: its workers cannot be ended, and `max_tasks_per_child` fails at times when a task
raises.)
"""

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from typing import Any, TypeVar

from querymix.core.errors import ConfigError

T = TypeVar("T")


def in_parallel(processes: int, work: Callable[..., T], calls: Iterable[tuple[Any, ...]]) -> Iterator[T]:
    """Call `work` with each of `calls` and yield what it returns, the first that is ready first.

    Raises the first error of a worker; ConfigError where a worker was killed. The other workers are ended then, as
    they are where the caller is interrupted.
    """
    waiting = list(calls)[::-1]
    running: dict[Connection, ForkServerProcess] = {}
    try:
        while waiting or running:
            while waiting and len(running) < processes:
                connection, process = _start(work, waiting.pop())
                running[connection] = process
            for ready in wait(list(running)):
                connection = next(one for one in running if one is ready)
                yield _result(connection, running.pop(connection))
    finally:
        for process in running.values():
            process.kill()
            process.join()


def alone(work: Callable[..., T], *given: Any) -> T:
    """Call `work` in a process of its own and return what it returns, or raise what it raises."""
    return next(in_parallel(1, work, [given]))


def _start(work: Callable[..., T], given: tuple[Any, ...]) -> tuple[Connection, ForkServerProcess]:
    context = get_context("forkserver")
    context.set_forkserver_preload(["__main__", *(name for name in sys.modules if name.startswith("querymix_lab."))])
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, work, given), daemon=True)
    process.start()
    theirs.close()
    return ours, process


def _work(answer: Connection, work: Callable[..., Any], given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    result: tuple[Any, Exception | None]
    try:
        result = (work(*given), None)
    except Exception as error:
        result = (None, error)
    answer.send(result)


def _result(ready: Connection, process: ForkServerProcess) -> Any:
    try:
        value, error = ready.recv()
    except EOFError:
        process.join()
        raise ConfigError(
            f"a process of the study was killed ({process.exitcode}); where memory is short, give fewer --processes"
        ) from None
    finally:
        ready.close()
    process.join()
    if error is not None:
        raise error
    return value
