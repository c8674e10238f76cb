"""Frames: many classified records, or much evidence, in one record of an internal topic.

Rules:
- JSON. Text that is not valid UTF-8 travels as lone surrogates, which takes the slower way through `json`.
- A frame never holds a line feed, so that frames can be joined by it.
- What reads a frame takes no other shape for one: a stranger's record must not get into a pool or a profile.
- A frame of classified records names the format that they were read in (`Codec.format`), since only a codec of that
  format can write them.

service/native/src/kafka/frames.rs reads frames of classified records in which nothing is unusual, and writes those of
evidence.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType
from typing import Any, Final

import orjson

from querymix.core.errors import ConfigError
from querymix.core.knowledge import CATEGORIES
from querymix.core.records import UNCLASSIFIED, Query, freeze_all, thaw_all
from querymix.native_path import module

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
_RICH: Final = 2
"""Where the lists of a record are in `extra`; an `extra` of 0.5.0 or before begins with a truth value and has none."""
_TEXT: Final[frozenset[type]] = frozenset((str, NoneType))
_COUNT: Final[frozenset[type]] = frozenset((int, NoneType))
_TRUTH: Final[frozenset[type]] = frozenset((bool, NoneType))
_RICH_TYPES: Final = ((_TEXT, _COUNT, _TRUTH, _TRUTH, _TEXT), (_TEXT, _COUNT, _COUNT, _COUNT))
"""Those of the fields of a result and of a click (querymix.core.rich)."""
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


OwnFrame = tuple[int, list[Query], list[int]]
"""The category of a pool, queries that go there, and the own category of each; empty where that is the same."""
Frame = tuple[int, list[Query]] | OwnFrame


def encode_classified(category: int, queries: Iterable[Query], log_format: str = "", owns: Sequence[int] = ()) -> bytes:
    """Return a frame of classified queries for one category's pool, read in `log_format`; empty: it names none.

    `owns` are their own categories, empty where all are the pool's. querymix 0.5.0 reads no frame that has them.
    """
    rows = freeze_all(queries)
    if owns:
        return dumps([category, rows, log_format, owns])
    return dumps([category, rows, log_format] if log_format else [category, rows])


def decode_classified(frame: bytes | None, log_format: str = "") -> OwnFrame:
    """Return what a frame holds; with an empty `log_format` a frame of any format is read.

    Raises ValueError, whose text holds nothing of the frame, where it cannot be read; ConfigError where its records
    were read in another format than `log_format`.
    """
    native = module()  # it reads frames in which nothing is unusual
    if native and type(frame) is bytes and (read := native.read_classified(frame, Query)) is not None:
        category, queries, written, owns = read
        if _is_category(category, UNCLASSIFIED) and _are_owns(owns, queries):
            check_format(written, queries, log_format, "a frame of classified records")
            return category, queries, owns
    try:
        category, rows, *rest = loads(frame or b"")
        written, owns, *more = rest + ["", []][len(rest) :]
        good = type(rows) is list and _is_category(category, UNCLASSIFIED) and _are_queries(rows)
        if good and frame and b"\n" not in frame and type(written) is str and _are_owns(owns, rows) and not more:
            queries = thaw_all(rows)
            check_format(written, queries, log_format, "a frame of classified records")
            return category, queries, owns
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
        and all(_is_rich(extra[2]) for extra in extras if extra and len(extra) > _RICH and type(extra[0]) is not bool)
    )


def _is_rich(value: Any) -> bool:
    """Return whether plain data is what a record carries beside its query. Raises ValueError where rows differ."""
    if type(value) is not list or len(value) != len(_RICH_TYPES):
        return False
    for rows, types in zip(value, _RICH_TYPES, strict=True):
        if type(rows) is not list or not _LIST.issuperset(map(type, rows)):
            return False
        columns = list(zip(*rows, strict=True))
        if rows and len(columns) != len(types):
            return False
        if not all(kinds.issuperset(map(type, column)) for kinds, column in zip(types, columns, strict=False)):
            return False
    return True


def _are_owns(owns: object, rows: Sequence[object]) -> bool:
    if type(owns) is not list:
        return False
    return not owns or (len(owns) == len(rows) and all(_is_category(own, UNCLASSIFIED) for own in owns))


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
