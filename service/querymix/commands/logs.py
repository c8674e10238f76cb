"""The log of a worker, on standard error: lines of text, or of JSON for whoever collects them."""

import logging
from datetime import UTC, datetime
from typing import Final

from querymix.codecs.frames import dumps
from querymix.kafka.worker import RepeatFilter
from querymix.terminal import visible, visible_json

CLIENTS: Final = ("aiokafka", "aiohttp", "asyncio", "faust", "kafka", "mode", "pymongo")
"""Libraries whose loggers begin so."""
_TEXT: Final = "%(asctime)s %(levelname)s %(name)s %(message)s"


class _Text(logging.Formatter):
    """A line of text for each message: what a broker or a database says of itself goes to a terminal too."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


class _Json(logging.Formatter):
    """One JSON object a line: time (ISO 8601, UTC), level, logger, message, and exception where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return visible_json(dumps(line)).decode()


def _is_told(record: logging.LogRecord) -> bool:
    """Say whether a line tells an operator something.

    mode notes under our names that each part starts and stops: `[^-Watchdog]: Starting...`.
    """
    return record.levelno > logging.INFO or not str(record.msg).startswith("[^")


def log_to_stderr(level: str, form: str = "text") -> None:
    """Log what querymix says from `level` on, and what its clients warn of.

    At `debug` the clients' own course is told too, but never their debug lines: these would hold whole records.
    """
    handler = logging.StreamHandler()
    handler.addFilter(RepeatFilter())
    if level != "debug":
        handler.addFilter(_is_told)
    handler.setFormatter(_Json() if form == "json" else _Text(_TEXT))
    logging.basicConfig(level=level.upper(), handlers=[handler])  # where a program logs already, its handlers stay
    least = logging.INFO if level == "debug" else max(logging.WARNING, logging.getLevelName(level.upper()))
    for client in CLIENTS:
        logging.getLogger(client).setLevel(least)
