"""The product's rules about rare texts, length and URLs, over a log whose own users are counted first.

Rules:
- A log's users are counted for what they asked before identifiers are cut, as in a crowd table and in
  `querymix policy --compare`; each user counts, however new.
- A query is screened by what `querymix run` screens it by (querymix.bootstrap.screening).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final

from querymix.bootstrap.screening import screening_rules
from querymix.core.crowd import Crowd, bare, items_of, terms_of
from querymix.core.generalize import url_steps
from querymix.core.records import Query
from querymix.knowledge.domains import registrable_domains
from querymix.settings import MethodSettings, load
from querymix.stages.screening import Screening

from querymix_lab.batch.base import Row
from querymix_lab.frontier.ways import Way

COUNTED: Final = "counted"
"""What `--crowd` is where the log itself was counted: neither a file nor the stream."""


class PlainSettings(MethodSettings):
    """The options of a run that are given, and no others: the environment changes no way."""

    from_environment = False
    complete = False


class Counts:
    """A crowd by how many users had each item; those that one user had are left out."""

    def __init__(self, users: Mapping[str, int]) -> None:
        self._users = users

    def __repr__(self) -> str:
        return f"Counts({len(self._users)} items)"

    def enough(self, item: str, users: int) -> bool:
        """Say whether at least so many distinct users had an item."""
        return self._users.get(item, 0) >= users


def normal(text: str) -> str:
    """Return a text in the normal form in which texts are compared: without punctuation at the ends of its terms."""
    return " ".join(map(bare, terms_of(text)))


def counted(queries: Iterable[Query]) -> Counts:
    """Return the crowd of a log."""
    domain_of = domains()
    users: defaultdict[str, set[str]] = defaultdict(set)
    for user, text, url in {(query.user, query.text, query.url) for query in queries}:
        for one in items_of(text):
            users[one].add(user)
        for one, _ in url_steps(url, domain_of) if url else ():
            users[one].add(user)
    return Counts({one: len(had) for one, had in users.items() if len(had) > 1})


@cache
def domains() -> Callable[[str], str]:
    """Return what says the registrable domain of a host: none, where the list of public suffixes is missing."""
    try:
        return registrable_domains()
    except ModuleNotFoundError:
        return lambda _: ""


def screened(rows: Iterable[Row], crowd: Crowd, way: Way) -> list[Row]:
    """Return the rows that may leave, as they may leave. Raises ConfigError where a rule lacks what it needs."""
    given: dict[str, Any] = {"crowd": COUNTED, **way.screens}
    screening = Screening(screening_rules(load(PlainSettings, given), crowd))
    return [row._replace(query=passed) for row in rows if (passed := screening(row.query)) is not None]
