"""Reading a source in an event loop: at once, or in a thread where reading may wait for somebody."""

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Final

from querymix.core.errors import QuerymixError

from loadtest.replay.logs import Log, Source

_LOOK: Final = 0.2
_AHEAD: Final = 2


async def batches_of(source: Source) -> AsyncIterator[Sequence[Log]]:
    """Yield a source's batches; one whose reading may wait is read in a thread, which nothing waits for at the end."""
    if not getattr(source, "waits", False):
        for logs in source.batches():
            yield logs
        return
    reader = _Reader(source)
    try:
        while (found := await reader.next()) is not None:
            yield found
    finally:
        reader.over.set()


class _Reader:
    """A thread that reads a little ahead."""

    def __init__(self, source: Source) -> None:
        self._loop = asyncio.get_running_loop()
        self._ready: queue.Queue[Sequence[Log] | QuerymixError | None] = queue.Queue(_AHEAD)
        self._more = asyncio.Event()
        self.over = threading.Event()
        threading.Thread(target=self._read, args=(source,), daemon=True, name="reading").start()

    async def next(self) -> Sequence[Log] | None:
        """Return the next batch, None at the end. Raises what the source raised."""
        while True:
            self._more.clear()
            with suppress(queue.Empty):
                found = self._ready.get_nowait()
                if isinstance(found, QuerymixError):
                    raise found
                return found
            await self._more.wait()

    def _read(self, source: Source) -> None:
        try:
            for logs in source.batches():
                self._put(logs)
                if self.over.is_set():
                    return
        except QuerymixError as error:
            self._put(error)
        else:
            self._put(None)

    def _put(self, what: Sequence[Log] | QuerymixError | None) -> None:
        while not self.over.is_set():
            with suppress(queue.Full):
                self._ready.put(what, timeout=_LOOK)
                with suppress(RuntimeError):  # the loop is over
                    self._loop.call_soon_threadsafe(self._more.set)
                return
