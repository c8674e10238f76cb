"""Whether a static name is another worker's too, told by the member ids that Kafka gives."""

from itertools import count
from typing import Any

import pytest
from aiokafka.errors import NodeNotReadyError, TopicAuthorizationFailedError
from querymix.core.errors import ConfigError, RefusedError
from querymix.kafka.admin import GroupMember
from querymix.kafka.failures import AwayError
from querymix.kafka.identity_watch import IdentityWatch, InstanceName
from querymix.kafka.topics import Found

OTHER = GroupMember("two", "x")


def looks(name: InstanceName, ids: str, group: str = "g", every: float = 5.0) -> list[bool]:
    """Return what each look says; a letter stands for the member id that it sees, a dot for a group without it."""
    moments = (every * number for number in count())
    seen = [[OTHER, *([] if letter == "." else [GroupMember("one", letter)])] for letter in ids]
    return [name.taken(group, members, now) for members, now in zip(seen, moments, strict=False)]


def test_a_name_that_was_this_workers_for_a_while_is_taken_once_its_id_changes_again_and_again() -> None:
    assert looks(InstanceName("one", 6.0), "aaabcd") == [False] * 5 + [True]


def test_a_worker_that_never_had_its_name_for_long_gives_in_later_than_the_one_that_had() -> None:
    assert looks(InstanceName("one", 6.0), "abcdefghijkl") == [False] * 12
    assert looks(InstanceName("one", 6.0), "abcdefghijklm")[-1]


def test_a_worker_alone_has_its_name_through_restarts_and_short_breaks() -> None:
    assert not any(looks(InstanceName("one", 6.0), "aaaa.bbbb..cccccccc.dddddd"))
    assert not any(looks(InstanceName("one", 6.0), "aaab" + 100 * "b"))
    assert not any(looks(InstanceName(None, 6.0), "aaabcdefg"))


RAW = Found("logs.raw", "id-1", 4, 1, frozenset())


class Brokers:
    """Answers with the topics that it has, or fails."""

    def __init__(self, topics: dict[str, Found], error: Exception | None = None) -> None:
        self._topics = topics
        self._error = error

    async def topics(self, names: object) -> dict[str, Found]:
        if self._error is not None:
            raise self._error
        return self._topics


@pytest.mark.parametrize(
    ("brokers", "raised", "says"),
    [
        (Brokers({"logs.raw": RAW._replace(id="id-2")}), ConfigError, "made anew while the worker ran, or the brokers"),
        (Brokers({}), ConfigError, "was deleted while the worker ran"),
        (Brokers({}, NodeNotReadyError()), AwayError, "cannot be reached"),
        (Brokers({}, TopicAuthorizationFailedError("logs.raw")), RefusedError, "denies this user"),
    ],
)
async def test_brokers_that_are_back_are_used_only_with_the_same_topics(
    brokers: Any, raised: type[Exception], says: str
) -> None:
    watch = IdentityWatch(brokers, {"raw": RAW}, [], InstanceName(None, 6.0), lambda error: None)
    with pytest.raises(raised, match=says) as caught:
        await watch.same()
    assert type(caught.value) is raised
    same: Any = Brokers({"logs.raw": RAW._replace(partitions=8)})
    await IdentityWatch(same, {"raw": RAW}, [], InstanceName(None, 6.0), lambda error: None).same()
