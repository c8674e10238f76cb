"""What tests of a stream's crowd share: a rule as simple as a rule can be, and a plain count that keeps all."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Literal

from querymix.core.crowd import TERM, item, items_of, terms_of
from querymix.core.crowd_window import CrowdRules, CrowdWindow
from querymix.core.records import Query
from querymix.stages.crowding import Crowding
from querymix.stages.screening import Screening

LONG = 60
"""Characters that may not leave."""


class SharedTerms:
    """Suppresses a query with a term that too few users share; what leaves is in normal form."""

    def __init__(self, window: CrowdWindow, users: int) -> None:
        self._window, self._users = window, users

    def __call__(self, query: Query, /) -> Query | Literal["rare", "long"]:
        if len(query.text) > LONG:
            return "long"
        terms = terms_of(query.text)
        if not terms or not all(self._window.enough(item(TERM, term), self._users) for term in terms):
            return "rare"
        text = " ".join(terms)
        return query if text == query.text else query._replace(text=text)

    def note(self, query: Query, /) -> None:
        self._window.note(query.user, items_of(query.text))


def crowding(users: int = 2, within: float = 30.0, *others: str) -> Crowding:
    """Return what a stage goes by that lets a text leave whose terms so many users had."""
    rules = CrowdRules(within, users, users, others)
    return Crowding(rules, lambda window: Screening([SharedTerms(window, users)]))


class PlainCount:
    """Knows when each user had each term, for good."""

    def __init__(self) -> None:
        self.times: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)

    def note(self, user: str, text: str, now: float) -> None:
        for term in terms_of(text):
            self.times[term].append((now, user))

    def users(self, text: str, now: float, within: float) -> int:
        """Return how many users had the rarest term of a text within a window that ends now."""
        terms = terms_of(text)
        return min((len(self._users(self.times[term], now, within)) for term in terms), default=0)

    def _users(self, times: Iterable[tuple[float, str]], now: float, within: float) -> set[str]:
        return {user for at, user in times if now - at < within and at <= now}
