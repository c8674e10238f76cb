"""How clients reach Kafka: one place turns settings into what aiokafka and Faust take.

Rules:
- No client makes a topic by asking for it, whatever the broker allows: only `querymix topics create` makes topics.
- Settings that contradict each other are refused: a connection is never weaker than the options look.
- What fails ends in one line that says what is wrong and what to do (see `failures`).
"""

import asyncio
import importlib
import logging
import ssl
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import inf
from typing import Any, Final, NamedTuple

import aiokafka.client
import aiokafka.consumer.fetcher
from aiokafka.client import AIOKafkaClient
from aiokafka.conn import collect_hosts, create_conn
from aiokafka.consumer.fetcher import PartitionRecords
from aiokafka.errors import KafkaError, UnsupportedCodecError
from aiokafka.helpers import create_ssl_context
from aiokafka.protocol.metadata import MetadataRequest

from querymix.core.errors import ConfigError, QuerymixError
from querymix.kafka.failures import explained, unreachable
from querymix.kafka.ports import RefusedBatch
from querymix.kafka.unpacking import BROKEN, UNPACKERS, BatchRefusedError, was_large
from querymix.settings import ConnectionSettings, WorkerSettings, read_secret

NOTICED_WITHIN: Final = 30.0
"""Seconds within which a member notices that a topic has more partitions; the clients' default is five minutes."""
_TIMEOUT_MS: Final = 15_000
"""How long the first answer of a broker is waited for."""
_BETWEEN_UPDATES: Final = 0.1
"""Seconds between two updates of a client's metadata."""
_MAX_HEADERS: Final = 64
_log: Final = logging.getLogger(__name__)


class _LookUp(MetadataRequest):  # type: ignore[misc]  # aiokafka has no types
    """Asks for topics without making them."""

    def __init__(self, topics: list[str] | None = None, allow_auto_topic_creation: bool | None = None) -> None:
        super().__init__(topics, allow_auto_topic_creation=False)


# Every aiokafka client, Faust's too, asks for its topics' metadata again and again. The request lets the broker make a
# topic that is missing, with one partition and retention by time, and no client has an option against that. So a
# mistyped prefix, or a topic deleted while a worker runs, would leave a topic behind that loses pools after a week.
aiokafka.client.MetadataRequest = _LookUp

_update_metadata: Final = AIOKafkaClient._metadata_update  # noqa: SLF001 - no option paces it


async def _paced_update(self: Any, *arguments: Any) -> bool:
    """Update metadata, but no two updates within `_BETWEEN_UPDATES`."""
    loop = asyncio.get_running_loop()
    await asyncio.sleep(getattr(self, "updated_at", -inf) + _BETWEEN_UPDATES - loop.time())
    updated: bool = await _update_metadata(self, *arguments)
    self.updated_at = loop.time()
    return updated


# While a partition has no leader, as after a broker was stopped in order, a producer asks for metadata again as soon as
# it was told: each took a whole core until the broker was back. Java's clients pause as long (retry.backoff.ms).
AIOKafkaClient._metadata_update = _paced_update  # noqa: SLF001


class _StandIn(NamedTuple):
    """A record of a batch, as aiokafka has it, in the place of one or of those that are not unpacked."""

    offset: int
    timestamp: int
    timestamp_type: int
    value: bytes | None
    key: bytes | None = None
    checksum: int | None = None
    headers: Sequence[tuple[str, bytes | None]] = ()


def _with_few_headers(record: Any) -> Any:
    """Return a record of a large batch: its headers take far more memory than bytes, and nothing of ours has many."""
    if len(record.headers) <= _MAX_HEADERS:
        return record
    fields = record.offset, record.timestamp, record.timestamp_type, record.value, record.key, record.checksum
    return _StandIn(*fields, record.headers[:_MAX_HEADERS])


