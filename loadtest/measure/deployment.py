"""The deployment under test: one that is started here, on real servers, or one that is joined.

Rules:
- What is started dies with this process, and is stopped in order at the end: workers first, then the servers.
- Workers are started with the scenario's options and no others; what the environment sets (QUERYMIX_...) holds below
  them, and the report names it.
- A worker that is started again has the same name, so the group gives it its partitions back.
"""

import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from querymix.core.errors import ConfigError, TransientError
from querymix.kafka.admin import connected
from querymix.kafka.operations import create_topics
from querymix.kafka.preflight import check_topics, partitions_of
from querymix.kafka.topics import names
from querymix.settings import GroupSettings, TopicSettings, WorkerSettings, load

from deploy.local.kafka import LocalKafka
from deploy.local.mongo import LocalMongo
from deploy.local.process import Server, ServerError, free_ports
from loadtest.measure import scraping
from loadtest.measure.resource_usage import Processes
from loadtest.measure.scenario import Service

START_SECONDS: Final = 90.0
OWN: Final = frozenset(
    {
        "broker",
        "prefix",
        "group",
        "mongodb",
        "mongodb_uri_file",
        "http_host",
        "http_port",
        "metrics_address",
        "metrics_token_file",
        "instance",
        "format",
        "fields",
        "time_policy",
    }
)
"""Options of a worker that the load test sets itself."""


class Deployment(Protocol):
    """What is driven and measured."""

    settings: WorkerSettings
    partitions: Mapping[str, int]
    """Of each topic, by its name."""
    local: bool

    @property
    def pages(self) -> Mapping[str, str]:
        """URLs of the workers' metrics, by the workers' names."""
        ...

    @property
    def lost(self) -> Sequence[str]:
        """Names of workers that ended without being told to."""
        ...

    async def start(self) -> None:
        """Start it, or see that it is there. Raises TransientError or ConfigError."""
        ...

    def disk(self) -> Mapping[str, int]:
        """Return the bytes that the brokers keep, by topic; nothing where that cannot be seen."""
        ...

    async def do(self, action: str) -> None:
        """Let something happen to it."""
        ...

    async def rest(self) -> None:
        """Stop the workers, where they are ours, so that the account does not move."""
        ...

    async def stop(self) -> None:
        """Stop everything that was started."""
        ...


def worker_settings(options: Mapping[str, str | int | float], given: Mapping[str, Any]) -> WorkerSettings:
    """Return a worker's settings. Raises ConfigError where an option is unknown, wrong, or the load test's own."""
    for name in options:
        if name not in WorkerSettings.model_fields:
            raise ConfigError(f"service.options: {name!r} is no option of querymix worker")
        if name in OWN:
            raise ConfigError(f"service.options: {name!r} is set by the load test itself")
    try:
        return load(WorkerSettings, {**given, **options})
    except ConfigError as error:
        raise ConfigError(f"service.options: {error}") from None


