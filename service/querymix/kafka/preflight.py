"""What must hold of the topics, the groups and this machine before a worker or a command works.

Rules:
- Nothing is made by looking. What is missing is named, with the command that makes it.
- A topic whose settings or partitions lose or double records is refused; other differences `topics create` reports.
- A check that this user has no right to make is left out with a warning that names the right.
"""

import errno
import logging
import socket
from collections.abc import Iterable, Mapping
from typing import Final

from aiokafka.errors import GroupAuthorizationFailedError, KafkaError

from querymix.core.errors import ConfigError
from querymix.kafka.admin import Admin
from querymix.kafka.failures import explained
from querymix.kafka.topics import Found, Topics, harm
from querymix.settings import ConnectionSettings
from querymix.settings.values import show_seconds

_log: Final = logging.getLogger(__name__)


async def check_topics(
    admin: Admin, topics: Topics, rights: Mapping[str, Iterable[str]], *, only: Iterable[str] | None = None
) -> dict[str, Found]:
    """Return the topics `only`, by their names in `Topics`, once they are as they have to be.

    `rights` are those that this user needs, by the same names. Without `only` these are all, but for the periods topic
    where no right on it is needed. Raises ConfigError with what is wrong and what to do.
    """
    if only is None:
        only = [field for field in Topics._fields if field != "periods" or field in rights]
    wanted = {field: name for field, name in topics._asdict().items() if field in only}
    there = await admin.topics(wanted.values())
    if missing := [name for name in wanted.values() if name not in there]:
        also = f" (also not there: {', '.join(missing[1:])})" if missing[1:] else ""
        raise ConfigError(
            f"the topic {missing[0]} is not there{also}: run '{_creates(topics)}', or correct --prefix or --broker"
        )
    found = {field: there[name] for field, name in wanted.items()}
    _check_partitions(found)
    for field, needed in rights.items():
        if denied := sorted(set(needed) - found[field].rights):
            raise ConfigError(
                f"the broker denies this user {denied[0]} on the topic {found[field].name}: grant it "
                "(deploy/kafka-acls.sh does), then start again"
            )
    configs = await admin.topic_configs(wanted.values())
    for field, name in wanted.items():
        if name not in configs:
            _log.warning("cannot check the settings of %s: this user has no right DESCRIBE_CONFIGS on it", name)
        refuse_harm(field, name, configs.get(name, {}))
    return found


def _creates(topics: Topics) -> str:
    """Return the command that makes these topics: their names are not always those of the defaults."""
    prefix = topics.state.removesuffix(".state")
    words = ["querymix topics create"]
    words += [f"--prefix {prefix}"] if prefix != ConnectionSettings.model_fields["prefix"].default else []
    words += [f"--raw-topic {topics.raw}"] if topics.raw != f"{prefix}.raw" else []
    return " ".join(words)


def partitions_of(found: Mapping[str, Found]) -> dict[str, int]:
    """Return how many partitions each topic has, by its whole name."""
    return {topic.name: topic.partitions for topic in found.values()}


async def check_session(admin: Admin, seconds: float) -> None:
    """Raise ConfigError where the brokers do not take this session timeout: a client waits for ever then."""
    limits = await admin.session_limits()
    if limits is not None and not limits[0] <= seconds <= limits[1]:
        raise ConfigError(
            f"--session-timeout: the brokers take {limits[0]:g} to {limits[1]:g} s (group.min.session.timeout.ms and "
            "group.max.session.timeout.ms)"
        )


async def check_period(admin: Admin, topics: Topics, period: float) -> None:
    """Raise ConfigError where the topic of keys loses one before a period of so many seconds is over."""
    configs = (await admin.topic_configs([topics.periods])).get(topics.periods, {})
    kept = int(configs.get("retention.ms", "-1")) / 1000
    if 0 <= kept < period:
        needed = int(1000 * period + 86_400_000)
        raise ConfigError(
            f"the topic {topics.periods} keeps records for {show_seconds(kept)}, which is shorter than "
            f"--pseudonym-period {show_seconds(period)}: after a restart users would have other ids. Set it right with "
            f"kafka-configs.sh --alter --topic {topics.periods} --add-config retention.ms={needed}, then start again"
        )


async def check_groups(admin: Admin, groups: Iterable[str], topics: Topics) -> None:
    """Raise ConfigError where this user may not join a group, or where it is another service's.

    A client says neither, and waits for ever; two services of one group take the partitions' writers from each other.
    """
    for name in groups:
        try:
            group = await admin.group(name)
            if not group.readable:
                raise GroupAuthorizationFailedError
        except KafkaError as error:
            raise explained(error, f"the consumer group {name}") from None
        read = {source.topic for member in group.members for source in member.partitions}
        if foreign := sorted(read - set(topics)):
            raise ConfigError(
                f"the consumer group {name} reads {foreign[0]}, which is another service's topic: give each service a "
                "--group of its own. Was --prefix changed? Then stop the old workers first"
            )


def refuse_harm(field: str, name: str, configs: Mapping[str, str]) -> None:
    """Raise ConfigError where a topic's settings lose records."""
    if repair := harm(field, configs):
        setting = repair.partition("=")[0]
        raise ConfigError(
            f"the topic {name} has {setting}={configs[setting]}, which loses records: set it right with "
            f"kafka-configs.sh --alter --topic {name} --add-config {repair}, then start again"
        )


def _check_partitions(found: Mapping[str, Found]) -> None:
    if "state" in found and "classified" in found:
        state, classified = found["state"], found["classified"]
        if state.partitions != classified.partitions:
            raise ConfigError(
                f"{state.name} has {state.partitions} partitions and {classified.name} has {classified.partitions}: "
                "they need the same number, fixed for good. See Restore in deploy/README.md"
            )


def check_port(host: str, port: int, host_option: str = "--http-host", port_option: str = "--http-port") -> None:
    """Raise ConfigError, with the option, where nothing could listen at this address."""
    try:
        for family, kind, protocol, _, address in socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            with socket.socket(family, kind, protocol) as tried:
                # As the web server does: a port that only waits for its last connections to end is free.
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    tried.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                tried.bind(address)
    except socket.gaierror as error:
        raise ConfigError(f"{host_option}: the name {host} is not known here ({error.strerror})") from None
    except OSError as error:
        raise ConfigError(_port_refused(error, host, port, host_option, port_option)) from None


def _port_refused(error: OSError, host: str, port: int, host_option: str, port_option: str) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"{port_option}: another program listens on port {port} of {host}, maybe another worker: give each worker "
            "on this machine a port of its own"
        )
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host_option}: {host} is no address of this machine"
    if error.errno == errno.EACCES:
        return f"{port_option}: this user may not listen on port {port}; take one above 1023"
    return f"{port_option}: cannot listen on port {port} of {host}: {error.strerror}"
