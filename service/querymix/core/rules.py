"""What an operator chooses for the pools."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Any, Final, Literal, NamedTuple

from querymix.core.errors import ConfigError

Mode = Literal["distinct", "paper"]
HoldPolicy = Literal["trim", "wait", "suppress", "merge"]
DrawBy = Literal["owner", "entry"]
Unit = Literal["query", "session"]
SessionScope = Literal["category", "all"]
_DAY: Final = 86_400.0
MAX_K: Final = 100_000
"""Seventeen pools of so many queries, of 760 bytes each, are 1.3 GB before all of them may let anything out."""

MAX_SESSION: Final = 100
"""Queries of a session, at most."""
_FIRST: Final = 9
_OF_THEN: Final = (0, "query", 300.0, 5, "category")
"""What held for the fields after the first nine before there were such rules."""


class Rules(NamedTuple):
    """How pools let queries out."""

    k: int = 20
    mode: Mode = "distinct"
    delta: str = "1.2"
    """The factor by which `paper` mode grows k, as a decimal number so that no rounding error grows it further."""
    max_hold: float | None = 30 * _DAY
    """Seconds by the hold clock (querymix.core.hold_clock); None: no bound."""
    hold_policy: HoldPolicy = "trim"
    """What becomes of a query that is held longer. `trim`: it is suppressed, together with a user of the same pool: its
    owner where that one waits there, else the one that has waited longest. `suppress`: the oldest queries and the
    oldest users go in equal numbers, as many as either side has late ones. `merge`: they move to the pool `OTHER`."""
    draw: DrawBy = "owner"
    """What a query is drawn over in `distinct` mode: the owners of pooled queries, each as likely as the others, or
    (weaker) the queries themselves, so that who has more there is the likelier owner. `paper` mode draws entries."""
    established: float | None = None
    """Seconds by the hold clock: only users first seen at least that long ago count towards k; None: all do."""
    dedupe: float | None = None
    """Seconds by the hold clock: what its user asked within them already is not pooled again; None: all is."""
    click_wait: float = 1.0
    """Seconds for which the rows of one query (one a click) are gathered before it enters its pool; 0: each row is a
    query of its own."""
    reserve: int = 10
    """In `distinct` mode more than k + X users have to count, where X is drawn anew at each arrival, uniform over 0 to
    `reserve`: so whether something leaves hardly tells how many are there. 0: more than k. `paper` mode has none."""
    unit: Unit = "query"
    """What is pooled, drawn and released as one: a query with its rows, or a session of them (querymix.core.sessions).
    """
    session_gap: float = 300.0
    """Seconds that two queries of a session are less than apart, by the log's own times."""
    session_most: int = 5
    """Queries of a session."""
    session_scope: SessionScope = "category"
    """Whose pool a query of a session goes to (querymix.stages.placing)."""

    @classmethod
    def of(cls, row: Sequence[Any]) -> "Rules":
        """Return the rules that `row`, a state's list, names. Raises TypeError where it lacks one that 0.3.0 had."""
        return cls._make([*row, *_OF_THEN[max(0, len(row) - _FIRST) :]])

    def check(self) -> "Rules":
        """Return these rules. Raises ConfigError where a value is out of range."""
        self._check_users()
        try:
            delta = Fraction(self.delta)
        except (ValueError, ZeroDivisionError):
            raise ConfigError(f"delta must be a decimal number such as 1.2, not {self.delta!r}") from None
        if delta < 1:
            raise ConfigError(f"delta must be at least 1, not {self.delta}")
        for name in ("max_hold", "established", "dedupe"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ConfigError(f"{name.replace('_', ' ')} must be more than 0 seconds")
        if not self.click_wait >= 0:
            raise ConfigError("click wait must be at least 0 seconds")
        if self.established is not None and self.mode == "paper":
            raise ConfigError("established needs mode distinct: the paper's pools count entries, not users")
        if self.hold_policy != "wait" and self.max_hold is None:
            raise ConfigError(f"the hold policy {self.hold_policy} needs a max hold: say after how many seconds")
        self._check_session()
        return self

    def _check_users(self) -> None:
        if self.k < 2:
            raise ConfigError(f"k must be at least 2, not {self.k}: a pool of one hides nobody")
        if self.k > MAX_K:
            raise ConfigError(
                f"k must be at most {MAX_K:,}, not {self.k:,}: nothing leaves before k other users wait in the same "
                "category, and memory holds all of them. Texts and times tell more than 1/k long before: 20 to 1,000 do"
            )
        if not 0 <= self.reserve <= MAX_K:
            raise ConfigError(
                f"reserve must be 0 to {MAX_K:,}, not {self.reserve:,}: a release waits for so many users beyond k"
            )

    def _check_session(self) -> None:
        if not self.session_gap > 0:
            raise ConfigError("session gap must be more than 0 seconds")
        if not 2 <= self.session_most <= MAX_SESSION:
            raise ConfigError(
                f"session most must be from 2 to {MAX_SESSION}, not {self.session_most}: --unit query releases each "
                "query by itself, and the more leave together, the more a text tells about the others"
            )

    @property
    def owner_named_at_most(self) -> float | None:
        """Probability with which somebody names the owner of what one draw releases, at most; None: there is no bound.

        It is about whoever knows that pool just before the draw, which is every user in it and how many queries each
        has, and nothing of arrivals afterwards, of other releases or of the queries themselves. It counts ids, not
        people. In the shared pool of `merge` a query's category tells more than its pool.
        """
        holds = self.mode == "distinct" and self.draw == "owner" and self.hold_policy != "merge"
        return 1 / self.k if holds else None

    def grown(self, k: int) -> int:
        """Return the k that follows `k` where every pooled user is the same."""
        return ceil(k * Fraction(self.delta))

    @property
    def session_wait(self) -> float:
        """Seconds for which a session waits from its last row on; 0: there are none."""
        return self.session_gap + self.click_wait if self.unit == "session" else 0.0

    @property
    def bound(self) -> float | None:
        """Seconds after which something is done about a held query, None where nothing is."""
        return None if self.hold_policy == "wait" else self.max_hold
