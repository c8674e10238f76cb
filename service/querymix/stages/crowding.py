"""What leaves is screened by the stream's own crowd (`--crowd stream`): each row, in the moment in which it leaves.

    queries that arrive -> note -> CrowdWindow <- Screening <- releases that leave

Rules:
- A query is noted when it arrives, whether it leaves or not: its user counts for what it says from then on. With the
  rule `established` only users count that were first seen so long ago.
- A row leaves where enough users had what it says within the window, as the hold clock stands when it leaves: after it
  was drawn, and after it has waited for its cell of time. Its owner is one of them, if it asked within the window.
- A row that does not leave is taken out of its release, and counted. A release without a row does not leave, and gives
  no evidence.
- What was suppressed is never decided again: a decision on Kafka tells the counts, so that only what the window knows
  has to be repeated. It is noted by today's rules, in the window of then.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import repeat
from math import inf
from typing import Any, Final, NamedTuple

from querymix.core.account import Account
from querymix.core.crowd_window import MAX_PAIRS, CrowdRules, CrowdWindow
from querymix.core.pools import Pools
from querymix.core.records import Query, Release
from querymix.stages.screening import Reason, Screening

_STEPS: Final = 1000
"""Pieces of a window in which a log is taken in."""
_REASONS: Final[tuple[Reason, Reason]] = ("rare", "long")


class Crowding(NamedTuple):
    """What an operator chose about the crowd of a stream."""

    rules: CrowdRules
    screen: Callable[[CrowdWindow], Screening]
    """Makes what screens by a window."""
    most: int = MAX_PAIRS
    """Pairs of an item and a user that a window keeps at once."""


class Crowded:
    """The crowd of one stream, or of one partition of it; it is off where `crowding` is None."""

    def __init__(self, pools: Pools, crowding: Crowding | None) -> None:
        self._pools = pools
        self.crowding: Crowding | None = None
        """What holds, but while something is decided again under the rules of then."""
        self._screening: Screening | None = None
        self._suppressed: Counter[Reason] = Counter()
        self.follow(crowding)

    def __repr__(self) -> str:
        return f"Crowded({self._pools.crowd})"

    @property
    def on(self) -> bool:
        """Whether what leaves is screened."""
        return self._pools.crowd is not None

    @property
    def used(self) -> bool:
        """Whether what leaves is screened, or anything of it was: there is what `decision` tells."""
        return self.on or any(self.suppressed())

    @property
    def step(self) -> float:
        """Seconds within which queries arrive together."""
        rules = self.rules
        return inf if rules is None else rules.within / _STEPS

    @property
    def rules(self) -> CrowdRules | None:
        """The rules in force."""
        window = self._pools.crowd
        return None if window is None else window.rules

    @property
    def account(self) -> Account:
        """What is to be added to the account of what was drawn: what was suppressed was not released."""
        rare, long = self.suppressed()
        return Account(released=-rare - long, suppressed_as_rare=rare, suppressed_as_long=long)

    def suppressed(self) -> list[int]:
        """Return how many rows were suppressed so far: as rare, and as long."""
        return [self._suppressed[reason] for reason in _REASONS]

    def follow(self, crowding: Crowding | None) -> None:
        """Let other rules hold from now on. What the window knows stays, but where it is turned off."""
        self.crowding = crowding
        self._screening = None
        self.hold(None if crowding is None else crowding.rules)

    def hold(self, rules: CrowdRules | None) -> None:
        """Let the window be as these rules say, under which something was decided; `follow` yours afterwards."""
        pools = self._pools
        if rules is None:
            pools.crowd = self._screening = None
            return
        if pools.crowd is None:
            most = MAX_PAIRS if self.crowding is None else self.crowding.most
            pools.crowd, self._screening = CrowdWindow(rules, most), None
        else:
            pools.crowd.follow(rules)
        if self._screening is None and self.crowding is not None:
            self._screening = self.crowding.screen(pools.crowd)
            self._screening.suppressed = self._suppressed

    def note(self, queries: Iterable[Query], now: float) -> None:
        """Count the users of queries that arrive for what they say."""
        pools, screening = self._pools, self._screening
        if pools.crowd is None:
            return
        pools.crowd.read(now)
        if screening is None:
            return
        every = pools.rules.established is None
        for query in queries:
            if every or pools.is_established(query[0], now):
                screening.note(query)

    def screened(self, releases: list[Release]) -> list[Release]:
        """Return what may leave of releases that are about to."""
        return [left for release in releases if (left := self._left(release)) is not None]

    def _left(self, release: Release) -> Release | None:
        screening, query, further, owns = self._screening, release[2], release[6], release[8]
        if screening is None:
            return release
        if not further:
            row = screening(query)
            return release if row is query else None if row is None else release._replace(query=row)
        kept = [
            (row, own)
            for whole, own in zip((query, *further), owns or repeat(0), strict=False)
            if (row := screening(whole)) is not None
        ]
        if not kept:
            return None
        rows = tuple([row for row, _ in kept])
        categories = tuple([own for _, own in kept]) if owns else ()
        return release._replace(query=rows[0], further=rows[1:], categories=categories)

    def head(self) -> dict[str, Any]:
        """Return the state but for what the window holds, as plain data."""
        window = self._pools.crowd
        return {"suppressed": self.suppressed(), "window": None if window is None else window.head()}

    def rows(self) -> Iterator[list[Any]]:
        """Yield what the window holds as plain data."""
        window = self._pools.crowd
        return iter(()) if window is None else window.frozen()

    def restoring(self, head: Mapping[str, Any] | None, rows: Iterable[Any]) -> Iterator[None]:
        """Take over, in pieces, what `head` and `rows` gave, under the rules of then; `follow` yours afterwards.

        0.6.0 and before had none. Raises ValueError where it is damaged.
        """
        self.hold(None)
        self.take_over([0, 0] if head is None else head["suppressed"])
        if head is None or head["window"] is None:
            return
        self.hold(CrowdRules.of(head["window"]["rules"]))
        if (window := self._pools.crowd) is not None:
            yield from window.restoring(head["window"], rows)

    def decision(self) -> dict[str, Any]:
        """Return what `repeat` needs of what was decided; nothing where there is no crowd."""
        rules = self.rules
        return {"crowd": rules and rules[:], "suppressed": self.suppressed()} if self.used else {}

    def take_over(self, suppressed: Iterable[int]) -> None:
        """Take over the counts of what was suppressed."""
        for reason, count in zip(_REASONS, suppressed, strict=True):
            self._suppressed[reason] = count
