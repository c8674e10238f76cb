"""What a released JSON record may hold, as a JSON Schema for those who read it.

Rules:
- It is made from the mapping that writes (querymix.codecs.jsonlines), so that both say the same.
- Nothing leaves that it does not name. What need not be there has no value in some records.

Source: JSON Schema, draft 2020-12 (json-schema.org).
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from querymix.codecs.base import Codec, UrlPolicy
from querymix.codecs.delimited import DelimitedCodec
from querymix.codecs.jsonlines import CATEGORY, JsonLinesCodec
from querymix.codecs.rich_fields import MOST_ELEMENTS, ListField
from querymix.codecs.rich_values import LONGEST
from querymix.codecs.spelling import LEAST, MOST, TimeForm
from querymix.core.errors import ConfigError
from querymix.core.records import POOL_NAMES

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
_CLOCK: Final = "[0-9]{2}:[0-9]{2}:[0-9]{2}"
_DAY: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TEXT_TIMES: Final[Mapping[TimeForm, str]] = {"iso": f"^{_DAY}T{_CLOCK}Z$", "plain": f"^{_DAY} {_CLOCK}$"}
_PARTS: Final[Mapping[TimeForm, int]] = {
    "seconds": 1, "milliseconds": 10**3, "microseconds": 10**6, "nanoseconds": 10**9
}  # fmt: skip
_HOST: Final = "^([a-z][a-z0-9+.-]*://)?[a-z0-9_-]+([.][a-z0-9_-]+)+$"
_RANK: Final[Schema] = {"type": "integer", "minimum": LEAST, "maximum": MOST}


def schema_of(
    codec: Codec,
    times: TimeForm | None,
    *,
    urls: UrlPolicy = "host",
    precision: float | None = None,
    made_ids: bool = True,
    groups: Collection[str] = (),
) -> Schema:
    """Return the schema of what a codec of JSON lines writes.

    `times` is the form of times, None where only the log tells it. `made_ids`: ids are those of a period or a release.
    `groups` are safe fields that leave in groups of users only. Raises ConfigError where it writes no JSON.
    """
    if not isinstance(codec, JsonLinesCodec):
        raise ConfigError(f"only JSON has a JSON Schema: {_other(codec)}; --format says which form leaves")
    root = _object()
    user: Schema = {"type": "string", "pattern": "^[0-9]{1,19}$"} if made_ids else _text()
    user["description"] = "An id, and none of the one who asked. It lasts as --pseudonym-period says."
    names = codec.names
    _put(root, codec.path(names["user"]), user, needed=True)
    _put(root, codec.path(names["query"]), _text("What another user asked, without identifiers."), needed=True)
    _put(root, codec.path(names["time"]), _time(times, int(precision or 1)), needed=True)
    rank = {"anyOf": [_RANK, _text()], "description": "Of the clicked result."}
    _put(root, codec.path(names["rank"]), rank)
    _put(root, codec.path(names["url"]), _url(urls))
    for one in () if codec.rich is None else codec.rich.lists:
        _put(root, codec.path(one.name), _list(one, urls))
    for name in codec.safe:
        value: Schema = {"type": ["string", "number", "boolean", "array", "object"]}
        if name in groups:
            value["description"] = "Only where enough users share it (--generalize)."
        _put(root, codec.path(name), value)
    if codec.category:
        _put(root, [CATEGORY], {"enum": sorted(POOL_NAMES.values())}, needed=True)
    return {"$schema": DIALECT, "title": "A record that querymix releases", **root}


def _other(codec: Codec) -> str:
    """Say what a line of another form is."""
    if isinstance(codec, DelimitedCodec):
        return f"a row has {', '.join([*codec.names.values(), *codec.safe])}, as far as the log has these columns"
    if codec.format == "aol":
        return "a line of the AOL form has user, query, time, rank and URL, parted by tabs"
    return "a line of an access log has its combined form"


def _object() -> Schema:
    return {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def _put(node: Schema, path: Sequence[str], schema: Schema, *, needed: bool = False) -> None:
    """Put a field into an object, and the objects that it stands in."""
    name, *inside = path
    if needed and name not in node["required"]:
        node["required"].append(name)
    if inside:
        _put(node["properties"].setdefault(name, _object()), inside, schema, needed=needed)
    else:
        node["properties"][name] = schema


def _text(description: str = "") -> Schema:
    return {"type": "string", "minLength": 1} | ({"description": description} if description else {})


def _time(form: TimeForm | None, width: int) -> Schema:
    texts: list[Schema] = [{"type": "string", "pattern": pattern} for pattern in _TEXT_TIMES.values()]
    number: Schema = {"type": "integer", "minimum": 0}
    if form is None:
        found: Schema = {"anyOf": [*texts, number]}
    elif form in _TEXT_TIMES:
        found = {"type": "string", "pattern": _TEXT_TIMES[form]}
    else:
        found = number | {"multipleOf": _PARTS[form] * width}
    return found | {"description": "In UTC. --time-form says how it is written."}


def _url(urls: UrlPolicy) -> Schema:
    if urls == "host":
        return {"type": "string", "pattern": _HOST, "description": "The host that was clicked, with its scheme."}
    cut = ": whole, its host or its domain, by how many had it" if urls == "crowd" else ""
    return _text(f"The URL that was clicked{cut}.")


def _list(one: ListField, urls: UrlPolicy) -> Schema:
    element = _object()
    for field in one.fields:
        if field.field == "url":
            value = {**_url(urls), "description": "Cut as the URL of a click is."}
        elif field.factor:
            unit = "Milliseconds" if field.factor > 1 else "Seconds"
            what = "after the query" if field.field == "time" else "spent there, a day at most"
            value = {"type": "integer", "minimum": 0, "maximum": LONGEST * field.factor, "multipleOf": field.factor}
            value["description"] = f"{unit} {what}, in whole seconds."
        else:
            value = _RANK if field.field == "rank" else _text() if field.field == "title" else {"type": "boolean"}
        _put(element, field.path, value)
    return {"type": "array", "minItems": 1, "maxItems": MOST_ELEMENTS, "items": element}
