"""Lines that a method makes up: in the form of the log, with nothing in them of the line that the form came from.

Their time is the same for all: midnight of the log's first day. Rank and further fields are empty.
"""

from querymix.codecs.fields import emptied
from querymix.core.records import UNCLASSIFIED

from querymix_lab.batch.base import Log, Row
from querymix_lab.batch.times import DAY, like


class Template:
    """Makes lines in the form of a log's first line with a click, or of its first line."""

    def __init__(self, log: Log) -> None:
        """Take the form of `log`, which has a row at least."""
        like_this = next((row.query for row in log.rows if row.query.url is not None), log.rows[0].query)
        at = min(row.query.at for row in log.rows) // DAY * DAY
        absent = None if like_this.extra else ""  # a field that JSON has is null, one that AOL has is empty
        self._query = like_this._replace(
            time=like(like_this.time, at),
            at=at,
            rank=None if like_this.rank is None else absent,
            url=None if like_this.url is None else absent,
            extra=emptied(like_this.extra),
        )

    def general(self, user: str, text: str) -> Row:
        """Return a line with a more general text than any that was asked."""
        return Row(self._query._replace(user=user, text=text), UNCLASSIFIED, (), -1, generalized=True)

    def same(self, user: str, row: Row, url: str = "") -> Row:
        """Return a line with the text of `row` and a click, if there was any."""
        made = self._query._replace(user=user, text=row.query.text)
        if url and made.url != url:
            made = made._replace(url=url)
        return row._replace(query=made)