class _Batch:
    """A batch of aiokafka's whose records that cannot be unpacked are one record, with the offset of the last."""

    def __init__(self, batch: Any, place: Any, reader: PartitionRecords) -> None:
        self._batch = batch
        self._place = place
        self._reader = reader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)

    def __next__(self) -> Any:
        return next(self._batch)

    def __iter__(self) -> Iterator[Any]:
        try:
            records = iter(self._batch)
            if getattr(self._batch, "compression_type", 0) and was_large():
                records = map(_with_few_headers, records)
            yield from records
        except BatchRefusedError as error:
            yield from self._rest(error.reason, error.packed)
        except UnsupportedCodecError:
            raise
        except Exception:  # of whatever kind; aiokafka would meet it again and again
            yield from self._rest(BROKEN, b"")

    def _rest(self, reason: str, packed: bytes) -> Iterator[_StandIn]:
        batch = self._batch
        # A batch of an older format does not say where it begins, nor when.
        first = max(getattr(batch, "base_offset", 0), self._reader.next_fetch_offset)
        last, time = batch.next_offset - 1, getattr(batch, "max_timestamp", 0)
        if first > last:
            return
        count, place = last + 1 - first, "%s partition %d: %d records are refused, offsets %d to %d: %s"
        _log.warning(place, *self._place, count, first, last, reason)
        yield _StandIn(last, time, getattr(batch, "timestamp_type", 0), RefusedBatch.of(packed, reason, count))


class _Batches:
    """The batches that were fetched of a partition."""

    def __init__(self, packed: Any, place: Any, reader: PartitionRecords) -> None:
        self.has_next = packed.has_next
        self._packed = packed
        self._place = place
        self._reader = weakref.proxy(reader)  # no cycle, which would keep all of this for long

    def next_batch(self) -> _Batch:
        return _Batch(self._packed.next_batch(), self._place, self._reader)


class _BoundedRecords(PartitionRecords):  # type: ignore[misc]  # aiokafka has no types
    """What was fetched of a partition, unpacked within a bound."""

    def __init__(self, tp: Any, records: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(tp, _Batches(records, tp, self), *arguments, **options)


# A batch of 16 kB may hold a gigabyte, which aiokafka unpacks before anything can look at its size; and a batch that it
# cannot unpack ends the worker, and the next one too.
aiokafka.consumer.fetcher.PartitionRecords = _BoundedRecords
for _module in ("default_records", "legacy_records", "_crecords.default_records", "_crecords.legacy_records"):
    with suppress(ImportError):
        for _name in UNPACKERS.keys() & vars(_found := importlib.import_module(f"aiokafka.record.{_module}")).keys():
            setattr(_found, _name, UNPACKERS[_name])


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
    return password


def client_options(settings: ConnectionSettings) -> dict[str, Any]:
    """Return the options that every aiokafka client takes."""
    options: dict[str, Any] = {
        "bootstrap_servers": settings.broker,
        "security_protocol": settings.security_protocol,
        "ssl_context": ssl_context(settings),
    }
    password = sasl_password(settings)
    if password is not None:
        options |= {
            "sasl_mechanism": settings.sasl_mechanism,
            "sasl_plain_username": settings.sasl_username,
            "sasl_plain_password": password,
        }
    return options


def member_options(settings: WorkerSettings, group: str) -> dict[str, Any]:
    """Return the options of an aiokafka consumer by which this worker is a member of a group."""
    return client_options(settings) | {
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
    except (OSError, KafkaError, NotImplementedError) as error:
        raise explained(error, where) from None


async def knock(settings: ConnectionSettings, options: dict[str, Any]) -> None:
    """Connect to the first broker that lets us, and close again.

    Raises ConfigError or TransientError with the reason where none does. aiokafka's clients log why a broker cannot be
    reached and raise an error without the reason.
    """
    own = options | {"request_timeout_ms": _TIMEOUT_MS}
    del own["bootstrap_servers"]
    failed: list[QuerymixError] = []
    for host, port, _ in _hosts(settings.broker):
        try:
            connection = await create_conn(host, port, **own)
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
