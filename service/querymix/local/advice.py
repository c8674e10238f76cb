"""What to choose where a run suppressed much of what it classified: found by pooling its own arrivals again.

Rules:
- The first `MAX` classified records of this start are kept as numbers: category, hashes of user and text, time.
- A choice counts as good where those arrivals, pooled again with it, lose at most `LIMIT` to the hold. A longer hold is
  proposed only up to half of the time that they span, since nothing is late where little time passes.
- It takes `PATIENCE` at most, and a stage of its own in the summary shows what it took.
- It says what these arrivals would have come to, and no more: another log may be denser or thinner.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import count, takewhile
from time import process_time
from typing import Any, Final, TypeVar

from querymix.core.draw import seeded_draw
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.settings.values import show_seconds
from querymix.stages.classifying import Classified
from querymix.stages.pooling import Pooling

LIMIT: Final = 0.05
"""Share of the classified from which on a run warns."""
_LIMIT: Final = f"{100 * LIMIT:.0f} %"
MAX: Final = 50_000
PATIENCE: Final = 1.0
"""Seconds of CPU."""
_AT_ONCE: Final = 5_000
"""Arrivals between two looks at the clock."""
UNORDERED: Final = 3
"""How often the hold clock is put back where a log is not in time order; clocks and summer time do it now and then."""

Value = TypeVar("Value", int, float)


class Advisor:
    """Keeps what arrived, as far as is needed for advice."""

    def __init__(
        self, rules: Rules, most: int = MAX, *, in_order: bool = False, clock: Callable[[], float] = process_time
    ) -> None:
        self._rules = rules
        self._in_order = in_order
        self._clock = clock
        self._until = 0.0
        self._cut_short = False
        self._room = most if rules.bound is not None and rules.hold_policy != "merge" else 0
        self._categories = array("b")
        self._numbers = array("q")
        """Hash of the user, hash of the text, of one record after the other."""
        self._times = array("d")

    def note(self, classified: Iterable[tuple[int, Query]]) -> None:
        """Keep what arrives, while there is room."""
        if self._room <= len(self._times):
            return
        for category, query in classified:
            self._categories.append(category)
            self._numbers.extend((hash(query[0]), hash(query[1])))
            self._times.append(query[3])

    def advise(self, suppressed: float) -> dict[str, Any] | None:
        """Return the largest lower k and reserve, the shortest longer hold, and whether no `established` would do.

        None for what was not found; `cut_short`: the time was over before all was tried. `suppressed` is
        the share of the classified that the hold took; where it is no more than `LIMIT`, or nothing arrived since this
        start, there is no advice.
        """
        if suppressed <= LIMIT or not self._times:
            return None
        begin = self._clock()
        self._until = begin + PATIENCE / 2  # the other half is the hold's
        k = self._largest_good(range(2, self._rules.k), lambda k: self._rules._replace(k=k))
        reserves = range(self._rules.reserve if self._rules.mode == "distinct" else 0)
        reserve = self._largest_good(reserves, lambda reserve: self._rules._replace(reserve=reserve))
        self._until = begin + PATIENCE
        bound = self._rules.bound or 0.0
        longest = (max(self._times) - min(self._times)) / 2 if self._times else 0.0
        holds = list(takewhile(lambda hold: hold <= longest, (bound * 2**n for n in count(1)))) if bound else []
        max_hold = self._largest_good(holds[::-1], lambda hold: self._rules._replace(max_hold=hold))
        with_new = self._rules.established is not None and self._is_good(self._rules._replace(established=None))
        return {
            "suppressed_by_hold": round(suppressed, 4), "k": k, "reserve": reserve, "max_hold": max_hold,
            "without_established": with_new, "cut_short": self._cut_short,
        }  # fmt: skip

    def _largest_good(self, values: Sequence[Value], rules_with: Callable[[Value], Rules]) -> Value | None:
        """Return the last good one of values that get worse from the first one on, as far as there is time to try."""
        good, bad = -1, len(values)
        middle = 0  # where the first is not good, none is
        while bad - good > 1:
            if self._is_good(rules_with(values[middle])):
                good = middle
            else:
                bad = middle
            middle = (good + bad) // 2
        return values[good] if good >= 0 else None

    def _is_good(self, rules: Rules) -> bool:
        """Say whether the hold takes no more than `LIMIT` of the arrivals under these rules; not where time is over."""
        pooling = Pooling(rules, seeded_draw(1), in_order=self._in_order)
        users, texts = self._numbers[::2], self._numbers[1::2]
        most = LIMIT * len(self._times)
        for begin in range(0, len(self._times), _AT_ONCE):
            if self._clock() > self._until:
                self._cut_short = True
                return False
            some = slice(begin, begin + _AT_ONCE)
            pooling(
                Classified(category, Query(str(user), str(text), at, at))
                for category, user, text, at in zip(
                    self._categories[some], users[some], texts[some], self._times[some], strict=True
                )
            )
            if pooling.account.suppressed_by_hold > most:
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
    if ways:
        return f"{said}By the first arrivals of this run, {' or '.join(ways)} would keep that below {_LIMIT}."
    lacking = "more users have to share the pools"
    if rules.established is not None and rules.established > (rules.bound or 0.0):
        lacking = "users count only after --established, which is longer than --max-hold"
    which = "that was tried in the time for advice keeps" if advice["cut_short"] else "would keep"
    return f"{said}No lower --k or --reserve and no longer --max-hold {which} that below {_LIMIT}: {lacking}."


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
