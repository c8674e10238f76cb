"""What the metrics show of the pools that a worker has."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from mode import Service

from querymix import telemetry
from querymix.core.records import POOL_NAMES
from querymix.core.score import ATTACKS, Guesses
from querymix.stages.partition import Partition

_log: Final = logging.getLogger(__name__)
_MEASURE_EVERY: Final = 10.0
_MUCH: Final = 0.05
"""Share of the records taken by the hold from which on the log warns."""
_ENOUGH: Final = 1000
"""Records from which on a share says something."""


def show_pools(state: Partition, number: int) -> None:
    """Show a partition's pools, and what waits for its cell of time to end."""
    telemetry.WAITING.labels(number).set(state.cells.waiting)
    telemetry.RULES.labels(number, state.rules).set(1)
    for category, pool in state.pools:
        name = POOL_NAMES[category]
        telemetry.POOL_DEPTH.labels(name, number).set(len(pool))
        telemetry.POOL_K.labels(name, number).set(pool.k)


def hide_pools(state: Partition, number: int) -> None:
    """Show a partition's pools no longer."""
    hide_rules(state.rules, number)
    for category, _ in state.pools:
        for gauge in (telemetry.POOL_DEPTH, telemetry.POOL_K, telemetry.ANONYMITY):
            with suppress(KeyError):
                gauge.remove(POOL_NAMES[category], number)
    for gauge in (telemetry.HOLD_AGE, telemetry.HOLD_SHARE, telemetry.WAITING):
        with suppress(KeyError):
            gauge.remove(number)


def hide_rules(rules: str, number: int) -> None:
    """Show rules of a partition no longer."""
    with suppress(KeyError):
        telemetry.RULES.remove(number, rules)


def count_guesses(found: Mapping[int, Guesses]) -> None:
    """Count what attacks on released lines came to, by category."""
    for category, guesses in found.items():
        name = POOL_NAMES[category]
        telemetry.ATTACKED.labels(name).inc(guesses.lines)
        for attack in ATTACKS:
            telemetry.NAMED.labels(attack, name).inc(getattr(guesses, attack))


def show_share(state: Partition, number: int) -> bool:
    """Show which share of the records that came in the hold took; return whether it is much."""
    share = state.account.suppressed_by_hold / state.arrived if state.arrived else 0.0
    telemetry.HOLD_SHARE.labels(number).set(share)
    return state.arrived >= _ENOUGH and share > _MUCH


class PoolMeasures(Service):
    """Measures, now and then, what takes a walk over all pools; `states` gives them by partition."""

    def __init__(self, states: Callable[[], Mapping[int, Partition]], clock: Callable[[], float]) -> None:
        super().__init__()
        self._states = states
        self._clock = clock
        self._warned: set[int] = set()

    @Service.task
    async def _measure(self) -> None:
        while not self.should_stop:
            await self.sleep(_MEASURE_EVERY)
            self.measure()

    def measure(self) -> None:
        """Measure once."""
        now = self._clock()
        for number, state in self._states().items():
            for category, pool in state.pools:
                if pool.released:
                    telemetry.ANONYMITY.labels(POOL_NAMES[category], number).set(pool.anonymity.fifth_percentile)
            telemetry.HOLD_AGE.labels(number).set(state.pooling.hold_age(now))
            much = show_share(state, number)
            if much and number not in self._warned:
                _log.warning(
                    "partition %d: more than %.0f %% of the logs were suppressed, since they were held longer than "
                    "--max-hold; a lower --k, a longer --max-hold or fewer partitions would let more out",
                    number,
                    100 * _MUCH,
                )
            self._warned = self._warned | {number} if much else self._warned - {number}
