"""How clients reach Kafka: one place turns settings into what aiokafka and Faust take."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiokafka.errors import KafkaError
from aiokafka.helpers import create_ssl_context

from service.core.errors import Broken, Misconfigured
from service.settings import ConnectionSettings, read_secret


def ssl_context(settings: ConnectionSettings) -> ssl.SSLContext | None:
    """Return the TLS context that the settings ask for, None for connections in the clear.

    Raises Misconfigured where a certificate cannot be read.
    """
    if not settings.security_protocol.endswith("SSL"):
        return None
    try:
        context: ssl.SSLContext = create_ssl_context(
            cafile=settings.ssl_cafile, certfile=settings.ssl_certfile, keyfile=settings.ssl_keyfile
        )
    except (OSError, ssl.SSLError) as error:
        raise Misconfigured(f"cannot read the TLS certificates: {error.strerror or error}") from None
    return context


def client_options(settings: ConnectionSettings) -> dict[str, Any]:
    """Return the options that every aiokafka client takes."""
    options: dict[str, Any] = {
        "bootstrap_servers": settings.broker,
        "security_protocol": settings.security_protocol,
        "ssl_context": ssl_context(settings),
    }
    if settings.security_protocol.startswith("SASL"):
        options |= {
            "sasl_mechanism": settings.sasl_mechanism,
            "sasl_plain_username": settings.sasl_username,
            "sasl_plain_password": read_secret(settings.sasl_password_file, "--sasl-password-file"),
        }
    return options


@contextmanager
def reaching(settings: ConnectionSettings) -> Iterator[None]:
    """Raise Broken where the body finds Kafka away or is refused by it."""
    try:
        yield
    except (OSError, KafkaError) as error:
        raise Broken(f"cannot reach Kafka at {settings.broker}: {error}") from None
