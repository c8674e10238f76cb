"""Tells the form of a log, and the names of its fields, from its first lines.

Rules:
- A form that was named is not looked for again; only what its codec has to know beside it is read.
- What is not recognized is taken for the AOL form, whose refusals say what is wrong.
- Fields are never guessed: the names of the form's own convention hold, or those that were given. A guess is only
  advice in the error that says which is missing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import orjson

from querymix.codecs.access_log import ACCESS_FIELDS, Hit, parameters, parse
from querymix.codecs.aol import HEADER
from querymix.codecs.base import BYTE_ORDER_MARK
from querymix.codecs.delimited import DELIMITERS, SEPARATOR, column_names, fields_of
from querymix.codecs.fields import FIELDS
from querymix.codecs.rich_fields import split_names
from querymix.codecs.spelling import TIME_FORM, TimeForm, form_of_times
from querymix.codecs.told_columns import delimiter_of, is_headed, is_quoted, is_time, likely, rows_of
from querymix.core.errors import MissingFieldError
from querymix.core.expressions import expression

Format = Literal["aol", "csv", "tsv", "json", "access"]
FORMS: Final[Mapping[Format, str]] = {
    "aol": "the AOL form: user, query, time, rank and URL parted by tabs",
    "csv": "CSV",
    "tsv": "TSV: columns parted by tabs",
    "json": "JSON lines",
    "access": "an access log of a web server",
}
"""Each form in words."""
NEEDED: Final = ("user", "query", "time")
_AOL_NAMES: Final = dict(zip(FIELDS, HEADER.split("\t"), strict=True))
_LINES: Final = 500
"""Lines that are looked at."""
_MOST_FIELDS: Final = 200
"""Names for each line: an object with more of them may have texts or users for names."""
_MOST_NAMES: Final = 40
"""Names that a message shows."""
_NAME: Final = expression(r"[A-Za-z_@$][\w@$.-]{0,60}", re.ASCII)
_NOT_LETTERS: Final = expression(r"[\W_]+")
_USUAL_NAMES: Final[Mapping[str, str]] = {
    "user": "user userid uid username anonid visitor visitorid client clientid customerid account accountid "
    "cookie cookieid deviceid sessionid session sid member memberid login address clientip remoteaddr ip",
    "query": "query q querytext querystring search searchterm searchquery searchphrase term terms keyword keywords "
    "phrase text searchtext querykeyword s",
    "time": "time timestamp ts querytime datetime date createdat created eventtime eventtimestamp searchtime "
    "requesttime at when epoch t timelocal",
    "rank": "rank position pos itemrank clickposition clickrank resultrank",
    "url": "url clickurl click clickedurl href link target resulturl destination",
}
"""Names that fields often have, without signs between their words, the likelier ones first."""


class Form(NamedTuple):
    """The form of a log, as far as its first lines tell it."""

    format: Format
    told: bool = False
    """Whether the lines told it, and nobody named it."""
    delimiter: str = "\t"
    columns: tuple[str, ...] = ()
    """Those of CSV and TSV."""
    headed: bool = False
    names: Mapping[str, str] = {}
    """Where the fields stand, as `field_names` says."""
    seen: tuple[str, ...] = ()
    """Names of fields that the first lines have."""
    shown: tuple[str, ...] = ()
    """Those of them that are names for certain, and neither queries nor users."""
    likely: Mapping[str, str] = {}
    """Where fields seem to stand, by the values of the columns."""
    times: TimeForm = TIME_FORM
    """How the times of the first lines are written, as `with_times` says."""

    @property
    def defaults(self) -> Mapping[str, str]:
        """The names of the fields where none are given."""
        if self.format == "access":
            return ACCESS_FIELDS
        if self.format != "aol" and all(_AOL_NAMES[field] in self.seen for field in NEEDED):
            return _AOL_NAMES
        return FIELDS


AOL: Final = Form("aol")


def recognize(lines: Sequence[str], named: str = "auto", fields: Mapping[str, str] | None = None) -> Form:
    """Return the form of a log that begins with `lines`; `named` is the format that was given, or "auto"."""
    some = [line.lstrip(BYTE_ORDER_MARK) for line in lines[:_LINES] if line.strip(BYTE_ORDER_MARK + " \t")]
    format_: Format = _told(some, fields or {}) if named == "auto" else named  # type: ignore[assignment]
    told = named == "auto" and bool(some)
    if format_ == "json":
        names = Counter(name for line in some for name in _names_in(line))
        return Form(
            format_, told, seen=tuple(names), shown=_usual(names, max(len(some) / 2, len(names) / _MOST_FIELDS))
        )
    if format_ == "access":
        names = Counter(name for line in some if (hit := parse(line)) is not None for name in _places(hit))
        return Form(format_, told, seen=tuple(names), shown=_usual(names, len(some) / 10))
    if format_ in ("csv", "tsv"):
        return _table(format_, some, fields or {}, told=told)
    return Form(format_, told)


def _table(format_: Format, lines: Sequence[str], fields: Mapping[str, str], *, told: bool) -> Form:
    named = SEPARATOR.fullmatch(lines[0]) if lines else None
    lines = lines[1:] if named else lines
    first = lines[0] if lines else ""
    known = _is_header(column_names(first, _delimiter(first), quoted=True), fields)
    delimiter = "\t" if format_ == "tsv" else named[1] if named else None if known else delimiter_of(lines)
    delimiter = delimiter or _delimiter(first)
    columns = column_names(first, delimiter, quoted=format_ == "csv")
    numbers = tuple(str(number) for number in range(1, len(columns) + 1))
    if _by_number(fields):
        return Form(format_, told, delimiter, numbers, seen=numbers, shown=numbers)
    rows = rows_of(lines, delimiter, quoted=format_ == "csv")
    seen = tuple(filter(None, columns))
    shown = seen if _is_header(columns, fields) or (is_headed(rows) and list(rows[0]) == columns) else ()
    told_by_values = likely(rows, columns if shown else numbers)
    return Form(format_, told, delimiter, tuple(columns), True, seen=seen, shown=shown, likely=told_by_values)


def _usual(names: Mapping[str, int], least: float) -> tuple[str, ...]:
    """Return names that occur in many lines: what stands in few may be a text that somebody has asked for."""
    return tuple(name for name, count in names.items() if count >= max(1, least) and _NAME.fullmatch(name))


def _told(lines: Sequence[str], fields: Mapping[str, str]) -> Format:
    if any(line.lstrip(" \t,[\x1e").startswith("{") and _names_in(line) for line in lines):
        return "json"
    if any(parse(line) is not None for line in lines):
        return "access"
    first = lines[0] if lines else ""
    is_aol = any(_is_aol(line) for line in lines) and not _is_header(first.split("\t"), fields)
    if is_aol or first.startswith(HEADER[: HEADER.index("\tItemRank")]):
        return "aol"
    return _told_table(lines, fields)


def _told_table(lines: Sequence[str], fields: Mapping[str, str]) -> Format:
    first = lines[0] if lines else ""
    if named := SEPARATOR.fullmatch(first):
        return "tsv" if named[1] == "\t" else "csv"
    sign = None
    for delimiter in ("\t", _delimiter(first)):
        names = column_names(first, delimiter, quoted=True)
        if sign is None and len(names) >= len(NEEDED) and (fields or _is_header(names, fields)):
            sign = delimiter
    sign = sign or delimiter_of(lines)
    if sign == "\t":
        return "csv" if first.startswith('"') or is_quoted(rows_of(lines, "\t", quoted=False)) else "tsv"
    return "csv" if sign else "aol"


def _by_number(fields: Mapping[str, str]) -> bool:
    return bool(fields) and all(str(name).isdigit() for name in fields.values())


def _delimiter(line: str) -> str:
    """Return what parts the columns of CSV: what occurs most often outside of quotation marks."""
    counts = {sign: len(fields_of(line, sign, quoted=True)) for sign in DELIMITERS}
    return max(DELIMITERS, key=counts.__getitem__)


def _is_aol(line: str) -> bool:
    fields = line.split("\t")
    return 3 <= len(fields) <= 5 and is_time(fields[2])


def _is_header(names: Sequence[str], given: Mapping[str, str]) -> bool:
    """Return whether a line names columns for certain: those that were given, or names that are usual."""
    names = [name for name in names if name]  # an index, as dataframes write it, has none
    if any(map(_is_value, names)):
        return False
    return bool(given and set(given.values()) <= set(names)) or len(guessed(names, {})) > 1


def _is_value(text: str) -> bool:
    return text.replace(".", "", 1).lstrip("-").isdigit() or is_time(text) or "://" in text


def with_times(form: Form, lines: Sequence[str]) -> Form:
    """Return a form, whose names are known, with how most of the log's first `lines` write their time."""
    name = form.names.get("time")
    values: list[object] = []
    if form.format == "json":
        values = [_fields_in(line.lstrip(BYTE_ORDER_MARK)).get(str(name)) for line in lines[:_LINES]]
    elif name in form.columns:
        place = form.columns.index(name)
        rows = (fields_of(line, form.delimiter, quoted=form.format == "csv") for line in lines[:_LINES])
        values = [row[place] for row in rows if place < len(row)]
    return form._replace(times=form_of_times(values))


