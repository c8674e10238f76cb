"""A Kafka that asks who is there: listeners with passwords and with TLS, and rights for each user."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialAlteration,
    UserScramCredentialUpsertion,
)

from deploy.local.kafka import FIRST_STARTS, LocalKafka
from deploy.local.layout import Layout
from deploy.local.process import PortTakenError, free_ports

SECONDS = 300
"""Within which what was changed holds."""
_ANY: Any = None
EVERY = AclBindingFilter(
    ResourceType.ANY, _ANY, ResourcePatternType.ANY, _ANY, _ANY, AclOperation.ANY, AclPermissionType.ANY
)
USERS = {"operator": "right", "worker": "right"}
SCRIPT = Path(__file__).parents[2] / "deploy" / "kafka-acls.sh"
_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"
_SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required"


class Guarded(NamedTuple):
    """Where each listener is."""

    open: str
    """In the clear and without a password; whoever comes here may do everything."""
    password: str
    scram: str
    """As docker-compose.yml has it: SCRAM-SHA-512, in the clear."""
    tls: str
    authority: Path
    """Certificate that the broker's is signed by."""
    stranger: Path
    """Certificate that has nothing to do with it."""

    def allow(self, user: str, kind: ResourceType, name: str, *operations: AclOperation) -> None:
        """Give a user rights on everything whose name begins with `name`."""
        self._allow((user, kind, name, ResourcePatternType.PREFIXED, operation) for operation in operations)

    def allow_by_script(self, folder: Path, **names: str) -> None:
        """Give the rights that deploy/kafka-acls.sh gives, without a Java for each of its calls."""
        calls = folder / "calls"
        program = folder / "kafka-acls"
        program.write_text(f'#!/bin/sh\nprintf "%s\\t" "$@" >>{calls}\necho >>{calls}\n')
        program.chmod(0o755)
        subprocess.run(["sh", SCRIPT], env=os.environ | {"KAFKA_ACLS": str(program)} | names, check=True)
        self._allow(right for call in calls.read_text().splitlines() for right in _rights(call.split("\t")[:-1]))

    def _allow(self, rights: "Iterable[Right]") -> None:
        admin = AdminClient({"bootstrap.servers": self.open})
        wanted = [
            AclBinding(kind, name, pattern, f"User:{user}", "*", operation, AclPermissionType.ALLOW)
            for user, kind, name, pattern, operation in rights
        ]
        for future in admin.create_acls(wanted).values():
            future.result(SECONDS)
        # The controller answers; the broker, which grants them, hears of them a moment later.
        _until(lambda: set(wanted) <= set(admin.describe_acls(EVERY).result(SECONDS)))

    def make_users(self, password: str, names: Iterable[str]) -> None:
        """Make users for SCRAM."""
        info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096)
        admin = AdminClient({"bootstrap.servers": self.open})
        wanted: list[UserScramCredentialAlteration] = [
            UserScramCredentialUpsertion(name, info, password.encode()) for name in names
        ]
        for future in admin.alter_user_scram_credentials(wanted).values():
            future.result(SECONDS)

        def known() -> bool:
            every: Any = admin.describe_user_scram_credentials()
            return {one.user for one in wanted} <= set(every.result(SECONDS))

        _until(known)


def _until(holds: Callable[[], bool]) -> None:
    """Wait until it holds."""
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, "what was changed does not hold"
        time.sleep(0.05)


Right = tuple[str, ResourceType, str, ResourcePatternType, AclOperation]
"""User, kind and name of a resource, whether the name is a prefix, and what may be done with it."""
_KINDS = {
    "--topic": ResourceType.TOPIC,
    "--group": ResourceType.GROUP,
    "--transactional-id": ResourceType.TRANSACTIONAL_ID,
}
_OPERATIONS = {
    "Read": AclOperation.READ,
    "Write": AclOperation.WRITE,
    "Create": AclOperation.CREATE,
    "Delete": AclOperation.DELETE,
    "Describe": AclOperation.DESCRIBE,
    "DescribeConfigs": AclOperation.DESCRIBE_CONFIGS,
}


def _rights(options: list[str]) -> Iterator[Right]:
    """Yield what one call of Kafka's kafka-acls.sh gives."""
    assert options[:2] == ["--add", "--force"]
    pairs = list(zip(options[2::2], options[3::2], strict=True))
    rest = {option for option, _ in pairs} - _KINDS.keys() - {"--allow-principal", "--operation"}
    assert rest <= {"--resource-pattern-type"}
    pattern = ResourcePatternType.PREFIXED if rest else ResourcePatternType.LITERAL
    for principal in (value for option, value in pairs if option == "--allow-principal"):
        for kind, name in ((_KINDS[option], value) for option, value in pairs if option in _KINDS):
            for operation in (_OPERATIONS[value] for option, value in pairs if option == "--operation"):
                yield principal.removeprefix("User:"), kind, name, pattern, operation


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
    """Start it, on other ports where a program has taken one before it listens, and stop it afterwards."""
    for left in reversed(range(FIRST_STARTS)):
        guarded, kafka = _placed(folder / f"{left}")
        try:
            kafka.start()
        except PortTakenError:
            if not left:
                raise
        else:
            break
    with kafka:
        yield guarded


def _placed(folder: Path) -> tuple[Guarded, LocalKafka]:
    """Return where each listener will be, and a broker that is not started yet."""
    folder.mkdir(parents=True)
    layout = Layout.draw(1)
    (folder / "layout.json").write_text(json.dumps(asdict(layout)))
    password, tls, scram = free_ports(3)
    authority, stranger = certificate(folder, "broker"), certificate(folder, "stranger")
    users = " ".join(f'user_{name}="{word}"' for name, word in USERS.items())
    clients = f"PLAINTEXT://127.0.0.1:{layout.ports[0]},PASSWORD://127.0.0.1:{password},TLS://127.0.0.1:{tls}"
    clients += f",SCRAM://127.0.0.1:{scram}"
    settings = {
        "listeners": f"{clients},CONTROLLER://127.0.0.1:{layout.controllers[0]}",
        "advertised.listeners": clients,
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,PASSWORD:SASL_PLAINTEXT,TLS:SSL"
        ",SCRAM:SASL_PLAINTEXT",
        "listener.name.password.sasl.enabled.mechanisms": "PLAIN",
        "listener.name.password.plain.sasl.jaas.config": f"{_PLAIN} {users};",
        "listener.name.scram.sasl.enabled.mechanisms": "SCRAM-SHA-512",
        "listener.name.scram.scram-sha-512.sasl.jaas.config": f"{_SCRAM};",
        "listener.name.tls.ssl.keystore.type": "PEM",
        "listener.name.tls.ssl.keystore.location": str(folder / "broker.pem"),
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS;User:operator",
    }
    local = "127.0.0.1:{}".format
    guarded = Guarded(local(layout.ports[0]), local(password), local(scram), local(tls), authority, stranger)
    return guarded, LocalKafka(folder, settings=settings)
