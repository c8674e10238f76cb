"""How the text of an option becomes its value, wherever it stands: command line, environment or settings file."""

import re
import tomllib
from collections.abc import Mapping
from datetime import date
from itertools import pairwise
from pathlib import PurePath
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic.fields import FieldInfo

from querymix.codecs.rich_fields import flat_names
from querymix.core.errors import ConfigError
from querymix.core.periods import Period, check_period

_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def read_toml(data: bytes) -> dict[str, Any]:
    """Read a TOML document. Raises ValueError, also where Python's own reader ends otherwise or takes too much."""
    try:
        found = tomllib.loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    parts: list[Any] = [found]
    while parts:
        part = parts.pop()
        if isinstance(part, dict | list):
            parts += part.values() if isinstance(part, dict) else part
        elif isinstance(part, int) and not -(1 << 63) <= part < 1 << 63:
            raise ValueError("it holds a number of more than 64 bits")
    return found


def read_seconds(value: object) -> object:
    """Read "90s", "10m", "2h", "1d", "250ms" or "0" as seconds; a number of Python is seconds already."""
    if not isinstance(value, str):
        return value
    number = value.rstrip("dhms")
    unit = value[len(number) :]
    try:
        count = float(number)
    except ValueError:
        raise ValueError("a time is a number with ms, s, m, h or d, such as 10m") from None
    if unit in _UNITS or (not unit and count == 0):
        return count * _UNITS.get(unit, 0.0)
    if unit:
        raise ValueError("a time is a number with ms, s, m, h or d, such as 10m")
    raise ValueError("a time needs its unit: 10s, 10m, 10h or 10d (a number alone was seconds up to querymix 0.3.0)")


def _read_some_seconds(value: object) -> object:
    """Read a time that there need not be: "none" for none."""
    return None if value == "none" else read_seconds(value)


def _read_period(value: object) -> object:
    """Read how long an id lasts: a time, "none", or the name of what it lasts for."""
    return value if value in ("session", "record") else _read_some_seconds(value)


def _checked_period(period: Period) -> Period:
    """Return a period. Raises ValueError, which pydantic tells, where it is none."""
    try:
        return check_period(period)
    except ConfigError as error:
        raise ValueError(str(error)) from None


def takes_seconds(field: FieldInfo) -> bool:
    """Say whether an option is a time, whose text has a unit."""
    return any(getattr(part, "func", None) in _READ_TIMES for part in field.metadata)


_READ_TIMES: Final = (read_seconds, _read_some_seconds, _read_period)


def show_seconds(value: float) -> str:
    """Write seconds as `read_seconds` reads them, in the largest unit that divides them."""
    units = [(name, size) for name, size in _UNITS.items() if size >= 1 and value % size == 0]
    name, size = units[-1] if units and value else ("s", 1.0)
    return f"{value / size:.10g}{name}"


