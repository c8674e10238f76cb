"""What must hold before a worker starts, as far as it needs no broker."""

import socket
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from querymix.core.errors import ConfigError
from querymix.kafka.admin import Group, GroupMember
from querymix.kafka.ports import TopicPartition
from querymix.kafka.preflight import check_groups, check_period, check_port, check_topics
from querymix.kafka.topics import Found, names
from querymix.settings import ConnectionSettings

from deploy.local.process import free_ports


class Cluster:
    """Answers as an admin session does: it has no topic, and groups whose members read `reads`."""

    def __init__(self, reads: Iterable[str] = (), configs: Mapping[str, dict[str, str]] = {}) -> None:
        self._configs = configs
        partitions = frozenset(TopicPartition(topic, 0) for topic in reads)
        self._group = Group([GroupMember(None, "one", "", partitions)], readable=True)

    async def topics(self, wanted: Iterable[str]) -> dict[str, Found]:
        return {}

    async def topic_configs(self, wanted: Iterable[str]) -> dict[str, dict[str, str]]:
        return {name: self._configs[name] for name in wanted if name in self._configs}

    async def group(self, name: str) -> Group:
        return self._group


@pytest.mark.parametrize(
    ("options", "command"),
    [
        ({}, "'querymix topics create'"),
        ({"prefix": "log-dry-run", "raw_topic": "log.raw"},
         "'querymix topics create --prefix log-dry-run --raw-topic log.raw'"),
    ],
)  # fmt: skip
async def test_every_topic_that_is_not_there_is_named_with_the_command_that_makes_them(
    options: dict[str, Any], command: str
) -> None:
    topics = names(ConnectionSettings(**options))
    with pytest.raises(ConfigError) as told:
        await check_topics(Cluster(), topics, {"periods": {"READ"}})  # type: ignore[arg-type]
    assert command in str(told.value)
    assert all(name in str(told.value) for name in topics)


async def test_the_topic_of_keys_is_missed_by_those_alone_who_need_it() -> None:
    topics = names(ConnectionSettings())
    with pytest.raises(ConfigError) as told:
        await check_topics(Cluster(), topics, {"state": {"READ"}})  # type: ignore[arg-type]
    assert topics.periods not in str(told.value)
    assert topics.positions in str(told.value)


@pytest.mark.parametrize(("kept", "fine"), [("604800000", True), ("-1", True), ("604799999", False)])
async def test_a_topic_of_keys_that_loses_them_before_the_period_is_over_is_refused(kept: str, fine: bool) -> None:
    topics = names(ConnectionSettings())
    cluster = Cluster(configs={topics.periods: {"retention.ms": kept}})
    if fine:
        await check_period(cluster, topics, 604_800.0)  # type: ignore[arg-type]
        return
    with pytest.raises(ConfigError, match=r"other ids.*kafka-configs\.sh .*retention\.ms=691200000"):
        await check_period(cluster, topics, 604_800.0)  # type: ignore[arg-type]


async def test_a_topic_of_keys_whose_settings_nobody_may_see_is_taken() -> None:
    await check_period(Cluster(), names(ConnectionSettings()), 604_800.0)  # type: ignore[arg-type]


async def test_a_group_that_reads_another_services_topics_is_refused() -> None:
    topics = names(ConnectionSettings())
    await check_groups(Cluster(), ["querymix"], topics)  # type: ignore[arg-type]
    await check_groups(Cluster([topics.classified, topics.evidence]), ["querymix"], topics)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"reads other\.classified, .* --group of its own"):
        await check_groups(Cluster([topics.evidence, "other.classified"]), ["querymix"], topics)  # type: ignore[arg-type]


def test_a_port_or_an_address_that_cannot_be_listened_on_is_named() -> None:
    (port,) = free_ports(1)
    taken = pytest.raises(ConfigError, match=f"--http-port: another program listens on port {port}")
    with socket.create_server(("127.0.0.1", port)), taken:
        check_port("127.0.0.1", port)
    check_port("127.0.0.1", port)
    with pytest.raises(ConfigError, match=r"--http-host: 192\.0\.2\.1 is no address of this machine"):
        check_port("192.0.2.1", port)
    with pytest.raises(ConfigError, match=r"--http-host: the name no-such-host\.invalid is not known here"):
        check_port("no-such-host.invalid", port)
