"""User k-anonymity by MDAV: users whose queries are spelt alike leave with the same queries.

Rules:
1. Distance of two users: `query_space`. Partition by MDAV (thesis, Algorithm 1).
2. The centroid of some users: of all rows, user by user and text by text, every n-th, n the number of users, begun by
   chance. The order of a user's texts is drawn once. So each user, and each of its texts, gives in proportion.
3. Each of these stands for all rows of the users that have the same text (and a rank, a URL, where it has): its time
   and rank are their mean, its URL is cut to what all their hosts have in common on the right, two labels at least.

Source: thesis (Erola 2013), section 5.3; Navarro-Arribas et al. 2012, "User k-anonymity for privacy preserving data
mining of query logs".
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import numpy as np
from querymix.core.draw import Draw
from querymix.core.records import Query

from querymix_lab.batch.base import Log, Options, Outcome, Row, Tick, check_users, no_tick
from querymix_lab.batch.microaggregation import Distances, Places, outcome
from querymix_lab.batch.microaggregation import mdav as partition
from querymix_lab.batch.query_space import QuerySpace
from querymix_lab.batch.query_values import labels_of, rank_of
from querymix_lab.batch.times import at_time

T = TypeVar("T")
_MIN_LABELS: Final = 2


class Prepared:
    """A log with the distances of its users: the costly part, which does not depend on k."""

    def __init__(self, log: Log, tick: Tick = no_tick, distances: Distances | None = None) -> None:
        self.log = log
        self.space = QuerySpace(log)
        self.distances = self.space.user_distances(tick) if distances is None else distances


def mdav(log: Log, options: Options, draw: Draw, tick: Tick = no_tick) -> Outcome:
    """Return the log microaggregated by spelling. Raises ConfigError where it has fewer than k users."""
    check_users(log, options.k)
    return microaggregate(
        Prepared(log, lambda done: tick(0.7 * done)), options, draw, lambda done: tick(0.7 + 0.3 * done)
    )


def microaggregate(prepared: Prepared, options: Options, draw: Draw, tick: Tick = no_tick) -> Outcome:
    """Return what `mdav` does, for a log that is prepared: for several k."""
    log = prepared.log
    check_users(log, options.k)
    centroids = Centroids(prepared.space, draw)
    groups = partition(prepared.distances, options.k, centroids.distances, tick)
    return outcome(log, log, groups, [centroids(np.array(group)) for group in groups], options.times)


class Centroids:
    """The centroids of some of a log's users, given by their places."""

    def __init__(self, space: QuerySpace, draw: Draw) -> None:
        self._space = space
        self._draw = draw
        ends = space.starts + space.sizes
        self._ordered = [
            _text_by_text(space.texts, range(start, end), draw)
            for start, end in zip(space.starts.tolist(), ends.tolist(), strict=True)
        ]
        """Each user's rows, by their places."""
        order = np.argsort(space.texts, kind="stable")
        cuts = np.flatnonzero(np.diff(space.texts[order])) + 1
        self._having = np.split(order, cuts)
        """The rows of each text, by their places."""

    def __call__(self, users: Places) -> list[Row]:
        """Return the centroid of some users."""
        return self._rows(users, self._picked(users))

    def distances(self, users: Places) -> Distances:
        """Return the distance of each of some users to their centroid."""
        space, picked = self._space, self._picked(users)
        plain = [space.norms(row) for row in self._rows(users, picked)]
        return space.to_users(space.texts[picked].tolist(), plain, space.norms.count(len(plain)))[users]

    def _picked(self, users: Places) -> Places:
        """Return every n-th row of n users."""
        return np.concatenate([self._ordered[user] for user in users])[self._draw.below(len(users)) :: len(users)]

    def _rows(self, users: Places, picked: Places) -> list[Row]:
        space = self._space
        inside = np.zeros(len(space.sizes), dtype=bool)
        inside[users] = True
        queries: dict[tuple[int, bool, bool], Query] = {}
        out = []
        for row, text in zip((space.rows[place] for place in picked), space.texts[picked].tolist(), strict=True):
            key = (text, *_clicked(row))
            if key not in queries:
                same = self._having[text]
                rows = [space.rows[other] for other in same[inside[space.users[same]]]]
                queries[key] = aggregate(row.query, [r for r in rows if _clicked(r) == key[1:]])
            out.append(row._replace(query=queries[key]))
        return out


def _clicked(row: Row) -> tuple[bool, bool]:
    """Return whether a row has a rank, and a URL."""
    return rank_of(row) is not None, bool(row.query.url)


def _text_by_text(texts: Places, places: Iterable[int], draw: Draw) -> Places:
    groups: dict[int, list[int]] = {}
    for place in places:
        groups.setdefault(int(texts[place]), []).append(place)
    return np.array([place for group in shuffled(list(groups.values()), draw) for place in group])


def shuffled(things: Sequence[T], draw: Draw) -> list[T]:
    """Return the things in an order that is drawn, each as likely."""
    out = list(things)
    for last in range(len(out) - 1, 0, -1):
        other = draw.below(last + 1)
        out[last], out[other] = out[other], out[last]
    return out


def aggregate(query: Query, rows: Sequence[Row]) -> Query:
    """Return `query` with the mean time and rank and the common URL of `rows`, which have its text."""
    at = sum(row.query.at for row in rows) / len(rows)
    rank, ranks = query.rank, [found for row in rows if (found := rank_of(row)) is not None]
    if ranks:
        mean = round(sum(ranks) / len(ranks))
        rank = mean if isinstance(rank, int) else str(mean)
    url = common_url([row.query.url for row in rows if row.query.url]) if query.url else query.url
    return at_time(query, at)._replace(rank=rank, url=url)


def common_url(urls: Sequence[str]) -> str:
    """Return what the hosts of some URLs have in common on the right, as a URL; empty where that is no host.

    One that all of them are stays as it is.
    """
    if len(set(urls)) == 1:
        return urls[0]
    hosts = [labels_of(url) for url in urls]
    common = []
    for labels in zip(*hosts, strict=False):
        if len(set(labels)) > 1:
            break
        common.append(labels[0])
    if len(common) < _MIN_LABELS:
        return ""
    return f"{urls[0].partition('://')[0]}://{'.'.join(reversed(common))}"
