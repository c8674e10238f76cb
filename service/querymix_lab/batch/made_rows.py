"""Lines that a method makes up: with nothing in them that depends on the log but what the method says.

Rule: the time of all is `NO_TIME`; they have no rank and no further fields.
"""

from typing import Final

from querymix.core.records import UNCLASSIFIED, Query

from querymix_lab.batch.base import Row

NO_TIME: Final = "1970-01-01 00:00:00"
"""The time of a line that has none."""


def general(user: str, text: str) -> Row:
    """Return a line with a more general text than any that was asked."""
    return Row(Query(user, text, NO_TIME, 0.0), UNCLASSIFIED, (), -1, generalized=True)


def same(user: str, row: Row, url: str = "") -> Row:
    """Return a line with the text of `row` and a click, if there was any."""
    return row._replace(query=Query(user, row.query.text, NO_TIME, 0.0, url=url or None))
