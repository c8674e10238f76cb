"""A process of the load test's own: it is told one JSON object a line and answers in the same form.

Rules:
- It runs in a session of its own, so that Ctrl-C reaches it only through its parent.
- It ends when its standard input does: it never outlives its parent, however that one ended.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from querymix.core.errors import QuerymixError, TransientError
from querymix.extras import advice

from deploy.local.process import tail

_LONGEST = 1 << 24


class Child:
    """The parent's end. `latest` holds the newest message of each kind; `next` waits for one."""

    def __init__(self, name: str, process: asyncio.subprocess.Process, log: Path) -> None:
        self.name = name
        self.latest: dict[str, Any] = {}
        self._process = process
        self._log = log
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, module: str, config: dict[str, Any], folder: Path) -> Self:
        """Start a module as a program; what it says on standard error goes to a log in `folder`."""
        name = module.rpartition(".")[2]
        log = folder / f"{name}.log"
        with log.open("ab") as errors:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", module, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                stderr=errors, start_new_session=True, limit=_LONGEST,
            )  # fmt: skip
        child = cls(name, process, log)
        child.tell(config)
        return child

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def tell(self, message: dict[str, Any]) -> None:
        """Send it a message."""
        assert self._process.stdin is not None  # noqa: S101 - it was started with a pipe
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def next(self, kind: str) -> Any:
        """Wait for the next message of a kind. Raises TransientError where the process ends before."""
        waiting = self._waiting.get(kind)
        if waiting is None:
            waiting = self._waiting[kind] = asyncio.get_running_loop().create_future()
        if self._reading.done():
            self._fail()
        return await waiting

    async def close(self) -> None:
        """Have it end, and kill it where it does not."""
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        try:
            async with asyncio.timeout(10):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - it was started with a pipe
        async for line in self._process.stdout:
            for kind, value in json.loads(line).items():
                self.latest[kind] = value
                if (waiting := self._waiting.pop(kind, None)) is not None and not waiting.done():
                    waiting.set_result(value)
        self._fail()

    def _fail(self) -> None:
        """Tell those who wait that nothing will come."""
        why = self.latest.get("failed") or f"the end of {self._log}:\n{tail(self._log)}"
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(TransientError(f"the {self.name} has ended: {why}"))
        self._waiting.clear()


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Be such a process; tell the parent why it failed, where that is known."""
    try:
        asyncio.run(main())
    except Exception as failed:
        first: Exception = failed
        while isinstance(first, ExceptionGroup):
            first = first.exceptions[0]
        why = advice(first) if isinstance(first, ModuleNotFoundError) else None
        if why is None and not isinstance(first, QuerymixError):
            raise
        say("failed", why or str(first))
        sys.exit(1)


def say(kind: str, value: Any) -> None:
    """Send the parent a message."""
    sys.stdout.write(json.dumps({kind: value}) + "\n")
    sys.stdout.flush()


async def told() -> AsyncIterator[dict[str, Any]]:
    """Yield the parent's messages until it closes the pipe or is gone."""
    reader = asyncio.StreamReader(limit=_LONGEST)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async for line in reader:
        yield json.loads(line)
