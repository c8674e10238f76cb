"""Semantic microaggregation: users with near categories leave with queries of the categories that stand for them.

Rules:
1. A user is the categories of its queries' noun phrases (phrases.py) with their numbers. T(c) is c and its ancestors,
   and the distance of two categories the share of both T that is not common (formula 5.10).
2. Distance of two users: each category to the other user's nearest one, weighted by its queries (formula 5.13).
3. Partition by MDAV; the centroid of some users is the medoid, the user with the least sum of distances (5.14).
4. A cluster's representative: its centroid category z is nearest to all categories of the cluster. Each user gives as
   many as its quota (5.16), those nearest to z first, by the distance times how often it has the category (5.15). Each
   is replaced by a random query of the whole log that has the category. Queries without one are left out.

Sources: thesis (Erola 2013), section 5.5; Batet et al. 2013, "Utility preserving query log anonymization via semantic
microaggregation". What differs: docs/batch.md.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from querymix.core.draw import Draw

from querymix_lab.batch.base import Log, Options, Outcome, Row, Tick, check_users, no_tick
from querymix_lab.batch.microaggregation import Distances, Places, mdav, outcome, quotas

Path = tuple[str, ...]
Interests = Mapping[Path, int]
"""A user's categories with their numbers of queries."""


def semantic(log: Log, options: Options, draw: Draw, tick: Tick = no_tick) -> Outcome:
    """Return the log microaggregated by near categories. Raises ConfigError where it has fewer than k users."""
    used = log.classified
    check_users(used, options.k)
    interests = [interests_of(rows) for rows in used.users.values()]
    distances = user_distances(interests)
    tick(0.4)
    groups = mdav(distances, options.k, partial(from_medoid, distances), lambda done: tick(0.4 + 0.5 * done))
    having: dict[Path, list[Row]] = {}
    for row in used.rows:
        for topic in topics_of(row):
            having.setdefault(topic, []).append(row)
    sizes = [len(rows) for rows in used.users.values()]
    centroids = []
    for group in groups:
        paths = representative([interests[place] for place in group], [sizes[place] for place in group], draw)
        centroids.append([having[path][draw.below(len(having[path]))] for path in paths])
    tick(1.0)
    return outcome(log, used, groups, centroids, options.times, notes(used))


def topics_of(row: Row) -> tuple[Path, ...]:
    """Return the categories of a query's noun phrases, or its own where none of them has one."""
    return row.topics or ((row.path,) if row.path else ())


def interests_of(rows: Sequence[Row]) -> Interests:
    """Return the categories of a user's queries."""
    return Counter(topic for row in rows for topic in topics_of(row))


def generalizations(path: Path) -> frozenset[Path]:
    """Return T(c): a category and its ancestors."""
    return frozenset(path[:level] for level in range(1, len(path) + 1))


def category_distance(one: Path, other: Path) -> float:
    """Return delta_s of two categories, between 0 and 1 (formula 5.10)."""
    first, second = generalizations(one), generalizations(other)
    return (len(first | second) - len(first & second)) / len(first | second)


def category_distances(paths: Sequence[Path]) -> Distances:
    """Return delta_s of every two categories."""
    depth = max(map(len, paths), default=0)
    numbers: dict[str, int] = {}
    table = np.array(
        [[numbers.setdefault(name, len(numbers)) for name in path] + [-1] * (depth - len(path)) for path in paths]
    ).reshape(len(paths), depth)
    lengths = np.array(list(map(len, paths)))
    common = np.zeros((len(paths), len(paths)), dtype=np.int64)
    same = np.ones_like(common, dtype=bool)
    for level in table.T:
        same &= (level[:, None] == level) & (level >= 0)
        common += same
    both = lengths[:, None] + lengths - common
    distances: Distances = ((both - common) / np.maximum(both, 1)).astype(np.float32)
    return distances


def user_distances(users: Sequence[Interests]) -> Distances:
    """Return D_s of every two users; 1 where one of them has no category, 0 where both have none."""
    paths = list(dict.fromkeys(path for interests in users for path in interests))
    places = {path: place for place, path in enumerate(paths)}
    between = category_distances(paths)
    weights = np.zeros((len(users), len(paths)), dtype=np.float32)
    nearest = np.ones((len(users), len(paths)), dtype=np.float32)
    for number, interests in enumerate(users):
        mine = [places[path] for path in interests]
        if mine:
            weights[number, mine] = list(interests.values())
            nearest[number] = between[mine].min(axis=0)
    one_way = weights @ nearest.T
    sizes = weights.sum(axis=1)
    distances: Distances = (one_way + one_way.T) / np.maximum(sizes[:, None] + sizes, 1)
    np.fill_diagonal(distances, 0)
    return distances


def from_medoid(distances: Distances, places: Places) -> Distances:
    """Return the distance of each of the users at `places` to the one with the least sum of distances (5.14)."""
    near = distances[np.ix_(places, places)]
    to_medoid: Distances = near[near.sum(axis=1, dtype=np.float64).argmin()]
    return to_medoid


def centroid_category(users: Sequence[Interests]) -> Path:
    """Return z: the category of the cluster with the least sum of distances to all its queries, the first of equal."""
    together: Counter[Path] = Counter()
    for interests in users:
        together.update(interests)
    paths = list(together)
    sums = category_distances(paths).astype(np.float64) @ np.array(list(together.values()), dtype=np.float64)
    return paths[int(sums.argmin())]


def representative(users: Sequence[Interests], sizes: Sequence[int], draw: Draw) -> list[Path]:
    """Return the categories of a cluster's representative, one for each query that is to leave.

    `sizes` are the users' numbers of queries, each at most the user's number of categories.
    """
    z = centroid_category(users)
    picked: list[Path] = []
    for interests, quota in zip(users, quotas(sizes, draw), strict=True):
        wanted = quota
        for path in sorted(interests, key=lambda path: interests[path] * category_distance(z, path)):
            count = min(wanted, interests[path])
            picked += [path] * count
            wanted -= count
    return picked


def notes(log: Log) -> list[str]:
    """Return what to say of a knowledge base with few levels."""
    deepest = max((len(row.path) for row in log.rows), default=0)
    short = sum(len(row.path) < 3 for row in log.rows) / max(1, len(log.rows))
    return [
        f"the categories of this log have {deepest} levels at most and {short:.0%} of them fewer than 3, so that many "
        "different topics are at the same distance"
    ]
