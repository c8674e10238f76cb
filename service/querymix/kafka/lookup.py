"""What Kafka knows about topics: their ids, partitions, settings and this user's rights, asked without making any.

Rules:
- A topic's id is Kafka's own: one that was deleted and made anew has another id under the same name.
- aiokafka asks for metadata in a version from before topic ids, so the later version is spelled out here.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple
from uuid import UUID

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.client import AIOKafkaClient
from aiokafka.errors import TopicAuthorizationFailedError, UnknownTopicOrPartitionError, for_code
from aiokafka.protocol.api import Request, RequestStruct, Response
from aiokafka.protocol.types import (
    AbstractType,
    Boolean,
    CompactArray,
    CompactString,
    Int16,
    Int32,
    Schema,
    TaggedFields,
)

from querymix.kafka.connection import client_options, connected, reaching
from querymix.kafka.failures import explained
from querymix.settings import ConnectionSettings

READ: Final = "READ"
WRITE: Final = "WRITE"
_BITS: Final = {READ: 3, WRITE: 4}
"""Places of the rights in Kafka's answer (AclOperation)."""


class Found(NamedTuple):
    """A topic as the brokers have it."""

    name: str
    id: str
    """Kafka's topic id, as 32 hexadecimal digits."""
    partitions: int
    copies: int
    """Copies of the partition that has the fewest."""
    rights: frozenset[str]
    """What this user may do with it, of READ and WRITE."""


class _Uuid(AbstractType[UUID]):  # type: ignore[misc]  # aiokafka has no types
    @classmethod
    def decode(cls, data: Any) -> UUID:
        return UUID(bytes=data.read(16))

    @classmethod
    def encode(cls, value: UUID) -> bytes:
        return value.bytes


class _MetadataResponse(Response):  # type: ignore[misc]  # aiokafka has no types
    API_KEY = 3
    API_VERSION = 10
    SCHEMA = Schema(
        ("throttle_time_ms", Int32),
        (
            "brokers",
            CompactArray(
                ("node_id", Int32),
                ("host", CompactString("utf-8")),
                ("port", Int32),
                ("rack", CompactString("utf-8")),
                ("tags", TaggedFields),
            ),
        ),
        ("cluster_id", CompactString("utf-8")),
        ("controller_id", Int32),
        (
            "topics",
            CompactArray(
                ("error_code", Int16),
                ("topic", CompactString("utf-8")),
                ("topic_id", _Uuid),
                ("is_internal", Boolean),
                (
                    "partitions",
                    CompactArray(
                        ("error_code", Int16),
                        ("partition", Int32),
                        ("leader", Int32),
                        ("leader_epoch", Int32),
                        ("replicas", CompactArray(Int32)),
                        ("isr", CompactArray(Int32)),
                        ("offline_replicas", CompactArray(Int32)),
                        ("tags", TaggedFields),
                    ),
                ),
                ("operations", Int32),
                ("tags", TaggedFields),
            ),
        ),
        ("cluster_operations", Int32),
        ("tags", TaggedFields),
    )


class _MetadataStruct(RequestStruct):  # type: ignore[misc]  # aiokafka has no types
    API_KEY = 3
    API_VERSION = 10
    FLEXIBLE_VERSION = True
    RESPONSE_TYPE = _MetadataResponse
    SCHEMA = Schema(
        ("topics", CompactArray(("topic_id", _Uuid), ("topic", CompactString("utf-8")), ("tags", TaggedFields))),
        ("allow_auto_topic_creation", Boolean),
        ("include_cluster_operations", Boolean),
        ("include_topic_operations", Boolean),
        ("tags", TaggedFields),
    )


class _Metadata(Request[_MetadataStruct]):  # type: ignore[misc]  # aiokafka has no types
    API_KEY: ClassVar[int] = 3

    def __init__(self, topics: Iterable[str]) -> None:
        self._topics = list(topics)

    def build(self, request_struct_class: type[_MetadataStruct]) -> _MetadataStruct:
        return request_struct_class([(UUID(int=0), name, {}) for name in self._topics], False, False, True, {})


async def look_up(settings: ConnectionSettings, names: Iterable[str]) -> dict[str, Found]:
    """Return those of the topics that are there, by their names.

    Raises ConfigError where the user may not see one, Broken where Kafka is away or answers with an error.
    """
    async with connected(settings) as client:
        return await ask(client, names)


async def ask(client: AIOKafkaClient, names: Iterable[str]) -> dict[str, Found]:
    """Do the same over a client that is connected already; what aiokafka raises comes through."""
    answer = await client.send(client.get_random_node(), _Metadata(names))
    topics_there: dict[str, Found] = {}
    for topic in answer.to_object()["topics"]:
        error = for_code(topic["error_code"])
        if error is UnknownTopicOrPartitionError:
            continue
        if topic["error_code"]:
            raise explained(error(topic["topic"]), f"the topic {topic['topic']}")
        topics_there[topic["topic"]] = _found(topic)
    return topics_there


def _found(topic: Mapping[str, Any]) -> Found:
    copies = [len(one["replicas"]) for one in topic["partitions"]]
    rights = frozenset(right for right, bit in _BITS.items() if topic["operations"] >> bit & 1)
    return Found(topic["topic"], topic["topic_id"].hex, len(copies), min(copies, default=0), rights)


async def read_configs(settings: ConnectionSettings, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the topics' settings; a topic whose settings this user may not see is left out.

    Raises TransientError where Kafka is away.
    """
    admin = AIOKafkaAdminClient(**client_options(settings))
    with reaching(settings):
        try:
            await admin.start()
            answers = await admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, name) for name in names])
        finally:
            await admin.close()
    configs: dict[str, dict[str, str]] = {}
    for answer in answers:
        for code, _, _, name, entries in answer.resources:
            error = for_code(code)
            if error is TopicAuthorizationFailedError:
                continue
            if code:
                raise explained(error(name), f"the settings of the topic {name}")
            configs[name] = {entry[0]: entry[1] for entry in entries}
    return configs


async def read_session_limits(settings: ConnectionSettings) -> tuple[float, float] | None:
    """Return the seconds between which the brokers take a session timeout; None where this user may not see that."""
    admin = AIOKafkaAdminClient(**client_options(settings))
    with reaching(settings):
        try:
            await admin.start()
            broker = (await admin.describe_cluster())["brokers"][0]["node_id"]
            answers = await admin.describe_configs([ConfigResource(ConfigResourceType.BROKER, str(broker))])
        finally:
            await admin.close()
    configs = {entry[0]: entry[1] for answer in answers for *_, entries in answer.resources for entry in entries}
    try:
        least, most = (int(configs[f"group.{which}.session.timeout.ms"]) / 1000 for which in ("min", "max"))
    except (KeyError, TypeError, ValueError):
        return None
    return least, most
