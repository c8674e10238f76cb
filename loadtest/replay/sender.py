"""One of the processes that send to Kafka: `python -m loadtest.replay.sender`, started by processes.py.

It reads its settings, then records, from standard input until it ends, and writes to standard output what arrived.
It has a session of its own, so that Ctrl-C reaches only the process that feeds it.
"""

import asyncio
import gc
import os
import sys
import time
from typing import Any, Final

from querymix.core.errors import QuerymixError
from querymix.settings import ConnectionSettings

from loadtest.replay.frames import frame, next_frame
from loadtest.replay.kafka import KafkaSink, quiet

_LIMIT: Final = 1 << 22


class _Parcel:
    """The logs of one frame, which Kafka gets in several batches."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._open = 1
        self._size = 0

    def take(self, logs: int, first_due: float) -> int:
        """Count a batch."""
        self._open += 1
        return self._number

    def arrived(self, parcel: int, size: int) -> None:
        """Say so once all batches have arrived."""
        self._open -= 1
        self._size += size
        if not self._open:
            _say("arrived", self._number, self._size, time.process_time())


def _say(*what: Any) -> None:
    data = frame(what)
    while data:
        data = data[os.write(1, data) :]


async def _main() -> None:
    reader = asyncio.StreamReader(_LIMIT)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    settings, topic, compression = await next_frame(reader)
    try:
        async with KafkaSink(ConnectionSettings(**settings), topic, compression=compression) as sink:
            _say("ready")
            while (found := await next_frame(reader)) is not None:
                number, began, logs, due = found
                parcel = _Parcel(number)
                await sink.send(logs, due, parcel, began)
                parcel.arrived(number, 0)
            await sink.flush()
    except QuerymixError as error:
        _say("failed", str(error))


if __name__ == "__main__":
    quiet()
    gc.set_threshold(200_000, 20, 100)
    asyncio.run(_main())
