"""Records as Python has them: mappings, named tuples and tuples, as lists, generators and dataframes give them.

Rules (and those of querymix.codecs.fields):
- A record leaves in the shape that its query came in: a mapping as a dict, a named tuple as one of its class, a tuple
  without names as one with a place for each field that is named. None stands in a tuple for what is not released.
- A mapping and a named tuple have fields by name; a tuple without names has them by position, counted from 0.
- NaN, NA and NaT, a dataframe's missing values, are None. Subclasses of plain types, as numpy has, are made plain.
- A time may be a datetime too (UTC where it has no zone).
- A safe field is a text, a number, a truth value or None. The lists of results and clicks are lists, tuples or arrays
  of mappings.
"""

from collections import namedtuple
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import isfinite
from numbers import Integral
from typing import Any, Final

from querymix.codecs.base import LONGEST_LINE, UnreadableRecordError
from querymix.codecs.fields import FIELDS, REPLACED, SURROGATE, NamedFields
from querymix.codecs.spelling import LEAST, MOST
from querymix.core.records import Query, Release, each_row

Shape = tuple[Any, ...]
"""Of a mapping: nothing. Of a tuple: a number. Of a named tuple: its class's name, and the names of its fields."""
PLACES: Final = {field: place for place, field in enumerate(FIELDS)}
"""Where the fields of a tuple stand that has no names."""
_PLAIN: Final = frozenset((str, int, bool, float, type(None)))
_NO_VALUE: Final = frozenset(("NAType", "NaTType"))
"""Classes of a dataframe's missing values; to compare them raises or gives no truth value."""
_OF_0_5_0: Final = 5
"""How long a query's `extra` was up to that version: its fourth part was the shape, its fifth the kind of time."""
_NO_SHAPE: Final = (
    "it is neither a mapping nor a tuple (of a dataframe give df.to_dict('records') or df.itertuples(index=False))"
)


class ObjectCodec:
    """Reads and writes Python objects; `placed` says where the fields of tuples without names stand."""

    def __init__(self, named: NamedFields, placed: NamedFields) -> None:
        self._named = named
        self._placed = placed
        self._width = 1 + max((name for name in placed.known if isinstance(name, int)), default=-1)
        self.format: Final = named.format
        self._classes: dict[Shape, Any] = {}

    def read(self, record: object) -> Query:
        """Return the query of a record. Raises UnreadableRecordError, with the rule that it breaks."""
        fields, log = self._named, record
        shape: Shape = ()
        if isinstance(record, tuple):
            names = getattr(record, "_fields", None)
            if names is None:
                fields, shape, log = self._placed, (1,), dict(enumerate(record))
            else:
                shape, log = (type(record).__name__, *names), dict(zip(names, record, strict=False))
                self._classes[shape] = type(record)
        if not isinstance(log, Mapping):
            raise UnreadableRecordError(_NO_SHAPE)
        plain = {name: _plain(value) for name, value in log.items() if name in fields.known}
        rank, time = fields.names["rank"], fields.names["time"]
        if isinstance(plain.get(rank), float) and plain[rank].is_integer():
            plain[rank] = int(plain[rank])  # what a dataframe makes of a column that lacks some
        at = plain.get(time)
        if isinstance(at, datetime):
            plain[time] = at.isoformat(" ")
        lists = (
            {} if fields.rich is None else {one.name: _listed(plain.pop(one.name, None)) for one in fields.rich.lists}
        )
        _check(plain)
        query = fields.read_with_lists(plain | lists, _inner) if lists else fields.read(plain)
        values, rich = query.extra[0] if query.extra else (), query.extra[2:]
        return query._replace(extra=(values, shape, *rich) if values or shape or rich else ())

    def write(self, releases: Sequence[Release]) -> list[Any]:
        """Return a record for each row of each release; the rows of one query follow each other."""
        return [self._record(release) for release in each_row(releases)]

    def _record(self, release: Release) -> Any:
        extra: Any = release.query.extra
        shape = (extra[3] if len(extra) == _OF_0_5_0 else extra[1]) if extra else ()
        fields = self._placed if len(shape) == 1 else self._named
        log = fields.write(release.user, release.query, release.trigger)
        if not shape:
            return log
        if len(shape) == 1:
            return tuple(map(log.get, range(self._width)))
        made = self._classes.get(shape)
        if made is None:  # restored: no record of this class has come since
            new: Any = namedtuple
            made = self._classes[shape] = new(shape[0], shape[1:], rename=True)
        return made._make(map(log.get, shape[1:]))


def _check(plain: Mapping[Any, Any]) -> None:
    """Raise UnreadableRecordError where values are not plain, or larger than JSON lines have them."""
    if sum(len(value) for value in plain.values() if type(value) is str) > LONGEST_LINE:
        raise UnreadableRecordError(f"it has more than {LONGEST_LINE} characters")
    for name, value in plain.items():
        if type(value) not in _PLAIN:
            raise UnreadableRecordError(f"the field {name!r} is of a type that is not read")
        if type(value) is int and not LEAST <= value <= MOST:
            raise UnreadableRecordError(f"the field {name!r} is a number beyond 64 bits: make it a text")


def _inner(value: Any) -> Any:
    """Return a value inside of a list, of a plain type."""
    value = _plain(value)
    return value.isoformat(" ") if isinstance(value, datetime) else value


def _listed(value: Any) -> Any:
    """Return what is read as a list, an array as one."""
    return value.tolist() if hasattr(value, "tolist") and not isinstance(value, str | list | tuple) else value


def _plain(value: Any) -> Any:
    """Return a value of a plain type where it is a subclass of one; None for none. What is left is not read."""
    kind = type(value)
    if isinstance(value, str):
        value = str.__str__(value)  # not str(value): the text of a member of an Enum is its name
        return value if value.isascii() else SURROGATE.sub(REPLACED, value)
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if kind is not bool and isinstance(value, Integral):
        return int(value)
    return None if kind.__name__ in _NO_VALUE else value
