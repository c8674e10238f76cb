"""Records of named fields, whatever they are written in: JSON lines, Python objects.

Rules:
- `fields` maps user, query, time, rank and url to the names in the record; user, query and time must be there.
- Fields that are not in that map are dropped, unless listed as safe; those travel with the query. Lists of results and
  clicks, which JSON and objects have, are read by querymix.codecs.rich_fields.
- What stays leaves in one form, whoever wrote the record: user, query, time, rank, url, results, clicks, then the safe
  fields as they were listed. The user is a text. What has no value is left out (querymix.codecs.spelling).
- Half a surrogate pair or bytes that are not UTF-8, as a program leaves them that cuts a text at a length, become
  U+FFFD; in a user id they are refused, since two users might become one.
- A user is its id in normal form (querymix.core.user_ids); the number 7 and the text "7" are one user.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NoReturn

import orjson

from querymix.codecs.base import (
    LONGEST_FIELD,
    LONGEST_QUERY,
    CutUrls,
    TimePolicy,
    UnreadableRecordError,
    UrlPolicy,
    check_sizes,
)
from querymix.codecs.record_times import moment
from querymix.codecs.rich_fields import RICH_NAMES, RichFields, split_names
from querymix.codecs.spelling import NULL, Ranks, TimeForm, Times, valued
from querymix.core.bounded_cache import BoundedCache
from querymix.core.errors import ConfigError
from querymix.core.records import Query
from querymix.core.rich import rich_of
from querymix.core.user_ids import normal_user

FIELDS: Final = {"user": "user", "query": "query", "time": "time", "rank": "rank", "url": "url"}
REPLACED: Final = "\ufffd"
_LISTED: Final = frozenset(("json", "objects"))
"""Forms whose records can hold lists."""
SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_NESTED: Final = frozenset((dict, list))
_EXACT: Final = 2**53
"""From here on two whole numbers may be one number with a fraction, and two users one."""
_new: Final = tuple.__new__  # half the time of calling the class


def order_of(safe: Sequence[str]) -> list[str]:
    """Return the fields that travel with a query, in the order in which `extra` has their values.

    It is not the operator's, since a codec's `format` does not tell in which order the fields were named.
    """
    return sorted(safe)


class NamedFields:
    """Between a record's fields and a query.

    `form` is what the records are written in, `single` are those of the safe fields that must hold one value. Raises
    ConfigError where `fields` has an unknown key, or gives one name twice.
    """

    def __init__(
        self,
        *,
        form: str = "objects",
        fields: Mapping[str, Any] | None = None,
        safe: Sequence[str] = (),
        single: Sequence[str] = (),
        time: TimePolicy = "trigger",
        urls: UrlPolicy = "host",
        precision: float | None = None,
        time_form: TimeForm | Literal["server"] = "iso",
        longest_query: int = LONGEST_QUERY,
    ) -> None:
        given, rich = split_names(fields or {})
        names: dict[str, Any] = FIELDS | given
        if unknown := sorted(names.keys() - FIELDS.keys()):
            known = (*FIELDS, *RICH_NAMES) if form in _LISTED else FIELDS
            raise ConfigError(f"unknown field {unknown[0]!r}: the fields that can be named are {', '.join(known)}")
        if rich and form not in _LISTED:
            raise ConfigError(f"--fields names {next(iter(rich))!r}: only JSON has lists of results and clicks")
        self.rich: Final = RichFields(rich, urls) if rich else None
        every = [*names.values(), *(() if self.rich is None else (one.name for one in self.rich.lists)), *safe]
        if len(set(every)) < len(every):
            raise ConfigError("two fields have the same name: name each field of the records once")
        named = [f"{field}={name}" for field, name in (names | rich).items()]
        self.format: Final = " ".join([form, *named, *sorted(safe)])
        self.names: Final = names
        self.known: Final = frozenset(every)
        self._safe = order_of(safe)
        self.safe: Final = tuple(safe)
        self._places = [(name, self._safe.index(name)) for name in safe]
        self._single = [(name, self._safe.index(name)) for name in single]
        self._longest = longest_query
        self._own_time = time == "query"
        self._times = Times(time_form, precision)
        self._named = tuple([names[field] for field in FIELDS])
        self._users: BoundedCache[str] = BoundedCache()
        """The normal form of each user, so that equal users are one text too."""
        self._ranks = Ranks()
        self._urls = CutUrls() if urls == "host" else None

    def read(self, log: Mapping[Any, Any]) -> Query:
        """Return the query of a record's plain fields. Raises UnreadableRecordError, with the rule that it breaks."""
        named_user, named_query, named_time, named_rank, named_url = self._named
        try:
            user, text, time = log[named_user], log[named_query], log[named_time]
        except KeyError:
            self._miss(log)
        rank, url = log.get(named_rank), log.get(named_url)
        # As nearly always; what is checked one by one below gives the same.
        usual = (
            type(user) is str and type(text) is str and len(text) <= self._longest
            and (not isinstance(time, str) or len(time) <= LONGEST_FIELD)
            and (rank is None or type(rank) is int or (type(rank) is str and len(rank) <= LONGEST_FIELD))
            and (url is None or type(url) is str)
        )  # fmt: skip
        name = self._users.get(user) if usual else None
        if name is None:
            name = self._checked(user, text, time, rank, url)
        if url and self._urls is not None:
            url = self._urls[url]
        values = self._values(log) if self._safe else ()
        return _new(Query, (name, text, time, moment(time), rank, url, (values,) if values else ()))

    def _checked(self, user: Any, text: Any, time: Any, rank: Any, url: Any) -> str:
        """Return the normal form of a record's user. Raises UnreadableRecordError, with the rule that it breaks."""
        names, came = self.names, user
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
        name = str(user)
        if type(came) is str:
            self._users.keep(came, name)
        return name

    def read_with_lists(self, log: Mapping[Any, Any], plain: Callable[[Any], Any] | None = None) -> Query:
        """Return the query of a record's plain fields, with its lists where such are named; errors as `read`.

        `plain` makes a value in a list plain.
        """
        query = self.read(log)
        if self.rich is None or (lists := self.rich.read(log, query[3], plain)) is None:
            return query
        return query._replace(extra=(query[6][0] if query[6] else (), (), lists))

    def _values(self, log: Mapping[Any, Any]) -> tuple[object, ...]:
        """Return the values of the safe fields; nothing where all of them are absent."""
        found = [log.get(name) for name in self._safe]
        if not _NESTED.isdisjoint(map(type, found)):
            _check_depth(found)
            for name, place in self._single:
                if type(found[place]) in _NESTED:
                    raise UnreadableRecordError(
                        f"the field {name!r} of --generalize is a list or an object: name a field with one value, such "
                        "as geo.city of an object geo"
                    )
        values = tuple([valued(value) for value in found])
        return values if values.count(None) < len(values) else ()

    def _miss(self, log: Mapping[Any, Any]) -> NoReturn:
        field = next(field for field in ("user", "query", "time") if self.names[field] not in log)
        raise UnreadableRecordError(f"the field {self.names[field]!r} (the {field}) is missing")

    def write(self, user: str, query: Query, trigger: Query) -> dict[Any, Any]:
        """Return the fields of a released row; `trigger` set its release off."""
        named_user, named_query, named_time, named_rank, named_url = self._named
        rank, url, at = query[4], query[5], query[3] if self._own_time else trigger[3]
        log = {named_user: user, named_query: query[1].strip(), named_time: self._times(at)}
        if rank is not None and (found := self._ranks[str(rank)]) is not None:
            log[named_rank] = found
        if url is not None and url not in NULL:
            log[named_url] = url
        if query[6]:
            if self.rich is not None and (lists := rich_of(query)) is not None:
                self.rich.write(lists, log)
            if self._places and (values := self._safe_values(query[6])):
                for name, place in self._places:
                    if values[place] is not None:
                        log[name] = values[place]
        return log

    def _safe_values(self, extra: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the values of the safe fields out of a query's `extra`.

        Up to 0.5.0 it was: whether the user was a number, the known fields as they came, the values of the safe ones.
        """
        if type(extra[0]) is not bool:
            return extra[0]  # type: ignore[no-any-return]  # made in `read`
        found = dict(zip((name for name in extra[1] if name in self._safe), extra[2], strict=True))
        return tuple(valued(found.get(name)) for name in self._safe)


def _check_depth(values: Sequence[object]) -> None:
    """Raise Unreadable where values can be read but not written: reading goes deeper."""
    try:
        orjson.dumps(values)
    except TypeError:
        raise UnreadableRecordError("a safe field is nested too deeply") from None
