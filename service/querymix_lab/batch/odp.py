"""ODP semantic microaggregation: users who ask about the same topics leave with the same queries.

Rules (Algorithms 1 to 5 of the paper; docs/batch.md says what differs):
1. Similarity of two users: over all levels up to L and all categories, the sum of the lesser of the two users' numbers
   of queries in it.
2. Partition: the two most similar users, then by turns the user most similar to the merged cluster, up to k, while at
   least k users remain; who is left joins the cluster that it is most similar to.
3. Aggregation: user i gives |Q_i| / |cluster| queries, the most repeated first, each of r repetitions with probability
   r * |Q_i| / sum |Q|: its whole part for certain, and one more by chance; the rest among the copies not taken.

Source: Erola et al. 2011, "Semantic microaggregation for the anonymization of query logs using the open directory
project"; thesis (Erola 2013), section 5.4.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from querymix.core.draw import Draw

from querymix_lab.batch.base import Log, Options, Outcome, Row, Tick, check_users, no_tick
from querymix_lab.batch.microaggregation import outcome, quotas

Matrix = npt.NDArray[np.int64]
_GONE: Final = -1


def odp(log: Log, options: Options, draw: Draw, tick: Tick = no_tick) -> Outcome:
    """Return the log microaggregated by topics. Raises ConfigError where it has fewer than k users."""
    check_users(log, options.k)
    users = list(log.users.values())
    groups = partition(similarities(users, options.levels), options.k)
    tick(0.5)
    centroids = [centroid([users[place] for place in group], draw) for group in groups]
    tick(1.0)
    return outcome(log, log, groups, centroids, options.times, notes(log, options.levels))


def similarities(users: Sequence[Sequence[Row]], levels: int) -> Matrix:
    """Return every two users' similarity, n by n; the diagonal has no meaning."""
    columns: dict[tuple[str, ...], int] = {}
    counts = Counter(
        (number, columns.setdefault(row.path[:level], len(columns)))
        for number, rows in enumerate(users)
        for row in rows
        for level in range(1, min(levels, len(row.path)) + 1)
    )
    table = np.zeros((len(users), len(columns)), dtype=np.int32)
    for (number, column), count in counts.items():
        table[number, column] = count
    out = np.zeros((len(users), len(users)), dtype=np.int64)
    for frequencies in table.T:
        have = np.flatnonzero(frequencies)
        out[np.ix_(have, have)] += np.minimum.outer(frequencies[have], frequencies[have])
    return out


def partition(similarity_of: Matrix, k: int) -> list[list[int]]:
    """Return clusters of at least k users, by their places, for a symmetric matrix of at least k users."""
    size = len(similarity_of)
    free = similarity_of.copy()
    np.fill_diagonal(free, _GONE)
    groups: list[list[int]] = []
    remaining = size
    while remaining >= k:
        group = _cluster(free, k)
        groups.append(group)
        remaining -= k
    clustered = {place for group in groups for place in group}
    whole = [list(group) for group in groups]
    for place in range(size):
        if place not in clustered:
            likeness = [int(similarity_of[place, group].sum()) for group in whole]
            groups[likeness.index(max(likeness))].append(place)
    return groups


def _cluster(free: Matrix, k: int) -> list[int]:
    """Take the next k users out of `free`, whose taken rows and columns are below zero."""
    first, second = divmod(int(free.argmax()), len(free))
    group = [first, second]
    merged = free[first] + free[second]
    merged[free[first] == _GONE] = _GONE
    merged[[first, second]] = _GONE
    while len(group) < k:
        place = int(merged.argmax())
        group.append(place)
        gone = merged == _GONE
        merged += free[place]
        merged[gone] = _GONE
        merged[place] = _GONE
    free[group, :] = _GONE
    free[:, group] = _GONE
    return group


def centroid(users: Sequence[Sequence[Row]], draw: Draw) -> list[Row]:
    """Return a cluster's representative: the average number of queries, from each user in proportion to its own."""
    sizes = [len(rows) for rows in users]
    total = sum(sizes)
    return [
        row
        for rows, size, quota in zip(users, sizes, quotas(sizes, draw), strict=True)
        for row in contribution(rows, quota, size, total, draw)
    ]


def contribution(rows: Sequence[Row], quota: int, numerator: int, denominator: int, draw: Draw) -> list[Row]:
    """Return `quota` of a user's rows, the most repeated text first; Contrib is the fraction of the two integers."""
    copies: dict[str, list[Row]] = {}
    for row in rows:
        copies.setdefault(row.query.text, []).append(row)
    taken: list[Row] = []
    rest: list[Row] = []
    for group in sorted(copies.values(), key=len, reverse=True):
        wanted = min(copies_of(len(group), numerator, denominator, draw), quota - len(taken), len(group))
        picked = sample(group, wanted, draw)
        taken += [group[place] for place in picked]
        chosen = set(picked)
        rest += [row for place, row in enumerate(group) if place not in chosen]
        if len(taken) == quota:
            return taken
    return taken + [rest[place] for place in sample(rest, quota - len(taken), draw)]


def copies_of(repetitions: int, numerator: int, denominator: int, draw: Draw) -> int:
    """Return repetitions times Contrib, a fraction, as a number of copies: its rest is the chance of one more."""
    whole, part = divmod(repetitions * numerator, denominator)
    return whole + (part > 0 and draw.below(denominator) < part)


def sample(of: Sequence[Row], size: int, draw: Draw) -> list[int]:
    """Return `size` different places of `of`, each set as likely."""
    places = list(range(len(of)))
    for at in range(size):
        other = at + draw.below(len(places) - at)
        places[at], places[other] = places[other], places[at]
    return places[:size]


def notes(log: Log, levels: int) -> list[str]:
    """Return what to say of a knowledge base whose paths are shorter than the levels that were asked for."""
    deepest = max((len(row.path) for row in log.rows), default=0)
    if deepest >= levels:
        return []
    return [f"no category of this log has more than {deepest} levels: --levels {levels} is the same as {deepest}"]
