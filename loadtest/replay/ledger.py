"""What was due, what was taken, what arrived, and how late: what a replay counts.

Lateness runs from the moment at which a log was due to the moment at which the sink said that it is safely there. A
system that stalls makes later logs late; none of them is left out (no coordinated omission). One histogram entry stands
for all logs of a batch, with the lateness of the batch's first, so that lateness is never too low.
"""

from dataclasses import dataclass


class Ledger:
    """Counts of one replay; `clock` gives seconds after the start."""

    taken: int
    """Logs handed to the sink."""
    sent: int
    """Logs that are safely there."""
    bytes: int
    """Bytes of their lines."""

    def arrived(self, logs: int, size: int, first_due: float) -> None:
        """Count logs that are safely there: `size` bytes, the earliest due `first_due` seconds after the start."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How a replay stands."""

    seconds: float
    """Since the start."""
    sent: int
    due: int
    """Logs due by now."""
    total: int | None
    rate: float
    """Logs a second over the last second or so."""
    lateness: float
    """Seconds between now and when the oldest log that is not there yet was due."""
    left: float | None
    """Seconds until the end, as far as that can be told."""

    @property
    def backlog(self) -> int:
        """Logs that are due and not there."""
        return max(0, self.due - self.sent)


@dataclass(frozen=True, slots=True)
class Report:
    """What a replay did. `dataclasses.asdict` of it is its JSON form; all times are in seconds."""

    sent: int
    """Logs that are safely there."""
    unsure: int
    """Logs handed to the sink that it never said to be there; they may be."""
    owed: int
    """Logs that were due when the replay ended and are not there."""
    bytes: int
    rounds: int
    """Rounds begun."""
    seconds: float
    rate: float
    """Logs a second from the start to the last arrival."""
    most_behind: int
    """The largest backlog."""
    late_p50: float
    late_p95: float
    late_p99: float
    late_max: float
    cpu: float
    """Processor seconds of the replay itself, its processes included."""
    refused: int
    """Rows that could not be read, in the reading before the start."""
    ended: str
    """"done", "stopped" (Ctrl-C, `stop`, the time was up) or "failed: " and why."""
    curve: tuple[tuple[float, int, int], ...] = ()
    """(seconds, due, sent) about once a second, at most some thousand points."""
