"""From queries to classified queries, with the identifiers gone and the users under pseudonyms.

Rules:
- What is left of each query is what may be released; the text with identifiers goes no further.
- A query that is nothing but identifiers is suppressed and counted.
- A clicked URL whose host holds a word that was cut from the query is left out (empty) and counted.
- A query without a category is dropped and counted, or (`pool`) goes to a pool of its own.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple

from service.core.account import Account
from service.core.classify import Classify
from service.core.identifiers import tells
from service.core.pseudonyms import Pseudonyms
from service.core.records import UNCLASSIFIED, Query

UnclassifiedPolicy = Literal["drop", "pool"]
CLICKED_HOST: Final = "clicked host"
"""What a URL is counted under that was left out, since its host holds what was cut."""
_new: Final = tuple.__new__


class Classified(NamedTuple):
    """A query with its category; `query.text` is what may be released."""

    category: int
    query: Query


class Classifying:
    """The first stage.

    `pseudonyms` maps user ids; None leaves them as they are.
    """

    def __init__(
        self, classify: Classify, *, unclassified: UnclassifiedPolicy = "drop", pseudonyms: Pseudonyms | None = None
    ) -> None:
        self._classify = classify
        self._drop = unclassified == "drop"
        self._pseudonyms = pseudonyms
        self.arrived = 0
        self.suppressed = 0
        self.unclassified = 0
        """Queries without a category, dropped or pooled."""
        self.dropped = 0
        """Those of them that were dropped."""
        self.removed: Counter[str] = Counter()
        """Queries that an identifier was cut from, by kind; `CLICKED_HOST` counts URLs that were left out."""

    def __call__(self, queries: Iterable[Query]) -> list[Classified]:
        """Return the queries that go on, in their order."""
        classify, pseudonyms = self._classify, self._pseudonyms
        out: list[Classified] = []
        for query in queries:
            self.arrived += 1
            category, _, _, text, removed = classify(query[1], query[5])
            if removed:
                self.removed.update(removed)
                if not text:
                    self.suppressed += 1
                    continue
            if category == UNCLASSIFIED:
                self.unclassified += 1
                if self._drop:
                    self.dropped += 1
                    continue
            if removed or pseudonyms is not None:
                user = query[0] if pseudonyms is None else pseudonyms[query[0]]
                url = query[5]
                if removed and url and tells(url, query[1], text):
                    url = ""
                    self.removed[CLICKED_HOST] += 1
                row = (user, text, *query[2:5], url, *query[6:])
                query = _new(Query, row)  # noqa: PLW2901 - the old one must go no further
            out.append(_new(Classified, (category, query)))
        return out

    @property
    def account(self) -> Account:
        """What became of the queries that arrived; those that go on wait for a pool."""
        return Account(
            suppressed_by_identifiers=self.suppressed,
            unclassified=self.dropped,
            waiting=self.arrived - self.suppressed - self.dropped,
        )

    def snapshot(self) -> dict[str, Any]:
        """Return the counts, for `restore`."""
        return {
            "arrived": self.arrived,
            "suppressed": self.suppressed,
            "unclassified": self.unclassified,
            "dropped": self.dropped,
            "removed": dict(self.removed),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over counts that `snapshot` gave."""
        self.arrived = state["arrived"]
        self.suppressed = state["suppressed"]
        self.unclassified = state["unclassified"]
        self.dropped = state["dropped"]
        self.removed = Counter(state["removed"])

    def add(self, counts: Mapping[str, Any]) -> None:
        """Add the counts of the `snapshot` of another one."""
        self.arrived += counts["arrived"]
        self.suppressed += counts["suppressed"]
        self.unclassified += counts["unclassified"]
        self.dropped += counts["dropped"]
        self.removed.update(counts["removed"])
