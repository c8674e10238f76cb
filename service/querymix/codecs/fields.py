"""Records of named fields, whatever they are written in: JSON lines, Python objects.

Rules:
- `fields` maps user, query, time, rank and url to the names in the record; user, query and time must be there.
- Fields that are not in that map are dropped, unless listed as safe; those travel with the query.
- Names, order and types of what stays are those of the record that the query came in.
- Half a surrogate pair or bytes that are not UTF-8, as a program leaves them that cuts a text at a length, become
  U+FFFD; in a user id they are refused, since two users might become one.
- A user is its id in normal form (querymix.core.user_ids); the number 7 and the text "7" are one user.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from querymix.codecs.base import LONGEST_QUERY, CutUrls, TimePolicy, UnreadableRecordError, UrlPolicy, check_sizes
from querymix.codecs.grid import Grid
from querymix.codecs.record_times import moment
from querymix.core.errors import ConfigError
from querymix.core.records import Query, tuples
from querymix.core.user_ids import normal_user

FIELDS: Final = {"user": "user", "query": "query", "time": "time", "rank": "rank", "url": "url"}
REPLACED: Final = "\ufffd"
SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_NESTED: Final = frozenset((dict, list))
_WHOLE: Final = re.compile("0|-?[1-9][0-9]{0,19}")
_EXACT: Final = 2**53
"""From here on two whole numbers may be one number with a fraction, and two users one."""
LEAST: Final = -(2**63)
MOST: Final = 2**64 - 1
"""The whole numbers that JSON is read with."""


class NamedFields:
    """Between a record's fields and a query.

    `form` is what the records are written in. Raises ConfigError where `fields` has an unknown key, or gives one name
    twice.
    """

    def __init__(
        self,
        *,
        form: str = "objects",
        fields: Mapping[str, Any] | None = None,
        safe: Sequence[str] = (),
        time: TimePolicy = "trigger",
        urls: UrlPolicy = "host",
        precision: float | None = None,
        longest_query: int = LONGEST_QUERY,
    ) -> None:
        names: dict[str, Any] = FIELDS | dict(fields or {})
        if unknown := sorted(names.keys() - FIELDS.keys()):
            raise ConfigError(f"unknown field {unknown[0]!r}: the fields that can be named are {', '.join(FIELDS)}")
        every = [*names.values(), *safe]
        if len(set(every)) < len(every):
            raise ConfigError("two fields have the same name: name each field of the records once")
        self.format: Final = " ".join([form, *(f"{field}={name}" for field, name in names.items()), *sorted(safe)])
        self.names: Final = names
        self.known: Final = frozenset(every)
        self._safe = frozenset(safe)
        self._longest = longest_query
        self._own_time = time == "query"
        self._grid = None if precision is None else Grid(precision)
        self._urls = CutUrls() if urls == "host" else None

    def read(self, log: Mapping[Any, Any]) -> Query:
        """Return the query of a record's plain fields. Raises UnreadableRecordError, with the rule that it breaks."""
        names = self.names
        user, text, time = self._need(log, "user"), self._need(log, "query"), self._need(log, "time")
        rank, url = log.get(names["rank"]), log.get(names["url"])
        check_sizes(user, text, time, rank, self._longest)
        if isinstance(user, str):
            user = normal_user(user)
        elif type(user) is float and user.is_integer() and abs(user) < _EXACT:
            user = int(user)  # what a dataframe makes of numbers some of which are missing
        if type(user) is not int and not (isinstance(user, str) and user and REPLACED not in user):
            wrong = "is neither a text nor a whole number"
            if isinstance(user, str):
                wrong = "holds a broken character" if user else "is empty"
            raise UnreadableRecordError(f"the user ({names['user']!r}) {wrong}")
        if not isinstance(text, str):
            raise UnreadableRecordError(f"the query ({names['query']!r}) is no text")
        if rank is not None and type(rank) is not int and not isinstance(rank, str):
            raise UnreadableRecordError(f"the rank ({names['rank']!r}) is neither a number nor a text")
        if url is not None and not isinstance(url, str):
            raise UnreadableRecordError(f"the URL ({names['url']!r}) is no text")
        if url and self._urls is not None:
            url = self._urls[url]
        known = self.known
        form = tuple([name for name in log if name in known])
        values = tuple([log[name] for name in form if name in self._safe]) if self._safe else ()
        if values and not _NESTED.isdisjoint(map(type, values)):
            _check_depth(values)
            values = tuples(values)
        return Query(str(user), text, time, moment(time), rank, url, (type(user) is int, form, values))

    def _need(self, log: Mapping[Any, Any], field: str) -> Any:
        try:
            return log[self.names[field]]
        except KeyError:
            raise UnreadableRecordError(f"the field {self.names[field]!r} (the {field}) is missing") from None

    def write(self, user: str, query: Query, trigger: Query) -> dict[Any, Any]:
        """Return the fields of a released row, as those that it came with; `trigger` set its release off."""
        names = self.names
        timed = query if self._own_time else trigger
        number, form, values, *_ = query.extra
        mine = {
            names["user"]: _number(user) if number else user,
            names["query"]: query.text,
            names["time"]: timed.time if self._grid is None else self._grid.cut(timed.time, timed.at),
            names["rank"]: query.rank,
            names["url"]: query.url,
        }
        if not values:
            return {name: mine[name] for name in form}  # type: ignore[attr-defined]  # made in `read`
        safe = iter(values)  # type: ignore[call-overload]  # made in `read`
        return {name: mine[name] if name in mine else next(safe) for name in form}  # type: ignore[attr-defined]


def emptied(extra: tuple[object, ...]) -> tuple[object, ...]:
    """Return the form of a record whose further fields are null, out of a query's `extra`; that of AOL stays empty."""
    return (*extra[:2], (None,) * len(extra[2])) if extra else extra  # type: ignore[arg-type]  # made in NamedFields.read


def _check_depth(values: tuple[object, ...]) -> None:
    """Raise Unreadable where values can be read but not written: reading goes deeper."""
    try:
        orjson.dumps(values)
    except TypeError:
        raise UnreadableRecordError("a safe field is nested too deeply") from None


def _number(user: str) -> int | str:
    """Return a user as a number, or as it is where that would make it another user or no JSON."""
    return number if _WHOLE.fullmatch(user) and LEAST <= (number := int(user)) <= MOST else user
