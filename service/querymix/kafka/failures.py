"""What an operator reads when Kafka or the system refuses something: what is wrong, and what to do next.

Rules:
- ConfigError (exit 2): a restart does not help before somebody has changed something.
- TransientError (exit 1): start again.
- AwayError and RefusedError are their kinds that pass while a worker runs: it waits and begins the partition anew.
- The text names topics, options and addresses; it never holds a record.
- aiokafka wraps some errors in others; the innermost one that this table knows decides.
- Kafka's topic id stands beside each position that the service keeps. Under the same name and another id the position
  means nothing: reading on from it would skip records, and beginning anew could release some twice. Nobody but the
  operator can say which, so the work stops until `querymix topics accept` has said it.
- A topic that ends before the position has lost records, even under the same id (an unclean leader election does that).
"""

import asyncio
import errno
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from aiokafka import errors as kafka
from aiokafka.errors import BrokerResponseError

from querymix.core.errors import ConfigError, QuerymixError, RefusedError, TransientError, origin
from querymix.kafka.ports import TopicPartition
from querymix.settings import ConnectionSettings


class AwayError(TransientError):
    """Kafka is away, or no longer knows a writer: wait, and begin the partition anew."""


class NameTakenError(ConfigError):
    """Another worker has joined under this worker's static name."""

    @classmethod
    def by(cls, instance: str | None) -> "NameTakenError":
        """Return the error that names it."""
        return cls(
            f"--instance {instance}: another worker has joined under the same name, and this one ends: give each a "
            "name of its own, then start it again"
        )


class FencedInstanceIdError(BrokerResponseError):  # type: ignore[misc]  # aiokafka has no types
    """Another member has joined the group under the same static name."""

    errno = 82
    message = "FENCED_INSTANCE_ID"
    description = "another member of the group has the same instance id"


# aiokafka knows static members, and not the error that a broker answers one with whose name another has taken: it would
# come out as an unknown error without its code.
kafka.kafka_errors.setdefault(FencedInstanceIdError.errno, FencedInstanceIdError)

_RIGHTS: Final = "grant it (deploy/kafka-acls.sh does), then start again"

_REFUSED: Final[dict[str, str]] = {
    "TopicAuthorizationFailedError": f"the broker denies this user a right on the topic{{detail}}: {_RIGHTS}",
    "GroupAuthorizationFailedError": f"the broker denies this user READ on the consumer group: {_RIGHTS}",
    "ClusterAuthorizationFailedError": f"the broker denies this user a right on the cluster: {_RIGHTS}",
    "TransactionalIdAuthorizationFailed": (
        f"the broker denies this user WRITE on the transactional ids that begin with --group: {_RIGHTS}"
    ),
    "SaslAuthenticationFailed": (
        "the broker refuses the user name or the password: look at --sasl-username, --sasl-password-file and "
        "--sasl-mechanism; was the password changed?"
    ),
}
"""Errors of a user, by their names."""

_WRONG: Final[dict[str, str]] = {
    "InvalidTimestampError": (
        "the broker refuses the time of a record: this machine's clock is wrong, or the broker's is. The clock here "
        "says {now}; set both clocks (NTP), then start again"
    ),
    "UnsupportedCodecError": (
        "a batch is compressed by a codec that is not installed here: pip install 'querymix[service]' installs all"
    ),
    "UnsupportedSaslMechanismError": "the broker does not take this --sasl-mechanism{detail}",
    "IllegalSaslStateError": "the broker expects no SASL on this port: look at --security-protocol and the port",
    "UnknownTopicOrPartitionError": "a topic or partition is not there: run 'querymix topics create', then start again",
    "InvalidTopicError": "the broker takes no topic of that name: --prefix may have letters, digits, '.', '_' and '-'",
    "MessageSizeTooLargeError": (
        "the broker refuses a record for its size: 'querymix topics create' shows which topic's max.message.bytes "
        "is too small"
    ),
    "RecordListTooLargeError": (
        "the broker refuses a batch for its size: 'querymix topics create' shows which topic's limits are too small"
    ),
    "InvalidSessionTimeoutError": (
        "the broker does not take this --session-timeout: it has to lie between its group.min.session.timeout.ms "
        "(6s by default) and group.max.session.timeout.ms"
    ),
    "InconsistentGroupProtocolError": (
        "another program uses this service's consumer group: give each service a --group of its own"
    ),
    "InvalidGroupIdError": "the broker does not take this --group as the name of a consumer group",
    "InvalidTransactionTimeout": (
        "the brokers' transaction.max.timeout.ms is below the 60 s that querymix needs: raise it"
    ),
    "InvalidReplicationFactorError": "there are fewer brokers than --replication asks copies for",
    "InvalidPartitionsError": "the broker does not take this number of partitions",
    "InvalidConfigurationError": "the broker does not take a setting of a topic",
    "PolicyViolationError": "a policy of the cluster forbids it",
    "IncompatibleBrokerVersion": "the brokers are too old: querymix needs Kafka 2.8 or later",
    "UnsupportedVersionError": "the brokers are too old: querymix needs Kafka 2.8 or later",
    "NotImplementedError": "the brokers are too old or too new for the client: querymix needs Kafka 2.8 or later",
}
"""Errors that a restart does not help against, by their names."""

