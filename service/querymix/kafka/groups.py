"""What Kafka knows about consumer groups: their members, and this user's rights.

aiokafka asks in a version from before static members had names in the answer, so the later one is spelled out here.
"""

from typing import Any, ClassVar, NamedTuple

from aiokafka.client import AIOKafkaClient, CoordinationType
from aiokafka.errors import NodeNotReadyError, for_code
from aiokafka.protocol.api import Request, RequestStruct, Response
from aiokafka.protocol.types import Array, Boolean, Bytes, Int16, Int32, Schema, String

_READ: int = 3
"""Place of the right in Kafka's answer (AclOperation)."""


class GroupMember(NamedTuple):
    """A member of a group."""

    instance: str | None
    """Its static name, if it has one."""
    id: str
    """Kafka's id of it, another one each time that somebody joins anew."""


class Group(NamedTuple):
    """A consumer group as its coordinator has it."""

    members: list[GroupMember]
    readable: bool
    """Whether this user may join it."""


class _DescribeResponse(Response):  # type: ignore[misc]  # aiokafka has no types
    API_KEY = 15
    API_VERSION = 4
    SCHEMA = Schema(
        ("throttle_time_ms", Int32),
        (
            "groups",
            Array(
                ("error_code", Int16),
                ("group", String("utf-8")),
                ("state", String("utf-8")),
                ("protocol_type", String("utf-8")),
                ("protocol", String("utf-8")),
                (
                    "members",
                    Array(
                        ("member_id", String("utf-8")),
                        ("instance", String("utf-8")),
                        ("client_id", String("utf-8")),
                        ("client_host", String("utf-8")),
                        ("member_metadata", Bytes),
                        ("member_assignment", Bytes),
                    ),
                ),
                ("operations", Int32),
            ),
        ),
    )


class _DescribeStruct(RequestStruct):  # type: ignore[misc]  # aiokafka has no types
    API_KEY = 15
    API_VERSION = 4
    RESPONSE_TYPE = _DescribeResponse
    SCHEMA = Schema(("groups", Array(String("utf-8"))), ("include_authorized_operations", Boolean))


class _Describe(Request[_DescribeStruct]):  # type: ignore[misc]  # aiokafka has no types
    API_KEY: ClassVar[int] = 15

    def __init__(self, group: str) -> None:
        self._group = group

    def build(self, request_struct_class: type[_DescribeStruct]) -> _DescribeStruct:
        return request_struct_class([self._group], True)


async def describe(client: AIOKafkaClient, group: str) -> Group:
    """Return a group; one that nobody has joined yet has no members. What aiokafka raises comes through."""
    node = await client.coordinator_lookup(CoordinationType.GROUP, group)
    if not await client.ready(node):
        raise NodeNotReadyError(f"node {node}")
    answer: Any = await client.send(node, _Describe(group))
    described = answer.to_object()["groups"][0]
    if described["error_code"]:
        raise for_code(described["error_code"])(group)
    members = [GroupMember(one["instance"], one["member_id"]) for one in described["members"]]
    return Group(members, bool(described["operations"] >> _READ & 1))
