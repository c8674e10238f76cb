"""Released times, to the day or to the second.

A microaggregation gives several users the same queries, so a query's time is nobody's own; but who has seen one of them
ask (a network, a colleague) knows the second. The day keeps what trends need.
"""

from typing import Final

from querymix.codecs.spelling import Times
from querymix.core.records import Query

from querymix_lab.batch.base import Row

DAY: Final = 86_400.0
_PLAIN: Final = Times("plain")


def timed(row: Row, policy: str) -> Row:
    """Return a row with its released time; `policy` is `Options.times`."""
    return row if policy != "day" else row._replace(query=at_time(row.query, row.query.at // DAY * DAY))


def at_time(query: Query, at: float) -> Query:
    """Return a query asked at the moment `at` (seconds since 1970), cut to the second."""
    return query._replace(time=_PLAIN(at), at=at)
