"""An admin session: one client for every question about topics, groups and their positions, and for making topics.

Rules:
- A command opens one session, and so does a worker at its start, which keeps it; it is handed to whatever asks.
- No topic is made by asking for it.
- A topic's id is Kafka's own: one that was deleted and made anew has another id under the same name.
"""

import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from itertools import repeat
from typing import Any, Final, NamedTuple

from aiokafka.admin.config_resource import ConfigResourceType
from aiokafka.client import AIOKafkaClient, CoordinationType
from aiokafka.coordinator.protocol import ConsumerProtocolMemberAssignment
from aiokafka.errors import (
    KafkaError,
    TopicAlreadyExistsError,
    TopicAuthorizationFailedError,
    UnknownTopicOrPartitionError,
    for_code,
)
from aiokafka.protocol.admin import CreateTopicsRequest, DeleteRecordsRequest, DescribeConfigsRequest
from aiokafka.protocol.commit import OffsetFetchRequest

from querymix.core.errors import TransientError
from querymix.kafka.connection import Credentials, client_options, knock, reaching
from querymix.kafka.failures import explained
from querymix.kafka.ports import TopicPartition
from querymix.kafka.protocol import DescribeGroup, Metadata
from querymix.kafka.retrying import Answer, retry
from querymix.kafka.topics import READ, WRITE, Found, Plan
from querymix.settings import ConnectionSettings

_BITS: Final = {READ: 3, WRITE: 4}
"""Places of the rights in Kafka's answers (AclOperation)."""
_CREATED_WITHIN_MS: Final = 30_000
_DELETED_WITHIN_MS: Final = 10_000


class GroupMember(NamedTuple):
    """A member of a group."""

    instance: str | None
    """Its static name, if it has one."""
    id: str
    """Kafka's id of it, another one each time that somebody joins anew."""
    host: str = ""
    """Where it joined from."""
    partitions: frozenset[TopicPartition] = frozenset()
    """What it was given to work on."""


class Group(NamedTuple):
    """A consumer group as its coordinator has it."""

    members: list[GroupMember]
    readable: bool
    """Whether this user may join it."""


