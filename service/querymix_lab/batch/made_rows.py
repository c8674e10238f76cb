"""Lines that a method makes up: in the form of the log's lines, with nothing else in them that depends on the log.

Rules:
- The form is the commonest one in the log: which fields a line has, and whether user and time are texts or numbers.
- The time of all is `NO_TIME`. Rank and further fields are empty.
"""

from collections import Counter
from typing import Final

from querymix.codecs.fields import emptied
from querymix.core.records import UNCLASSIFIED, Query

from querymix_lab.batch.base import Log, Row

NO_TIME: Final = "1970-01-01 00:00:00"
"""The time of a line that has none; 0 where the log's times are numbers."""


class Template:
    """Makes lines in the commonest form of a log's lines; with `clicks`, of those that have a field for a click."""

    def __init__(self, log: Log, *, clicks: bool = False) -> None:
        """Take the form of `log`, which has a row at least, and one with a click where there are `clicks`."""
        forms = Counter(_form(row.query) for row in log.rows if not clicks or row.query.url)
        self._query = min(forms, key=lambda form: (-forms[form], str(form[:])))

    def general(self, user: str, text: str) -> Row:
        """Return a line with a more general text than any that was asked."""
        return Row(self._query._replace(user=user, text=text), UNCLASSIFIED, (), -1, generalized=True)

    def same(self, user: str, row: Row, url: str = "") -> Row:
        """Return a line with the text of `row` and a click, if there was any."""
        made = self._query._replace(user=user, text=row.query.text)
        if url:
            made = made._replace(url=url)
        return row._replace(query=made)


def _form(query: Query) -> Query:
    """Return a query with nothing in it but its form."""
    absent = None if query.extra else ""  # a field that JSON has is null, one that AOL has is empty
    return Query(
        user="",
        text="",
        time=NO_TIME if isinstance(query.time, str) else type(query.time)(0),
        at=0.0,
        rank=None if query.rank is None else absent,
        url=None if query.url is None else absent,
        extra=emptied(query.extra),
    )
