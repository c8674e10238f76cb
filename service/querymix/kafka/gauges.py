"""What the metrics show of the pools that a worker has, and what its log says of them where nothing leaves."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Final

from mode import Service

from querymix import telemetry
from querymix.core.outlook import Outlook
from querymix.core.records import POOL_NAMES
from querymix.core.score import ATTACKS, Guesses
from querymix.kafka.reasons import Silence, Standing, why
from querymix.stages.partition import Partition

_OF_POOLS: Final = (
    telemetry.POOL_USERS, telemetry.POOL_COUNTED, telemetry.POOL_MISSING, telemetry.POOL_OLDEST,
)  # fmt: skip
_OF_PARTITION: Final = (
    telemetry.HOLD_AGE, telemetry.HOLD_SHARE, telemetry.WAITING, telemetry.EXPECTED,
    telemetry.CROWD_PAIRS, telemetry.CROWD_FORGOTTEN,
)  # fmt: skip
_log: Final = logging.getLogger(__name__)
_MEASURE_EVERY: Final = 10.0
_LOOK_EVERY: Final = 3
"""Measures of which one asks what each pool lacks."""
_MUCH: Final = 0.05
"""Share of the records taken by the hold from which on the log warns."""
_ENOUGH: Final = 1000
"""Records from which on a share says something."""


def show_pools(state: Partition, number: int) -> None:
    """Show a partition's pools, and what waits for its cell of time to end."""
    telemetry.WAITING.labels(number).set(state.cells.waiting)
    telemetry.RULES.labels(number, state.rules).set(1)
    if (crowd := state.pools.crowd) is not None:
        telemetry.CROWD_PAIRS.labels(number).set(len(crowd))
        telemetry.CROWD_FORGOTTEN.labels(number).set(crowd.forgotten)
    for category, pool in state.pools:
        name = POOL_NAMES[category]
        telemetry.POOL_DEPTH.labels(name, number).set(len(pool))
        telemetry.POOL_K.labels(name, number).set(pool.k)


def hide_pools(state: Partition, number: int) -> None:
    """Show a partition's pools no longer."""
    hide_rules(state.rules, number)
    for category, _ in state.pools:
        for gauge in (telemetry.POOL_DEPTH, telemetry.POOL_K, telemetry.ANONYMITY, *_OF_POOLS):
            with suppress(KeyError):
                gauge.remove(POOL_NAMES[category], number)
    for gauge in _OF_PARTITION:
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


def show_outlook(it: Outlook, number: int) -> None:
    """Show what a pool of a partition lacks before it lets something out."""
    name = POOL_NAMES[it.category]
    for gauge, value in zip(_OF_POOLS, (it.users, it.counted, it.missing, it.oldest), strict=True):
        gauge.labels(name, number).set(value)


def show_expected(it: Standing, number: int, now: float) -> None:
    """Show when something can be expected to leave a partition."""
    telemetry.EXPECTED.labels(number).set(now + it.expected_in if it.expected_in else 0.0)


class PoolMeasures(Service):
    """Measures, now and then, what takes a walk over all pools; `states` gives them by partition."""

    def __init__(self, states: Callable[[], Mapping[int, Partition]], clock: Callable[[], float]) -> None:
        super().__init__()
        self._states = states
        self._clock = clock
        self._warned: set[int] = set()
        self._silence = Silence()

    @Service.task
    async def _measure(self) -> None:
        turn = 0
        while not self.should_stop:
            await self.sleep(_MEASURE_EVERY)
            self.measure()
            turn += 1
            if turn % _LOOK_EVERY == 0:
                await self.look(monotonic())

    async def look(self, seconds: float) -> None:
        """Ask what each pool lacks, and log why nothing leaves where that is so for a while; `seconds` go on evenly."""
        now, standings, states = self._clock(), list[Standing](), self._states()
        for number, state in states.items():
            pools: list[Outlook] = []
            for one in state.pooling.outlooks(now):
                if self._states().get(number) is not state:
                    return  # it was taken away, and another worker shows it
                pools.append(one)
                show_outlook(one, number)
                await asyncio.sleep(0)
            standings.append(Standing.of(state, now, pools))
            show_expected(standings[-1], number, now)
        arrived = sum(state.arrived for state in states.values())
        written, drawn = sum(one.released for one in standings), sum(one.drawn for one in standings)
        # Before the first cell of all is over, whoever waits for it wants to know when that is.
        if self._silence.tells(written and written + drawn, arrived, seconds) and standings:
            state = next(iter(states.values()))
            reason = why(standings, state.pools.rules, state.cells.ordering.precision, now)
            in_time = min(one.expected_in for one in standings) < inf
            _log.log(
                logging.INFO if in_time else logging.WARNING,
                "Nothing leaves: %s. See QuerymixNothingReleased in deploy/README.md", reason,
            )  # fmt: skip

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
