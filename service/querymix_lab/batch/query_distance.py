"""The distances of user k-anonymity by MDAV, each between 0 and 1: the definitions, one pair at a time.

Rules:
- Rank, time, number of words and number of queries are normalised by the least and the greatest value in the log.
- A query without a click has no rank and no URL: at distance 0 from another without one, at 1 from all that have one.
- The thesis prints formulas (5.1) and (5.4) with a root over too much, and a weight of the URL that does not add up to
  1; the text says what is meant: the Hausdorff distance of words has double weight, and both parts of a user's distance
  have the same.

`query_space` computes the same for whole logs.

Source: thesis (Erola 2013), section 5.3.1.2; Navarro-Arribas et al. 2012, section 3.2.1.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from querymix.core.hosts import host_of
from querymix.core.text import words
from rapidfuzz.distance import Levenshtein

from querymix_lab.batch.base import Log, Row

T = TypeVar("T")


class Plain(NamedTuple):
    """A query as the distance sees it."""

    time: float
    """Normalised."""
    rank: float | None
    """Normalised."""
    labels: tuple[str, ...]
    """Of the clicked host, the top-level domain first; empty without a click."""
    words: tuple[str, ...]
    """An empty word stands for a query without words."""
    length: float
    """Number of words, normalised."""


class Normal:
    """Normalises numbers by the least and greatest of a log."""

    def __init__(self, values: Iterable[float]) -> None:
        known = list(values) or [0.0]
        self._least = min(known)
        self._range = max(known) - self._least or 1.0

    def __call__(self, value: float) -> float:
        """Return the value as a share of the range; one outside it is below 0 or above 1."""
        return (value - self._least) / self._range


class Norms:
    """The ranges of a log."""

    def __init__(self, log: Log) -> None:
        self.time = Normal(row.query.at for row in log.rows)
        self.rank = Normal(rank for row in log.rows if (rank := rank_of(row)) is not None)
        self.length = Normal(len(words_of(row.query.text)) for row in log.rows)
        self.count = Normal(map(len, log.users.values()))

    def __call__(self, row: Row) -> Plain:
        """Return a row as the distance sees it."""
        rank, text = rank_of(row), words_of(row.query.text)
        return Plain(
            self.time(row.query.at),
            None if rank is None else self.rank(rank),
            labels_of(row.query.url),
            text,
            self.length(len(text)),
        )


def rank_of(row: Row) -> float | None:
    """Return the rank of the click as a number, or None."""
    rank = row.query.rank
    if isinstance(rank, str):
        return float(rank) if rank.isdecimal() else None
    return None if rank is None else float(rank)


def words_of(text: str) -> tuple[str, ...]:
    """Return a query's words, or one empty word."""
    return tuple(words(text)) or ("",)


def labels_of(url: str | None) -> tuple[str, ...]:
    """Return the labels of a URL's host in lower case, the top-level domain first; empty without one."""
    host = host_of(url).lower() if url else ""
    return tuple(reversed(host.split("."))) if host else ()


def rank_distance(one: float | None, other: float | None) -> float:
    """Return the distance of two normalised ranks, each None where there is no click."""
    if one is None or other is None:
        return float(one is not other)
    return abs(one - other)


def url_distance(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the distance of two hosts by their labels, the top-level domain first and the heaviest."""
    longest = max(len(one), len(other))
    if not longest:
        return 0.0
    differ = [place >= len(one) or place >= len(other) or one[place] != other[place] for place in range(longest)]
    # Weights 2^(m - i) over 2^(m + 1) - 1, for i from 0 to m.
    weight = sum(1 << (longest - 1 - place) for place in range(longest) if differ[place])
    return weight / ((1 << longest) - 1)


def hausdorff(one: Sequence[T], other: Sequence[T], distance: Callable[[T, T], float]) -> float:
    """Return the Hausdorff distance of two sets that are not empty."""
    return max(
        max(min(distance(here, there) for there in theirs) for here in mine)
        for mine, theirs in ((one, other), (other, one))
    )


def string_distance(one: Plain, other: Plain) -> float:
    """Return the distance of two query strings: (difference in length + 2 * Hausdorff over words) / 3."""
    return (abs(one.length - other.length) + 2 * hausdorff(one.words, other.words, _edits)) / 3


def _edits(one: str, other: str) -> float:
    return float(Levenshtein.normalized_distance(one, other))


def query_distance(one: Plain, other: Plain) -> float:
    """Return the distance of two queries: (time + rank + url + 3 * string) / 6."""
    parts = (
        abs(one.time - other.time),
        rank_distance(one.rank, other.rank),
        url_distance(one.labels, other.labels),
        3 * string_distance(one, other),
    )
    return sum(parts) / 6


def user_distance(one: Sequence[Plain], other: Sequence[Plain], counts: tuple[float, float]) -> float:
    """Return the distance of two users: (difference in numbers of queries + Hausdorff over queries) / 2.

    `counts` are the users' numbers of queries, normalised.
    """
    return (abs(counts[0] - counts[1]) + hausdorff(one, other, query_distance)) / 2
