"""Small logs for the tests of the batch methods, and what Hypothesis makes of them."""

from collections.abc import Iterable
from datetime import UTC, datetime

from hypothesis import strategies as st
from querymix.core.knowledge import CATEGORY_NUMBERS
from querymix.core.records import UNCLASSIFIED, Query
from querymix_lab.batch.base import Log, Row

START = datetime(2006, 3, 1, tzinfo=UTC).timestamp()


def row(
    user: str, text: str, path: str = "", *, at: float = START, rank: str = "", url: str = "", place: int = 0
) -> Row:
    """Return a row of the AOL form."""
    time = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")
    names = tuple(path.split("/")) if path else ()
    category = CATEGORY_NUMBERS.get(names[0], 0) if names else UNCLASSIFIED
    return Row(Query(user, text, time, at, rank, url), category, names, place)


def log(*rows: Row) -> Log:
    """Return a log of the rows, with their places."""
    return Log([one._replace(place=place) for place, one in enumerate(rows)])


def log_of(users: dict[str, Iterable[str]], path: str = "Sports/Soccer") -> Log:
    """Return a log of users with their texts, all in one category."""
    return log(*(row(user, text, path) for user, texts in users.items() for text in texts))


PATHS = ("", "Sports", "Sports/Soccer", "Sports/Soccer/Clubs", "Arts/Music", "Arts/Movies", "Regional/Europe/Spain")
TEXTS = ("soccer", "soccer club", "european soccer club", "music", "movie", "movies", "", "-", "a b a", "spain hotel")
URLS = ("", "http://www.a.b.com", "http://c.b.com", "http://a.b.org", "https://b.com")

rows = st.builds(
    row,
    st.sampled_from("abcdefgh"),
    st.sampled_from(TEXTS),
    st.sampled_from(PATHS),
    at=st.integers(0, 90 * 86_400).map(lambda seconds: START + seconds),
    rank=st.sampled_from(("", "1", "2", "10")),
    url=st.sampled_from(URLS),
)
logs = st.lists(rows, min_size=1, max_size=40).map(lambda made: log(*made))
"""Logs of up to eight users, in any order."""
