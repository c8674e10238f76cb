"""What to choose where a run suppressed much of what it classified: found by following its own arrivals again.

Rules:
- Categories do not touch each other, so some are enough: the smallest ones, of `MAX` records at most, as numbers (time,
  hashes of user and text). Where one alone is larger, its first `MAX` records. So it costs the same for any log.
- What these arrivals would lose under other rules (querymix.local.thinned), against what they lose under today's, is
  how the share that the run lost would change.
- A choice counts as good where the hold would take at most `LIMIT`. A longer hold is proposed only up to half of the
  time that the arrivals span, since nothing is late where little time passes.
- It says what these arrivals would have come to, and no more: another log may be denser or thinner.
"""

from collections.abc import Callable, Iterable
from itertools import count, takewhile
from math import inf
from typing import Any, Final

from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.local.thinned import Arrival, queries_of, replayed
from querymix.settings.values import show_seconds

LIMIT: Final = 0.05
"""Share of the classified from which on a run warns."""
_LIMIT: Final = f"{100 * LIMIT:.0f} %"
MAX: Final = 20_000
"""Of 6,000 the smallest categories spoke for larger ones, which lose less: what would have done was not named."""
UNORDERED: Final = 3
"""How often the hold clock is put back where a log is not in time order; clocks and summer time do it now and then."""


class Advisor:
    """Keeps what arrived, as far as is needed for advice."""

    def __init__(self, rules: Rules, most: int = MAX) -> None:
        self._rules = rules
        self._room = most if rules.bound is not None and rules.hold_policy != "merge" else 0
        self._kept: dict[int, list[Arrival]] = {}
        self._left_out = set[int]()
        """Categories that were too large to be kept."""
        self._replays: list[Callable[[Rules], int]] = []
        self._share_now, self._taken_now = 0.0, 0

    def note(self, classified: Iterable[tuple[int, Query]]) -> None:
        """Keep what arrives in the categories that are kept, while there is room."""
        if not self._room:
            return
        kept, left_out, room, dedupes = self._kept, self._left_out, self._room, self._rules.dedupe is not None
        for category, query in classified:
            if category in left_out:
                continue
            arrivals = kept.get(category)
            if arrivals is None:
                arrivals = kept[category] = []
            arrivals.append((query[3], hash(query[0]), hash(query[1]) if dedupes else 0))
            room -= 1
            if not room:
                if len(kept) == 1:
                    break
                largest = max(kept, key=lambda category: len(kept[category]))
                left_out.add(largest)
                room = len(kept.pop(largest))
        self._room = room

    def advise(self, suppressed: float) -> dict[str, Any] | None:
        """Return the largest lower k and reserve, the shortest longer hold, and whether no `established` would do.

        None for what was not found; `records` and `categories` are what it was told from, 0 where that loses nothing
        even now, so that nothing is told. `suppressed` is the share of the classified that the hold took; where it is
        no more than `LIMIT`, or nothing arrived since this start, there is no advice.
        """
        if suppressed <= LIMIT or not self._kept:
            return None
        rules = self._rules
        replays = [replayed(queries_of(arrivals, rules)) for arrivals in self._kept.values()]
        now = [taken(rules) for taken in replays]
        self._share_now, self._taken_now = suppressed, sum(now)
        # Those that lose most first, so that what is not good shows early.
        self._replays = [replays[place] for place in sorted(range(len(now)), key=lambda place: -now[place])]
        k = reserve = max_hold = None
        with_new = False
        if self._taken_now:
            k = self._largest(2, rules.k, lambda k: rules._replace(k=k))
            if rules.mode == "distinct":
                reserve = self._largest(0, rules.reserve, lambda reserve: rules._replace(reserve=reserve))
            holds = self._longer_holds()
            place = self._largest(0, len(holds), lambda place: rules._replace(max_hold=holds[place]))
            max_hold = None if place is None else holds[place]
            with_new = rules.established is not None and self._is_good(rules._replace(established=None))
        kept = [len(arrivals) for arrivals in self._kept.values()] if self._taken_now else []
        return {
            "suppressed_by_hold": round(suppressed, 4), "k": k, "reserve": reserve, "max_hold": max_hold,
            "without_established": with_new, "records": sum(kept), "categories": len(kept),
        }  # fmt: skip

    def _longer_holds(self) -> list[float]:
        """Return the holds to be tried, the longest first."""
        times = [arrival[0] for arrivals in self._kept.values() for arrival in arrivals]
        longest, bound = (max(times) - min(times)) / 2, self._rules.bound or inf
        holds = (bound * step * 2**n for n in count() for step in (1.5, 2.0))
        return list(takewhile(lambda hold: hold <= longest, holds))[::-1]

    def _largest(self, low: int, high: int, rules_with: Callable[[int], Rules]) -> int | None:
        """Return the last good number from `low` on, below `high`, which is today's; None where there is none."""
        if low >= high or not self._is_good(rules_with(low)):
            return None
        good, bad = low, high
        while bad - good > 1:
            middle = (good + bad) // 2
            if self._is_good(rules_with(middle)):
                good = middle
            else:
                bad = middle
        return good

    def _is_good(self, rules: Rules) -> bool:
        """Say whether the hold would take no more than `LIMIT` of this run's records under these rules."""
        room = LIMIT * self._taken_now / self._share_now
        for taken in self._replays:
            room -= taken(rules)
            if room < 0:
                return False
        return True


def _hold_warning(advice: dict[str, Any], rules: Rules) -> str:
    ways = [f"--k {advice['k']}"] if advice["k"] else []
    ways += [f"--reserve {advice['reserve']}"] if advice["reserve"] is not None else []
    ways += [f"--max-hold {show_seconds(advice['max_hold'])}"] if advice["max_hold"] else []
    ways += ["no --established"] if advice["without_established"] else []
    said = (
        f"{100 * advice['suppressed_by_hold']:.1f} % of the pooled records were suppressed, since they were held "
        f"longer than {show_seconds(rules.bound or 0.0)}. "
    )
    if not advice["records"]:
        return f"{said}What would keep that below {_LIMIT} cannot be told from what arrived in this run."
    if ways:
        some = "category" if advice["categories"] == 1 else "categories"
        told = f"the {advice['records']:,} records that were looked at, of {advice['categories']} {some}"
        return f"{said}By {told}, {' or '.join(ways)} would keep that to about {_LIMIT}."
    lacking = "more users have to share the pools"
    if rules.established is not None and rules.established > (rules.bound or 0.0):
        lacking = "users count only after --established, which is longer than --max-hold"
    return f"{said}No lower --k or --reserve and no longer --max-hold would keep that below {_LIMIT}: {lacking}."


def sentences(summary: dict[str, Any], rules: Rules, setbacks: int = 0) -> list[str]:
    """Return what a run's figures warn of; `setbacks` is how often the hold clock was."""
    found = []
    if setbacks >= UNORDERED and rules.bound is not None:
        found.append(
            f"the times of this log ran back {setbacks:,} times, and the hold counts on each time: what is held is "
            "suppressed too early. Give the log as a file, which is put in time order, or sort it by time first."
        )
    advice = summary["advice"]
    if advice:
        found.append(_hold_warning(advice, rules))
    if rules.hold_policy == "merge":
        found.append(
            "with --hold-policy merge a released line can carry a query of another category than its user asked: its "
            "text's category tells its owner beyond 1/k, and profiles read from the released log are wrong (those in "
            "--profiles are right)."
        )
    return found
