"""Drives a replay: the clock, the arrival process and the sink."""

import asyncio
from collections.abc import Callable

from loadtest.replay.arrivals import Arrivals
from loadtest.replay.ledger import Progress, Report
from loadtest.replay.logs import Source
from loadtest.replay.sinks import Sink


async def run(
    source: Source,
    arrivals: Arrivals,
    sink: Sink,
    *,
    watch: Callable[[Progress], None] = lambda _: None,
    stop: asyncio.Event | None = None,
    seconds: float | None = None,
) -> Report:
    """Send the logs of `source` to `sink`, each when it is due or as soon after as the sink lets it.

    `watch` is called about five times a second. The replay ends with the source, after `seconds`, or once `stop` is
    set; what the sink took is then waited for. A sink that fails ends the replay too: the report's `ended` says why.
    """
    raise NotImplementedError
