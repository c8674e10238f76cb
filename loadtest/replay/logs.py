"""What is replayed: logs as whole lines, in order of time."""

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeAlias

Log: TypeAlias = tuple[float, bytes, bytes]
"""One log: its time in seconds since 1970, its user, and its whole line without the line end. Never to be shown."""


class Source(Protocol):
    """Logs in order of time. `load2` may give any object with these two members."""

    @property
    def total(self) -> int | None:
        """Logs that will come, None where that is not known or there is no end to them."""
        ...

    def batches(self, now: float) -> Iterator[Sequence[Log]]:
        """Yield the logs, some thousand at a time; asked for once.

        `now` is the Unix time of the start, for sources that rewrite the logs' times.
        """
        ...
