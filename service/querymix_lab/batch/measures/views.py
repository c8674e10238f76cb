"""How a measure looks at a log: each user as a multiset of queries, of words, or of categories at a level."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable

from querymix.core.text import words

from querymix_lab.batch.base import Log, Row

View = Callable[[Row], Iterable[Hashable]]
"""What of a row is counted: none, one or several things."""


def queries(row: Row) -> tuple[str, ...]:
    """Return the query's text."""
    return (row.query.text,)


def query_words(row: Row) -> list[str]:
    """Return the query's words."""
    return words(row.query.text)


def categories(row: Row) -> tuple[tuple[str, ...], ...]:
    """Return the query's category, as deep as it is known; nothing where it has none."""
    return (row.path,) if row.path else ()


def categories_at(level: int) -> View:
    """Return the view of the categories of one level, 1 the first; a query whose path is shorter has none."""

    def view(row: Row) -> tuple[tuple[str, ...], ...]:
        return (row.path[:level],) if len(row.path) >= level else ()

    return view


def by_user(log: Log, view: View) -> dict[str, Counter[Hashable]]:
    """Return each user's counts."""
    return {user: Counter(thing for row in rows for thing in view(row)) for user, rows in log.users.items()}