_FORGOTTEN: Final = (
    "the broker has forgotten this partition's writer, which was idle for longer than transactional.id.expiration.ms: "
    "a new one begins, nothing is to do"
)
_TIMED_OUT: Final = (
    "the broker has ended this partition's transaction, since it was open for too long or another worker has begun: "
    "it is begun anew, nothing is to do"
)
_AWAY: Final[dict[str, str]] = {
    "NotEnoughReplicasError": "fewer replicas are in sync than min.insync.replicas asks for: bring the brokers back",
    "NotEnoughReplicasAfterAppendError": (
        "fewer replicas are in sync than min.insync.replicas asks for: bring the brokers back"
    ),
    "KafkaStorageError": "a broker's disk fails: repair that broker",
    "CorruptRecordException": "a record does not match its checksum: look at the broker's disk",
    "LeaderNotAvailableError": "a partition has no leader: bring its brokers back",
    "NotLeaderForPartitionError": "a partition's leader has moved: start again",
    "ReplicaNotAvailableError": "a partition's replica is away: bring its broker back",
    "GroupCoordinatorNotAvailableError": "no broker leads the consumer group yet: start again",
    "NodeNotReadyError": (
        "a broker that Kafka names in its answer cannot be reached from here: look at its advertised.listeners"
    ),
    "KafkaConnectionError": "the brokers do not answer: see whether they run, and whether this machine reaches them",
    "RequestTimedOutError": "a broker did not answer in time: see whether all brokers run",
    "KafkaTimeoutError": "a broker did not answer in time: see whether all brokers run",
    "TimeoutError": "a broker did not answer in time: see whether all brokers run",
    "UnknownError": "the broker failed without a reason: its log says why",
    "BrokerNotAvailableError": "a broker is away: bring it back",
    "KafkaUnavailableError": "the brokers do not answer: see whether they run, and whether this machine reaches them",
    "NotCoordinatorForGroupError": "the group or the transactions move to another broker: see whether all brokers run",
    "GroupLoadInProgressError": "a broker still reads the groups' or the transactions' state: it takes a moment",
    "NotControllerError": "the controller has moved to another broker: see whether all brokers run",
    "QuotaViolationError": "the broker's quota for this user is used up: raise it with kafka-configs.sh",
    "InvalidProducerIdMapping": _FORGOTTEN,
    "UnknownProducerId": _FORGOTTEN,
    "InvalidTxnState": _TIMED_OUT,
    "InvalidProducerEpoch": _TIMED_OUT,
    "ProducerFenced": _TIMED_OUT,
    "OutOfOrderSequenceNumber": "the broker lacks records that were written: its log says why",
}
"""Errors that pass, once the brokers are well again or a new writer has begun."""

_ACCEPT: Final = (
    "stop all workers, run 'querymix topics accept', which goes on with the topic as it is now, and start them again"
)
_NAME: Final = re.compile(r"\b[A-Z][A-Za-z]+\b")
_PLAIN: Final = re.compile(r"[\w.\-]+")


