"""What an operator reads when a broker refuses: the last line says what is wrong and what to do."""

import asyncio
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
from aiokafka.client import AIOKafkaClient
from aiokafka.errors import KafkaError
from confluent_kafka.admin import AclOperation as Operation
from confluent_kafka.admin import ResourceType
from querymix.core.errors import ConfigError
from querymix.kafka.connection import Credentials, client_options, knock
from querymix.settings import ConnectionSettings

from deploy.local.testing import Database
from tests.integration.guarded import Guarded
from tests.integration.kit import Deployment, until

pytestmark = pytest.mark.xdist_group("guarded")  # one Kafka for all that needs this one
SASL = {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "PLAIN", "sasl_username": "worker"}
COMMANDS = [
    ["worker"],
    ["topics", "create"],
    ["topics", "accept"],
    ["account"],
    ["deadletter", "show"],
    ["deadletter", "replay"],
]


@pytest.fixture
def right(tmp_path: Path) -> Path:
    file = tmp_path / "right"
    file.write_text("right\n")
    return file


def ends(done: "subprocess.CompletedProcess[str]", code: int, *words: str) -> None:
    """Assert how a command ended: its code, and what its last line holds."""
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("querymix: "), done.stderr[-2000:]
    for word in words:
        assert word in last, last


def run(
    broker: str, folder: Path, bundle: Path, command: list[str], **options: str
) -> "subprocess.CompletedProcess[str]":
    return Deployment(broker, "mongodb://127.0.0.1:1", folder, bundle, **options).command(*command)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_wrong_password_is_said_so(guarded: Guarded, tmp_path: Path, small_bundle: Path, command: list[str]) -> None:
    (tmp_path / "wrong").write_text("hunter2")
    done = run(guarded.password, tmp_path, small_bundle, command, **SASL, sasl_password_file=str(tmp_path / "wrong"))
    ends(done, 2, guarded.password, "password", "--sasl-password-file")
    assert "hunter2" not in done.stderr


def test_a_mechanism_that_the_broker_does_not_take_is_said_so(
    guarded: Guarded, tmp_path: Path, small_bundle: Path, right: Path
) -> None:
    options = SASL | {"sasl_mechanism": "SCRAM-SHA-512", "sasl_password_file": str(right)}
    ends(run(guarded.password, tmp_path, small_bundle, ["account"], **options), 2, "--sasl-mechanism")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"security_protocol": "SASL_PLAINTEXT"}, "--sasl-username"),
        ({"security_protocol": "SASL_PLAINTEXT", "sasl_username": "worker"}, "--sasl-password-file"),
        ({"sasl_username": "worker"}, "--security-protocol is PLAINTEXT"),
        ({"ssl_cafile": "/etc/hostname"}, "encrypts nothing"),
        ({"security_protocol": "SSL", "ssl_cafile": "/etc/hostname"}, "--ssl-cafile"),
        ({"security_protocol": "SSL", "ssl_cafile": "/nowhere"}, "No such file"),
        ({"security_protocol": "SSL", "ssl_keyfile": "/etc/hostname"}, "--ssl-certfile"),
        ({"broker": "127.0.0.1:port"}, "--broker"),
        ({"broker": ""}, "--broker"),
    ],
)
@pytest.mark.parametrize("command", [["worker"], ["account"]], ids=" ".join)
def test_options_that_do_not_go_together_are_named(
    tmp_path: Path, small_bundle: Path, command: list[str], options: dict[str, str], says: str
) -> None:
    broker = options.get("broker", "127.0.0.1:1")
    rest = {name: value for name, value in options.items() if name != "broker"}
    ends(run(broker, tmp_path, small_bundle, command, **rest), 2, says)


def test_a_certificate_that_is_not_trusted_is_said_so_and_the_right_one_is(
    guarded: Guarded, tmp_path: Path, small_bundle: Path
) -> None:
    tls = {"security_protocol": "SSL"}
    wrong = run(guarded.tls, tmp_path, small_bundle, ["account"], **tls, ssl_cafile=str(guarded.stranger))
    ends(wrong, 2, "certificate is not trusted", "--ssl-cafile")
    known = run(guarded.tls, tmp_path, small_bundle, ["account"], **tls, ssl_cafile=str(guarded.authority))
    ends(known, 2, "is not there", "querymix topics create")


def test_the_wrong_kind_of_port_is_said_so(guarded: Guarded, tmp_path: Path, small_bundle: Path, right: Path) -> None:
    tls = {"security_protocol": "SSL", "ssl_cafile": str(guarded.authority)}
    ends(run(guarded.open, tmp_path, small_bundle, ["account"], **tls), 1, guarded.open, "--security-protocol")
    ends(run(guarded.tls, tmp_path, small_bundle, ["account"]), 1, guarded.tls, "TLS")
    ends(run(guarded.password, tmp_path, small_bundle, ["account"]), 1, guarded.password, "--security-protocol")


@pytest.mark.slow  # it waits twice for the client's time limit
def test_a_host_without_a_name_or_a_broker_is_said_so(tmp_path: Path, small_bundle: Path) -> None:
    ends(run("no-such-host.invalid:9092", tmp_path, small_bundle, ["account"]), 1, "no-such-host.invalid", "DNS")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"127.0.0.1:{silent.getsockname()[1]}"
        ends(run(place, tmp_path, small_bundle, ["account"]), 1, place, "no answer in time")


