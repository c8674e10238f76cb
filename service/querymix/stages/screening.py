"""What a query has to pass before it may leave: rules about its text and its fields, one after the other.

Rules:
- A rule returns the query as it may leave, or the reason for which it may not.
- Where a crowd table is given, queries are screened as soon as they are classified, before the pools. Where the stream
  itself is the crowd, its queries are noted when they arrive, and screened when they leave.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, Protocol

from querymix.core.records import Query

Reason = Literal["rare", "long"]
"""Why a query is suppressed: too few users share what it says, or it is too long."""


class Rule(Protocol):
    """One rule."""

    def __call__(self, query: Query, /) -> Query | Reason:
        """Return the query as it may leave, or the reason for which it may not."""
        ...

    def note(self, query: Query, /) -> None:
        """Count the query's user for what it says, where the stream itself is the crowd."""
        ...


class Screening:
    """All rules, and how many rows each reason suppressed."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self.suppressed: Counter[Reason] = Counter()

    def __call__(self, query: Query) -> Query | None:
        """Return the query as it may leave, None where it may not; that is counted."""
        for rule in self._rules:
            passed = rule(query)
            if isinstance(passed, str):
                self.suppressed[passed] += 1
                return None
            query = passed
        return query

    def note(self, query: Query) -> None:
        """Count the query's user for what it says."""
        for rule in self._rules:
            rule.note(query)
