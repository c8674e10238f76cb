"""What is replayed: records as whole lines, in order of time."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias

Log: TypeAlias = tuple[float, bytes, bytes]
"""One log: its time in seconds since 1970, its user, and its whole line without the line end. Never to be shown."""


class Source(Protocol):
    """Records in order of time."""

    @property
    def total(self) -> int | None:
        """Records that will come, None where that is not known or there is no end to them."""
        ...

    def batches(self) -> Iterator[Sequence[Log]]:
        """Yield the records, some thousand at a time; asked for once."""
        ...

    def fill(self, logs: Sequence[Log], due: Sequence[float], began: float) -> Sequence[Log]:
        """Return records as they are sent, now that it is known when each is due.

        `due` is in seconds after the start, `began` the Unix time of the start.
        """
        ...


class Given:
    """A source of records that are ready: for tests, and for who makes records up while they are sent."""

    def __init__(self, batches: Iterable[Sequence[Log]], total: int | None = None) -> None:
        self._batches = batches
        self.total = total

    def batches(self) -> Iterator[Sequence[Log]]:
        """Yield what was given."""
        return iter(self._batches)

    def fill(self, logs: Sequence[Log], due: Sequence[float], began: float) -> Sequence[Log]:
        """Return the records as they are."""
        return logs