def _names_in(line: str) -> list[str]:
    return list(_fields_in(line))


def _fields_in(line: str) -> dict[str, object]:
    """Return the fields of a JSON object, those inside of others with dots; none where it is no object."""
    try:
        log = orjson.loads(line.strip(" \t,[]\x1e"))
    except ValueError:
        return {}
    return dict(_flat(log)) if isinstance(log, dict) else {}


def _flat(log: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, object]]:
    for key, value in log.items():
        if isinstance(value, dict) and value and len(prefix) < 200:
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _places(hit: Hit) -> Iterable[str]:
    for name in ("address", "login", "time"):
        if getattr(hit, name) != "-":
            yield name
    for of in ("url", "referrer"):
        yield from (f"{of}.{name}" for name, value in parameters(hit, of).items() if value)
    for number, text in enumerate(hit.further[2:], 1):
        if text != "-":
            yield f"field.{number}"
        yield from (f"cookie.{part.partition('=')[0].strip()}" for part in text.split(";") if "=" in part)


def field_names(form: Form, given: Mapping[str, str], source: str) -> dict[str, str]:
    """Return where each field stands: what was given, or the form's own names.

    Raises MissingFieldError where user, query or time are in none of the first lines.
    """
    names = {**form.defaults, **given}
    if not form.seen:
        return names
    missing = [field for field in NEEDED if names[field] not in form.seen]
    wrong = [field for field in given if field not in missing and field in FIELDS and given[field] not in form.seen]
    if form.format in ("csv", "tsv"):
        missing += wrong
    advice = guessed(form.shown, {field: name for field, name in split_names(given)[0].items() if name in form.shown})
    if form.format == "access" and (missing != ["query"] or "query" not in advice):
        return names  # searches, or users who are known, may be few among the requests
    if not missing:
        return names
    has = f"It has: {', '.join(form.shown[:_MOST_NAMES])}{', ...' * (len(form.shown) > _MOST_NAMES)}."
    if not form.shown:
        has = (
            "Its first line is no header that is known: name its columns, or give their numbers if it has none."
            if form.columns
            else "No name is in most of its lines: put one object, with the fields of a record, on each line."
        )
        advice = {"user": "1", "query": "2", "time": "3", **form.likely} if form.columns else {}
    advice |= {
        field: name for field, name in form.likely.items() if field not in advice and name not in advice.values()
    }
    what = " and ".join(f"{names[field]!r} (the {field})" for field in missing)
    raise MissingFieldError(
        f"{source} is read as {FORMS[form.format]}, and has no {what}. {has}",
        ",".join(
            [f"{field}={advice.get(field, '?')}" for field in FIELDS if field in NEEDED or field in advice]
            + [f"{field}={name}" for field, name in split_names(given)[1].items()]
        ),
    )


def guessed(seen: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """Return for each field the name that it seems to have, none where nothing looks like it; `given` are certain."""
    found = dict(given)
    for field, usual in _USUAL_NAMES.items():
        if field in found:
            continue
        ranked = [(place, name) for name in seen if (place := _likeness(name, usual.split())) is not None]
        free = [(place, name) for place, name in ranked if name not in found.values()]
        if free:
            found[field] = min(free, key=lambda one: one[0])[1]
    return found


def _likeness(name: str, usual: Sequence[str]) -> int | None:
    parts = [part for part in name.split(".") if not part.startswith("$")]  # MongoDB's names of types
    for count in (1, 2, len(parts)):
        plain = _NOT_LETTERS.sub("", "".join(parts[-count:])).lower()
        if plain in usual:
            return usual.index(plain)
    return None
