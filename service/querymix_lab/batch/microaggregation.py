"""What the microaggregations share: MDAV, how many queries each user of a cluster gives, and what leaves under whom.

Sources: thesis (Erola 2013), Algorithm 1 (MDAV); Domingo-Ferrer and Torra 2005.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from querymix.core.draw import Draw

from querymix_lab.batch.base import Log, Outcome, Row, Tick, balance, no_tick
from querymix_lab.batch.times import timed

Distances = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]


def mdav(
    distances: Distances, k: int, from_centroid: Callable[[Places], Distances], tick: Tick = no_tick
) -> list[list[int]]:
    """Return clusters of k users, by their places; the last has k to 2k - 1.

    `distances` are those between at least k users, n by n; `from_centroid` gives the distance of each of the users at
    some places to the centroid of these users. Of equally distant users the first is taken.
    """
    left: Places = np.arange(len(distances))
    groups: list[list[int]] = []

    def cut(far: int) -> None:
        nonlocal left
        # The user itself comes first, also where others are at distance 0 from it.
        order = np.lexsort((distances[far, left], left != far))
        groups.append(left[order[:k]].tolist())
        left = np.sort(left[order[k:]])

    while len(left) >= 2 * k:
        far = int(left[from_centroid(left).argmax()])
        cut(far)
        if len(left) >= 2 * k:
            cut(int(left[distances[far, left].argmax()]))
        tick(1 - len(left) / len(distances))
    groups.append(left.tolist())
    return groups


def quotas(counts: Sequence[int], draw: Draw) -> list[int]:
    """Return how many queries each user gives to its cluster's centroid: |Q_i| / |cluster|, rounded by chance.

    Each is rounded up or down so that its mean is exact, and all together are the average number of queries, rounded up
    or down: systematic sampling. `counts` are the users' numbers of queries.
    """
    size = len(counts)
    seen = draw.below(size)
    given, before = [], 0
    for count in counts:
        seen += count
        given.append(seen // size - before)
        before = seen // size
    return given


def outcome(
    log: Log, used: Log, groups: Sequence[Sequence[int]], centroids: Sequence[Sequence[Row]], times: str,
    notes: Sequence[str] = (),
) -> Outcome:  # fmt: skip
    """Return what leaves: every user of a cluster with all rows of its centroid, in the order of time.

    `used` is the part of the log that the method could use, `groups` are the places of its users; `times` is
    `Options.times`.
    """
    users = list(used.users)
    named = [tuple(users[place] for place in group) for group in groups]
    mine = {user: number for number, group in enumerate(named) for user in group}
    ordered = [sorted((timed(row, times) for row in centroid), key=_by_time) for centroid in centroids]
    rows = [
        row._replace(query=row.query._replace(user=user))
        for user in used.users
        if user in mine
        for row in ordered[mine[user]]
    ]
    return Outcome(Log(rows), balance(log, rows, used), named, notes)


def _by_time(row: Row) -> tuple[float, str]:
    return row.query.at, row.query.text
