"""How clients reach Kafka: one place turns settings into what aiokafka and Faust take.

Rules:
- No client makes a topic by asking for it, whatever the broker allows: only `querymix topics create` makes topics.
- Settings that contradict each other are refused: a connection is never weaker than the options look.
- What fails ends in one line that says what is wrong and what to do (see `failures`).
- Each new connection is made with the credentials of that moment, so that they may change while clients live.
"""

import asyncio
import logging
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple

import aiokafka.client
import aiokafka.consumer.fetcher
from aiokafka.conn import collect_hosts, create_conn
from aiokafka.errors import KafkaConnectionError, KafkaError
from aiokafka.helpers import create_ssl_context
from aiokafka.protocol.metadata import MetadataRequest

from querymix.core.errors import ConfigError, QuerymixError
from querymix.kafka import pacing, refused_batches  # noqa: F401 - both change what all clients do
from querymix.kafka.failures import AwayError, explained, unreachable
from querymix.settings import ConnectionSettings, WorkerSettings, read_secret

_log: Final = logging.getLogger(__name__)
NOTICED_WITHIN: Final = 30.0
"""Seconds within which a member notices that a topic has more partitions; the clients' default is five minutes."""
_TIMEOUT_MS: Final = 15_000
"""How long the first answer of a broker is waited for."""
_STOPS_WITHIN: Final = 2.0
_GONE_WITHIN: Final = 0.2
_CANCELLATIONS: Final = 4


class _LookUp(MetadataRequest):  # type: ignore[misc]  # aiokafka has no types
    """Asks for topics without making them."""

    def __init__(self, topics: list[str] | None = None, allow_auto_topic_creation: bool | None = None) -> None:
        super().__init__(topics, allow_auto_topic_creation=False)


# Every aiokafka client, Faust's too, asks for its topics' metadata again and again. The request lets the broker make a
# topic that is missing, with one partition and retention by time, and no client has an option against that. So a
# mistyped prefix, or a topic deleted while a worker runs, would leave a topic behind that loses pools after a week.
aiokafka.client.MetadataRequest = _LookUp


class _Held(NamedTuple):
    """What a connection is made with."""

    context: ssl.SSLContext | None
    username: str | None
    password: str | None

    def __repr__(self) -> str:
        return "_Held(...)"


class Credentials:
    """What the clients of one set of settings make connections with; `take` changes it for those that live too.

    Raises ConfigError where a file cannot be read, or settings contradict each other.
    """

    def __init__(self, settings: ConnectionSettings) -> None:
        self.held = _Held(ssl_context(settings), settings.sasl_username, sasl_password(settings))

    def take(self, other: "Credentials") -> None:
        """Let new connections be made with another's from now on; all at once: threads connect, too."""
        self.held = other.held

    def now(self, name: str) -> Any:
        """Return what stands for one of them in a client's options; nothing stands for one that there is not."""
        return None if getattr(self.held, name) is None else _Now(self, name)


class _Now:
    """Stands for a credential in a client's options."""

    def __init__(self, credentials: Credentials, name: str) -> None:
        self.credentials = credentials
        self.name = name

    def __repr__(self) -> str:
        return f"<the {self.name} of now>"


async def _connect(*place: Any, **options: Any) -> Any:
    """Make a connection with the credentials of now."""
    standing = {name: value for name, value in options.items() if isinstance(value, _Now)}
    for one in list(standing.values())[:1]:
        held = one.credentials.held
        options |= {name: getattr(held, value.name) for name, value in standing.items()}
    return await create_conn(*place, **options)


# A client keeps user, password and TLS context from its making on, and has no way to take others.
aiokafka.client.create_conn = _connect
_bootstrap: Final = aiokafka.client.AIOKafkaClient.bootstrap


