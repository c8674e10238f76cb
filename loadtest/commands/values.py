"""How the texts of the options of `replay` become values."""

import re
from typing import Final, NamedTuple

from pydantic import TypeAdapter, ValidationError
from querymix.core.errors import ConfigError
from querymix.settings.values import Pairs, Seconds

from loadtest.replay.arrivals import Ramped, Recorded, Spiky, Steady

KAFKA: Final = "kafka://"
RAW: Final = "querylog.raw"
_NUMBER: Final = re.compile(r"(\d[\d_,]*(?:\.\d+)?|\.\d+)([kKmM]?)", re.ASCII)
_TIMES: Final = {"": 1.0, "k": 1e3, "m": 1e6}


class Target(NamedTuple):
    """A topic."""

    broker: str
    topic: str


def target(text: str) -> Target | None:
    """Read kafka://HOST:PORT/TOPIC, or KAFKA://HOST:PORT for the raw topic; None for anything else, which is a file."""
    if not text.startswith(KAFKA):
        if "://" in text:
            raise ConfigError("--to: give kafka://HOST:PORT/TOPIC, the name of a file, or - for standard output")
        return None
    broker, _, topic = text.removeprefix(KAFKA).partition("/")
    if not broker or "/" in topic:
        raise ConfigError("--to: give a broker and a topic, such as kafka://localhost:9092/querylog.raw")
    return Target(broker, topic or RAW)


def rate(text: str, option: str) -> float:
    """Read records a second: 40000, 40_000, 158.5k or 1M."""
    if (match := _NUMBER.fullmatch(text.strip())) is None:
        raise ConfigError(f"{option}: give records a second, such as 40000, 158.5k or 1M")
    return float(re.sub("[_,]", "", match[1])) * _TIMES[match[2].lower()]


def seconds(text: str, option: str) -> float:
    """Read a time such as 30s, 10m or 2h."""
    try:
        return float(TypeAdapter(Seconds).validate_python(text.strip()))
    except ValidationError:
        raise ConfigError(f"{option}: give a time with ms, s, m, h or d, such as 10m") from None


def pairs(text: str | None, option: str) -> dict[str, str]:
    """Read names of fields, such as user=uid,query=q."""
    try:
        return dict(TypeAdapter(Pairs).validate_python(text or ""))
    except ValidationError:
        raise ConfigError(f"{option}: give name=field pairs, such as user=uid,query=q") from None


def arrivals(
    given: str | None, ramp: str | None, spike: str | None, speed: float | None
) -> Steady | Ramped | Spiky | Recorded:
    """Return the arrival process that the options name: --rate, --ramp, --spike beside --rate, or --speed.

    Raises ConfigError where they name none, or more than one.
    """
    if spike is not None and given is None:
        raise ConfigError("--spike needs --rate: the rate between the spikes")
    if sum(option is not None for option in (given, ramp, speed)) != 1:
        raise ConfigError(
            "give one of --rate N (steady), --ramp A..B:TIME (from one rate to another), --speed X (the log's own "
            "times, X times as fast) and --as-recorded"
        )
    if ramp is not None:
        first, dots, rest = ramp.partition("..")
        last, mark, over = rest.partition(":")
        if not dots or not mark:
            raise ConfigError("--ramp: give two rates and a time, such as 1000..60000:10m")
        return Ramped(rate(first, "--ramp"), rate(last, "--ramp"), seconds(over, "--ramp"))
    if speed is not None:
        return Recorded(speed)
    base = rate(given or "", "--rate")
    if spike is None:
        return Steady(base)
    parts = spike.split(":")
    if len(parts) != 3:
        raise ConfigError("--spike: give a rate, how long and how often, such as 60000:5s:1m")
    return Spiky(base, rate(parts[0], "--spike"), seconds(parts[2], "--spike"), seconds(parts[1], "--spike"))
