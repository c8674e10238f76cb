"""Logs as arrays of numbers, read from files and classified as the attacker would.

Rules:
- One `Vocabulary` numbers the users and texts of all logs of one attack, so that equal numbers mean equal users and
  texts.
- The order is that of the file, which is the order in which the log was released.
- What is unclassified has the category `UNCLASSIFIED` and is a pool of its own.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from querymix.core.classify import Classify
from querymix.core.records import UNCLASSIFIED, Query

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass
class Vocabulary:
    """Numbers for users and texts."""

    users: dict[str, int] = field(default_factory=dict, repr=False)
    texts: dict[str, int] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Log:
    """A log of n lines; all arrays have that length."""

    users: Ints
    texts: Ints
    categories: Ints
    times: Floats
    """Seconds since 1970."""

    def __len__(self) -> int:
        return len(self.users)

    def take(self, places: npt.NDArray[np.intp]) -> "Log":
        """Return the lines at `places`, in that order."""
        return Log(self.users[places], self.texts[places], self.categories[places], self.times[places])

    @property
    def population(self) -> int:
        """Number of users."""
        return len(np.unique(self.users))

    def content(self) -> Iterator[bytes]:
        """Yield what tells the log from another one."""
        yield from (part.tobytes() for part in (self.users, self.texts, self.categories, self.times))

    def classified(self) -> "Log":
        """Return the lines that have a category."""
        return self.take(np.flatnonzero(self.categories != UNCLASSIFIED))

    def in_time_order(self) -> "Log":
        """Return the lines sorted by time; lines of one second keep their order."""
        return self.take(np.argsort(self.times, kind="stable"))

    def pools(self) -> Iterator[npt.NDArray[np.intp]]:
        """Yield the places of each category's lines, in order."""
        for category in np.unique(self.categories):
            yield np.flatnonzero(self.categories == category)


def read(
    queries: Iterable[Query], classify: Classify, vocabulary: Vocabulary, keep: Callable[[Query], None] = lambda _: None
) -> Log:
    """Return classified queries as a log, without blanks around texts and what is nothing but identifiers.

    `keep` is told the query of each row.
    """

    def rows() -> Iterator[tuple[str, str, int, float]]:
        for query in queries:
            topic = classify(query.text, query.url)
            if not topic.suppressed:
                keep(query)
                yield query.user, topic.text.strip(), topic.category, query.at

    return numbered(rows(), vocabulary)


def numbered(rows: Iterable[tuple[str, str, int, float]], vocabulary: Vocabulary) -> Log:
    """Return rows of (user, text, category, seconds since 1970) as a log, in their order."""
    users, texts = vocabulary.users, vocabulary.texts
    numbers = [
        (users.setdefault(user, len(users)), texts.setdefault(text, len(texts)), category, at)
        for user, text, category, at in rows
    ]
    columns = np.array(numbers, dtype=np.float64).reshape(-1, 4).T
    user_column, text_column, category_column = (column.astype(np.int64) for column in columns[:3])
    return Log(user_column, text_column, category_column, columns[3])
