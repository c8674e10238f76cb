"""What a line carries beside its text and time: the host that was clicked, and its rank among the results.

A query's rows leave together under one user, so whoever reads the released log sees all of its clicks as one query's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import nan

import numpy as np
from querymix.core.hosts import host_of
from querymix.core.records import Query

from querymix_lab.attacks.logs import Floats, Ints, Log


@dataclass
class Clicks:
    """Hosts and ranks of a log's rows, in the order of `logs.read`."""

    names: dict[str, int] = field(default_factory=dict, repr=False)
    """Numbers for hosts."""
    hosts: list[int] = field(default_factory=list, repr=False)
    """The host of each row, -1 where nothing was clicked."""
    ranks: list[float] = field(default_factory=list, repr=False)
    """The rank of each row, not a number where there is none."""

    def add(self, query: Query) -> None:
        """Take in a row."""
        host = host_of(query.url) if query.url else ""
        self.hosts.append(self.names.setdefault(host, len(self.names)) if host else -1)
        self.ranks.append(_number(query.rank))

    def of(self, log: Log, asked: Log) -> "Clicked":
        """Return the clicks of each query of `asked`; `log` is the one whose rows were taken in, `asked` it joined."""
        numbers = {key: place for place, key in enumerate(_keys(asked))}
        places = np.array([numbers.get(key, -1) for key in _keys(log)], dtype=np.int64)
        hosts, ranks = np.array(self.hosts, dtype=np.int64), np.array(self.ranks, dtype=np.float64)
        best = np.full(len(asked), np.inf)
        ranked = (places >= 0) & ~np.isnan(ranks)
        np.minimum.at(best, places[ranked], ranks[ranked])
        clicked = (places >= 0) & (hosts >= 0)
        pairs = np.unique(np.stack([places[clicked], hosts[clicked]]), axis=1)
        return Clicked(pairs[0], pairs[1], np.where(np.isinf(best), nan, best))


@dataclass(frozen=True)
class Clicked:
    """Clicks of n queries: host `hosts[i]` was clicked for query `queries[i]`; `ranks` by query, not a number: none."""

    queries: Ints
    hosts: Ints
    ranks: Floats

    @classmethod
    def none(cls, size: int) -> "Clicked":
        """Return that nothing was clicked."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.full(size, nan))


def _keys(log: Log) -> Iterable[tuple[int, int, float]]:
    return zip(log.users.tolist(), log.texts.tolist(), log.times.tolist(), strict=True)


def _number(rank: str | int | None) -> float:
    try:
        return float(rank) if rank not in (None, "") else nan
    except ValueError:
        return nan


def hosts_of(clicked: Clicked, askings: Sequence[int] | Ints) -> tuple[Ints, Ints]:
    """Return (line, host) of every click of lines that are these queries."""
    order = np.argsort(clicked.queries, kind="stable")
    queries = clicked.queries[order]
    first, last = np.searchsorted(queries, askings), np.searchsorted(queries, askings, side="right")
    sizes = last - first
    lines = np.repeat(np.arange(len(sizes)), sizes)
    places = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(first, sizes)
    return lines.astype(np.int64), clicked.hosts[order][places]
