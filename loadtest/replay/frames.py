"""What the sending processes and the one that feeds them say to each other, over pipes: plain data in frames."""

import asyncio
import marshal
from typing import Any, Final

_LENGTH: Final = 4


def frame(value: Any) -> bytes:
    """Return a frame."""
    data = marshal.dumps(value)
    return len(data).to_bytes(_LENGTH, "big") + data


async def next_frame(reader: asyncio.StreamReader) -> Any:
    """Return what the next frame holds, None at the end."""
    try:
        length = int.from_bytes(await reader.readexactly(_LENGTH), "big")
        return marshal.loads(await reader.readexactly(length))  # noqa: S302 - our own bytes
    except asyncio.IncompleteReadError:
        return None
