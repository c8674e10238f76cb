"""The records that travel through querymix.

Rules:
- A record is an immutable tuple; its repr never shows a query, a user id or a URL.
- `time` is the log's own text or number, kept as it came; `at` is the same moment in seconds since 1970 (UTC).
- `rank`, `url` and `extra` travel with the query, never with the user.
"""

from typing import Final, NamedTuple

from service.core.knowledge import CATEGORIES

UNCLASSIFIED: Final = -1
"""The category of a query for which no unit has one."""

OTHER: Final = -2
"""The shared parent pool of the hold policy `merge`."""

POOL_NAMES: Final = dict(enumerate(CATEGORIES)) | {UNCLASSIFIED: "Unclassified", OTHER: "Other"}
"""The name of each category's pool, as summaries, metrics and logs show it."""


class Query(NamedTuple):
    """One query log, as a codec reads it."""

    user: str
    text: str
    time: str | int | float
    at: float
    rank: str | int | None = None
    """None where the field is absent, empty where it is there and empty."""
    url: str | None = None
    extra: tuple[object, ...] = ()
    """What only the codec knows: the record's form and the fields listed as safe."""

    def __repr__(self) -> str:
        return "Query(...)"


class Topic(NamedTuple):
    """What the classifier says of one query text."""

    category: int
    """Place in `knowledge.CATEGORIES`, or `UNCLASSIFIED`."""
    path: str
    """The category's whole path, empty where unclassified."""
    unit: str
    """The main semantic unit: the one whose category the query got."""
    text: str
    """The text that may be released: the query without identifiers."""
    removed: tuple[str, ...] = ()
    """Kinds of the identifiers that were cut, never their content."""

    @property
    def suppressed(self) -> bool:
        """Whether nothing is left of the query once its identifiers are gone."""
        return bool(self.removed) and not self.text

    def __repr__(self) -> str:
        return f"Topic(category={self.category})"


class Release(NamedTuple):
    """A user paired with a query of the same pool: what the anonymizer emits."""

    user: str
    origin: int
    """The category of the user's own query, which is the evidence that its profile gets."""
    query: Query
    """The query; its `user` is its owner and must not leave the anonymizer."""
    pool: int
    """The pool's category."""
    trigger: Query
    """The arrival that set the release off: its time is the released one under the time policy `trigger`."""
    crowd: int
    """Distinct users in the pool at the draw, itself included: the fewer of pooled users and owners of queries."""

    def __repr__(self) -> str:
        return f"Release(pool={self.pool}, crowd={self.crowd})"


class Refusal(NamedTuple):
    """A record that could not be read: where it stood, why, and what it was."""

    source: str
    line: int
    """Counted from 1."""
    reason: str
    """Names the rule that the record breaks, never its content."""
    raw: bytes = b""
    """The record itself, at most `MOST_REFUSED` bytes, for the dead letter only."""

    def __repr__(self) -> str:
        return f"Refusal({self.source}:{self.line}: {self.reason})"


MOST_REFUSED: Final = 4096
"""Bytes of a refused record that are kept."""