class Started:
    """Kafka, a MongoDB-protocol server and workers on this machine."""

    local = True

    def __init__(self, service: Service, folder: Path, processes: Processes) -> None:
        self.settings = worker_settings(service.options, {})
        self._service = service
        self._folder = folder
        self._processes = processes
        self._data = tempfile.TemporaryDirectory(prefix="querymix-loadtest-", ignore_cleanup_errors=True)
        data = Path(self._data.name)
        self._kafka = LocalKafka(data / "kafka", service.brokers)
        self._mongo = LocalMongo(data / "mongo")
        self._workers: dict[str, Server] = {}
        self._ports: dict[str, int] = {}
        self._told: set[str] = set()
        """Workers that were told to end."""
        self.partitions: Mapping[str, int] = {}

    @property
    def pages(self) -> Mapping[str, str]:
        """URLs of the workers' metrics."""
        return {name: f"http://127.0.0.1:{port}/metrics" for name, port in self._ports.items()}

    async def start(self) -> None:
        """Start servers, topics and workers, and wait until the workers are ready."""
        try:
            await asyncio.gather(asyncio.to_thread(self._kafka.start), asyncio.to_thread(self._mongo.start))
            self._watch_servers()
            self.settings = worker_settings(
                self._service.options, {"broker": self._kafka.bootstrap, "mongodb": self._mongo.uri}
            )
            number = self._service.partitions
            await create_topics(
                load(TopicSettings, {
                    "broker": self._kafka.bootstrap, "raw_partitions": number, "pool_partitions": number,
                    "out_partitions": number, "evidence_partitions": number,
                    "replication": 3 if self._service.brokers == 3 else 1,
                })
            )  # fmt: skip
            self.partitions = await look_up_partitions(self.settings)
            await asyncio.gather(*(self._ready(self._begin(name)) for name in self._names()))
        except ServerError as error:
            raise TransientError(str(error)) from None

    def _watch_servers(self) -> None:
        for number, pid in enumerate(self._kafka.pids, 1):
            self._processes.watch("broker", f"broker {number}", pid)
        with suppress(ServerError):  # it may have been killed
            self._processes.watch("database", "database", self._mongo.pid)

    def _names(self) -> Sequence[str]:
        kinds = self.settings.roles if self._service.apart else ["worker"]
        return [f"{kind} {number}" for kind in kinds for number in range(1, self._service.workers + 1)]

    def _begin(self, name: str) -> str:
        """Start a worker, or start it again, and return its name."""
        kind = name.partition(" ")[0]
        port = self._ports[name] = self._ports.get(name) or free_ports(1)[0]
        server = self._workers.get(name)
        if server is None:
            options = {"broker": self.settings.broker, "mongodb": self._mongo.uri, "http_port": port}
            command = [sys.executable, "-m", "querymix", "worker", "--instance", name.replace(" ", "-")]
            if self._service.apart:
                options["roles"] = kind
            for option, value in {"log_level": "warning", **self._service.options, **options}.items():
                command += [f"--{option.replace('_', '-')}", str(value)]
            log = self._folder / f"{name.replace(' ', '-')}.log"
            server = self._workers[name] = Server(name, command, log)
        self._told.discard(name)
        server.spawn()
        self._processes.watch(kind, name, server.pid)
        return name

    async def _ready(self, name: str) -> None:
        url = self.pages[name].replace("/metrics", "/health/ready")
        await asyncio.to_thread(self._workers[name].wait_ready, partial(scraping.answers, url), START_SECONDS)

    async def do(self, action: str) -> None:
        """Let something happen; a worker that was killed or stopped comes back by `add worker`."""
        try:
            await asyncio.to_thread(self._do, action)
            self._watch_servers()
        except (ServerError, IndexError) as error:
            raise TransientError(f"{action}: {str(error) or 'there is none left'}") from None

    def _do(self, action: str) -> None:
        match action:
            case "kill worker":
                self._end().kill()
            case "stop worker":
                self._end().stop()
            case "add worker":
                gone = (name for name, server in self._workers.items() if not server.running)
                self._begin(next(gone, f"worker {len(self._workers) + 1}"))
            case "kill broker":
                self._kafka.kill(len(self._kafka.pids) - 1)
            case "start broker":
                self._kafka.start()
            case "kill database":
                self._mongo.kill()
            case "start database":
                self._mongo.start()

    def _end(self) -> Server:
        """Return the youngest worker that runs, which is going to end."""
        name, server = [(name, server) for name, server in self._workers.items() if server.running][-1]
        self._told.add(name)
        return server

    @property
    def lost(self) -> Sequence[str]:
        """Names of workers that ended without being told to."""
        return [name for name, server in self._workers.items() if not server.running and name not in self._told]

    def disk(self) -> Mapping[str, int]:
        """Return the bytes that the brokers keep, by topic: the records' files, without their indexes."""
        found: dict[str, int] = {}
        for file in Path(self._data.name).glob("kafka/broker-*/data/*/*.log"):
            topic = file.parent.name.rpartition("-")[0]
            with suppress(OSError):  # the broker may remove one meanwhile
                found[topic] = found.get(topic, 0) + file.stat().st_size
        return found

    async def rest(self) -> None:
        """Stop the workers in order."""
        self._told.update(self._workers)
        await asyncio.gather(*(asyncio.to_thread(server.stop) for server in self._workers.values()))

    async def stop(self) -> None:
        """Stop everything, and remove the data."""
        await self.rest()
        await asyncio.gather(asyncio.to_thread(self._kafka.stop), asyncio.to_thread(self._mongo.stop))
        self._data.cleanup()


async def look_up_partitions(settings: WorkerSettings) -> Mapping[str, int]:
    """Return how many partitions each topic has, by its name. Raises ConfigError where one is missing or unfit."""
    async with connected(settings) as admin:
        return partitions_of(await check_topics(admin, names(settings), {}))


class Joined:
    """A deployment that somebody else runs; its workers' pages are named, its own traffic should be none."""

    local = False

    def __init__(self, settings: GroupSettings, pages: Sequence[str]) -> None:
        self.settings = load(WorkerSettings, settings.model_dump(exclude_unset=True))
        plain = [page.rstrip("/").removesuffix("/metrics") for page in pages]
        self.pages: Mapping[str, str] = {f"worker {n}": f"{page}/metrics" for n, page in enumerate(plain, 1)}
        self.partitions: Mapping[str, int] = {}

    @property
    def lost(self) -> Sequence[str]:
        """None: its workers are watched by whoever runs them."""
        return []

    async def start(self) -> None:
        """See that topics and pages are there."""
        self.partitions = await look_up_partitions(self.settings)
        for page in self.pages.values():
            if await asyncio.to_thread(scraping.read, page) is None:
                raise ConfigError(f"--metrics: {page} does not answer with a worker's metrics")

    def disk(self) -> Mapping[str, int]:
        """Nothing: the brokers may be anywhere."""
        return {}

    async def do(self, action: str) -> None:
        """Refuse: a deployment of somebody else is not killed."""
        raise ConfigError(f"event: {action!r} is only done to a deployment that the load test starts")

    async def rest(self) -> None:
        """Leave it alone."""

    async def stop(self) -> None:
        """Leave it alone."""
