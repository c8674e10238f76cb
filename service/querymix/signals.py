"""Which signals end a command in order: an interrupt, a request to stop, and the end of the terminal.

A worker takes a hang-up (SIGHUP) as daemons do, and reads its settings again, unless its terminal has gone.
"""

import os
import signal
from typing import Final

_ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def ending() -> tuple[signal.Signals, ...]:
    """Return the signals that end a command; a hang-up is none where whoever started it ignores it, as nohup does."""
    return _ENDING[:2] if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN else _ENDING


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
