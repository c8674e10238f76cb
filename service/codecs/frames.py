"""Frames: many classified logs, or much evidence, in one Kafka record of an internal topic.

Rules:
- JSON. Text that is not valid UTF-8 travels as lone surrogates, which takes the slower way through `json`.
- A frame never holds a line feed, so that frames can be joined by it.
- What reads a frame takes no other shape for one: a stranger's record must not get into a pool or a profile.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson

from service.core.knowledge import CATEGORIES
from service.core.records import UNCLASSIFIED, Query

MOST_COUNTED: Final = 1 << 31
"""A count in a frame of evidence, at most."""
_FIELDS: Final = len(Query._fields)
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


def encode_classified(category: int, queries: Iterable[Query]) -> bytes:
    """Return a frame of classified queries of one category."""
    return dumps([category, [query[:] for query in queries]])


def decode_classified(frame: bytes) -> tuple[int, list[Query]]:
    """Return a frame's category and its queries.

    Raises ValueError, whose text holds nothing of the frame, where it is none.
    """
    try:
        category, rows = loads(frame)
        queries = [thaw_query(row) for row in rows]
        good = type(rows) is list and _is_category(category, UNCLASSIFIED) and all(map(_is_query, queries))
        if good and b"\n" not in frame:
            return category, queries
    except _OTHER_SHAPES:
        pass
    raise ValueError("not a frame of classified logs")


def thaw_query(row: list[Any]) -> Query:
    """Return the query that JSON made a list of."""
    row[6] = _as_tuple(row[6]) if row[6] else ()
    return tuple.__new__(Query, row)


def _is_query(query: Query) -> bool:
    return len(query) == _FIELDS and type(query[0]) is str and type(query[1]) is str


def _is_category(value: object, least: int) -> bool:
    return type(value) is int and least <= value < len(CATEGORIES)


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def encode_evidence(evidence: Mapping[tuple[str, int], int]) -> bytes:
    """Return a frame of counts by (user, category)."""
    return dumps([[user, category, count] for (user, category), count in evidence.items()])


def decode_evidence(frame: bytes) -> dict[tuple[str, int], int]:
    """Return a frame's counts.

    Raises ValueError, whose text holds nothing of the frame, where it is none.
    """
    try:
        rows = loads(frame)
        counts = {(user, category): count for user, category, count in rows}
        if type(rows) is list and all(
            type(user) is str and _is_category(category, 0) and type(count) is int and 0 < count <= MOST_COUNTED
            for (user, category), count in counts.items()
        ):
            return counts
    except _OTHER_SHAPES:
        pass
    raise ValueError("not a frame of evidence")