class Admin:
    """A session that is open. Its questions raise what aiokafka raises, unless they say something else."""

    def __init__(self, client: AIOKafkaClient, options: Mapping[str, Any]) -> None:
        self.options = options
        """Those of every client of the same brokers."""
        self._client = client

    async def topics(self, names: Iterable[str]) -> dict[str, Found]:
        """Return those of the topics that are there, by their names.

        Raises ConfigError or TransientError where the brokers answer for one with an error.
        """
        answer = await self._ask(Metadata(names))
        there: dict[str, Found] = {}
        for topic in answer.to_object()["topics"]:
            name, error = topic["topic"], for_code(topic["error_code"])
            if error is UnknownTopicOrPartitionError:
                continue
            if topic["error_code"]:
                raise explained(error(name), f"the topic {name}")
            copies = [len(one["replicas"]) for one in topic["partitions"]]
            rights = frozenset(right for right in _BITS if _has(topic, right))
            there[name] = Found(name, topic["topic_id"].hex, len(copies), min(copies, default=0), rights)
        return there

    async def topic_configs(self, names: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the topics' settings; a topic whose settings this user may not see is left out.

        Raises ConfigError or TransientError where the brokers answer for one with an error.
        """
        answer = await self._ask(DescribeConfigsRequest([(ConfigResourceType.TOPIC, name, None) for name in names]))
        configs: dict[str, dict[str, str]] = {}
        for code, _, _, name, entries in answer.resources:
            error = for_code(code)
            if error is TopicAuthorizationFailedError:
                continue
            if code:
                raise explained(error(name), f"the settings of the topic {name}")
            configs[name] = {entry[0]: entry[1] for entry in entries}
        return configs

    async def create_topics(self, plans: Mapping[str, Plan]) -> None:
        """Make topics. Raises ConfigError or TransientError, with the brokers' reason, where one is refused."""
        topics: list[Any] = [(name, *plan[:2], [], list(plan.configs.items())) for name, plan in plans.items()]
        request = CreateTopicsRequest(topics, _CREATED_WITHIN_MS, False)
        controller = self._client.cluster.controller
        answer = await self._ask(request, None if controller is None else controller.nodeId)
        for name, code, *why in answer.topic_errors:
            error = for_code(code)
            if error is TopicAlreadyExistsError:
                raise TransientError(f"the topic {name} is being deleted, or was made by somebody else: run this again")
            if code:
                told = explained(error(name), f"cannot make the topic {name}")
                raise type(told)(f"{told}: {why[0]}" if why and why[0] else str(told))

    async def delete(self, source: TopicPartition, before: int) -> None:
        """Remove what stands in a partition before an offset; where that is removed already, nothing happens."""
        (topic,) = (await self._ask(Metadata([source.topic]))).to_object()["topics"]
        _check(topic["error_code"], source.topic)
        leaders = {one["partition"]: one["leader"] for one in topic["partitions"]}
        request = DeleteRecordsRequest([(source.topic, [(source.partition, before)])], _DELETED_WITHIN_MS)
        answer = await self._ask(request, leaders.get(source.partition, -1))
        for one in answer.to_object()["topics"]:
            for partition in one["partitions"]:
                _check(partition["error_code"], source.topic)

    async def session_limits(self) -> tuple[float, float] | None:
        """Return the seconds between which the brokers take a session timeout; None where this user may not see it."""
        broker = self._client.get_random_node()
        answer = await self._ask(DescribeConfigsRequest([(ConfigResourceType.BROKER, str(broker), None)]), broker)
        configs = {entry[0]: entry[1] for *_, entries in answer.resources for entry in entries}
        try:
            least, most = (int(configs[f"group.{which}.session.timeout.ms"]) / 1000 for which in ("min", "max"))
        except (KeyError, TypeError, ValueError):
            return None
        return least, most

    async def group(self, name: str) -> Group:
        """Return a group; one that nobody has joined yet has no members."""
        return await _patiently(lambda: self._group(name))

    async def _group(self, name: str) -> Group:
        answer = await self._ask(DescribeGroup(name), await self._coordinator(name))
        group = answer.to_object()["groups"][0]
        _check(group["error_code"], name)
        members = [
            GroupMember(
                one["instance"], one["member_id"], one["client_host"].strip("/"), _assigned(one["member_assignment"])
            )
            for one in group["members"]
        ]
        return Group(members, _has(group, READ))

    async def committed(self, group: str, source: TopicPartition) -> int | None:
        """Return the offset that a group goes on at, None where it has none."""
        return await _patiently(lambda: self._committed(group, source))

    async def _committed(self, group: str, source: TopicPartition) -> int | None:
        request = OffsetFetchRequest(group, [(source.topic, [source.partition])])
        answer = await self._ask(request, await self._coordinator(group))
        _check(answer.error_code, group)
        for _, partitions in answer.topics:
            for _, offset, _, code in partitions:
                _check(code, group)
                return int(offset) if offset >= 0 else None
        return None

    async def _coordinator(self, group: str) -> Any:
        return await self._client.coordinator_lookup(CoordinationType.GROUP, group)

    async def _ask(self, request: Any, node: Any = None) -> Any:
        return await self._client.send(self._client.get_random_node() if node is None else node, request)


@asynccontextmanager
async def connected(settings: ConnectionSettings, credentials: Credentials | None = None) -> AsyncIterator[Admin]:
    """Open a session and close it afterwards; `credentials` where they may change while it is open.

    Raises ConfigError or TransientError with the reason where no broker answers, or refuses the connection or what the
    body asks.
    """
    options = client_options(settings, credentials)
    await knock(settings, options)
    where = f"Kafka at {settings.broker}"
    client = AIOKafkaClient(**options)
    try:
        with reaching(where):
            await client.bootstrap()
        yield Admin(client, options)
    except (KafkaError, NotImplementedError) as error:  # no OSError: those of the body are not the brokers'
        raise explained(error, where) from None
    finally:
        await client.close()


async def _patiently(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """Ask a group's coordinator: a broker that has just started makes and loads the groups' positions first."""
    return await retry(ask, repeat(0.2, 150), lambda error: isinstance(error, KafkaError) and bool(error.retriable))


def _assigned(data: bytes) -> frozenset[TopicPartition]:
    """Return what a member was given; while the group forms there is nothing to read yet."""
    try:
        given = ConsumerProtocolMemberAssignment.decode(data).partitions()
    except (ValueError, TypeError, LookupError, AttributeError, struct.error):
        return frozenset()
    return frozenset(TopicPartition(*source) for source in given)


def _check(code: int, name: str) -> None:
    if code:
        raise for_code(code)(name)


def _has(answer: Mapping[str, Any], right: str) -> bool:
    return bool(answer["operations"] >> _BITS[right] & 1)
