"""The values in a record's lists, from how producers write them to one form (querymix.codecs.rich_fields).

Rules:
- A reader takes a value that is not None, what to call it in a reason, its query's moment, and in how many parts of a
  second it counts. It returns None where a text says that there is none.
- It raises UnreadableRecordError, whose text says which field breaks which rule, and holds nothing of the value.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from querymix.codecs.base import UnreadableRecordError
from querymix.codecs.record_times import moment
from querymix.codecs.spelling import LEAST, MOST, NULL
from querymix.core.errors import ConfigError

FLAGS: Final = ("shown", "clicked")
"""Fields that are true or false."""
UNITS: Final = ("clicks.time_unit", "clicks.dwell_unit")
"""What says how a field counts whose name does not."""
LONGEST: Final = 86_400
"""Seconds that a click is after its query, and that a dwell lasts, at most."""
_EARLY: Final = 60
"""Seconds by which the clocks of a click and a query may differ."""
_FACTORS: Final[Mapping[str, int]] = {"s": 1, "ms": 1000}
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_SAYS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
}
"""The unit that the last word of a field's name says."""
_PARTS: Final = frozenset(("milli", "micro", "nano"))
_NUMBER: Final = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_WHOLE: Final = re.compile(r"([+-]?\d{1,20})(?:\.0*)?", re.ASCII)
_FLAGS: Final = {"true": True, "1": True, "false": False, "0": False}
_EXACT: Final = 2**53
Reader = Callable[[Any, str, float, int], Any]


def factor_of(key: str, name: str, names: Mapping[str, Any]) -> int:
    """Return in how many parts of a second a field counts; 0: it does not. Raises ConfigError where nothing says it."""
    unit_key = f"{key}_unit"
    if unit_key not in UNITS:
        return 0
    unit = names.get(unit_key)
    if unit is None:
        unit = _unit_of(name) or ("s" if key == "clicks.time" else "")
    if unit not in _FACTORS:
        raise ConfigError(
            f"{key}={name} does not say whether it is seconds or milliseconds: add {unit_key}=s or {unit_key}=ms to "
            "--fields"
        )
    return _FACTORS[unit]


def _unit_of(name: str) -> str:
    """Return the unit that a field's name says; empty where it says none."""
    words: list[str] = [word.lower() for word in _WORDS.findall(name)]
    if not words or (len(words) > 1 and words[-2] in _PARTS):
        return ""
    return _SAYS.get(words[-1], "")


def _no_value(value: object) -> bool:
    return isinstance(value, str) and value.strip() in NULL


def _text(value: Any, words: str, _: float, __: int) -> str | None:
    if type(value) is not str:
        raise UnreadableRecordError(f"{words} is no text")
    text = value.strip()
    return None if text in NULL else text


def _rank(value: Any, words: str, _: float, __: int) -> int | None:
    kind = type(value)
    if kind is str:
        if _no_value(value):
            return None
        whole = _WHOLE.fullmatch(value.strip())
        value = int(whole[1]) if whole else None
    elif kind is float and value.is_integer() and abs(value) < _EXACT:
        value = int(value)
    if type(value) is not int:
        raise UnreadableRecordError(f"{words} is no whole number, or one beyond 64 bits")
    if not LEAST <= value <= MOST:
        raise UnreadableRecordError(f"{words} is a number beyond 64 bits")
    return value


def _flag(value: Any, words: str, _: float, __: int) -> bool | None:
    if type(value) is bool:
        return value
    if _no_value(value):
        return None
    found = _FLAGS.get(value.strip().lower()) if type(value) is str else None
    if found is None and type(value) in (int, float) and value in (0, 1):
        found = value == 1
    if found is None:
        raise UnreadableRecordError(f"{words} is neither true nor false")
    return found


def _number(value: Any) -> float | None:
    """Return a number, or the one that a text is; None for all else."""
    if (type(value) is int and LEAST <= value <= MOST) or type(value) is float:
        return float(value)
    if type(value) is str and _NUMBER.fullmatch(text := value.strip()):
        return float(text)
    return None


def _offset(value: Any, words: str, at: float, factor: int) -> int | None:
    if _no_value(value):
        return None
    number = _number(value)
    if number is not None and number <= LONGEST * factor:
        after = number / factor
    else:
        try:
            after = moment(value) - at
        except UnreadableRecordError as error:
            raise UnreadableRecordError(f"{words} cannot be read: {error}") from None
    if after < -_EARLY:
        raise UnreadableRecordError(f"{words} is before the query")
    if after > LONGEST:
        raise UnreadableRecordError(f"{words} is more than a day after the query")
    return int(max(0.0, after))


def _dwell(value: Any, words: str, _: float, factor: int) -> int | None:
    if _no_value(value):
        return None
    number = _number(value)
    if number is None:
        raise UnreadableRecordError(f"{words} is no number")
    if number < 0:
        raise UnreadableRecordError(f"{words} is below 0")
    return int(min(number / factor, LONGEST))


READERS: Final[Mapping[str, Reader]] = {
    "url": _text, "title": _text, "rank": _rank, "shown": _flag, "clicked": _flag, "time": _offset, "dwell": _dwell
}  # fmt: skip
"""By the name of a field."""