def explained(error: BaseException, where: str) -> QuerymixError:
    """Return an error for the operator: what is wrong at `where`, a place such as a topic, and what to do."""
    if isinstance(error, QuerymixError):
        return error
    for cause in _causes(error):
        for name in _names(cause):
            if name == FencedInstanceIdError.__name__:
                return NameTakenError(f"{where}: another worker has joined under the same --instance ({name})")
            for kind, table in ((RefusedError, _REFUSED), (ConfigError, _WRONG), (AwayError, _AWAY)):
                if name in table:
                    text = table[name].format(detail=_detail(cause), now=f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC")
                    return kind(f"{where}: {text} ({name})")
        if isinstance(cause, OSError) and (said := _system(cause, where)):
            return said
    name = type(error).__name__
    if isinstance(error, kafka.KafkaError):
        # It may pass for a partition that begins anew as well as for a new worker.
        return AwayError(f"{where}: Kafka failed ({name}). Nothing is lost; if it does not pass, see the broker's log")
    return TransientError(f"{where}: {name}{origin(error)}. Start again, nothing is lost; if it comes back, report it")


def unreachable(error: BaseException, place: str, settings: ConnectionSettings) -> QuerymixError:
    """Return why the first connection to a broker at `place` failed."""
    where = f"cannot reach Kafka at {place}"
    tls = settings.security_protocol.endswith("SSL")
    if isinstance(error, ssl.SSLError):
        return ConfigError(f"{where}: {_tls(error)}")
    if isinstance(error, socket.gaierror):
        return AwayError(f"{where}: the name is not known here ({error.strerror}): look at --broker and at DNS")
    if isinstance(error, kafka.KafkaConnectionError | ConnectionResetError | asyncio.IncompleteReadError):
        hint = (
            "see whether it speaks TLS (--security-protocol) and takes this client certificate"
            if tls
            else "see whether it wants TLS or a password (--security-protocol)"
        )
        return AwayError(f"{where}: it closed the connection at once: look at the port, and {hint}")
    if isinstance(error, TimeoutError | asyncio.TimeoutError):
        hint = "" if tls else ", and whether the port wants TLS (--security-protocol)"
        return AwayError(
            f"{where}: no answer in time: see whether it is a Kafka broker and a network lets us through{hint}"
        )
    return explained(error, where)


def _tls(error: ssl.SSLError) -> str:
    """Return why TLS failed, and what to look at."""
    if not isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"TLS failed ({getattr(error, 'reason', None) or error.strerror}): look at the port, --security-protocol "
            "and the client certificate"
        )
    why = error.verify_message
    if "not yet valid" in why or "expired" in why:
        return f"the broker's certificate: {why}. Renew it, or set this machine's clock"
    return (
        f"the broker's certificate is not trusted ({why}): look at --ssl-cafile, and call the broker by a name that "
        "its certificate has"
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the causes of an error from the innermost one on, then itself."""
    if error.__cause__ is not None:
        yield from _causes(error.__cause__)
    yield error


def _names(error: BaseException) -> Iterator[str]:
    """Yield the names that an error goes by: its class and its parents, and where it wraps one, that of its text."""
    if type(error) is kafka.KafkaError:
        yield from _NAME.findall(str(error))[:3]
    yield from (kind.__name__ for kind in type(error).__mro__)


def _detail(error: BaseException) -> str:
    """Return the topic or group that an error names, with a space before it."""
    first = error.args[0] if error.args else None
    names = sorted(map(str, first)) if isinstance(first, set | frozenset | list | tuple) else [str(first or "")]
    plain = [name for name in names if _PLAIN.fullmatch(name)]
    return f" {', '.join(plain)}" if plain else ""


def _system(error: OSError, where: str) -> QuerymixError | None:
    """Return what the operating system's own refusals mean, None for one that says nothing to an operator."""
    if isinstance(error, ConnectionRefusedError):
        return AwayError(f"{where}: nothing listens there: start the broker, or correct its address")
    if error.errno in (errno.EHOSTUNREACH, errno.ENETUNREACH):
        return AwayError(f"{where}: there is no way to that address: look at the network and --broker")
    if error.errno == errno.EMFILE:
        return ConfigError(f"{where}: too many open files: raise the limit (ulimit -n), then start again")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return TransientError(f"{where}: the disk is full: make room, then start again")
    kind = AwayError if isinstance(error, ConnectionError) else TransientError
    return kind(f"{where}: {error.strerror}") if error.strerror else None


def refuse_new_topic(source: TopicPartition, kept: Mapping[str, Any] | None, now: str) -> None:
    """Raise ConfigError where the topic's id is `now` another one than stands in what is `kept` of a partition.

    A log in memory has no ids; they are empty then.
    """
    if kept and now and kept["topic"] != now:
        raise ConfigError(
            f"{source.topic} is another topic than the one that partition {source.partition} was read from: it was "
            f"deleted and made anew. To take that: {_ACCEPT}"
        )


def cut_short(source: TopicPartition, position: int, end: int) -> ConfigError:
    """Return the error for a partition that ends before what was taken in."""
    return ConfigError(
        f"{source.topic} partition {source.partition} ends at offset {end}, before offset {position}, which was read: "
        f"it was deleted and made anew, or its brokers have lost records. To take that: {_ACCEPT}"
    )


def other_version(topic: str, partition: int) -> ConfigError:
    """Return the error for a state of a version that this one does not read."""
    return ConfigError(
        f"{topic} partition {partition}: its records were written by another version of querymix, which this one does "
        "not read: by a newer one, or by one from before 0.1.0. Stop all workers of this version and see Upgrade in "
        "deploy/README.md. Where no other version ever ran here, a record is damaged: see Restore there"
    )


def unreadable(topic: str, partition: int, why: str) -> ConfigError:
    """Return the error for what the service keeps in a topic of its own and cannot read any more.

    `why` holds nothing of a record but its key.
    """
    return ConfigError(
        f"{topic} partition {partition}: {why}. A restart does not help: somebody else has written there, a "
        "retention has removed records, or one is damaged. See Restore in deploy/README.md, 'A record that cannot be "
        "read'"
    )
