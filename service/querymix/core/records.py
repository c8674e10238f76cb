"""The records that travel through querymix.

Rules:
- A record is an immutable tuple; its repr never shows a query, a user id or a URL.
- `time` is the log's own text or number, kept as it came; `at` is the same moment in seconds since 1970 (UTC).
- `rank`, `url` and `extra` travel with the query, never with the user.
- `extra` is plain data whose sequences are tuples, all the way down. So a query can be written as JSON and read back
  as the same query: `freeze` and `thaw` are the only way in which frames, snapshots and checkpoints do it.
"""

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from querymix.core.knowledge import CATEGORIES

if TYPE_CHECKING:  # loaded from here, the expressions of identifiers take longer
    from querymix.core.identifiers.spans import Identifier

UNCLASSIFIED: Final = -1
"""The category of a query for which no unit has one."""

OTHER: Final = -2
"""The shared parent pool of the hold policy `merge`."""

POOL_NAMES: Final = dict(enumerate(CATEGORIES)) | {UNCLASSIFIED: "Unclassified", OTHER: "Other"}
"""The name of each category's pool, as summaries, metrics and logs show it."""


class Query(NamedTuple):
    """One record of a query log, as a codec reads it."""

    user: str
    text: str
    time: str | int | float
    at: float
    rank: str | int | None = None
    """None or empty where there is none."""
    url: str | None = None
    extra: tuple[object, ...] = ()
    """What only the codec knows, such as the values of safe fields; nothing of how the record was written."""

    def __repr__(self) -> str:
        return "Query(...)"


def freeze(query: Query) -> tuple[Any, ...]:
    """Return a query as plain data, for JSON."""
    return query[:]


def freeze_all(queries: Iterable[Query]) -> list[tuple[Any, ...]]:
    """Return queries as plain data, for JSON."""
    return [query[:] for query in queries]  # without a call for each: this is the hot path


def thaw(row: list[Any]) -> Query:
    """Return the query that `freeze` wrote and JSON made a list of. The list is not to be used afterwards.

    Raises LookupError or TypeError where it cannot be read.
    """
    row[6] = tuples(row[6]) if row[6] else ()
    return tuple.__new__(Query, row)


def thaw_all(rows: list[list[Any]]) -> list[Query]:
    """Return the queries that `freeze_all` wrote; as `thaw` of each row."""
    for row in rows:
        row[6] = tuples(row[6]) if row[6] else ()
    return [_new(Query, row) for row in rows]


_new: Final = tuple.__new__
_NESTED: Final = frozenset((list, tuple, dict))


def tuples(value: Any) -> Any:
    """Return plain data with a tuple for each list in it."""
    kind = type(value)
    if kind is list or kind is tuple:
        return tuple([tuples(inner) if type(inner) in _NESTED else inner for inner in value])
    if kind is dict:
        return {key: tuples(inner) for key, inner in value.items()}
    return value


class Classification(NamedTuple):
    """What the classifier says of one query text."""

    category: int
    """Place in `knowledge.CATEGORIES`, or `UNCLASSIFIED`; judged with the names where nothing else tells one."""
    path: str
    """The category's whole path as far as what is left tells it, empty where unclassified."""
    unit: str
    """The main semantic unit: the one whose category the query got; empty where only what was cut tells it."""
    text: str
    """The text that may be released: the query without identifiers; empty where nothing was asked or is left."""
    removed: tuple[str, ...] = ()
    """Kinds of the identifiers that were cut, never their content."""
    cuts: "tuple[Identifier, ...]" = ()
    """Where they stand in the query, sorted and disjoint."""

    @property
    def suppressed(self) -> bool:
        """Whether nothing is left of the query once its identifiers are gone."""
        return bool(self.removed) and not self.text

    def __repr__(self) -> str:
        return f"Classification(category={self.category})"


Origin = int | tuple[int, ...]
"""The category of a user's query; of a session, those of its queries."""


class Release(NamedTuple):
    """A user paired with a query of the same pool: what the anonymizer emits."""

    user: str
    origin: Origin
    """The category of the user's own query, which is the evidence that its profile gets."""
    query: Query
    """The query; its `user` is its owner and must not leave the anonymizer."""
    pool: int
    """The pool's category."""
    trigger: Query
    """The arrival that set the release off: its time is the released one under the time policy `trigger`."""
    anonymity_set: int
    """Distinct owners that count and that the query could have been drawn from, at least k in `distinct` mode."""
    further: tuple[Query, ...] = ()
    """What leaves with the query, in its order: its rows after the first (one a click), and the rest of its session."""
    moment: float = 0.0
    """When the pools let it out, by their clock: it tells the period of the id that the line leaves under."""
    categories: tuple[int, ...] = ()
    """The own category of each row, the query's first; empty: all are of the pool's."""

    def __repr__(self) -> str:
        return f"Release(pool={self.pool}, anonymity_set={self.anonymity_set})"


def each_row(releases: Sequence[Release]) -> Sequence[Release]:
    """Return a release for each row that is written, with its own category; those of one unit follow each other."""
    if not any([release[6] or release[8] for release in releases]):  # noqa: C419 - a list is faster here
        return releases
    out: list[Release] = []
    for release in releases:
        further, owns = release[6], release[8]
        if not further and not owns:
            out.append(release)
            continue
        for row, category in zip((release[2], *further), owns or repeat(release[3]), strict=False):
            out.append(_new(Release, (*release[:2], row, category, *release[4:6], (), release[7], ())))
    return out


def rows_of(releases: Iterable[Release]) -> int:
    """Return how many rows are written for releases."""
    return sum(1 + len(release.further) for release in releases)


def own_rows_of(releases: Iterable[Release]) -> int:
    """Return how many rows are written for releases of a query under its own user."""
    return rows_of([release for release in releases if release[0] == release[2][0]])


class Refusal(NamedTuple):
    """A record that could not be read: where it stood, why, and what it was."""

    source: str
    line: int
    """Counted from 1."""
    reason: str
    """Names the rule that the record breaks, never its content."""
    raw: bytes = b""
    """The record itself, at most `MAX_REFUSED` bytes, for the dead letter only."""

    def __repr__(self) -> str:
        return f"Refusal({self.source}:{self.line}: {self.reason})"


MAX_REFUSED: Final = 4096
"""Bytes of a refused record that are kept."""