@pytest.mark.parametrize(
    ("lacks", "says"),
    [
        ("raw", ["READ on the topic", ".raw", "deploy/kafka-acls.sh"]),
        ("positions", ["READ on the topic", ".positions"]),
        ("periods", ["READ on the topic", ".periods", "deploy/kafka-acls.sh"]),
        ("anonymized", ["WRITE on the topic", ".anonymized"]),
        ("group", ["READ on the consumer group", "deploy/kafka-acls.sh"]),
        ("transactions", ["WRITE on the transactional ids", "deploy/kafka-acls.sh"]),
        ("describe", ["a right on the topic", "deploy/kafka-acls.sh"]),
        (None, []),
    ],
)
async def test_a_right_that_a_worker_lacks_is_named(
    guarded: Guarded,
    mongo: Database,
    tmp_path: Path,
    small_bundle: Path,
    right: Path,
    lacks: str | None,
    says: list[str],
) -> None:
    options = SASL | {"sasl_password_file": str(right)}
    with Deployment(
        guarded.password, mongo.uri, tmp_path, small_bundle, pseudonym_period="1d", **options
    ) as deployment:
        opened = Deployment(
            guarded.open, mongo.uri, tmp_path, small_bundle,
            prefix=deployment.settings.prefix, group=deployment.settings.group,
        )  # fmt: skip
        await opened.make_topics()
        for name, topic in deployment.topics._asdict().items():
            if lacks == "describe":
                continue
            operations = [Operation.DESCRIBE, Operation.DESCRIBE_CONFIGS]
            operations += [] if name == lacks else [Operation.READ, Operation.WRITE]
            guarded.allow("worker", ResourceType.TOPIC, topic, *operations)
        if lacks != "group":
            guarded.allow("worker", ResourceType.GROUP, deployment.settings.group, Operation.READ)
        if lacks != "transactions":
            guarded.allow(
                "worker", ResourceType.TRANSACTIONAL_ID, deployment.settings.group, Operation.WRITE, Operation.DESCRIBE
            )
        worker = deployment.worker()
        if lacks is None:
            await worker.ready()
            assert await worker.stopped() == 0
            return
        assert await worker.ended() == 2
        last = worker.log.read_text().splitlines()[-1]
        for word in says:
            assert word in last, last


async def test_without_a_right_to_create_topics_the_cluster_s_answer_is_shown(
    guarded: Guarded, tmp_path: Path, small_bundle: Path, right: Path
) -> None:
    deployment = Deployment(
        guarded.password, "mongodb://127.0.0.1:1", tmp_path, small_bundle, **SASL, sasl_password_file=str(right)
    )
    guarded.allow("worker", ResourceType.TOPIC, deployment.settings.prefix, Operation.DESCRIBE)
    done = await asyncio.to_thread(deployment.command, "topics", "create")
    ends(done, 2, "cannot make the topic", "grant it")


async def test_a_living_client_makes_new_connections_with_the_credentials_of_now(
    guarded: Guarded, tmp_path: Path, right: Path
) -> None:
    """Also a Faust credential is no more than that; a password that is refused is not taken over."""
    (tmp_path / "wrong").write_text("hunter2")
    listeners: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        (guarded.password, {"sasl_password_file": tmp_path / "wrong"}, {"sasl_password_file": right}),
        (guarded.tls, {"ssl_cafile": guarded.stranger}, {"ssl_cafile": guarded.authority}),
    ]
    for broker, bad, good in listeners:
        same: dict[str, Any] = {"broker": broker} | (
            SASL if broker == guarded.password else {"security_protocol": "SSL"}
        )
        before, after = (ConnectionSettings(**same, **more) for more in (bad, good))
        credentials, fresh = Credentials(before), Credentials(after)
        options = client_options(before, credentials)
        assert "hunter2" not in repr(options)
        client = AIOKafkaClient(**options)
        with pytest.raises(KafkaError):
            await client.bootstrap()
        with pytest.raises(ConfigError, match="password" if broker == guarded.password else "not trusted"):
            await knock(before, client_options(before))
        await knock(after, client_options(after, fresh))
        credentials.take(fresh)
        try:
            await client.bootstrap()
        finally:
            await client.close()


async def test_a_worker_tries_a_new_password_before_it_counts_and_works_on_with_the_old_one(
    guarded: Guarded, mongo: Database, tmp_path: Path, small_bundle: Path, right: Path
) -> None:
    options = SASL | {"sasl_username": "operator", "sasl_password_file": str(right)}
    with Deployment(guarded.password, mongo.uri, tmp_path, small_bundle, **options) as deployment:
        done = await asyncio.to_thread(deployment.command, "topics", "create")
        assert done.returncode == 0, done.stderr
        worker = await deployment.worker().ready()
        for word, says, failed in (
            ("hunter2", "stay in force: cannot reach Kafka at", 1.0),
            ("right", "; --sasl-password-file read again", 0.0),
        ):
            await asyncio.to_thread(right.write_text, word)
            worker.process.send_signal(signal.SIGHUP)

            async def said(words: str = says) -> bool:
                return words in worker.log.read_text()

            await until(says, said)
            await worker.shows(f"querymix_reload_failed {failed}")
        text = worker.log.read_text()
        assert "refuses the user name or the password" in text
        assert "hunter2" not in text
        await worker.ready()
        assert await worker.stopped() == 0
