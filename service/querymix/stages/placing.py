"""Which pool a classified query goes to where sessions leave together (the unit `session`), for both runtimes.

Rules:
- Scope `category`: a query goes to the pool of its own category. One without a category is most often a reformulation:
  it goes where its user's last query went, if that is less than `session_gap` away by the log's own times.
- Scope `all`: the queries of a user, each less than `session_gap` from the one before, go to the pool of the first of
  them that has a category, `session_most` at a time. Which category is the commonest is known only once a session has
  ended, which a stream cannot wait for.
- The rows of one query go to one pool.
- At most `MAX_USERS` are remembered, and nobody for longer than a session goes on. Who is forgotten begins a new
  session: it is cut in two, and nothing else becomes of it. On Kafka the memory is a classifier's own, begins empty,
  and knows one partition of the raw topic.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from querymix.core.records import UNCLASSIFIED, Query
from querymix.core.rules import Rules

MAX_USERS: Final = 1 << 16


class Placing:
    """The last query of each user, as far as it may matter."""

    def __init__(self, most: int = MAX_USERS) -> None:
        self._most = most
        self._last: OrderedDict[str, list[Any]] = OrderedDict()
        """By user: the pool of the last query, its time and text, and how many queries of the session went there."""

    def __repr__(self) -> str:
        return f"Placing({len(self._last)} users)"

    def pool_of(self, category: int, query: Query, rules: Rules) -> int:
        """Return the category of the pool that a query of a category goes to."""
        user, text, at, gap = query[0], query[1], query[3], rules.session_gap
        last, whole = self._last.get(user), rules.session_scope == "all"
        pool, count = category, 1
        # Not >=, since a time may be NaN.
        if last is not None and -gap < at - last[1] < gap:
            if last[1] == at and last[2] == text:
                return int(last[0])
            joins = last[3] < rules.session_most if whole else category == UNCLASSIFIED
            if joins and last[0] != UNCLASSIFIED:
                pool, count = last[0], last[3] + 1
        self._last[user] = [pool, at, text, count]
        self._last.move_to_end(user)
        self._forget(at, gap)
        return pool

    def _forget(self, at: float, gap: float) -> None:
        while True:
            user, last = next(iter(self._last.items()))
            if -gap < at - last[1] < gap and len(self._last) <= self._most:
                return
            if len(self._last) == 1:  # the one that came
                return
            del self._last[user]

    def clear(self) -> None:
        """Forget everybody."""
        self._last.clear()

    def snapshot(self) -> list[list[Any]]:
        """Return what is remembered as plain data, for `restore`."""
        return [[user, *last] for user, last in self._last.items()]

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over what `snapshot` gave under `placing`."""
        self._last = OrderedDict((user, last) for user, *last in state.get("placing", ()))
