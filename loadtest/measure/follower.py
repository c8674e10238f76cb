"""The process that reads the anonymized topic as a consumer would, and times every release.

It begins at the topic's end. Told `mark`, it gives what it saw since the last mark; it says `seen` twice a second.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import aiokafka
from aiokafka.structs import TopicPartition
from querymix.codecs.base import ENCODING, ERRORS
from querymix.kafka.connection import client_options, reaching
from querymix.kafka.topics import names
from querymix.settings import GroupSettings

from loadtest.measure import child
from loadtest.measure.child import say, told
from loadtest.measure.latency import figures, histogram, pack, record
from loadtest.measure.stamps import Stamps

_EVERY: Final = 0.5


class Seen:
    """What was read since the last mark."""

    def __init__(self) -> None:
        self.released = self.foreign = 0
        self.categories: Counter[str] = Counter()
        self.beyond = histogram()
        """Latency beyond the hold."""
        self.whole = histogram()
        """Latency with the hold."""

    def packed(self) -> dict[str, Any]:
        """Return it as a message."""
        return {
            "released": self.released, "foreign": self.foreign, "categories": dict(self.categories),
            "beyond": pack(self.beyond), "whole": pack(self.whole),
        }  # fmt: skip


class Follower:
    """Reads releases."""

    def __init__(self, origin: int, click_wait: int = 0) -> None:
        """Begin; `click_wait`: milliseconds that a query waits for its rows before it sets anything off."""
        self._stamps = Stamps(origin)
        self._click_wait = click_wait
        self.total = 0
        self.marked = Seen()
        self.recent = histogram()
        """Latency beyond the hold since it was last told."""

    def take(self, records: Sequence[Any], now: int) -> None:
        """Take in records that a consumer has at `now`, in milliseconds since 1970."""
        beyond: Counter[int] = Counter()
        whole: Counter[int] = Counter()
        seen, read = self.marked, self._stamps.read
        for one in records:
            stamps = read(one.value.decode(ENCODING, ERRORS))
            if stamps is None:
                seen.foreign += 1
                continue
            beyond[max(0, now - stamps[0] - self._click_wait)] += 1
            whole[now - stamps[1]] += 1
        seen.categories.update(value.decode() for one in records for name, value in one.headers if name == "category")
        seen.released += len(records)
        self.total += len(records)
        for into in (seen.beyond, self.recent):
            record(into, beyond)
        record(seen.whole, whole)

    def tell(self) -> None:
        """Say how far it is, with the latency since it was last told."""
        say("seen", {"released": self.total, "beyond": figures(self.recent)})
        self.recent = histogram()

    def mark(self) -> None:
        """Say what was read since the last mark."""
        say("mark", self.marked.packed())
        self.marked = Seen()


async def follow(settings: GroupSettings, partitions: int, follower: Follower) -> None:
    """Read the anonymized topic from its end on, until cancelled."""
    consumer = aiokafka.AIOKafkaConsumer(
        **client_options(settings), isolation_level="read_committed", enable_auto_commit=False,
        auto_offset_reset="latest", max_partition_fetch_bytes=4 << 20,
    )  # fmt: skip
    with reaching(f"Kafka at {settings.broker}"):
        async with consumer:
            await _read(consumer, settings, partitions, follower)


async def _read(
    consumer: aiokafka.AIOKafkaConsumer, settings: GroupSettings, partitions: int, follower: Follower
) -> None:
    sources = [TopicPartition(names(settings).anonymized, number) for number in range(partitions)]
    consumer.assign(sources)
    for source in sources:
        await consumer.position(source)  # from here on nothing is missed
    say("ready", partitions)
    told_at = time.monotonic()
    while True:
        found = await consumer.getmany(timeout_ms=100)
        now = int(time.time() * 1000)
        for records in found.values():
            follower.take(records, now)
            await asyncio.sleep(0)
        if time.monotonic() - told_at >= _EVERY:
            told_at = time.monotonic()
            follower.tell()


async def main() -> None:
    """Follow as the first message says, and give a mark where another asks for it."""
    messages = told()
    config = await anext(messages)
    follower = Follower(config["origin"], config.get("click_wait", 0))
    async with asyncio.TaskGroup() as group:
        following = group.create_task(follow(GroupSettings(**config["settings"]), config["partitions"], follower))
        async for message in messages:
            if "mark" in message:
                follower.mark()
        following.cancel()


if __name__ == "__main__":
    child.run(main)
