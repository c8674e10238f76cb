"""The terminal that a process was started on: a worker takes SIGHUP as daemons do, unless its terminal has gone."""

import os


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
