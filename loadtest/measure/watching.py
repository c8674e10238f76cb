"""The watcher: once a second, how much was sent, taken in and released, what waits, and what each process uses."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from aiokafka.errors import KafkaError
from querymix.kafka.topics import names

from loadtest.measure import scraping
from loadtest.measure.deployment import Deployment
from loadtest.measure.offsets import Offsets
from loadtest.measure.resource_usage import Processes, busy_seconds

EVERY: Final = 1.0
_PATIENCE: Final = 3.0


@dataclass(frozen=True, slots=True)
class Sample:
    """One moment. Counts are since the run's begin; a value that nobody could tell is that of the sample before."""

    at: float
    """Seconds after the run's origin."""
    due: int
    sent: int
    """Records that the raw topic was given."""
    taken: int
    """Records that the classifiers took in."""
    released: int
    """Releases that the follower has."""
    profiled: int
    """Records counted into profiles."""
    waiting: dict[str, int]
    """What is not taken in: records in the raw topic ("raw") and on the way to the pools ("pools"), and frames of the
    internal topics ("classified", "evidence")."""
    held: int
    """Records in the pools."""
    lateness: float
    """Seconds since the oldest log that was due and is not in the raw topic should have been."""
    beyond: dict[str, int | None]
    """Latency beyond the hold of the last releases, in milliseconds."""
    cpu: dict[str, float] = field(default_factory=dict)
    """CPU seconds by kind of process."""
    memory: dict[str, int] = field(default_factory=dict)
    """Resident bytes by process."""
    busy: float = 0.0
    """CPU seconds of the whole machine, all programs."""

    @property
    def behind(self) -> int:
        """Records that were sent and are in no pool yet, as far as the service wants them there."""
        return self.waiting["raw"] + self.waiting["pools"]


class Rising:
    """A counter that begins anew with the process that keeps it: what it rose by since the first reading."""

    def __init__(self) -> None:
        self.total = 0.0
        self._last: float | None = None

    def take(self, value: float) -> None:
        """Take in a reading."""
        if self._last is not None:
            self.total += value - self._last if value >= self._last else value
        self._last = value


class Watcher:
    """Samples a deployment. `progress` gives what the drivers and the follower said last."""

    def __init__(
        self, deployment: Deployment, offsets: Offsets, processes: Processes, origin: float,
        progress: Callable[[], dict[str, Any]],
    ) -> None:  # fmt: skip
        self._deployment = deployment
        self._offsets = offsets
        self._processes = processes
        self._origin = origin
        self._progress = progress
        self._begin = (0, 0)
        self._lag: dict[str, int] = {}
        self._held = 0
        self._drift = 0.0
        """What the workers' counters are apart by though nothing is under way: a worker that is killed takes along what
        it counted last."""
        self._ends = (0, 0)
        self._risen: dict[tuple[str, str], Rising] = {}
        """By counter and worker."""
        self.peaks: dict[str, int] = {}
        """Most resident bytes, by process."""
        self.samples: list[Sample] = []

    async def start(self) -> None:
        """Note where the topics stand."""
        self._begin = self._ends = await self._offsets.ask(new=True)

    async def watch(self) -> None:
        """Sample for ever."""
        while True:
            begin = time.monotonic()
            await self.sample()
            await asyncio.sleep(max(0.1, EVERY - (time.monotonic() - begin)))

    async def sample(self) -> Sample:
        """Take, keep and return a sample."""
        try:
            async with asyncio.timeout(_PATIENCE):
                self._ends = await self._offsets.ask()
        except (KafkaError, OSError, AssertionError):
            pass  # the broker is away: nothing is known to have moved
        pages = await self._read_pages()
        usages = await asyncio.to_thread(self._processes.sample)
        memory = {usage.name: usage.memory for usage in usages}
        cpu = self._processes.by_kind()
        if not self._deployment.local:
            memory |= {name: int(page.memory) for name, page in pages.items()}
            cpu["worker"] = self._rise("cpu")
        for name, size in memory.items():
            self.peaks[name] = max(size, self.peaks.get(name, 0))
        progress = self._progress()
        sent, taken = (now - then for now, then in zip(self._ends, self._begin, strict=True))
        sample = Sample(
            at=round(time.time() - self._origin, 3), due=progress["due"], sent=sent, taken=taken,
            released=progress["released"], profiled=int(self._rise("evidence")),
            waiting={
                "raw": max(0, self._ends[0] - self._ends[1]),
                "pools": self._under_way(),
                **self._lag,
            },
            held=self._held, lateness=progress["lateness"],
            beyond=progress["beyond"], cpu=cpu, memory=memory, busy=busy_seconds(),
        )  # fmt: skip
        self.samples.append(sample)
        return sample

    async def _read_pages(self) -> dict[str, scraping.Page]:
        urls = dict(self._deployment.pages)
        read = await asyncio.gather(*(asyncio.to_thread(scraping.read, url) for url in urls.values()))
        pages = {name: page for name, page in zip(urls, read, strict=True) if page is not None}
        topics = names(self._deployment.settings)
        if pages:
            self._held = int(sum(sum(page.held.values()) for page in pages.values()))
            for field_name in ("classified", "evidence"):
                topic = getattr(topics, field_name)
                self._lag[field_name] = int(sum(page.lag.get(topic, 0) for page in pages.values()))
        for name, page in pages.items():
            for counter in ("cpu", "evidence", "passed", "pooled"):
                self._risen.setdefault((counter, name), Rising()).take(getattr(page, counter))
        return pages

    def _rise(self, counter: str) -> float:
        """Return what a counter rose by, over all workers."""
        return sum(one.total for (name, _), one in self._risen.items() if name == counter)

    def _under_way(self) -> int:
        """Return the records that were classified and that no anonymizer has taken in."""
        apart = self._rise("passed") - self._rise("pooled")
        if not self._lag.get("classified"):
            self._drift = apart
        return max(0, int(apart - self._drift))
