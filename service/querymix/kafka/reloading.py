"""A worker's settings are read again while it works: on SIGHUP, and when the settings file or a secret's file changes.

Rules:
- All or nothing: each part prepares what it would take over, and only where none refuses do all take it, in one turn of
  the event loop. Else the old settings stay in force, all of them, and the log and a metric say so.
- A file that changes by itself counts once it stands still for a look: half of `k = 20` is `k = 2`.
- Credentials are tried before they are taken over. What was refused is tried again at each look.
- Nothing here ends a worker.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from mode import Service

from querymix import telemetry
from querymix.core.errors import QuerymixError
from querymix.kafka.failures import explained
from querymix.settings import WorkerSettings
from querymix.settings.reloading import changed, look, read_with, refuse_pipes, told

LOOK_EVERY: Final = 10.0
"""Seconds between two looks at the files."""
_log: Final = logging.getLogger(__name__)

Take = Callable[[], object]
"""Lets what was prepared hold from now on; it cannot fail."""
Prepare = Callable[[WorkerSettings, frozenset[str]], Awaitable[Take]]
"""Makes a part of the worker ready for settings in which the named options are others.

Raises ConfigError or TransientError where it cannot be.
"""


class Reloader(Service):
    """Reads the settings, at once and again. `read` reads them, `file` is their file, if there is one.

    `parts` are asked in their order; `hash_of` is that of the rules that settings name.
    """

    def __init__(
        self,
        read: Callable[[], WorkerSettings],
        file: Path | None,
        parts: Sequence[Prepare],
        hash_of: Callable[[WorkerSettings], str],
    ) -> None:
        super().__init__()
        self.settings, self._taken = read_with(read, file)
        """Those in force, and what stood in the files when they were read."""
        self._seen = self._taken
        """What stood there at the last look."""
        self.asked = asyncio.Event()
        """Set by whoever wants them read again at once."""
        self._read = read
        self._file = file
        self._parts = parts
        self._hash_of = hash_of
        self._said = ""
        """Why the last try failed."""

    @Service.task
    async def _follow(self) -> None:
        while not self.should_stop:
            try:
                async with asyncio.timeout(LOOK_EVERY):
                    await self.asked.wait()
            except TimeoutError:
                await self.look()
            else:
                self.asked.clear()
                await self.reload()

    async def look(self) -> None:
        """Read the settings again where a file has changed since they were read, and has stood still for a look."""
        before, self._seen = self._seen, await asyncio.to_thread(look, self.settings, self._file)
        if before == self._seen and (self._said or self._seen != self._taken):
            await self.reload(asked=False)

    async def reload(self, *, asked: bool = True) -> None:
        """Read the settings again, and let them hold from now on or say why they do not."""
        try:
            await self._reload(asked=asked)
        except Exception as error:
            why = str(error if isinstance(error, QuerymixError) else explained(error, "to read the settings again"))
            telemetry.RELOAD_FAILED.set(1)
            if asked or why != self._said:
                _log.error("the settings were not read again, and all old ones stay in force: %s", why)
            self._said = why

    async def _reload(self, *, asked: bool) -> None:
        old = self.settings
        refuse_pipes(old, self._file)
        new, now = await asyncio.to_thread(read_with, self._read, self._file)
        refuse_pipes(new, None)
        names = changed(old, new, self._taken, now)
        rules = f"rules {self._hash_of(old)} -> {self._hash_of(new)}"
        takes = [await prepare(new, names) for prepare in self._parts] if names else []
        for take in takes:
            take()
        asked, self._said = asked or bool(self._said), ""
        self.settings, self._taken, self._seen = new, now, now
        telemetry.RELOAD_FAILED.set(0)
        if names:
            _log.info("the settings were read again: %s; %s", rules, told(old, new, names))
        elif asked:
            _log.info("the settings were read again: nothing has changed that no command line or variable decides")
