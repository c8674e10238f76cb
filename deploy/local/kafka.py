"""Apache Kafka in KRaft mode on this machine: one broker, or three that elect and replicate.

Every node is broker and controller. The folder holds layout.json (ports and cluster id, so a later start on the same
folder has the same addresses and data) and, for each node, broker-N/ with its settings, data and server.log.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from deploy.local import jars, wire
from deploy.local.layout import Layout, broker_settings
from deploy.local.process import PortTakenError, Server, ServerError

# Broker traffic is small in tests: a serial collector and the quick compiler halve the time to start.
JAVA_OPTIONS = ("-Xmx768m", "-Xms128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
LOG_SETTINGS = Path(__file__).with_name("log4j2.properties")
START_SECONDS, STOP_SECONDS = 300.0, 30.0
FIRST_STARTS = 5  # times that a port is drawn which another program takes before the broker listens
TRAIN_STOP_SECONDS = 120.0  # writing the class archive is work done while stopping
LAST_STOP_SECONDS = 2.0  # the last of three has no quorum left to say goodbye to


class LocalKafka:
    """A Kafka cluster of 1 or 3 brokers in `folder`; a context manager that starts it and stops it."""

    def __init__(
        self,
        folder: Path | str,
        brokers: int = 1,
        settings: Mapping[str, str] | None = None,
        java_options: Sequence[str] = (),
    ) -> None:
        """`settings` override or add to `broker_settings`; `java_options` follow, and so override, `JAVA_OPTIONS`."""
        if brokers < 1:
            raise ValueError("at least one broker")
        self.folder = Path(folder).resolve()
        self.brokers = brokers
        self._extra = dict(settings or {})
        self._java_options = tuple(java_options)
        self._layout: Layout | None = None
        self._servers: list[Server] = []
        self._has_served = False

    @property
    def bootstrap(self) -> str:
        """The brokers' addresses, "127.0.0.1:port,..."; raises `ServerError` before the first start."""
        return ",".join(f"127.0.0.1:{port}" for port in self._placed().ports)

    @property
    def pids(self) -> list[int]:
        """The process ids of the brokers that run."""
        return [server.pid for server in self._servers if server.running]

    def start(self) -> Self:
        """Start every broker that is not running and wait until each one serves. Raises `ServerError`.

        At the first start nobody knows the ports: where another program has taken one meanwhile, others are drawn.
        """
        for left in reversed(range(FIRST_STARTS)):
            try:
                self._start()
            except PortTakenError:
                if not left or self._has_served or "listeners" in self._extra:
                    raise
                self._servers.clear()
            else:
                break
        self._has_served = True
        return self

    def _start(self) -> None:
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

    def stop(self, grace: float = STOP_SECONDS) -> None:
        """Stop in order: each broker hands over and closes its files, or is killed after `grace` seconds."""
        for left, server in reversed(list(enumerate(self._servers))):
            server.stop(grace if left or self.brokers == 1 else LAST_STOP_SECONDS)

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
        if jars.class_archive().exists():
            run.insert(1, f"-XX:SharedArchiveFile={jars.class_archive()}")
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
        command = [*run, *self._java_options, "kafka.Kafka", str(settings)]
        return Server(f"Kafka broker {node}", command, home / "server.log")

    def _format(self, layout: Layout, run: list[str]) -> None:
        """Give each new data folder the cluster's identity, all at the same time."""
        tool = [*run, "kafka.tools.StorageTool", "format", "--ignore-formatted", "-t", layout.cluster, "-c"]
        homes = [self.folder / f"broker-{node}" for node in range(1, self.brokers + 1)]
        jobs = [
            subprocess.Popen(  # noqa: S603 - the command is built here
                [*tool, str(home / "server.properties")],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,  # as the servers: Ctrl-C in a terminal does not end it half way
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


def train() -> bool:
    """Run Kafka once so that later starts take about half the time; true if there is a class archive afterwards.

    Takes about 15 s the first time, nothing later. See the JVM's -XX:ArchiveClassesAtExit.
    """
    jars.classpath()
    archive = jars.class_archive()
    if not archive.exists():
        with tempfile.TemporaryDirectory(dir=archive.parent) as folder:
            fresh = Path(folder) / archive.name
            kafka = LocalKafka(Path(folder) / "kafka", java_options=[f"-XX:ArchiveClassesAtExit={fresh}"])
            try:
                kafka.start().stop(TRAIN_STOP_SECONDS)
            finally:
                kafka.kill()
            if fresh.exists():
                fresh.rename(archive)
    return archive.exists()
