"""Logs as consumers read them: lines in time order, split by time, and parted into sessions.

Rules:
- Texts are compared in lower case with single spaces.
- Identifiers are cut from the original too: nobody should learn them, or be tested on them.
- A query with several clicks is several lines of one user, text and second: one asking. What is learned from are lines,
  what tests are askings.
- A session is one user's askings with at most `PAUSE` seconds between two.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from querymix.core.classify import Classify
from querymix.core.hosts import host_of
from querymix.core.records import Query

PAUSE: Final = 30 * 60.0
LEARNED: Final = 0.8
"""Share of the original's lines that is learned from."""

OTHER_USERS: Final = (
    "no user of the released log is in the original: its ids last for a period only (--pseudonym-period) or are keyed "
    "hashes. So the ranking of topics by user falls to the baseline, as for any consumer of that log; the profiles of "
    "--profiles go on counting the users"
)


class Line(NamedTuple):
    """One line of a log."""

    user: str
    text: str
    category: int
    """Place in `knowledge.CATEGORIES`, or `UNCLASSIFIED`."""
    at: float
    """Seconds since 1970."""
    host: str = ""
    """The clicked URL's host, empty where nothing was clicked."""

    def __repr__(self) -> str:
        return "Line(...)"


Lines = Sequence[Line]


class Parts(NamedTuple):
    """What is learned from, and what tests; each in time order."""

    original: list[Line]
    released: list[Line]
    test: list[Line]

    def __repr__(self) -> str:
        return f"Parts({len(self.original)}, {len(self.released)}, {len(self.test)} lines)"


def read(queries: Iterable[Query], classify: Classify) -> list[Line]:
    """Return a log's lines in time order, with what the classifier says of them."""
    lines: list[Line] = []
    for query in queries:
        topic = classify(query.text, query.url)
        if not topic.suppressed:
            lines.append(line_of(query._replace(text=topic.text), topic.category))
    return sorted(lines, key=lambda line: line.at)


def line_of(query: Query, category: int) -> Line:
    """Return a query whose identifiers are cut as a line."""
    return Line(query.user, normal(query.text), category, query.at, host_of(query.url or ""))


def normal(text: str) -> str:
    """Return a text as it is compared."""
    return " ".join(text.lower().split())


def cut_of(original: Lines) -> float:
    """Return the time up to which is learned; `original` is in time order."""
    return original[max(0, int(LEARNED * len(original)) - 1)].at if original else 0.0


def split(original: Lines, released: Lines) -> Parts:
    """Part two logs in time order at one time, after four fifths of the original's lines."""
    cut = cut_of(original)
    return Parts(
        [line for line in original if line.at <= cut],
        [line for line in released if line.at <= cut],
        [line for line in original if line.at > cut],
    )


def askings(lines: Lines) -> list[Line]:
    """Return the lines without the rows that only tell a further click of the same asking."""
    return list({(line.user, line.text, line.at): line for line in reversed(lines)}.values())[::-1]


def sessions(lines: Lines, pause: float = PAUSE) -> Iterator[list[Line]]:
    """Yield the sessions of all users; a text that follows itself is there once."""
    by_user = sorted(lines, key=lambda line: (line.user, line.at))
    for _, own in groupby(by_user, key=lambda line: line.user):
        session: list[Line] = []
        last = 0.0
        for line in own:
            if session and line.at - last > pause:
                yield session
                session = []
            if not session or session[-1].text != line.text:
                session.append(line)
            last = line.at
        yield session


def pairs(lines: Lines, pause: float = PAUSE) -> Iterator[tuple[Line, Line]]:
    """Yield each line of a session with the next one."""
    for session in sessions(lines, pause):
        yield from pairwise(session)