def show_span(seconds: float) -> str:
    """Write a span of time in its two largest units, whole, such as "1d 6h"; below a second in seconds."""
    for size, less in pairwise((86400.0, 3600.0, 60.0, 1.0)):
        if seconds >= size:
            rest = seconds % size // less * less
            return show_seconds(seconds // size * size) + (f" {show_seconds(rest)}" if rest else "")
    return show_seconds(seconds // 1) if seconds >= 1 else f"{seconds:.2g}s"


def read_share(value: object) -> object:
    """Read "5%" as a share between 0 and 1, and take a number for one."""
    try:
        share = value if not isinstance(value, str) else float(value[:-1]) / 100 if value.endswith("%") else None
    except ValueError:
        share = None
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= 1:
        raise ValueError("a share is a number from 0% to 100%, such as 5%")
    return share


def show_share(value: float) -> str:
    """Write a share as it is read, such as "5%"."""
    return f"{100 * value:g}%"


_SECRET_IN_URI: Final = re.compile(r"://[^@]*:.*@|password=|session_token:", re.IGNORECASE | re.DOTALL)
"""A password before an @, which may hold any character where it is not encoded; or one among the options."""


def holds_secret(uri: object) -> bool:
    """Say whether a URI has a password in it. One that might have counts as one that has.

    >>> holds_secret("mongodb://mongo:27017/?tls=true"), holds_secret("mongodb://ann:pa/s@s@mongo:27017")
    (False, True)
    """
    return isinstance(uri, str) and _SECRET_IN_URI.search(uri) is not None


def _no_user(brokers: str) -> str:
    """Refuse brokers with a user before them, as in a URI; the text is shown where a broker cannot be reached."""
    if "@" in brokers:
        raise ValueError("give host:port alone; the user is --sasl-username, the password --sasl-password-file")
    return brokers


def _names(value: object) -> object:
    """Read "a,b" as a list; a single number, which a settings file may hold, as a list of it."""
    if isinstance(value, int) and not isinstance(value, bool):
        return [str(value)]
    return [part for part in value.split(",") if part] if isinstance(value, str) else value


_NOT_PAIRS: Final = "give name=field pairs, such as user=uid,query=q"
_NOT_LADDERS: Final = "give ladders such as place=city>region>country: a name, and fields from what is dropped first on"


def _pairs(value: object, wrong: str = _NOT_PAIRS) -> object:
    """Read "a=b,c=d" as a mapping; `wrong` is what to say of another text."""
    if isinstance(value, Mapping) or value is None:
        return value
    if not isinstance(value, str):
        raise ValueError(wrong)
    found: dict[str, str] = {}
    for part in filter(None, value.split(",")):
        name, mark, field = part.partition("=")
        if not mark or not name.strip():
            raise ValueError(wrong)
        if name in found:
            raise ValueError("one name stands there twice: give each once")
        found[name] = field
    return found


def _fields(value: object) -> object:
    """Read names of fields; a table inside of a settings file's table is that of a list."""
    found = _pairs(value)
    return flat_names(found) if isinstance(found, Mapping) else found


def _day(value: object) -> object:
    """Read "2026-11-29" as a day, "none" for none."""
    if isinstance(value, str) and value != "none":
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise ValueError("give a day such as 2026-11-29") from None
    return None if value == "none" else value


_NOT_DAYS: Final = "give whole days, such as 7d, or 0 to count all users: days are counted, and not hours"


def _some_days(value: object) -> object:
    """Refuse "none", which the same option of a run may be, in the same settings file."""
    if value == "none":
        raise ValueError(_NOT_DAYS)
    return value


def _whole_days(value: float) -> float:
    """Refuse a time that is no whole days."""
    if value % 86400:
        raise ValueError(_NOT_DAYS)
    return value


def _count(value: object) -> object:
    """Read a number that there need not be; true of a settings file is no 1."""
    if isinstance(value, bool):
        raise ValueError("give a number, or none")
    return _none(value)


def _none(value: object) -> object:
    """Read "none" as None."""
    return None if value == "none" else value


def _name(value: object) -> object:
    """Read "none" as None, and a path as its text; an empty text would be the folder one is in."""
    if value == "":
        raise ValueError("give a file, or none")
    return str(value) if isinstance(value, PurePath) else _none(value)


def _ladders(value: object) -> object:
    """Read "place=city>country,language=lang", or a table of lists, as a mapping from a name to its fields in order."""
    found = _pairs(value, _NOT_LADDERS)
    if not isinstance(found, Mapping):
        return found
    ladders = {
        name: [part.strip() for part in ladder.split(">")] if isinstance(ladder, str) else ladder
        for name, ladder in found.items()
    }
    if not all(name and isinstance(ladder, list) and ladder and all(ladder) for name, ladder in ladders.items()):
        raise ValueError(_NOT_LADDERS)
    return ladders


def _address(value: object) -> object:
    """Read "host:port", "[::1]:port" or ":port" as a host, empty for all addresses, and a port."""
    if not isinstance(value, str):
        return value
    host, mark, port = value.rpartition(":")
    if not mark or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise ValueError("give host:port, such as 127.0.0.1:9100, or :9100 for all addresses")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _stream(value: object) -> object:
    """Read the names of standard output as "-", so that a summary never goes there too."""
    return "-" if value in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1") else value


Seconds = Annotated[float, BeforeValidator(read_seconds), Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, BeforeValidator(read_share)]
# The bounds stand inside: outside of what reads "none" they would be asked of None.
WholeDays = Annotated[Seconds, BeforeValidator(_some_days), AfterValidator(_whole_days)]
MaybeDay = Annotated[date | None, BeforeValidator(_day)]
MaybeSeconds = Annotated[Annotated[float, Field(ge=0, allow_inf_nan=False)] | None, BeforeValidator(_read_some_seconds)]
MaybeWholeSeconds = Annotated[
    Annotated[float, Field(ge=1, multiple_of=1, allow_inf_nan=False)] | None, BeforeValidator(_read_some_seconds)
]
MaybePeriod = Annotated[Period, BeforeValidator(_read_period), AfterValidator(_checked_period)]
Names = Annotated[list[str], BeforeValidator(_names)]
Pairs = Annotated[dict[str, str], BeforeValidator(_pairs)]
FieldNames = Annotated[dict[str, str], BeforeValidator(_fields)]
MaybeAddress = Annotated[tuple[str, int] | None, BeforeValidator(_address)]
Brokers = Annotated[str, AfterValidator(_no_user)]
Ladders = Annotated[dict[str, list[str]], BeforeValidator(_ladders)]
MaybeName = Annotated[str | None, BeforeValidator(_name)]
MaybeCount = Annotated[Annotated[int, Field(ge=1)] | None, BeforeValidator(_count)]
Output = Annotated[str, BeforeValidator(_stream)]
