"""JSON lines: one object a log, with the operator's own field names.

Rules:
- `fields` maps user, query, time, rank and url to the names in the log; user, query and time must be there.
- Fields that are not in that map are dropped, unless listed as safe; those travel with the query.
- Names, order and types of what stays are those of the line that the query came in.
- Half a surrogate pair or bytes that are not UTF-8, as a program leaves them that cuts a text at a length, become
  U+FFFD; in a user id they are refused, since two users might become one.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import orjson

from querymix.codecs.base import (
    BYTE_ORDER_MARK,
    CutUrls,
    Decoded,
    TimePolicy,
    UnreadableRecordError,
    UrlPolicy,
    check_line,
    refusal,
)
from querymix.codecs.grid import Grid
from querymix.codecs.moments import moment
from querymix.core.errors import ConfigError
from querymix.core.records import Query, Refusal, Release, tuples

FIELDS: Final = {"user": "user", "query": "query", "time": "time", "rank": "rank", "url": "url"}
_NESTED: Final = frozenset((dict, list))
_REPLACED: Final = "\ufffd"
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_ESCAPED: Final = re.compile(r"\\u[dD][89a-fA-F]")
_WHOLE: Final = re.compile("0|-?[1-9][0-9]{0,19}")


class JsonLinesCodec:
    """Reads and writes JSON lines.

    Raises ConfigError where `fields` has an unknown key or gives one name twice.
    """

    def __init__(
        self,
        *,
        fields: Mapping[str, str] | None = None,
        safe: Sequence[str] = (),
        time: TimePolicy = "trigger",
        urls: UrlPolicy = "host",
        precision: float | None = None,
    ) -> None:
        names = FIELDS | dict(fields or {})
        if unknown := sorted(names.keys() - FIELDS.keys()):
            raise ConfigError(f"unknown field {unknown[0]!r}: the fields that can be named are {', '.join(FIELDS)}")
        every = [*names.values(), *safe]
        if len(set(every)) < len(every):
            raise ConfigError("two fields have the same name: name each field of the JSON lines once")
        self.format: Final = " ".join(["json", *(f"{field}={name}" for field, name in names.items()), *sorted(safe)])
        self._names = names
        self._safe = frozenset(safe)
        self._known = frozenset(every)
        self._own_time = time == "query"
        self._grid = None if precision is None else Grid(precision)
        self._urls = CutUrls() if urls == "host" else None

    def header(self, line: str) -> bool:
        """JSON lines have no header."""
        return False

    def decode(self, lines: Sequence[str], source: str, first: int) -> Decoded:
        """Read lines, without their line ends."""
        queries: list[Query] = []
        refusals: list[Refusal] = []
        for number, line in enumerate(lines, first):
            try:
                queries.append(self._read(line))
            except UnreadableRecordError as error:
                refusals.append(refusal(source, number, str(error), line))
        return Decoded(queries, refusals)

    def _read(self, line: str) -> Query:
        check_line(line)
        try:
            log = orjson.loads(line)
        except ValueError:
            log = _repaired(line)
        if not isinstance(log, dict):
            raise UnreadableRecordError("the line is no JSON object")
        names = self._names
        user, text, time = self._need(log, "user"), self._need(log, "query"), self._need(log, "time")
        rank, url = log.get(names["rank"]), log.get(names["url"])
        if type(user) is not int and not (isinstance(user, str) and user and _REPLACED not in user):
            wrong = (
                "holds a broken character" if isinstance(user, str) and user else "is neither a text nor a whole number"
            )
            raise UnreadableRecordError(f"the user ({names['user']!r}) {wrong}")
        if not isinstance(text, str):
            raise UnreadableRecordError(f"the query ({names['query']!r}) is no text")
        if rank is not None and type(rank) is not int and not isinstance(rank, str):
            raise UnreadableRecordError(f"the rank ({names['rank']!r}) is neither a number nor a text")
        if url is not None and not isinstance(url, str):
            raise UnreadableRecordError(f"the URL ({names['url']!r}) is no text")
        if url and self._urls is not None:
            url = self._urls[url]
        known = self._known
        form = tuple([name for name in log if name in known])
        values = tuple([log[name] for name in form if name in self._safe]) if self._safe else ()
        if values and not _NESTED.isdisjoint(map(type, values)):
            _check_depth(values)
            values = tuples(values)
        return Query(str(user), text, time, moment(time), rank, url, (type(user) is int, form, values))

    def _need(self, log: dict[str, Any], field: str) -> Any:
        try:
            return log[self._names[field]]
        except KeyError:
            raise UnreadableRecordError(f"the field {self._names[field]!r} (the {field}) is missing") from None

    def encode(self, releases: Iterable[Release]) -> list[str]:
        """Write a line for each row of each release, with the fields of the line that it came in."""
        lines = []
        names, grid = self._names, self._grid
        for release in releases:
            user, trigger, further = release[0], release[4], release[6]
            for query in (release[2], *further) if further else (release[2],):
                timed = query if self._own_time else trigger
                time = timed.time if grid is None else grid.cut(timed.time, timed.at)
                number, form, values = query.extra
                safe = iter(values)  # type: ignore[call-overload]  # made in _read
                mine = {
                    names["user"]: _number(user) if number else user,
                    names["query"]: query.text,
                    names["time"]: time,
                    names["rank"]: query.rank,
                    names["url"]: query.url,
                }
                log = {name: mine[name] if name in mine else next(safe) for name in form}  # type: ignore[attr-defined]
                lines.append(orjson.dumps(log).decode())
        return lines


def emptied(extra: tuple[object, ...]) -> tuple[object, ...]:
    """Return the form of a record whose further fields are null, out of a query's `extra`; that of AOL stays empty."""
    return (*extra[:2], (None,) * len(extra[2])) if extra else extra  # type: ignore[arg-type]  # made in _read


def _check_depth(values: tuple[object, ...]) -> None:
    """Raise Unreadable where values can be read but not written: reading goes deeper."""
    try:
        orjson.dumps(values)
    except TypeError:
        raise UnreadableRecordError("a safe field is nested too deeply") from None


def _number(user: str) -> int | str:
    """Return a user as a number, or as it is where that would make it another user or no JSON."""
    return number if _WHOLE.fullmatch(user) and -(2**63) <= (number := int(user)) < 2**64 else user


def _repaired(line: str) -> Any:
    """Return a line that is JSON but for a byte order mark or broken characters, which become U+FFFD.

    Raises UnreadableRecordError where it is no JSON for another reason.
    """
    text = _SURROGATE.sub(_REPLACED, line.lstrip(BYTE_ORDER_MARK))
    try:
        if _ESCAPED.search(text):
            # The library refuses half a pair written as an escape; the standard one reads it.
            text = _SURROGATE.sub(_REPLACED, json.dumps(json.loads(text), ensure_ascii=False))
        return orjson.loads(text)
    except RecursionError:
        raise UnreadableRecordError("the line is JSON that is nested too deeply") from None
    except orjson.JSONDecodeError as error:
        raise UnreadableRecordError(f"the line is no JSON: {_reason(error)}") from None
    except ValueError:
        raise UnreadableRecordError("the line is no JSON") from None


def _reason(error: orjson.JSONDecodeError) -> str:
    """Return what the library says, which holds nothing of the line, and where."""
    return f"{error.msg} at character {error.pos + 1}"
