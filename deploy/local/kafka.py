"""Apache Kafka in KRaft mode on this machine: one broker, or three that elect and replicate.

Every node is broker and controller. The folder holds layout.json (ports and cluster id, so a later start on the same
folder has the same addresses and data) and, for each node, broker-N/ with its settings, data and server.log.
"""

import base64
import json
import shutil
import subprocess
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from deploy.local import jars, wire
from deploy.local.process import Server, ServerError, free_ports, is_free

# Broker traffic is small in tests: a serial collector and the quick compiler halve the time to start.
JAVA_OPTIONS = ("-Xmx768m", "-Xms128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
LOG_SETTINGS = Path(__file__).with_name("log4j2.properties")
START_SECONDS, STOP_SECONDS = 120.0, 30.0
LAST_STOP_SECONDS = 5.0  # the last of three has no quorum left to say goodbye to


@dataclass(frozen=True)
class Layout:
    """What stays the same from start to start: the cluster id, and a client and a controller port for each node."""

    cluster: str
    ports: list[int]
    controllers: list[int]

    @classmethod
    def draw(cls, brokers: int) -> Self:
        """A new cluster on ports that are free now."""
        ports = free_ports(2 * brokers)
        # A leading letter, as the formatting tool takes a leading dash for an option.
        identity = base64.urlsafe_b64encode(b"\x60" + uuid.uuid4().bytes[1:]).decode().rstrip("=")
        return cls(identity, ports[:brokers], ports[brokers:])

    @classmethod
    def of(cls, file: Path, brokers: int) -> Self:
        """The layout saved in `file`, or a new one. Ports that others have taken since are drawn again."""
        fresh = cls.draw(brokers)
        if not file.exists():
            return fresh
        saved = cls(**json.loads(file.read_text()))
        if len(saved.ports) != brokers:
            raise ServerError(f"{file.parent} holds a cluster of {len(saved.ports)}, not {brokers}; use a new folder")
        if all(is_free(port) for port in (*saved.ports, *saved.controllers)):
            return saved
        return cls(saved.cluster, fresh.ports, fresh.controllers)


def broker_settings(layout: Layout, node: int, data: Path) -> dict[str, str]:
    """server.properties of node `node` (from 1): suited to tests, small and quick, with nothing left to chance."""
    brokers = len(layout.ports)
    copies, needed = (3, 2) if brokers >= 3 else (1, 1)
    port, controller = layout.ports[node - 1], layout.controllers[node - 1]
    voters = ",".join(f"{number}@127.0.0.1:{at}" for number, at in enumerate(layout.controllers, 1))
    return {
        "process.roles": "broker,controller",
        "node.id": str(node),
        "controller.quorum.voters": voters,
        "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}",
        "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "controller.listener.names": "CONTROLLER",
        "inter.broker.listener.name": "PLAINTEXT",
        "log.dirs": str(data),
        # A misspelt topic must fail, not come into being.
        "auto.create.topics.enable": "false",
        "default.replication.factor": str(copies),
        "min.insync.replicas": str(needed),
        "offsets.topic.replication.factor": str(copies),
        "offsets.topic.num.partitions": "4",
        "transaction.state.log.replication.factor": str(copies),
        "transaction.state.log.min.isr": str(needed),
        "transaction.state.log.num.partitions": "4",
        "share.coordinator.state.topic.replication.factor": str(copies),
        "share.coordinator.state.topic.min.isr": str(needed),
        "group.initial.rebalance.delay.ms": "0",
        # Tests that kill workers want short sessions; the default floor is six seconds.
        "group.min.session.timeout.ms": "1000",
        # Room for a stalled two-core machine, yet a killed broker is noticed in seconds.
        "broker.session.timeout.ms": "6000",
        "broker.heartbeat.interval.ms": "1000",
        # The cleaner's default buffer of 128 MB is a sixth of this heap.
        "log.cleaner.dedupe.buffer.size": str(8 * 1024 * 1024),
    }


class LocalKafka:
    """A Kafka cluster of 1 or 3 brokers in `folder`; a context manager that starts it and stops it."""

    def __init__(self, folder: Path | str, brokers: int = 1, settings: Mapping[str, str] | None = None) -> None:
        """`settings` are broker settings that override or add to the ones in `broker_settings`."""
        if brokers < 1:
            raise ValueError("at least one broker")
        self.folder = Path(folder).resolve()
        self.brokers = brokers
        self._extra = dict(settings or {})
        self._layout: Layout | None = None
        self._servers: list[Server] = []

    @property
    def bootstrap(self) -> str:
        """The brokers' addresses, "127.0.0.1:port,..."; raises `ServerError` before the first start."""
        return ",".join(f"127.0.0.1:{port}" for port in self._placed().ports)

    @property
    def pids(self) -> list[int]:
        """The process ids of the brokers that run."""
        return [server.pid for server in self._servers if server.running]

    def start(self) -> Self:
        """Start every broker that is not running and wait until each one serves. Raises `ServerError`."""
        if not self._servers:
            self._prepare()
        for server in self._servers:
            server.spawn()
        try:
            for server, port in zip(self._servers, self._placed().ports, strict=True):
                server.wait_ready(partial(self._serves, port), START_SECONDS)
        except BaseException:
            self.kill()
            raise
        return self

    def stop(self) -> None:
        """Stop in order: each broker hands over and closes its files."""
        for left, server in reversed(list(enumerate(self._servers))):
            server.stop(STOP_SECONDS if left or self.brokers == 1 else LAST_STOP_SECONDS)

    def kill(self, broker: int | None = None) -> None:
        """SIGKILL to all brokers, or to number `broker` (from 0), as a crash would; `start` brings them back."""
        for server in self._servers if broker is None else [self._servers[broker]]:
            server.kill()

    def restart(self) -> Self:
        """Stop what runs, then start all on the same ports and data."""
        self.stop()
        return self.start()

    def __enter__(self) -> Self:
        """Start."""
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop."""
        self.stop()

    def _serves(self, port: int) -> bool:
        """Whether the broker on this port serves and sees all the others serve."""
        return wire.serving(port) == self.brokers

    def _placed(self) -> Layout:
        if self._layout is None:
            raise ServerError("this Kafka was never started, so it has no address yet; call start()")
        return self._layout

    def _prepare(self) -> None:
        java = shutil.which("java")
        if java is None:
            raise ServerError("java is not installed; Debian: apt-get install openjdk-17-jre-headless")
        run = [java, *JAVA_OPTIONS, f"-Dlog4j2.configurationFile={LOG_SETTINGS}", "-cp", jars.classpath()]
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "layout.json"
        layout = self._layout = Layout.of(file, self.brokers)
        file.write_text(json.dumps(asdict(layout)))
        servers = [self._node(layout, node, run) for node in range(1, self.brokers + 1)]
        self._format(layout, run)
        self._servers = servers

    def _node(self, layout: Layout, node: int, run: list[str]) -> Server:
        home = self.folder / f"broker-{node}"
        home.mkdir(exist_ok=True)
        settings = home / "server.properties"
        pairs = broker_settings(layout, node, home / "data") | self._extra
        settings.write_text("".join(f"{name}={value}\n" for name, value in pairs.items()))
        return Server(f"Kafka broker {node}", [*run, "kafka.Kafka", str(settings)], home / "server.log")

    def _format(self, layout: Layout, run: list[str]) -> None:
        """Give each new data folder the cluster's identity, all at the same time."""
        tool = [*run, "kafka.tools.StorageTool", "format", "--ignore-formatted", "-t", layout.cluster, "-c"]
        homes = [self.folder / f"broker-{node}" for node in range(1, self.brokers + 1)]
        jobs = [
            subprocess.Popen(  # noqa: S603 - the command is built here
                [*tool, str(home / "server.properties")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            for home in homes
            if not (home / "data" / "meta.properties").exists()
        ]
        outputs = [job.communicate()[0] for job in jobs]
        for job, output in zip(jobs, outputs, strict=True):
            if job.returncode != 0:
                raise ServerError(
                    f"Kafka could not format its data folder:\n{output}\nNext: use a new, writable folder."
                )
