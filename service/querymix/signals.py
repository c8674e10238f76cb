"""Which signals end a command in order: an interrupt, a request to stop, and the end of the terminal."""

import signal
from typing import Final

_ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def ending() -> tuple[signal.Signals, ...]:
    """Return the signals that end a command; a hang-up is none where whoever started it ignores it, as nohup does."""
    return _ENDING[:2] if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN else _ENDING
