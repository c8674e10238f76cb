"""A run: the parts put together, phase after phase, until what was measured can be reported.

Rules:
- A phase is a step of the load, or the wait at the end; it begins and ends with a sample, and has its own latencies.
- Whatever ends a run early, what was measured until then is kept, and what was started is stopped.
- The account is taken when nothing moves: after the workers have stopped, where they are ours.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from aiokafka.errors import KafkaError
from querymix.core.errors import TransientError
from querymix.kafka.operations import total_account
from querymix.kafka.topics import names
from querymix.settings import GroupSettings

from loadtest.measure.crew import Crew
from loadtest.measure.deployment import Deployment
from loadtest.measure.knee import Search, was_kept
from loadtest.measure.offsets import Offsets
from loadtest.measure.plan import Piece, pieces
from loadtest.measure.resource_usage import Processes, Usage
from loadtest.measure.scenario import Knee, Scenario
from loadtest.measure.watching import Sample, Watcher

Account = dict[str, int]
Kind = Literal["knee", "warm", "load", "drain"]
_CONNECTION: Final = frozenset(GroupSettings.model_fields)
_SETTLED: Final = 3
"""Seconds without a further release after which nothing more is taken to come."""
_LAST_RELEASES: Final = 120.0
"""Seconds that the follower gets, at most, to read what is left."""


@dataclass
class Phase:
    """One step of the load, or the wait at the end."""

    name: str
    kind: Kind
    offered: float | None
    """Records a second that were due, on average; None where nothing was sent."""
    begin: Sample
    end: Sample
    mark: dict[str, Any]
    first_mark: int = 0
    """How many marks there were before it."""


@dataclass
class Measured:
    """All that a run found out."""

    scenario: Scenario
    began: float = field(default_factory=time.time)
    phases: list[Phase] = field(default_factory=list)
    search: Search | None = None
    events: list[tuple[float, str]] = field(default_factory=list)
    """When, in seconds after the origin, and what."""
    marks: list[dict[str, Any]] = field(default_factory=list)
    """All of the follower's marks, in order."""
    samples: list[Sample] = field(default_factory=list)
    reports: list[dict[str, Any]] = field(default_factory=list)
    """The replays' own."""
    usages: list[Usage] = field(default_factory=list)
    peaks: dict[str, int] = field(default_factory=dict)
    before: Account = field(default_factory=dict)
    after: Account = field(default_factory=dict)
    unread: int = 0
    """Records of the raw topic that no classifier has taken in at the end."""
    disk: dict[str, int] = field(default_factory=dict)
    """Bytes that the brokers keep, by topic."""
    resting: bool = False
    """Whether nothing moved when the account was taken."""
    problems: list[str] = field(default_factory=list)
    interrupted: bool = False