async def _bootstrap_on_a_broker(self: Any) -> None:
    """Connect to a cluster that names a broker. Raises KafkaConnectionError where none does."""
    await _bootstrap(self)
    if not self.cluster.brokers():
        raise KafkaConnectionError("the cluster names no broker yet")


# A broker that has just come back, after it hung or was started, names none for a moment, not even itself. A client
# that begins then takes that for success, and fails by an assertion, which no part that waits for Kafka knows.
aiokafka.client.AIOKafkaClient.bootstrap = _bootstrap_on_a_broker


def ssl_context(settings: ConnectionSettings) -> ssl.SSLContext | None:
    """Return the TLS context that the settings ask for, None for connections in the clear.

    Raises ConfigError where a certificate cannot be read, or is given for connections in the clear.
    """
    files = {
        "--ssl-cafile": settings.ssl_cafile,
        "--ssl-certfile": settings.ssl_certfile,
        "--ssl-keyfile": settings.ssl_keyfile,
    }
    given = [option for option, file in files.items() if file is not None]
    if not settings.security_protocol.endswith("SSL"):
        if given:
            raise ConfigError(
                f"{given[0]} is given, but --security-protocol is {settings.security_protocol}, which encrypts "
                "nothing: set it to SSL or SASL_SSL, or take the file away"
            )
        return None
    if settings.ssl_keyfile is not None and settings.ssl_certfile is None:
        raise ConfigError("--ssl-keyfile is given without --ssl-certfile: name the client certificate too")
    try:
        context: ssl.SSLContext = create_ssl_context(
            cafile=settings.ssl_cafile, certfile=settings.ssl_certfile, keyfile=settings.ssl_keyfile
        )
    except (OSError, ssl.SSLError) as error:
        why = error.strerror or getattr(error, "reason", None) or "that is no PEM file"
        raise ConfigError(f"cannot read the TLS certificates ({', '.join(given)}): {why}") from None
    return context


def sasl_password(settings: ConnectionSettings) -> str | None:
    """Return the password that the settings ask for, None where there is no SASL.

    Raises ConfigError where the user or the password is missing, or given where nothing asks for it.
    """
    if not settings.security_protocol.startswith("SASL"):
        given = {"--sasl-username": settings.sasl_username, "--sasl-password-file": settings.sasl_password_file}
        for option, value in given.items():
            if value is not None:
                raise ConfigError(
                    f"{option} is given, but --security-protocol is {settings.security_protocol}: "
                    "set it to SASL_SSL, or take the option away"
                )
        return None
    if not settings.sasl_username:
        raise ConfigError(f"--security-protocol {settings.security_protocol} needs --sasl-username")
    password = read_secret(settings.sasl_password_file, "--sasl-password-file")
    if password is None:
        raise ConfigError(f"--security-protocol {settings.security_protocol} needs --sasl-password-file")
    return password.get_secret_value()


def client_options(settings: ConnectionSettings, credentials: Credentials | None = None) -> dict[str, Any]:
    """Return the options that every aiokafka client takes; `credentials` where they may change."""
    own = credentials or Credentials(settings)
    options: dict[str, Any] = {
        "bootstrap_servers": settings.broker,
        "security_protocol": settings.security_protocol,
        "ssl_context": own.now("context"),
    }
    if own.held.password is not None:
        options |= {
            "sasl_mechanism": settings.sasl_mechanism,
            "sasl_plain_username": own.now("username"),
            "sasl_plain_password": own.now("password"),
        }
    return options


def member_options(settings: WorkerSettings, group: str, credentials: Credentials | None = None) -> dict[str, Any]:
    """Return the options of an aiokafka consumer by which this worker is a member of a group."""
    return client_options(settings, credentials) | {
        "group_id": group,
        "group_instance_id": settings.instance,
        "session_timeout_ms": int(settings.session_timeout * 1000),
        "heartbeat_interval_ms": int(heartbeat(settings) * 1000),
        "metadata_max_age_ms": int(NOTICED_WITHIN * 1000),
    }


