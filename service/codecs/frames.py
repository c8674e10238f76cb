"""Frames: many classified logs, or much evidence, in one Kafka record of an internal topic.

Rules:
- JSON. Text that is not valid UTF-8 travels as lone surrogates, which takes the slower way through `json`.
- A frame never holds a line feed, so that frames can be joined by it.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from service.core.records import Query


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

    Raises ValueError where it is none.
    """
    try:
        category, rows = loads(frame)
        return int(category), [thaw_query(row) for row in rows]
    except (TypeError, IndexError):
        raise ValueError("not a frame of classified logs") from None


def thaw_query(row: list[Any]) -> Query:
    """Return the query that JSON made a list of."""
    row[6] = _as_tuple(row[6]) if row[6] else ()
    return tuple.__new__(Query, row)


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def encode_evidence(evidence: Mapping[tuple[str, int], int]) -> bytes:
    """Return a frame of counts by (user, category)."""
    return dumps([[user, category, count] for (user, category), count in evidence.items()])


def decode_evidence(frame: bytes) -> dict[tuple[str, int], int]:
    """Return a frame's counts.

    Raises ValueError where it is none.
    """
    try:
        return {(user, category): count for user, category, count in loads(frame)}
    except TypeError:
        raise ValueError("not a frame of evidence") from None
