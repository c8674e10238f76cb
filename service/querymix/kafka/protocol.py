"""Two questions of Kafka's protocol in later versions than aiokafka asks them.

Metadata 10 gives topic ids and this user's rights; DescribeGroups 4 gives the static names of a group's members.
"""

from collections.abc import Iterable
from typing import Any, ClassVar
from uuid import UUID

from aiokafka.protocol.admin import DescribeGroupsRequest_v3
from aiokafka.protocol.api import Request, RequestStruct, Response
from aiokafka.protocol.types import (
    AbstractType,
    Array,
    Boolean,
    Bytes,
    CompactArray,
    CompactString,
    Int16,
    Int32,
    Schema,
    String,
    TaggedFields,
)  # fmt: skip

_TEXT: Any = CompactString("utf-8")
_OLD_TEXT: Any = String("utf-8")


class _Uuid(AbstractType[UUID]):  # type: ignore[misc]  # aiokafka has no types
    @classmethod
    def decode(cls, data: Any) -> UUID:
        return UUID(bytes=data.read(16))

    @classmethod
    def encode(cls, value: UUID) -> bytes:
        return value.bytes


def _fields(**types: Any) -> Schema:
    return Schema(*types.items())


def _many(**types: Any) -> CompactArray:
    return CompactArray(*types.items(), ("tags", TaggedFields))


class _MetadataResponse(Response):  # type: ignore[misc]  # aiokafka has no types
    API_KEY = 3
    API_VERSION = 10
    SCHEMA = _fields(
        throttle_time_ms=Int32,
        brokers=_many(node_id=Int32, host=_TEXT, port=Int32, rack=_TEXT),
        cluster_id=_TEXT, controller_id=Int32,
        topics=_many(
            error_code=Int16, topic=_TEXT, topic_id=_Uuid, is_internal=Boolean,
            partitions=_many(
                error_code=Int16, partition=Int32, leader=Int32, leader_epoch=Int32, replicas=CompactArray(Int32),
                isr=CompactArray(Int32), offline_replicas=CompactArray(Int32),
            ),
            operations=Int32,
        ),
        cluster_operations=Int32, tags=TaggedFields,
    )  # fmt: skip


class _MetadataStruct(RequestStruct):  # type: ignore[misc]  # aiokafka has no types
    API_KEY = 3
    API_VERSION = 10
    FLEXIBLE_VERSION = True
    RESPONSE_TYPE = _MetadataResponse
    SCHEMA = _fields(
        topics=_many(topic_id=_Uuid, topic=_TEXT), allow_auto_topic_creation=Boolean,
        include_cluster_operations=Boolean, include_topic_operations=Boolean, tags=TaggedFields,
    )  # fmt: skip


class Metadata(Request[_MetadataStruct]):  # type: ignore[misc]  # aiokafka has no types
    """Asks for topics without making them."""

    API_KEY: ClassVar[int] = 3

    def __init__(self, topics: Iterable[str]) -> None:
        self._topics = list(topics)

    def build(self, request_struct_class: type[_MetadataStruct]) -> _MetadataStruct:
        """Return the request as it is sent."""
        return request_struct_class([(UUID(int=0), name, {}) for name in self._topics], False, False, True, {})


class _DescribeGroupResponse(Response):  # type: ignore[misc]  # aiokafka has no types
    API_KEY = 15
    API_VERSION = 4
    SCHEMA = _fields(
        throttle_time_ms=Int32,
        groups=Array(
            ("error_code", Int16), ("group", _OLD_TEXT), ("state", _OLD_TEXT), ("protocol_type", _OLD_TEXT),
            ("protocol", _OLD_TEXT),
            ("members", Array(
                ("member_id", _OLD_TEXT), ("instance", _OLD_TEXT), ("client_id", _OLD_TEXT), ("client_host", _OLD_TEXT),
                ("member_metadata", Bytes), ("member_assignment", Bytes),
            )),
            ("operations", Int32),
        ),
    )  # fmt: skip


class _DescribeGroupStruct(DescribeGroupsRequest_v3):  # type: ignore[misc]  # aiokafka has no types
    API_VERSION = 4
    RESPONSE_TYPE = _DescribeGroupResponse


class DescribeGroup(Request[_DescribeGroupStruct]):  # type: ignore[misc]  # aiokafka has no types
    """Asks for a group and for this user's rights."""

    API_KEY: ClassVar[int] = 15

    def __init__(self, group: str) -> None:
        self._group = group

    def build(self, request_struct_class: type[_DescribeGroupStruct]) -> _DescribeGroupStruct:
        """Return the request as it is sent."""
        return request_struct_class([self._group], True)
