"""How the users of a log search, in a few figures: what a made-up log is compared with real ones by.

Rules:
- Figures are counts and shares; no query and no user id is shown.
- An ask is what a user asked at one time: the rows of one query with several clicks are one ask.
- A session ends where a user is silent for half an hour.
- Memory is bounded: past `_MAX` rows half of the users are left out, chosen by a hash, as often as it is needed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from statistics import fmean, quantiles
from typing import Final, NamedTuple
from zlib import crc32

from querymix.codecs.base import ENCODING, ERRORS
from querymix.core.records import Query

_MAX: Final = 1_000_000
_SILENCE: Final = 1_800.0
_EMPTY: Final = "-"


class Ask(NamedTuple):
    """What a user asked at one time."""

    text: str
    at: float
    rows: int
    clicks: int

    def __repr__(self) -> str:
        return "Ask(...)"


class Sample:
    """The rows of a log, or of a part of its users."""

    def __init__(self, most: int = _MAX) -> None:
        self._most = most
        self._part = 1
        self._rows = 0
        self._users: defaultdict[str, list[tuple[float, str, bool]]] = defaultdict(list)

    def add(self, queries: Iterable[Query]) -> None:
        """Take rows, in any order."""
        for user, text, _, at, rank, url, *_ in queries:
            if self._part == 1 or _hash(user) % self._part == 0:
                self._users[user].append((at, text, bool(rank or url)))
                self._rows += 1
        while self._rows > self._most and len(self._users) > 1:
            self._part *= 2
            for user in [user for user in self._users if _hash(user) % self._part]:
                self._rows -= len(self._users.pop(user))

    def asks(self) -> Iterator[list[Ask]]:
        """Yield each user's asks by time."""
        for rows in self._users.values():
            rows.sort(key=lambda row: row[0])
            asks = []
            for at, same in groupby(rows, key=lambda row: row[0]):
                texts: dict[str, list[bool]] = {}
                for _, text, click in same:
                    texts.setdefault(text, []).append(click)
                asks += [Ask(text, at, len(clicks), sum(clicks)) for text, clicks in texts.items()]
            yield asks


def _hash(user: str) -> int:
    return crc32(user.encode(ENCODING, ERRORS))


def describe(users: Iterable[Sequence[Ask]]) -> dict[str, float]:
    """Return the figures by name: shares in percent, the others as they are. Empty where there is no ask."""
    people = [asks for asks in users if asks]
    every = [ask for asks in people for ask in asks]
    worded = [ask for ask in every if ask.text != _EMPTY]
    if not worded:
        return {}
    clicked = [ask for ask in every if ask.clicks]
    rows = sum(ask.rows for ask in every)
    sessions = [session for asks in people for session in _sessions(asks)]
    gaps = [two.at - one.at for session in sessions for one, two in pairwise(session)]
    frequent = Counter(ask.text for ask in worded).most_common(10)
    repeated = sum(len(texts) - len(set(texts)) for texts in ([ask.text for ask in asks] for asks in people))
    words = [len(ask.text.split()) for ask in worded]
    return {
        "rows a user, mean": rows / len(people),
        "asks that the user made before, %": 100 * repeated / len(every),
        "the same again at once (next page), %": 100
        * sum(one.text == two.text for session in sessions for one, two in pairwise(session))
        / len(every),
        "distinct queries a user, median": _cuts([len({ask.text for ask in asks}) for asks in people])[49],
        "distinct queries a user, 90 %": _cuts([len({ask.text for ask in asks}) for asks in people])[89],
        "distinct queries of all asks, %": 100 * len({ask.text for ask in worded}) / len(worded),
        "asks of the 10 most frequent queries, %": 100 * sum(number for _, number in frequent) / len(worded),
        "words a query, mean": fmean(words),
        "queries of one word, %": 100 * sum(number == 1 for number in words) / len(words),
        "queries of five words and more, %": 100 * sum(number >= 5 for number in words) / len(words),
        "characters a query, mean": fmean(len(ask.text) for ask in worded),
        "asks a session, mean": len(every) / len(sessions),
        "sessions of one ask, %": 100 * sum(len(session) == 1 for session in sessions) / len(sessions),
        "seconds between asks of a session, median": _cuts(gaps)[49] if gaps else 0.0,
        "rows with a click, %": 100 * sum(ask.clicks for ask in every) / rows,
        "asks with a click, %": 100 * len(clicked) / len(every),
        "clicks of a clicked ask, mean": sum(ask.clicks for ask in clicked) / len(clicked) if clicked else 0.0,
        "clicked asks with several clicks, %": 100 * sum(ask.clicks > 1 for ask in clicked) / max(1, len(clicked)),
        "empty queries (-), %": 100 * (len(every) - len(worded)) / len(every),
    }


def _sessions(asks: Sequence[Ask]) -> Iterator[list[Ask]]:
    session: list[Ask] = []
    for ask in asks:
        if session and ask.at - session[-1].at > _SILENCE:
            yield session
            session = []
        session.append(ask)
    yield session


def _cuts(values: Sequence[float]) -> list[float]:
    return quantiles(values, n=100, method="inclusive") if len(values) > 1 else [*values] * 99
