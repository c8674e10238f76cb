"""Knowledge that cannot be read anew stays as it is, whatever fails; nothing that fails ends the worker."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from querymix.core.errors import ConfigError, RefusedError, TransientError
from querymix.kafka import current_knowledge
from querymix.kafka.current_knowledge import CurrentKnowledge


class Source:
    """Has a version that cannot be read."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.asked = 0

    async def version(self) -> str:
        return "new"

    async def bundle(self, folder: Path) -> None:
        self.asked += 1
        raise self._error


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(28, "No space left on device"), "the knowledge stays as it is: No space left on device"),
        (PermissionError(13, "Permission denied"), "stays as it is: Permission denied"),
        (TransientError("MongoDB is away"), "stays as it is: MongoDB is away"),
        (RefusedError("MongoDB refuses the password"), "stays as it is: MongoDB refuses the password"),
        (ConfigError("another format"), "stays as it is: another format"),
    ],
)
async def test_whatever_keeps_it_from_the_new_version_is_told_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path, error: Exception, says: str
) -> None:
    monkeypatch.setattr(current_knowledge, "_LOOK_EVERY", 0.001)
    source: Any = Source(error)

    def make(bundle: object) -> Any:
        raise AssertionError("there is no bundle")

    current = CurrentKnowledge(source, tmp_path, make)
    with caplog.at_level(logging.WARNING):
        await current.start()
        async with asyncio.timeout(120):
            while source.asked < 3:  # noqa: ASYNC110 - nothing else says that it has asked
                await asyncio.sleep(0.005)
        assert not current.crashed
        await current.stop()
    assert source.asked >= 3
    assert says in caplog.text
