"""The profiler waits for its store, whatever that fails with, as long as it may pass."""

from typing import Any

import pytest
from querymix.codecs.frames import encode_evidence
from querymix.core.errors import ConfigError, RefusedError, TransientError
from querymix.kafka import profiler
from querymix.kafka.ports import PlainRecord, TopicPartition
from querymix.kafka.profiler import Profiler, ProfilerSetup
from querymix.kafka.topics import Topics

from tests.querymix.kafka.whole import TOPICS

SOURCE = TopicPartition("evidence", 0)
FRAME = PlainRecord("evidence", 0, 0, b"", encode_evidence({("somebody", 1): 1}))


class Store:
    """Fails with some errors before it takes evidence."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.applied: list[object] = []

    async def apply(self, source: str, frames: Any) -> None:
        if self.errors:
            raise self.errors.pop(0)
        self.applied.append(frames)


async def test_a_password_that_was_changed_is_waited_out_as_a_store_that_is_away(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(profiler, "_FIRST_PAUSE", 0.001)
    store: Any = Store(RefusedError("MongoDB refuses the password"), TransientError("away"), TimeoutError())
    role = Profiler(ProfilerSetup("group", Topics(*TOPICS), store), SOURCE)
    transaction: Any = None  # nothing is sent
    await role.work(transaction, [FRAME])
    assert store.applied == [{0: {("somebody", 1): 1}}]
    assert not role.waits
    assert "MongoDB refuses the password" in caplog.text
    assert "somebody" not in caplog.text


async def test_what_cannot_pass_is_raised() -> None:
    store: Any = Store(ConfigError("another format"))
    transaction: Any = None
    with pytest.raises(ConfigError, match="another format"):
        await Profiler(ProfilerSetup("group", Topics(*TOPICS), store), SOURCE).work(transaction, [FRAME])
