"""What to choose where a run suppressed much of what it classified: found by pooling its own arrivals again.

Rules:
- The first `MAX` classified records of this start are kept as numbers: category, hashes of user and text, time.
- A choice counts as good where those arrivals, pooled again with it, lose at most `LIMIT` to the hold. A longer hold is
  proposed only up to half of the time that they span, since nothing is late where little time passes.
- It says what these arrivals would have come to, and no more: another log may be denser or thinner.
"""

from array import array
from collections.abc import Iterable
from typing import Any, Final

from querymix.core.draw import seeded_draw
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.settings.values import show_seconds
from querymix.stages.classifying import Classified
from querymix.stages.pooling import Pooling

LIMIT: Final = 0.05
"""Share of the classified from which on a run warns."""
MAX: Final = 100_000
UNORDERED: Final = 3
"""How often the hold clock is put back where a log is not in time order; clocks and summer time do it now and then."""


class Advisor:
    """Keeps what arrived, as far as is needed for advice."""

    def __init__(self, rules: Rules, most: int = MAX, *, in_order: bool = False) -> None:
        self._rules = rules
        self._in_order = in_order
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
        """Return the largest lower k and the shortest longer hold that would do, None for one that was not found.

        `suppressed` is the share of the classified that the hold took; None where it is no more than `LIMIT`.
        """
        if suppressed <= LIMIT:
            return None
        return {"suppressed_by_hold": round(suppressed, 4), "k": self._lower_k(), "max_hold": self._longer_hold()}

    def _lower_k(self) -> int | None:
        good, bad = 1, self._rules.k
        while bad - good > 1:
            k = (good + bad) // 2
            good, bad = (k, bad) if self._share(self._rules._replace(k=k)) <= LIMIT else (good, k)
        return good if good > 1 else None

    def _longer_hold(self) -> float | None:
        longest = (max(self._times) - min(self._times)) / 2 if self._times else 0.0
        hold = 2 * (self._rules.bound or 0.0)
        while hold <= longest:
            if self._share(self._rules._replace(max_hold=hold)) <= LIMIT:
                return hold
            hold *= 2
        return None

    def _share(self, rules: Rules) -> float:
        """Return which share of the arrivals the hold takes under these rules."""
        if not self._times:
            return 1.0
        pooling = Pooling(rules, seeded_draw(1), in_order=self._in_order)
        users, texts = self._numbers[::2], self._numbers[1::2]
        pooling(
            Classified(category, Query(str(user), str(text), at, at))
            for category, user, text, at in zip(self._categories, users, texts, self._times, strict=True)
        )
        return pooling.account.suppressed_by_hold / len(self._times)


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
        ways = [f"--k {advice['k']}"] if advice["k"] else []
        ways += [f"--max-hold {show_seconds(advice['max_hold'])}"] if advice["max_hold"] else []
        found.append(
            f"{100 * advice['suppressed_by_hold']:.1f} % of the pooled records were suppressed, since they were held "
            f"longer than {show_seconds(rules.bound or 0.0)}. "
            + (
                f"By the first arrivals of this run, {' or '.join(ways)} would keep that below {100 * LIMIT:.0f} %."
                if ways
                else "No lower k and no longer hold would keep that below "
                f"{100 * LIMIT:.0f} %: more users have to share the pools."
            )
        )
    if rules.hold_policy == "merge":
        found.append(
            "with --hold-policy merge a released line can carry a query of another category than its user asked: "
            "profiles read from the released log are wrong, those in --profiles are right."
        )
    return found
