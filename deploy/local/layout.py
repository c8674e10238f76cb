"""Where a local Kafka cluster lives and how its brokers are set: ports, identity, server.properties."""

import base64
import json
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from deploy.local.process import ServerError, free_ports, is_free


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
