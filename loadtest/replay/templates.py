"""Lines with gaps, for records that are sent with another user or time than they were written with.

Rules:
- A gap is a NUL and the letter of its kind. No log that is read holds a NUL, and JSON writes one as an escape.
- What fills a gap has the form of what stood there: a number stays a number, a time keeps its unit and its separator.
- Times are UTC, as the service reads them.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

import orjson
from querymix.codecs.base import UnreadableRecordError

_USER: Final = "u"
_QUOTED_USER: Final = "s"
_SPACE: Final = "D"
_T: Final = "T"
_ISO: Final = "I"
_FLOAT: Final = "f"
_UNITS: Final = (("e", 1e11, 1), ("m", 1e14, 1_000), ("c", 1e17, 1_000_000), ("n", 1e20, 1_000_000_000))
"""Letter, end of the range and parts of a second of numbers since 1970, as codecs/record_times.py tells them."""


def aol_template(line: str) -> str:
    """Return a line of the AOL form with gaps for its user and its time."""
    _, text, _, *rest = line.split("\t")
    return "\t".join((f"\0{_USER}", text, f"\0{_SPACE}", *rest))


def json_template(line: str, names: Mapping[str, str]) -> str:
    """Return a JSON line with gaps for its user and its time; `names` are those of the fields.

    Raises UnreadableRecordError where it cannot be written again.
    """
    try:
        log: dict[str, Any] = orjson.loads(line)
        user, time = log[names["user"]], log[names["time"]]
        log[names["user"]] = orjson.Fragment(f"\0{_USER if type(user) is int else _QUOTED_USER}")
        log[names["time"]] = _time_gap(time)
        return orjson.dumps(log).decode()
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        raise UnreadableRecordError("the line cannot be written again with another user and time") from None


def _time_gap(time: str | float) -> orjson.Fragment:
    if isinstance(time, str):
        if len(time) == len("YYYY-MM-DD HH:MM:SS") and time[10] in " T":
            return orjson.Fragment(f'"\0{_SPACE if time[10] == " " else _T}"')
        return orjson.Fragment(f'"\0{_ISO}"')
    if isinstance(time, float):
        return orjson.Fragment(f"\0{_FLOAT}")
    return orjson.Fragment(f"\0{next(letter for letter, end, _ in _UNITS if time < end)}")


def filled(template: bytes, user: bytes, at: float) -> bytes:
    """Return a template as the line of this user at this time, in seconds since 1970."""
    head, *parts = template.split(b"\0")
    for part in parts:
        kind = part[0]
        if kind == _PLAIN:
            head += user + part[1:]
        elif kind == _QUOTED:
            head += orjson.dumps(user.decode("utf-8", "replace")) + part[1:]
        else:
            head += _TIMES[kind](at) + part[1:]
    return head


_PLAIN: Final = ord(_USER)
_QUOTED: Final = ord(_QUOTED_USER)


@lru_cache(4_096)
def _second(second: int, separator: str) -> bytes:
    return f"{datetime.fromtimestamp(second, UTC):%Y-%m-%d{separator}%H:%M:%S}".encode()


def _iso(at: float) -> bytes:
    return _second(int(at), "T") + b".%03dZ" % int(at % 1 * 1_000)


def _counted(parts: int) -> Callable[[float], bytes]:
    return lambda at: b"%d" % int(at * parts)


_TIMES: Final[dict[int, Callable[[float], bytes]]] = {
    ord(_SPACE): lambda at: _second(int(at), " "),
    ord(_T): lambda at: _second(int(at), "T"),
    ord(_ISO): _iso,
    ord(_FLOAT): lambda at: b"%.3f" % at,
    **{ord(letter): _counted(parts) for letter, _, parts in _UNITS},
}


def fresh(user: bytes, number: int, longest: int) -> bytes:
    """Return the id that `user` has in round `number` (from 1) of a log whose longest id has `longest` bytes.

    No two ids of any rounds are the same: each is longer than every id of the log, and tells its round, the length of
    the id that it was made from, and that id. Decimal ids stay decimal.
    """
    digits = len(str(longest))
    return b"%d%0*d" % (number, digits, len(user)) + user.rjust(longest, b"0")
