"""Where logs go. Every sink tells the ledger what has arrived, and when."""

from collections.abc import Sequence
from types import TracebackType
from typing import Protocol, Self

from loadtest.replay.ledger import Ledger
from loadtest.replay.logs import Log


class Sink(Protocol):
    """Takes logs. An async context manager: entering connects, leaving waits for what is on its way and closes."""

    async def send(self, logs: Sequence[Log], due: Sequence[float], ledger: Ledger) -> None:
        """Take logs that are due, with when each was, and return once it can take more.

        Calls `ledger.arrived` for logs that are safely there, now or later. Raises Broken where it fails, also for
        logs that were taken before.
        """
        ...

    async def flush(self) -> None:
        """Wait until all logs that were taken are safely there. Raises Broken where it fails."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...
