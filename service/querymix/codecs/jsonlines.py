"""JSON lines: one object a record, with the operator's own field names, by the rules of querymix.codecs.fields.

Rule: a field whose name has dots leaves inside of other objects, also where it came under that name itself. Only where
one of these objects is a field of its own does it leave under the name with its dots.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import orjson

from querymix.codecs.base import (
    BYTE_ORDER_MARK,
    LONGEST_QUERY,
    CategoryColumn,
    Decoded,
    TimePolicy,
    UnreadableRecordError,
    UrlPolicy,
    check_line,
    refusal,
)
from querymix.codecs.fields import REPLACED, SURROGATE, NamedFields
from querymix.codecs.spelling import TimeForm
from querymix.core.errors import ConfigError
from querymix.core.records import POOL_NAMES, Query, Refusal, Release, each_row

CATEGORY: Final = "category"
"""The field that names a released record's category."""
_ACTIONS: Final = ('{"index"', '{"create"', '{"update"', '{"delete"', '{ "index"', '{ "create"')
_SIGNS: Final = frozenset(("[", "]", ",", "\ufeff["))
"""What stands around and between the objects of an array that has one a line."""
_SETTINGS: Final = frozenset(("routing", "version", "version_type", "pipeline", "require_alias", "retry_on_conflict"))
_ESCAPED: Final = re.compile(r"\\u[dD][89a-fA-F]")


class JsonLinesCodec(NamedFields):
    """Reads and writes JSON lines. A name with dots is that of a field inside of other objects, such as `user.id`."""

    def __init__(
        self,
        *,
        fields: Mapping[str, Any] | None = None,
        safe: Sequence[str] = (),
        single: Sequence[str] = (),
        time: TimePolicy = "trigger",
        urls: UrlPolicy = "host",
        precision: float | None = None,
        time_form: TimeForm = "iso",
        category: CategoryColumn = "off",
        longest_query: int = LONGEST_QUERY,
    ) -> None:
        super().__init__(
            form="json",
            fields=fields,
            safe=safe,
            single=single,
            time=time,
            urls=urls,
            precision=precision,
            time_form=time_form,
            longest_query=longest_query,
        )
        for one in () if self.rich is None else self.rich.lists:
            if outer := [name for name in safe if one.name.startswith(f"{name}.")]:
                raise ConfigError(
                    f"the field {outer[0]!r} would leave whole, with all {one.kind} in it ({one.name!r}): name the "
                    "other fields in it one by one"
                )
        self.category: Final = category == "on"
        self._above = {name[:end] for name in self.known for end in _dots(name)}
        alone = [name for name in self.known if not self.known & {name[:n] for n in _dots(name)}]
        self._keys: dict[str, list[str]] = {name: name.split(".") for name in alone}

    def header(self, line: str) -> bool:
        """JSON lines have no header; the signs of an array and the actions of a bulk request are no records."""
        return line in _SIGNS or (line.startswith(_ACTIONS) and _is_action(line))

    def heading(self, line: str) -> str:
        """Of what is no record nothing leaves."""
        return ""

    def whole(self, block: bytes) -> int:
        """Each line is a record."""
        return len(block)

    def decode(self, lines: Sequence[str], source: str, first: int) -> Decoded:
        """Read lines, without their line ends."""
        queries: list[Query] = []
        refusals: list[Refusal] = []
        read = self._read_nested if self._above else self.read if self.rich is None else self.read_with_lists
        for number, line in enumerate(lines, first):
            try:
                if self.header(line):
                    continue
                queries.append(read(_object_of(line)))
            except UnreadableRecordError as error:
                refusals.append(refusal(source, number, str(error), line))
        return Decoded(queries, refusals)

    def _read_nested(self, log: Mapping[str, Any]) -> Query:
        found: dict[str, Any] = {}
        self._find(log, "", found)
        return self.read_with_lists(found)

    def _find(self, part: Mapping[str, Any], prefix: str, found: dict[str, Any]) -> None:
        """Add the known fields of a part of a record."""
        for key, value in part.items():
            name = prefix + key
            if name in self.known:
                found.setdefault(name, value)
            elif name in self._above and isinstance(value, dict):
                self._find(value, f"{name}.", found)

    def encode(self, releases: Iterable[Release]) -> list[str]:
        """Write a line for each row of each release."""
        write = self._write_nested if self._above else self.write
        if self.category:
            return [
                orjson.dumps(write(release[0], release[2], release[4]) | {CATEGORY: POOL_NAMES[release[3]]}).decode()
                for release in each_row(list(releases))
            ]
        return [
            orjson.dumps(write(release[0], query, release[4])).decode()
            for release in releases
            for query in (release[2], *release[6])
        ]

    def path(self, name: str) -> list[str]:
        """Return the names of the objects that a field leaves inside of, and its own."""
        return self._keys.get(name, [name])

    def _write_nested(self, user: str, query: Query, trigger: Query) -> dict[Any, Any]:
        log: dict[Any, Any] = {}
        for name, value in self.write(user, query, trigger).items():
            *above, last = self.path(name)
            part = log
            for key in above:
                part = part.setdefault(key, {})
            part[last] = value
        return log


def _dots(name: str) -> list[int]:
    return [place for place, sign in enumerate(name) if sign == "."]


def _is_action(line: str) -> bool:
    """Return whether a line is an action of a bulk request of Elasticsearch or OpenSearch, which holds no document."""
    try:
        log = orjson.loads(line)
    except ValueError:
        return False
    (meta,) = log.values() if len(log) == 1 else (None,)
    return isinstance(meta, dict) and all(key.startswith("_") or key in _SETTINGS for key in meta)


def _object_of(line: str) -> dict[str, Any]:
    """Return the object that a line is."""
    check_line(line)
    try:
        log = orjson.loads(line)
    except ValueError:
        log = _repaired(line)
    if not isinstance(log, dict):
        raise UnreadableRecordError("the line is no JSON object")
    return log


def _repaired(line: str) -> Any:
    """Return a line that is JSON but for the signs of an array, a mark before it or broken characters (then U+FFFD).

    Raises UnreadableRecordError where it is no JSON for another reason.
    """
    text = SURROGATE.sub(REPLACED, line.lstrip(f"{BYTE_ORDER_MARK}\x1e"))
    if (inner := text.strip(" \t,[]")).startswith("{") and inner.endswith("}"):
        text = inner  # an element of an array that has one a line
    try:
        if _ESCAPED.search(text):
            # The library refuses half a pair written as an escape; the standard one reads it.
            text = SURROGATE.sub(REPLACED, json.dumps(json.loads(text), ensure_ascii=False))
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
