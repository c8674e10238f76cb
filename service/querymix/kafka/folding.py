"""Repeated lines of the log, folded: a client whose broker is away says the same many times a second."""

import logging
from collections.abc import Callable
from time import monotonic
from typing import Final

EVERY: Final = 30.0
"""Seconds in which one and the same message is shown once."""
_MAX: Final = 1000
_OURS: Final = "querymix.kafka"
_FOLDED: Final = ("aiokafka", "faust", "mode", "kafka", "pymongo", "asyncio", _OURS)


class RepeatFilter(logging.Filter):
    """Lets a client's warning or error through once in a while, with how many of its kind were left out."""

    def __init__(self, every: float = EVERY, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._every = every
        self._clock = clock
        self._seen: dict[tuple[str, int, str], tuple[float, int]] = {}
        """When each message was last shown, and how often it was left out since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a line is shown; one that stands for others says for how many."""
        if record.levelno < logging.WARNING or not record.name.startswith(_FOLDED):
            return True
        # A client's text differs in addresses and seconds, where ours differs in what it is about.
        text = record.getMessage() if record.name.startswith(_OURS) else str(record.msg)
        kind = (record.name, record.levelno, text)
        now = self._clock()
        shown, left_out = self._seen.get(kind, (float("-inf"), 0))
        if now - shown < self._every:
            self._seen[kind] = (shown, left_out + 1)
            return False
        if len(self._seen) >= _MAX:
            self._seen.clear()
        self._seen[kind] = (now, 0)
        if left_out:
            record.msg = f"{record.getMessage()} (and {left_out} more of these in {now - shown:.0f} s)"
            record.args = ()
        return True