def heartbeat(settings: WorkerSettings) -> float:
    """Return the seconds between two signs of life."""
    return settings.session_timeout / 4


@contextmanager
def reaching(where: str) -> Iterator[None]:
    """Raise TransientError or ConfigError, with what to do, where the body finds Kafka away or is refused by it."""
    try:
        yield
    except AssertionError:
        # What aiokafka says of a broker that has just come back, and whose first answers name no broker at all.
        raise AwayError(f"{where}: the brokers are not ready yet: see whether all of them run") from None
    except (OSError, KafkaError, NotImplementedError) as error:
        raise explained(error, where) from None


def left_for_good(consumer: aiokafka.AIOKafkaConsumer) -> bool:
    """Say whether a member of a group has ended what keeps it there: aiokafka never begins that again."""
    task = consumer._coordinator._coordination_task  # noqa: SLF001 - no public place has it
    return bool(task.done())


def why_it_failed(producer: aiokafka.AIOKafkaProducer, error: BaseException) -> BaseException:
    """Return why a transaction failed, `error` where that is all: aiokafka tells some of its futures without the cause.

    To be asked before the transaction is aborted.
    """
    waiter = producer._txn_manager.wait_for_transaction_end()  # noqa: SLF001 - no public place has it
    told: BaseException | None = None
    if waiter is not None and waiter.done() and not waiter.cancelled():
        told = waiter.exception()
    told = told or error
    while told.__cause__ is not None:
        told = told.__cause__
    return told


async def stop_producer(producer: aiokafka.AIOKafkaProducer) -> None:
    """Stop a producer within a few seconds, whether its brokers answer or not.

    aiokafka waits until all that was sent is acknowledged, and inside of it tasks look for a coordinator for ever.
    """
    try:
        async with asyncio.timeout(_STOPS_WITHIN):
            await producer.stop()
    except (TimeoutError, KafkaError) as error:
        _log.debug("a producer does not stop by itself: %s", type(error).__name__)
    finally:
        sender = producer._sender.sender_task  # noqa: SLF001 - nothing else ends it
        for _ in range(_CANCELLATIONS):
            # The first one makes it wait for the tasks inside, the next ones end those.
            if sender is not None and not sender.done():
                sender.cancel()
                await asyncio.wait({sender}, timeout=_GONE_WITHIN)
        with suppress(TimeoutError):
            async with asyncio.timeout(_GONE_WITHIN):
                await producer.client.close()


async def knock(settings: ConnectionSettings, options: Mapping[str, Any]) -> None:
    """Connect to the first broker that lets us, and close again.

    Raises ConfigError or TransientError with the reason where none does. aiokafka's clients log why a broker cannot be
    reached and raise an error without the reason.
    """
    own = {**options, "request_timeout_ms": _TIMEOUT_MS}
    del own["bootstrap_servers"]
    failed: list[QuerymixError] = []
    for host, port, _ in _hosts(settings.broker):
        try:
            connection = await _connect(host, port, **own)
            try:
                # A port that wants a password closes the connection only at the first question.
                await connection.send(_LookUp([]))
            finally:
                connection.close()
        except (TimeoutError, OSError, KafkaError, NotImplementedError) as error:
            failed.append(unreachable(error, f"{host}:{port}", settings))
        else:
            return
    # A wrong setting says more than a broker that is away.
    raise next((error for error in failed if isinstance(error, ConfigError)), failed[-1])


def _hosts(brokers: str) -> list[tuple[str, int, Any]]:
    try:
        hosts: list[tuple[str, int, Any]] = collect_hosts(brokers, randomize=False)
    except (ValueError, TypeError):
        hosts = []
    if not hosts or not all(host and 0 < port < 65536 for host, port, _ in hosts):
        raise ConfigError("--broker: give host:port, several parted by commas, such as kafka-1:9092,kafka-2:9092")
    return hosts
