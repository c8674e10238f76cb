"""What the microaggregations share: how many queries each user of a cluster gives, and what leaves under each user."""

from collections.abc import Mapping, Sequence

from service.batch.base import Log, Outcome, Row, balance
from service.batch.times import Times
from service.core.draw import Draw


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
    log: Log, used: Log, groups: Sequence[Sequence[str]], centroids: Sequence[Sequence[Row]], times: str,
    notes: Sequence[str] = (),
) -> Outcome:  # fmt: skip
    """Return what leaves: every user of a cluster with all rows of its centroid, in the order of time.

    `used` is the part of the log that the method could use; `times` is `Options.times`.
    """
    mine: Mapping[str, int] = {user: number for number, group in enumerate(groups) for user in group}
    released_time = Times(times)
    ordered = [sorted(map(released_time, centroid), key=_by_time) for centroid in centroids]
    rows = [
        row._replace(query=row.query._replace(user=user))
        for user in used.users
        if user in mine
        for row in ordered[mine[user]]
    ]
    return Outcome(Log(rows), balance(log, rows, used), [tuple(group) for group in groups], notes)


def _by_time(row: Row) -> tuple[float, str]:
    return row.query.at, row.query.text
