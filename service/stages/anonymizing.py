"""From classified queries to releases, by the pools and their hold policy.

Rules:
- The pools' clock is the log's own time here, so that a replay holds as long as the real stream would have.
- The hold policy is looked at every tenth of `max_hold`, at moments that do not depend on how the log is batched.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from service.core.pools import Pools
from service.core.records import Release
from service.stages.classifying import Classified

_LOOKS: Final = 10


class Anonymizing:
    """The second stage, over one stream's pools."""

    def __init__(self, pools: Pools) -> None:
        self.pools = pools
        rules = pools.rules
        waits = rules.max_hold is None or rules.hold_policy == "wait"
        self._period = None if waits or rules.max_hold is None else rules.max_hold / _LOOKS
        self._look_at: float | None = None

    def __call__(self, classified: Iterable[Classified]) -> list[Release]:
        """Return the releases that the classified queries set off, in their order."""
        arrive = self.pools.arrive
        out: list[Release] = []
        for category, query in classified:
            if self._period is not None:
                now = query[3]
                if self._look_at is None:
                    self._look_at = now + self._period
                elif now >= self._look_at:
                    out += self.pools.expire(now, query)
                    self._look_at = now + self._period
            release = arrive(category, query, query[3])
            if release is not None:
                out.append(release)
        return out

    def snapshot(self) -> dict[str, Any]:
        """Return the state, for `restore`."""
        return {"pools": self.pools.snapshot(), "look_at": self._look_at}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over a state that `snapshot` gave."""
        self.pools.restore(state["pools"])
        self._look_at = state["look_at"]
