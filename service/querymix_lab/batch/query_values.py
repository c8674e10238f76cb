"""A query as the distances of user k-anonymity by MDAV see it (`query_space` has these distances).

Rules:
- Rank, time, number of words and number of queries are normalised by the least and the greatest value in the log.
- A query without a click has no rank and no URL.

Source: thesis (Erola 2013), section 5.3.1.2; Navarro-Arribas et al. 2012, section 3.2.1.
"""

from collections.abc import Iterable
from typing import NamedTuple

from querymix.core.hosts import host_of
from querymix.core.text import words

from querymix_lab.batch.base import Log, Row


class Plain(NamedTuple):
    """A query as the distance sees it, its text apart."""

    time: float
    """Normalised."""
    rank: float | None
    """Normalised."""
    labels: tuple[str, ...]
    """Of the clicked host, the top-level domain first; empty without a click."""


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
        rank = rank_of(row)
        return Plain(self.time(row.query.at), None if rank is None else self.rank(rank), labels_of(row.query.url))


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
