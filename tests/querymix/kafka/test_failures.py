"""What an operator reads: one line with what is wrong and what to do, by the error that Kafka's client raises."""

import errno
import re
import socket
import ssl

import pytest
from aiokafka import errors as kafka
from querymix.core.errors import ConfigError, QuerymixError, RefusedError, TransientError
from querymix.kafka.failures import (
    AwayError,
    FencedInstanceIdError,
    NameTakenError,
    explained,
    unreachable,
)
from querymix.settings import ConnectionSettings

PLAIN = ConnectionSettings()
TLS = ConnectionSettings(security_protocol="SSL")


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (kafka.InvalidTimestampError(), ConfigError, "clock"),
        (kafka.TopicAuthorizationFailedError({"logs.raw"}), RefusedError, "on the topic logs.raw: grant it"),
        (kafka.GroupAuthorizationFailedError("group"), RefusedError, "READ on the consumer group"),
        (kafka.KafkaError(repr(kafka.InvalidSessionTimeoutError())), ConfigError, "--session-timeout"),
        (kafka.UnsupportedCodecError("lz4"), ConfigError, "pip install"),
        (kafka.MessageSizeTooLargeError(), ConfigError, "max.message.bytes"),
        (kafka.IncompatibleBrokerVersion("old"), ConfigError, "Kafka 2.8"),
        (NotImplementedError("v0"), ConfigError, "Kafka 2.8"),
        (kafka.NotEnoughReplicasError(), AwayError, "min.insync.replicas"),
        (kafka.KafkaConnectionError("gone"), AwayError, "do not answer"),
        (TimeoutError(), AwayError, "in time"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "refused"), AwayError, "nothing listens there"),
        (OSError(errno.ENOSPC, "full"), TransientError, "disk is full"),
        (ConnectionResetError(errno.ECONNRESET, "reset by peer"), AwayError, "reset by peer"),
        (kafka.KafkaError(repr(kafka.InvalidProducerIdMapping())), AwayError, "transactional.id.expiration.ms"),
        (kafka.InvalidTxnState(), AwayError, "begun anew"),
        (kafka.QuotaViolationError(), AwayError, "quota"),
        (kafka.ReassignmentInProgress(), AwayError, "Kafka failed (ReassignmentInProgress)"),
        (kafka.SaslAuthenticationFailed(), RefusedError, "was the password changed?"),
        (ValueError("zqab"), TransientError, "ValueError. Start again"),
    ],
)
def test_an_error_is_told_with_what_to_do(error: Exception, kind: type[QuerymixError], says: str) -> None:
    told = explained(error, "logs.raw partition 2")
    assert type(told) is kind
    assert str(told).startswith("logs.raw partition 2: ")
    assert says in str(told)
    assert "zqab" not in str(told)
    assert "\n" not in str(told)


def test_an_error_that_nobody_knows_names_its_place_in_the_code_and_nothing_that_it_says() -> None:
    with pytest.raises(AssertionError) as raised:
        raise AssertionError("zqab")
    told = str(explained(raised.value, "logs.raw partition 2"))
    assert re.fullmatch(
        r"logs.raw partition 2: AssertionError \(test_failures.py, line \d+\)\. Start again, nothing is lost; .*", told
    )


def test_the_cause_inside_an_error_decides_and_our_own_errors_stay() -> None:
    outer = RuntimeError("outer")
    outer.__cause__ = kafka.InvalidTimestampError()
    assert "clock" in str(explained(outer, "here"))
    own = TransientError("as it is")
    assert explained(own, "here") is own


def test_the_broker_s_word_for_a_taken_static_name_is_known_to_the_client() -> None:
    assert kafka.for_code(82) is FencedInstanceIdError
    assert isinstance(explained(kafka.KafkaError(repr(FencedInstanceIdError())), "here"), NameTakenError)


@pytest.mark.parametrize(
    ("error", "settings", "kind", "says"),
    [
        (ssl.SSLCertVerificationError("certificate is not yet valid"), TLS, ConfigError, "certificate"),
        (ssl.SSLError(1, "wrong version"), TLS, ConfigError, "--security-protocol"),
        (socket.gaierror(-2, "Name or service not known"), PLAIN, AwayError, "DNS"),
        (kafka.KafkaConnectionError("closed"), PLAIN, AwayError, "--security-protocol"),
        (ConnectionResetError(), TLS, AwayError, "client certificate"),
        (TimeoutError(), PLAIN, AwayError, "no answer in time"),
        (kafka.SaslAuthenticationFailed("no"), PLAIN, RefusedError, "--sasl-password-file"),
    ],
)
def test_why_a_broker_cannot_be_reached_is_told(
    error: Exception, settings: ConnectionSettings, kind: type[QuerymixError], says: str
) -> None:
    if isinstance(error, ssl.SSLCertVerificationError):
        error.verify_message = "certificate is not yet valid"
    told = unreachable(error, "kafka:9093", settings)
    assert type(told) is kind
    assert str(told).startswith("cannot reach Kafka at kafka:9093: ")
    assert says in str(told)
