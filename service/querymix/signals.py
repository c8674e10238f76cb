"""Which signals end a command in order: an interrupt, a request to stop, and the end of the terminal.

A worker takes a hang-up as daemons do, unless its terminal has gone.
"""

import io
import os
import select
import signal
from collections.abc import Callable
from types import FrameType
from typing import Final

_ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_ENOUGH: Final = 4096
_pipe: list[int] = []
"""The ends of a pipe that takes a byte for each signal that arrives, once they are caught."""


def ending() -> tuple[signal.Signals, ...]:
    """Return the signals that end a command; a hang-up is none where whoever started it ignores it, as nohup does."""
    return _ENDING[:2] if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN else _ENDING


def catch(handler: Callable[[int, FrameType | None], None]) -> None:
    """Have `handler` called at each signal that ends a command, by the main thread."""
    if not _pipe:
        _pipe.extend(os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC))
    signal.set_wakeup_fd(_pipe[1], warn_on_full_buffer=False)
    for number in ending():
        signal.signal(number, handler)


def wait_for_bytes(stream: io.FileIO) -> bool:
    """Wait until `stream` can be read, or a signal has arrived that is caught; say whether it can be read.

    A read that waits would not notice a signal that another thread was given, or that came just before it began.
    """
    poll = select.poll()
    for watched in (stream.fileno(), *_pipe[:1]):
        poll.register(watched, select.POLLIN)
    found = {number for number, _ in poll.poll()}
    if _pipe and _pipe[0] in found:
        os.read(_pipe[0], _ENOUGH)
    return stream.fileno() in found


class Terminal:
    """The terminal that this process was started on, if it was."""

    def __init__(self) -> None:
        self._was_there = _is_there()

    @property
    def gone(self) -> bool:
        """Whether it was closed since."""
        return self._was_there and not _is_there()


def _is_there() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True
