"""Frames: many classified records, or much evidence, in one record of an internal topic.

Rules:
- JSON. Text that is not valid UTF-8 travels as lone surrogates, which takes the slower way through `json`.
- A frame never holds a line feed, so that frames can be joined by it.
- What reads a frame takes no other shape for one: a stranger's record must not get into a pool or a profile.
- A frame of classified records names the format that they were read in (`Codec.format`), since only a codec of that
  format can write them.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType
from typing import Any, Final

import orjson

from querymix.core.errors import ConfigError
from querymix.core.knowledge import CATEGORIES
from querymix.core.records import UNCLASSIFIED, Query, freeze_all, thaw_all

MAX_COUNTED: Final = 1 << 31
"""A count in a frame of evidence, at most."""
_TYPES: Final = (
    frozenset((str,)),
    frozenset((str,)),
    frozenset((str, int, float)),
    frozenset((int, float)),
    frozenset((str, int, NoneType)),
    frozenset((str, NoneType)),
)
"""The types of a query's fields in a frame, from the user to the URL; `extra` is a list, or empty."""
_LIST: Final = frozenset((list,))
_OTHER_SHAPES: Final = (ValueError, TypeError, LookupError, RecursionError)


def dumps(value: Any) -> bytes:
    """Return JSON for plain data."""
    try:
        return orjson.dumps(value)
    except TypeError:
        # A lone surrogate, or a number beyond 64 bits.
        return json.dumps(value, separators=(",", ":")).encode()


def loads(data: bytes) -> Any:
    """Read what `dumps` wrote."""
    try:
        return orjson.loads(data)
    except ValueError:
        return json.loads(data)


def encode_classified(category: int, queries: Iterable[Query], log_format: str = "") -> bytes:
    """Return a frame of classified queries of one category, read in `log_format`; empty: it names none."""
    rows = freeze_all(queries)
    return dumps([category, rows, log_format] if log_format else [category, rows])


def decode_classified(frame: bytes | None, log_format: str = "") -> tuple[int, list[Query]]:
    """Return a frame's category and its queries; with an empty `log_format` a frame of any format is read.

    Raises ValueError, whose text holds nothing of the frame, where it cannot be read; ConfigError where its records
    were read in another format than `log_format`.
    """
    try:
        category, rows, *rest = loads(frame or b"")
        good = type(rows) is list and _is_category(category, UNCLASSIFIED) and _are_queries(rows)
        if good and frame and b"\n" not in frame and (not rest or (len(rest) == 1 and type(rest[0]) is str)):
            queries = thaw_all(rows)
            check_format(rest[0] if rest else "", queries, log_format, "a frame of classified records")
            return category, queries
    except _OTHER_SHAPES:
        pass
    raise ValueError("not a frame of classified records")


def check_format(written: str, queries: Sequence[Query], ours: str, what: str) -> None:
    """Raise ConfigError where queries were read in another format than `ours`, since no codec of ours writes them.

    `written` is the format that `what` names; where it names none, the queries tell.
    """
    if not ours or not queries:
        return
    if not written:
        written = "json" if queries[0].extra else "aol"
        ours = ours.partition(" ")[0]
    if written != ours:
        raise ConfigError(
            f"{what} holds records of the format {written!r}, which cannot be written as {ours!r}. Start with the old "
            "--format, --fields and --safe-fields until no record is held or waiting: stop its producer, and give "
            "--max-hold 1s --hold-policy suppress where what is held may be given up. Then change them"
        )


def _are_queries(rows: list[list[Any]]) -> bool:
    """Return whether each row is a list of a query's fields.

    It looks at one field of all rows at once, which is faster than row by row. Raises ValueError or TypeError where the
    rows differ in length or have none.
    """
    if not rows:
        return True
    *fields, extras = zip(*rows, strict=True)
    return (
        len(fields) == len(_TYPES)
        and _LIST.issuperset(map(type, rows))
        and all(types.issuperset(map(type, field)) for types, field in zip(_TYPES, fields, strict=True))
        and _LIST.issuperset(map(type, filter(None, extras)))
    )


def _is_category(value: object, least: int) -> bool:
    return type(value) is int and least <= value < len(CATEGORIES)


def encode_evidence(evidence: Mapping[tuple[str, int], int]) -> bytes:
    """Return a frame of counts by (user, category)."""
    return dumps([[user, category, count] for (user, category), count in evidence.items()])


def decode_evidence(frame: bytes | None) -> dict[tuple[str, int], int]:
    """Return a frame's counts. Raises ValueError, whose text holds nothing of the frame, where it cannot be read."""
    try:
        rows = loads(frame or b"")
        counts = {(user, category): count for user, category, count in rows}
        if type(rows) is list and all(
            type(user) is str and _is_category(category, 0) and type(count) is int and 0 < count <= MAX_COUNTED
            for (user, category), count in counts.items()
        ):
            return counts
    except _OTHER_SHAPES:
        pass
    raise ValueError("not a frame of evidence")
