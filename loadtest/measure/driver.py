"""The process that sends: it makes the log, says `ready`, and replays what it is told to, at the rates it is told.

Told `run` with pieces (seconds, rate, rate at the end), it sends for that long, says `progress` some times a second and
`report` at the end. Told `stop`, it ends what it does. Several drivers share the rates between them.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from querymix.kafka.topics import names
from querymix.settings import GroupSettings

from loadtest.measure import child
from loadtest.measure.child import say, told
from loadtest.measure.feed import Feed, lines_of
from loadtest.measure.plan import Chained, Piece
from loadtest.measure.scenario import Log
from loadtest.replay.driver import run
from loadtest.replay.kafka import KafkaSink
from loadtest.replay.ledger import Progress


async def drive(config: dict[str, Any], commands: asyncio.Queue[Sequence[Piece]], stop: asyncio.Event) -> None:
    """Make the log, connect, and carry out commands for ever."""
    settings = GroupSettings(**config["settings"])
    log = Log(**config["log"])
    number = config["number"]
    feed = Feed(lines_of(log), config["origin"], log.bad, log.seed, f"-{number}" if number else "")
    async with KafkaSink(settings, names(settings).raw) as sink:
        say("ready", True)
        while True:
            parts = await commands.get()
            stop.clear()
            arrivals, bad = Chained(parts), feed.bad
            feed.limit = arrivals.logs
            # Twice the time: where not even Kafka keeps up, what it has not taken by then is owed.
            report = await run(feed, arrivals, sink, watch=_progress, stop=stop, seconds=2 * arrivals.seconds + 10)
            say("report", asdict(report) | {"curve": (), "bad": feed.bad - bad})


def _progress(progress: Progress) -> None:
    say("progress", {"sent": progress.sent, "due": progress.due, "lateness": progress.lateness})


async def main() -> None:
    """Drive as the first message says, and obey the others."""
    messages = told()
    config = await anext(messages)
    commands: asyncio.Queue[Sequence[Piece]] = asyncio.Queue()
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        driving = group.create_task(drive(config, commands, stop))
        async for message in messages:
            if "run" in message:
                commands.put_nowait(message["run"])
            if "stop" in message:
                stop.set()
        driving.cancel()


if __name__ == "__main__":
    child.run(main)
