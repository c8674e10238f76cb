"""An admin session in front of a client that answers as it is told."""

from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import GroupAuthorizationFailedError, NodeNotReadyError
from querymix.core.errors import ConfigError, TransientError
from querymix.kafka import admin
from querymix.kafka.admin import Admin, connected
from querymix.kafka.failures import AwayError
from querymix.kafka.ports import TopicPartition
from querymix.kafka.topics import Plan
from querymix.settings import ConnectionSettings

SOURCE = TopicPartition("raw", 1)
LOADING, DENIED = 14, 30


class Client:
    """Gives one answer after the other; the questions are kept."""

    def __init__(self, *answers: Any) -> None:
        self.cluster = SimpleNamespace(controller=SimpleNamespace(nodeId=7))
        self.asked: list[int] = []
        self._answers = list(answers)

    def get_random_node(self) -> int:
        return 1

    async def coordinator_lookup(self, kind: object, group: str) -> int:
        return 5

    async def send(self, node: int, request: object) -> Any:
        self.asked.append(node)
        return self._answers.pop(0)


def offsets(offset: int = -1, *, code: int = 0, whole: int = 0) -> Any:
    """Return the answer to a question for a group's position; a failure as a `whole` names no partition."""
    return SimpleNamespace(error_code=whole, topics=[] if whole else [("raw", [(1, offset, "", code)])])


async def test_a_coordinator_that_is_still_loading_is_asked_again_and_not_taken_for_a_group_without_a_position() -> (
    None
):
    client = Client(offsets(whole=LOADING), offsets(code=LOADING), offsets(41))
    assert await Admin(client, {}).committed("group", SOURCE) == 41
    assert client.asked == [5, 5, 5]


async def test_a_group_without_a_position_has_none_and_a_refusal_is_raised() -> None:
    assert await Admin(Client(offsets()), {}).committed("group", SOURCE) is None
    with pytest.raises(GroupAuthorizationFailedError):
        await Admin(Client(offsets(whole=DENIED)), {}).committed("group", SOURCE)


@pytest.mark.parametrize(
    ("code", "kind", "says"),
    [(36, TransientError, "run this again"), (44, ConfigError, "cannot make the topic raw.*policy.*: the reason")],
)
async def test_topics_are_made_by_the_controller_which_says_why_it_refuses(
    code: int, kind: type[Exception], says: str
) -> None:
    made, refused = (SimpleNamespace(topic_errors=[("raw", one, "the reason")]) for one in (0, code))
    client = Client(made, refused)
    await Admin(client, {}).create_topics({"raw": Plan(1, 1, {})})
    assert client.asked == [7]
    with pytest.raises(kind, match=says):
        await Admin(client, {}).create_topics({"raw": Plan(1, 1, {})})


@pytest.mark.parametrize(
    ("wrong", "kind", "says"),
    [
        (NodeNotReadyError(), AwayError, "Kafka at .*: a broker .* cannot be reached"),
        (BrokenPipeError("of the terminal"), BrokenPipeError, "of the terminal"),
        (OSError(28, "the disk is full"), OSError, "the disk is full"),
    ],
)
async def test_what_the_system_refuses_while_a_session_is_open_is_not_laid_at_the_brokers_door(
    monkeypatch: pytest.MonkeyPatch, wrong: Exception, kind: type[Exception], says: str
) -> None:
    done: list[str] = []

    class Session(Client):
        async def bootstrap(self) -> None:
            done.append("opened")

        async def close(self) -> None:
            done.append("closed")

    async def knock(*_: object) -> None:
        return

    monkeypatch.setattr(admin, "AIOKafkaClient", lambda **_: Session())
    monkeypatch.setattr(admin, "knock", knock)
    with pytest.raises(kind, match=says) as caught:
        async with connected(ConnectionSettings()):
            raise wrong
    assert type(caught.value) is kind
    assert done == ["opened", "closed"]
