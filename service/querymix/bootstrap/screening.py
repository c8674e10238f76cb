"""Stands in for h/texts, which has the rules: take that file at the merge."""

from collections.abc import Callable, Iterable

from querymix.core.crowd import TERM, Crowd, item, items_of, terms_of
from querymix.core.records import Query
from querymix.settings import MethodSettings
from querymix.stages.screening import Reason, Rule


class _SharedTerms:
    def __init__(self, crowd: Crowd, users: int, count: Callable[[str, Iterable[str]], object] | None) -> None:
        self._crowd, self._users, self._count = crowd, users, count

    def __call__(self, query: Query, /) -> Query | Reason:
        terms = terms_of(query.text)
        if not terms or not all(self._crowd.enough(item(TERM, term), self._users) for term in terms):
            return "rare"
        return query._replace(text=" ".join(terms))

    def note(self, query: Query, /) -> None:
        if self._count is not None:
            self._count(query.user, items_of(query.text))


def crowd_rules(
    settings: MethodSettings, crowd: Crowd, count: Callable[[str, Iterable[str]], object] | None = None
) -> list[Rule]:
    """Return the rules over a crowd."""
    return [_SharedTerms(crowd, settings.crowd_users, count)]
