"""From queries to classified queries, with the identifiers gone and the users under pseudonyms.

Rules:
- What is left of each query is what may be released; the text with identifiers goes no further.
- A query that is nothing but identifiers is suppressed and counted. One that asks for nothing (empty, blank or a lone
  "-") is counted as empty, also where it has a click: it cannot be told which query that belongs to.
- A clicked URL whose host holds a word that was cut from the query is left out (empty) and counted. What else leaves
  beside the query is looked through as the query is (querymix.stages.further_texts).
- Where surrogates stand for what was found, the category is the same as where it is cut, and so is what becomes of the
  query: one that is nothing but identifiers is suppressed, since a query that is all made up is worth nothing. It is
  whatever its category: that may be known from a name.
- A query without a category is dropped and counted, or (`pool`) goes to a pool of its own.
- What is left is screened (querymix.stages.screening) before it goes on, so that nothing rare waits in a pool.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from querymix.core.account import Account
from querymix.core.classify import Classify, each_of
from querymix.core.pseudonyms import Pseudonyms
from querymix.core.records import UNCLASSIFIED, Classification, Query
from querymix.stages.further_texts import CLICKED_HOST, REPEATED, FurtherTexts
from querymix.stages.screening import Reason, Rule, Screening
from querymix.stages.swapping import Swapping

__all__ = ["CLICKED_HOST", "REPEATED", "Classified", "Classifying", "UnclassifiedPolicy"]

UnclassifiedPolicy = Literal["drop", "pool"]
_new: Final = tuple.__new__


class Classified(NamedTuple):
    """A query with its category; `query.text` is what may be released."""

    category: int
    query: Query


class Classifying:
    """The first stage.

    `pseudonyms` maps user ids; None leaves them as they are. `rules` are what a query has to pass. `swapping` puts
    surrogates where something was found; None leaves it cut.
    """

    def __init__(
        self,
        classify: Classify,
        *,
        unclassified: UnclassifiedPolicy = "drop",
        pseudonyms: Pseudonyms | None = None,
        rules: Sequence[Rule] = (),
        swapping: Swapping | None = None,
    ) -> None:
        self._topics = each_of(classify)
        self._further = FurtherTexts(classify)
        self._drop = unclassified == "drop"
        self._pseudonyms = pseudonyms
        self._swapping = swapping
        self.hides_users = pseudonyms is not None
        self.arrived = 0
        self.suppressed = 0
        self.empty = 0
        self.unclassified = 0
        """Queries without a category, dropped or pooled."""
        self.dropped = 0
        """Those of them that were dropped."""
        self.removed: Counter[str] = Counter()
        """Queries that an identifier was cut from, also beside their text, by kind. `CLICKED_HOST` counts those that
        lost (a part of) a URL, `REPEATED` those that lost a text, since it told what was cut."""
        screening = Screening(rules)
        self._screening = screening if rules else None
        self.screened: Counter[Reason] = screening.suppressed
        """Queries that a rule suppressed, by the reason; none of them is in another count but `removed`."""
        self.swapped: Counter[str] = Counter()
        """Those of them in which a surrogate stands for it, by kind."""

    def __call__(self, queries: Iterable[Query]) -> list[tuple[int, Query]]:
        """Return the queries that go on with their categories, in their order."""
        rows = queries if isinstance(queries, list) else list(queries)
        pseudonyms, drop = self._pseudonyms, self._drop
        looks = self._screening is not None or self._swapping is not None
        out: list[tuple[int, Query]] = []  # no `Classified`: to make one takes as long as all else that is done here
        for query, topic in zip(rows, self._topics(rows), strict=True):
            category, removed = topic[0], topic[4]
            if removed:
                self.removed.update(removed)
                if not topic[3]:
                    self.suppressed += 1
                    continue
            if category == UNCLASSIFIED:
                if not topic[3]:
                    self.empty += 1
                    continue
                self.unclassified += 1
                if drop:
                    self.dropped += 1
                    continue
            asked = query
            if removed or query[6] or pseudonyms is not None:
                query = self._released(query, topic)  # noqa: PLW2901 - the old one must go no further
            if looks:
                passed = self._passed(asked, topic, query)
                if passed is None:
                    self.unclassified -= category == UNCLASSIFIED
                    continue
                query = passed  # noqa: PLW2901 - as above
            out.append((category, query))
        self.arrived += len(rows)
        return out

    def _released(self, query: Query, topic: Classification) -> Query:
        """Return what of a query may go on: its user under the pseudonym, without what was cut."""
        pseudonyms = self._pseudonyms
        user = query[0] if pseudonyms is None else pseudonyms[query[0]]
        if topic[4] or query[6]:
            query, found = self._further(query, topic[3], topic[4])
            self.removed.update(found.difference(topic[4]))
        return _new(Query, (user, topic[3], *query[2:]))

    def _passed(self, asked: Query, topic: Classification, query: Query) -> Query | None:
        """Return what of a query may leave, with surrogates in it where there are any; None where a rule forbids it.

        `asked` is the query as it came.
        """
        passed = query if self._screening is None else self._screening(query)
        if passed is None or not topic[5] or self._swapping is None:
            return passed
        text, kinds = self._swapping(asked, topic, passed[1])
        self.swapped.update(kinds)
        return _new(Query, (passed[0], text, *passed[2:]))

    @property
    def filled(self) -> set[int]:
        """The places of the first part of `extra` in which any query had a value."""
        return self._further.filled

    @property
    def passed_on(self) -> int:
        """Queries that went on to the pools."""
        screened = self.screened
        return self.arrived - self.suppressed - self.empty - self.dropped - screened["rare"] - screened["long"]

    @property
    def account(self) -> Account:
        """What became of the queries that arrived; those that go on wait for a pool."""
        return Account(
            suppressed_by_identifiers=self.suppressed,
            unclassified=self.dropped,
            empty=self.empty,
            waiting=self.passed_on,
            suppressed_as_rare=self.screened["rare"],
            suppressed_as_long=self.screened["long"],
        )

    def snapshot(self) -> dict[str, Any]:
        """Return the counts, for `restore`."""
        return {
            "arrived": self.arrived,
            "suppressed": self.suppressed,
            "empty": self.empty,
            "unclassified": self.unclassified,
            "dropped": self.dropped,
            "removed": dict(self.removed),
            "screened": dict(self.screened),
            "filled": sorted(self.filled),
            "swapped": dict(self.swapped),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over counts that `snapshot` gave."""
        self.arrived = state["arrived"]
        self.suppressed = state["suppressed"]
        self.empty = state.get("empty", 0)  # 0.3.0 and before counted none
        self.unclassified = state["unclassified"]
        self.dropped = state["dropped"]
        self.removed = Counter(state["removed"])
        self.screened.clear()
        self.screened.update(state.get("screened", {}))  # 0.6.0 and before screened nothing
        self.filled.update(state.get("filled", ()))  # 0.6.0 and before did not tell
        self.swapped = Counter(state.get("swapped", {}))  # 0.6.0 and before swapped none
