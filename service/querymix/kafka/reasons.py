"""Why nothing leaves, in a sentence for whoever looks at three in the morning; it names no user and no query.

Rules:
- What is certain is said with its time: from when on somebody counts, by when a pool may let something out.
- What depends on users who have not come is said so.
- All times are UTC.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from math import inf
from typing import Final, NamedTuple

from querymix.core.outlook import Outlook
from querymix.core.records import POOL_NAMES
from querymix.core.rules import Rules
from querymix.settings.values import show_seconds, show_span
from querymix.stages.partition import Partition

FIRST_AFTER: Final = 60.0
"""Seconds after which the reason is logged where nothing was ever drawn."""
AGAIN_AFTER: Final = 600.0
"""Seconds until it is logged again, and after which it is where something was drawn before."""
MANY: Final = 100
"""Records that arrive without a draw until it is: a pool that works lacks a user, too, after most arrivals."""


class Standing(NamedTuple):
    """How one partition's pools stand."""

    released: int
    """Records since the partition began."""
    held: int
    """Records that are in pools, or wait for their rows."""
    drawn: int
    """Records that were drawn and wait for their cell of time to end."""
    written_in: float | None
    """Seconds until the first of those is written, at the latest."""
    pools: Sequence[Outlook]
    """Of those that hold something."""
    rare: int = 0
    """Records since the partition began that were drawn, and too rare to leave, where the stream is its own crowd."""

    @classmethod
    def of(cls, state: Partition, reading: float, pools: Sequence[Outlook]) -> "Standing":
        """Return how a partition stands when its clock reads `reading`."""
        by = state.cells.leaves_by(reading)
        account, drawn = state.account, state.cells.waiting
        written_in = None if by is None else max(0.0, by - reading)
        rare = sum(state.releasing.crowd.suppressed()) if state.releasing.crowd.on else 0
        held = [pool for pool in pools if pool.held]
        return cls(account.released, account.held - drawn, drawn, written_in, held, rare)

    @property
    def expected_in(self) -> float:
        """Seconds until a release can be expected; 0: with the next record; infinite: once other users come."""
        if self.drawn:
            return self.written_in or 0.0
        return min((inf if pool.ready_in is None else pool.ready_in for pool in self.pools), default=inf)


def why(standings: Sequence[Standing], rules: Rules, precision: float | None, now: float) -> str:
    """Return why nothing leaves of these partitions; empty where nothing is held.

    `precision` is that of the released times, `now` the clock in seconds since 1970.
    """
    reason, rare = _why_held(standings, rules, precision, now), sum(one.rare for one in standings)
    if not rare or not reason:
        return reason
    return (
        f"{reason}. {rare:,} records were drawn so far and suppressed, since too few users had the same "
        "(--crowd stream)"
    )


def _why_held(standings: Sequence[Standing], rules: Rules, precision: float | None, now: float) -> str:
    pools = [pool for standing in standings for pool in standing.pools]
    held, drawn = sum(one.held for one in standings), sum(one.drawn for one in standings)
    if drawn:
        by = min((one.written_in for one in standings if one.written_in is not None), default=0.0)
        grid = f"--time-precision {show_seconds(precision)}" if precision else "an earlier --time-precision"
        return (
            f"{drawn:,} records are drawn and wait for their cell of time to end ({grid}): the first are written by "
            f"{date(now + by + 59)} at the latest"
        )
    if not pools:
        return f"{held:,} records wait for further rows of theirs (--click-wait)" if held else ""
    oldest = f"the oldest for {show_span(max(pool.oldest for pool in pools))}"
    begin = f"{held:,} records of {_categories(pools)} are held, {oldest}"
    if any(not pool.missing for pool in pools):
        ready = [pool for pool in pools if not pool.missing]
        return (
            f"{begin}. {_categories(ready, 'have', 'has')} the users that a release needs, and one leaves with each "
            f"record that is pooled there{_chance(rules, ', or once', 'have come')}"
        )
    if rules.mode == "paper":
        best = min(pools, key=lambda pool: pool.missing)
        return f"{begin}. None has k of them: {POOL_NAMES[best.category]}, which is closest, lacks {best.missing:,}"
    if rules.established is not None:
        return f"{begin}. {_established(pools, rules.established, rules.bound, now)}"
    best = min(pools, key=lambda pool: pool.missing)
    return (
        f"{begin}. None has the {best.needed:,} different users (k + 1) that a release needs: "
        f"{POOL_NAMES[best.category]}, which is closest, has {best.users:,}. Others have to search in it first"
        f"{_chance(rules, ',', 'than that')}"
    )


def _chance(rules: Rules, begin: str, end: str) -> str:
    return f"{begin} up to {rules.reserve:,} more {end}, which is chance (--reserve)" if rules.reserve else ""


def _established(pools: Sequence[Outlook], since: float, bound: float | None, now: float) -> str:
    option = f"--established {show_seconds(since)}"
    only = f"Only users who were first seen so long ago count ({option})"
    best = min(pools, key=lambda pool: (inf if pool.ready_in is None else pool.ready_in, pool.missing, -pool.users))
    name = POOL_NAMES[best.category]
    counted = max(pool.counted for pool in pools)
    if counted:
        most = max(pools, key=lambda pool: pool.counted)
        so_far = f"{POOL_NAMES[most.category]} has {counted:,} of the {most.needed:,} (k + 1) that it needs"
    else:
        first = min(pool.first_in for pool in pools if pool.first_in is not None)
        so_far = f"no user is established before {date(now + first)}" if first else "no user is established yet"
    if best.ready_in is None:
        return f"{only}: {so_far}, and no category has enough users even then. Others have to search first"
    said = f"{only}: {so_far}. The first release can be expected by {date(now + best.ready_in + 59)}, of {name}"
    if bound is not None and best.oldest + best.ready_in > bound:
        said += f"; what is held for longer than --max-hold {show_seconds(bound)} is suppressed before that"
    return said


def _categories(pools: Sequence[Outlook], many: str = "", one: str = "") -> str:
    number = len({pool.category for pool in pools})
    noun, verb = ("category", one) if number == 1 else ("categories", many)
    return " ".join(filter(None, (f"{number} {noun}", verb)))


def date(moment: float) -> str:
    """Write a moment, in seconds since 1970."""
    try:
        return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return "a time beyond all calendars"


class Silence:
    """Says when it is time to log why nothing leaves. Where nothing arrives, nothing need leave."""

    def __init__(self) -> None:
        self._drawn = -1
        self._arrived = 0
        self._since = self._said = 0.0
        self._told = False

    def tells(self, drawn: int, arrived: int, now: float) -> bool:
        """Note the records that were `drawn` and that `arrived` so far; say whether to log at `now`, in seconds."""
        if drawn != self._drawn:
            self._drawn, self._arrived, self._since, self._told = drawn, arrived, now, False
            return False
        ever = drawn > 0
        if (ever and arrived - self._arrived < MANY) or now - self._since < (AGAIN_AFTER if ever else FIRST_AFTER):
            return False
        if self._told and now - self._said < AGAIN_AFTER:
            return False
        self._said, self._told = now, True
        return True