class Run:
    """Runs one scenario on one deployment. `stop` ends it early, `say` is told how it goes."""

    def __init__(
        self, scenario: Scenario, deployment: Deployment, folder: Path, processes: Processes, *,
        drivers: int = 1, stop: asyncio.Event, say: Callable[[str], None] = lambda _: None,
    ) -> None:  # fmt: skip
        self._scenario = scenario
        self._deployment = deployment
        self._folder = folder
        self._processes = processes
        self._drivers = drivers
        self._stop = stop
        self._say = say
        self._origin = 0.0
        self._crew: Crew
        self._watcher: Watcher
        self.measured = Measured(scenario)

    async def __call__(self) -> Measured:
        """Start, drive, drain, stop. Raises TransientError or ConfigError where nothing could be measured."""
        found = self.measured
        try:
            self._say("starting the deployment" if self._deployment.local else "joining the deployment")
            starting = asyncio.create_task(self._deployment.start())
            await self._until_stopped(starting)
            if not starting.done():
                await self._deployment.stop()  # what has started by now: the others then fail to start
            await starting
            if not self._stop.is_set():
                await self._measure()
        except TransientError:
            if not self._stop.is_set():  # what was interrupted while it started may fail in any way
                raise
        finally:
            if self._deployment.local:
                self._say("stopping what was started")
            await self._deployment.stop()
        found.interrupted = self._stop.is_set()
        return found

    async def _measure(self) -> None:
        deployment, found = self._deployment, self.measured
        found.before = await total_account(deployment.settings)
        self._say("making the log")
        self._origin = float(int(time.time()))
        self._crew = await self._start_crew()
        try:
            raw = deployment.partitions[names(deployment.settings).raw]
            async with Offsets(deployment.settings, raw) as offsets:
                self._watcher = Watcher(deployment, offsets, self._processes, self._origin, self._crew.progress)
                await self._watcher.start()
                watching = asyncio.create_task(self._watcher.watch())
                try:
                    await self._drive_and_drain()
                except (TransientError, TimeoutError) as error:
                    found.problems.append(str(error) or "a process of the load test did not answer")
                finally:
                    watching.cancel()
                    (ended,) = await asyncio.gather(watching, return_exceptions=True)
                    if isinstance(ended, Exception):
                        found.problems.append(f"sampling ended early: {type(ended).__name__}")
                await self._account(offsets)
        finally:
            found.usages = await asyncio.to_thread(self._processes.sample)
            found.reports = self._crew.reports
            await self._crew.close()

    async def _start_crew(self) -> Crew:
        settings = self._deployment.settings.model_dump(mode="json", exclude_unset=True)
        connection = {name: value for name, value in settings.items() if name in _CONNECTION}
        log = self._scenario.log
        common = {
            "settings": connection, "origin": int(self._origin * 1000),
            "click_wait": int(self._deployment.settings.click_wait * 1000),
        }  # fmt: skip
        drivers = [
            # Each driver makes a log of its own, so that users and queries are not the same in all.
            common | {"log": log.model_copy(update={"seed": log.seed + number}).model_dump(), "number": number}
            for number in range(self._drivers)
        ]
        partitions = self._deployment.partitions[names(self._deployment.settings).anonymized]
        return await Crew.start(drivers, common | {"partitions": partitions}, self._folder, self._processes)

    async def _drive_and_drain(self) -> None:
        knee = None
        if self._scenario.knee is not None:
            knee = await self._search(self._scenario.knee)
        if self._scenario.load and not self._stop.is_set() and (self._scenario.knee is None or knee):
            await self._load(pieces(self._scenario.load, knee))
        self._say("waiting for what is still on its way")
        async with self._phase("drain", "drain", None):
            await self._drained(self._scenario.drain)

    async def _search(self, plan: Knee) -> float:
        """Find the knee and return it, 0 where no rate was kept."""
        search = self.measured.search = Search(plan)
        while (rate := search.next_rate()) is not None and not self._stop.is_set():
            async with self._phase(f"{rate:,.0f} records/s", "knee", rate):
                reports = await self._sent([(plan.seconds, rate, rate)])
            if self._stop.is_set():
                break
            last = self.measured.phases[-1].end
            owed = sum(report["owed"] for report in reports)
            kept = was_kept(rate, last.behind + owed)
            search.tell(rate, kept)
            self._say(f"{rate:,.0f} records/s: {'kept' if kept else 'not kept'}")
            await self._drained(self._scenario.drain)
        return search.kept

    async def _load(self, parts: Sequence[Piece]) -> None:
        """Send the scenario's steps as one open loop, and let its events happen."""
        events = asyncio.create_task(self._events())
        driving = asyncio.create_task(self._sent(parts))
        begin = time.monotonic()
        try:
            end = 0.0
            for number, (seconds, low, high) in enumerate(parts, 1):
                if self._stop.is_set() or driving.done():
                    break
                end += seconds
                self._say(f"step {number} of {len(parts)}: {low:,.0f} to {high:,.0f} records/s for {seconds:g} s")
                kind: Kind = "warm" if self._scenario.load[number - 1].warm else "load"
                async with self._phase(f"step {number}", kind, (low + high) / 2):
                    await asyncio.wait([driving], timeout=max(0.0, begin + end - time.monotonic()))
            await driving
        finally:
            events.cancel()
            for task in (driving, events):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    async def _events(self) -> None:
        begin = time.monotonic()
        for event in sorted(self._scenario.event, key=lambda one: one.at):
            await asyncio.sleep(max(0.0, begin + event.at - time.monotonic()))
            self._say(event.do)
            self.measured.events.append((round(time.time() - self._origin, 3), event.do))
            await self._deployment.do(event.do)

    async def _sent(self, parts: Sequence[Piece]) -> list[dict[str, Any]]:
        """Drive, until the end or until the run is stopped."""
        driving = asyncio.create_task(self._crew.drive(parts))
        await self._until_stopped(driving)
        if not driving.done():
            self._crew.stop()
        reports = await driving
        self.measured.problems += [one["ended"] for one in reports if one["ended"].startswith("failed")]
        return reports

    async def _until_stopped(self, task: asyncio.Task[Any]) -> None:
        """Wait for a task, or until the run is stopped."""
        stopping = asyncio.create_task(self._stop.wait())
        await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()

    async def _drained(self, seconds: float) -> None:
        """Wait until nothing waits and nothing more comes out, but so long at most."""
        deadline = time.monotonic() + seconds
        quiet, last = 0, -1
        while time.monotonic() < deadline and quiet < _SETTLED and not self._stop.is_set():
            await asyncio.sleep(1)
            sample = self._watcher.samples[-1]
            moves = sample.released != last or sample.behind or sample.waiting.get("classified")
            quiet, last = 0 if moves else quiet + 1, sample.released

    @asynccontextmanager
    async def _phase(self, name: str, kind: Kind, offered: float | None) -> AsyncIterator[None]:
        await self._mark()
        first = len(self.measured.marks)
        begin = await self._watcher.sample()
        try:
            yield
        finally:
            end = await self._watcher.sample()
            self.measured.phases.append(Phase(name, kind, offered, begin, end, await self._mark(), first))

    async def _mark(self) -> dict[str, Any]:
        mark = await self._crew.mark()
        self.measured.marks.append(mark)
        return mark

    async def _account(self, offsets: Offsets) -> None:
        """Take the account when nothing moves any more, and the last releases."""
        found, deployment = self.measured, self._deployment
        found.problems += [f"{name} has ended by itself; see its log in {self._folder}" for name in deployment.lost]
        await deployment.rest()
        found.resting = deployment.local
        found.disk = dict(await asyncio.to_thread(deployment.disk))
        try:
            written, read = await offsets.ask()
            found.unread = written - read
            found.after = await total_account(deployment.settings)
            await self._all_seen(found.after["released"] - found.before["released"])
            await self._mark()
        except (TransientError, KafkaError, TimeoutError) as error:
            found.problems.append(f"the account could not be taken: {error}")
        found.samples, found.peaks = self._watcher.samples, self._watcher.peaks

    async def _all_seen(self, released: int) -> None:
        """Wait until the follower has all that was released, for a while."""
        deadline = time.monotonic() + _LAST_RELEASES
        while self._crew.progress()["released"] < released and time.monotonic() < deadline:  # noqa: ASYNC110 - said so
            await asyncio.sleep(0.2)
        await asyncio.sleep(0.6)  # what came too often would show now
