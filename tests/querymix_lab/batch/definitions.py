"""Distances and likenesses as the papers define them, one pair at a time: what the fast ones are held against."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from querymix_lab.batch.base import Row
from querymix_lab.batch.query_values import Norms, words_of
from querymix_lab.batch.semantic import Interests, category_distance
from rapidfuzz.distance import Levenshtein

T = TypeVar("T")


class Plain(NamedTuple):
    """A query as the definitions see it, its numbers normalised."""

    time: float
    rank: float | None
    labels: tuple[str, ...]
    words: tuple[str, ...]
    length: float


def plain(norms: Norms, row: Row) -> Plain:
    """Return a row as the definitions see it."""
    words = words_of(row.query.text)
    return Plain(*norms(row), words, norms.length(len(words)))


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


def similarity(one: Iterable[Row], other: Iterable[Row], levels: int) -> int:
    """Return how alike two users are by their topics (odp)."""
    mine, theirs = (
        Counter(row.path[:level] for row in rows for level in range(1, min(levels, len(row.path)) + 1))
        for rows in (one, other)
    )
    return (mine & theirs).total()


def interests_distance(one: Interests, other: Interests) -> float:
    """Return D_s of two users with at least one category each, between 0 and 1 (formula 5.13)."""
    total = sum(
        weight * min(category_distance(path, near) for near in theirs)
        for mine, theirs in ((one, other), (other, one))
        for path, weight in mine.items()
    )
    return total / (sum(one.values()) + sum(other.values()))
