"""A Kafka that asks who is there: listeners with passwords and with TLS, and rights for each user."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)

from deploy.local.kafka import LocalKafka
from deploy.local.layout import Layout
from deploy.local.process import free_ports

USERS = {"operator": "right", "worker": "right"}
_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"


class Guarded(NamedTuple):
    """Where each listener is."""

    open: str
    """In the clear and without a password; whoever comes here may do everything."""
    password: str
    tls: str
    authority: Path
    """Certificate that the broker's is signed by."""
    stranger: Path
    """Certificate that has nothing to do with it."""

    def allow(self, user: str, kind: ResourceType, name: str, *operations: AclOperation) -> None:
        """Give a user rights on everything whose name begins with `name`."""
        admin = AdminClient({"bootstrap.servers": self.open})
        made = admin.create_acls(
            [
                AclBinding(
                    kind, name, ResourcePatternType.PREFIXED, f"User:{user}", "*", operation, AclPermissionType.ALLOW
                )
                for operation in operations
            ]
        )
        for future in made.values():
            future.result(30)


def certificate(folder: Path, name: str) -> Path:
    """Make a certificate for 127.0.0.1 that signs itself, and a file with its key beside it."""
    key, file = folder / f"{name}.key", folder / f"{name}.crt"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(file),
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    (folder / f"{name}.pem").write_text(key.read_text() + file.read_text())
    return file


@contextmanager
def guarded_kafka(folder: Path) -> Iterator[Guarded]:
    """Start it, and stop it afterwards."""
    folder.mkdir(exist_ok=True)
    layout = Layout.draw(1)
    (folder / "layout.json").write_text(json.dumps(asdict(layout)))
    password, tls = free_ports(2)
    authority, stranger = certificate(folder, "broker"), certificate(folder, "stranger")
    users = " ".join(f'user_{name}="{word}"' for name, word in USERS.items())
    clients = f"PLAINTEXT://127.0.0.1:{layout.ports[0]},PASSWORD://127.0.0.1:{password},TLS://127.0.0.1:{tls}"
    settings = {
        "listeners": f"{clients},CONTROLLER://127.0.0.1:{layout.controllers[0]}",
        "advertised.listeners": clients,
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,PASSWORD:SASL_PLAINTEXT,TLS:SSL",
        "listener.name.password.sasl.enabled.mechanisms": "PLAIN",
        "listener.name.password.plain.sasl.jaas.config": f"{_PLAIN} {users};",
        "listener.name.tls.ssl.keystore.type": "PEM",
        "listener.name.tls.ssl.keystore.location": str(folder / "broker.pem"),
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS;User:operator",
    }
    with LocalKafka(folder, settings=settings) as kafka:
        yield Guarded(kafka.bootstrap, f"127.0.0.1:{password}", f"127.0.0.1:{tls}", authority, stranger)
