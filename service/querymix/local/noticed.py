"""What a run notices of its log beside what it counts: how many users, one with much of it, its span, why lines fail.

Rules:
- It takes the same memory for any log: users are counted up to a bound, and no user with a share above
  1 / `_KEPT` is missed, whose share is too small by that at most (Misra and Gries, "Finding repeated elements", 1982).
- It knows what this start of a run has read; what an earlier one had is not in it.
- A user id leaves it only where it is a placeholder of a fixed list: a word that stands for no user.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from math import inf
from typing import Final, NamedTuple

from querymix.core.records import Query, Refusal

_KEPT: Final = 1_000
"""Users whose records are counted at once."""
_REASONS: Final = 200
"""Reasons of refusals that are counted each by itself."""
_PLACE: Final = re.compile(r" at character \d+$")

_WORDS: Final = (
    "null", "nil", "none", "nan", "n/a", "na", "nobody", "undefined", "unknown", "unidentified", "unavailable",
    "not available", "not set", "not_set", "notset", "empty", "missing", "default", "anonymous", "anonymoususer",
    "anonymous_user", "anon", "guest", "visitor", "nouser", "no_user", "deleted", "false", "[object object]", "{}",
    "-", "--", "_", "\\N", "?", "*", ".", "127.0.0.1", "::1", "::", "-1", "00000000-0000-0000-0000-000000000000",
)  # fmt: skip
_FRAMED: Final = ("{}", "({})", "<{}>", "[{}]")
_NO_ID: Final = "0" * 40


def _spellings() -> Iterable[str]:
    for word in _WORDS:
        for frame in _FRAMED if word.isalpha() or " " in word else _FRAMED[:1]:
            text = frame.format(word)
            yield from (text, text.upper(), text.capitalize(), text.title())
    yield from ("NaN", "anonymousUser", "AnonymousUser", "[object Object]")
    yield ".".join("0000")  # no address to bind to
    yield from (_NO_ID[:length] for length in range(1, len(_NO_ID) + 1))


PLACEHOLDERS: Final = frozenset(_spellings())
"""What programs write where they have no user: the only user ids that are ever shown."""


class Heavy(NamedTuple):
    """The user with the most records."""

    share: float
    """Of all records that were noticed, between 0 and 1."""
    records: int
    placeholder: str
    """The id itself where it is a placeholder, else empty."""


class Noticed:
    """What was noticed so far.

    `few`: whether there are more users than that is told, not how many. `pseudonym` is what user ids were replaced by,
    where they were.
    """

    def __init__(self, few: int, pseudonym: Callable[[str], str] = str, *, kept: int = _KEPT) -> None:
        self._few = few
        self._kept = kept
        self._placeholders = {pseudonym(word): word for word in PLACEHOLDERS}
        self._some: set[str] = set()
        self._counts = Counter[str]()
        self._reasons = Counter[str]()
        self._first, self._last = inf, -inf
        self.records = 0
        """Records that were noticed: those that were read and not dropped."""

    def note(self, classified: Iterable[tuple[int, Query]]) -> None:
        """Notice what goes on to the pools."""
        rows = [row[1] for row in classified]
        if not rows:
            return
        users = [query[0] for query in rows]
        times = [query[3] for query in rows]
        self.records += len(rows)
        self._first = min(self._first, *times)
        self._last = max(self._last, *times)
        if len(self._some) <= self._few:
            self._some.update(users)
        self._counts.update(users)
        if len(self._counts) > 2 * self._kept:
            least = self._counts.most_common(self._kept + 1)[-1][1]
            self._counts = Counter({user: n - least for user, n in self._counts.items() if n > least})

    def refuse(self, refusals: Iterable[Refusal]) -> None:
        """Notice lines that could not be read."""
        for one in refusals:
            reason = _PLACE.sub("", one.reason)
            if reason in self._reasons or len(self._reasons) < _REASONS:
                self._reasons[reason] += 1

    @property
    def few_users(self) -> int | None:
        """How many users there are; None where they are more than few."""
        return len(self._some) if len(self._some) <= self._few else None

    @property
    def span(self) -> float:
        """Seconds from the earliest record to the latest."""
        return max(0.0, self._last - self._first) if self.records else 0.0

    @property
    def latest(self) -> float | None:
        """When the latest record was, in seconds since 1970; None where there is none."""
        return self._last if self.records else None

    @property
    def heaviest(self) -> Heavy | None:
        """The user with the most records, None where there is none."""
        if not self.records or not self._counts:
            return None
        user, count = self._counts.most_common(1)[0]
        return Heavy(count / self.records, count, self._placeholders.get(user, ""))

    @property
    def placeholders(self) -> list[Heavy]:
        """The placeholders among the users with the most records, the heaviest first."""
        found = [(n, self._placeholders[user]) for user, n in self._counts.items() if user in self._placeholders]
        return [Heavy(count / self.records, count, word) for count, word in sorted(found, reverse=True)]

    def reasons(self, most: int) -> list[tuple[str, int]]:
        """Return the commonest reasons of refusals with their counts."""
        return self._reasons.most_common(most)
