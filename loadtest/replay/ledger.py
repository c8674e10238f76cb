"""What was due, what was taken, what arrived, and how late: what a replay counts.

Lateness runs from the moment at which a log was due to the moment at which the sink said that it is safely there. A
system that stalls makes later records late; none of them is left out (no coordinated omission). One histogram entry
stands for all logs of a parcel, with the lateness of the parcel's first, so that lateness is never too low.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from hdrh.histogram import HdrHistogram

_LONGEST: Final = 7 * 86_400_000_000
"""Microseconds of the greatest lateness that is told apart."""


class Parcels(Protocol):
    """What a sink tells: which records it has taken, and which have arrived."""

    def take(self, logs: int, first_due: float) -> int:
        """Count records that a sink took, the first due `first_due` seconds after the start; return their parcel."""
        ...

    def arrived(self, parcel: int, size: int) -> None:
        """Count a parcel that is safely there, with `size` bytes."""
        ...


class Ledger:
    """Counts of one replay; `clock` gives seconds after the start."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._late = HdrHistogram(1, _LONGEST, 3)
        self._open: dict[int, tuple[int, float]] = {}
        self._parcels = 0
        self.sent = 0
        """Records that are safely there."""
        self.bytes = 0
        """Bytes of their lines."""
        self.last = 0.0
        """When the last one arrived, in seconds after the start."""

    def take(self, logs: int, first_due: float) -> int:
        """Count records that a sink took, the first due `first_due` seconds after the start; return their parcel."""
        self._parcels += 1
        self._open[self._parcels] = (logs, first_due)
        return self._parcels

    def arrived(self, parcel: int, size: int) -> None:
        """Count a parcel that is safely there, with `size` bytes."""
        logs, first_due = self._open.pop(parcel)
        self.last = self._clock()
        self._late.record_value(max(1, round(1e6 * (self.last - first_due))), logs)
        self.sent += logs
        self.bytes += size

    @property
    def unsure(self) -> int:
        """Records that were taken and have not arrived."""
        return sum(logs for logs, _ in self._open.values())

    @property
    def oldest(self) -> float | None:
        """When the oldest of those was due, None where there is none."""
        return min((first_due for _, first_due in self._open.values()), default=None)

    def late(self, percentile: float) -> float:
        """Return a percentile of the lateness in seconds; 0 where nothing arrived."""
        return float(self._late.get_value_at_percentile(percentile)) / 1e6 if self.sent else 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How a replay stands."""

    seconds: float
    """Since the start."""
    sent: int
    due: int
    """Records due by now, as far as that is known."""
    total: int | None
    rate: float
    """Records a second, since a second ago or so."""
    lateness: float
    """Seconds since the oldest log that is not there yet was due."""
    left: float | None
    """Seconds until the end, as far as that can be told."""

    @property
    def backlog(self) -> int:
        """Records that are due and not there."""
        return max(0, self.due - self.sent)


@dataclass(frozen=True, slots=True)
class Report:
    """What a replay did. `dataclasses.asdict` of it is its JSON form; all times are in seconds."""

    sent: int
    """Records that are safely there."""
    unsure: int
    """Records that the sink took and never said to be there; they may be."""
    owed: int
    """Records that were due when the replay ended and are not there, those among them."""
    bytes: int
    seconds: float
    """From the start to the last arrival."""
    rate: float
    """Records a second over that time."""
    most_behind: int
    """The largest backlog, looked at five times a second."""
    late_p50: float
    late_p95: float
    late_p99: float
    late_max: float
    cpu: float
    """Processor seconds of the sending, its processes included."""
    ended: str
    """"done", "stopped" (Ctrl-C, `stop`, the time was up) or "failed: " and why."""
    began: float
    """Unix time of the start."""
    curve: tuple[tuple[float, int, int], ...] = ()
    """(seconds, due, sent), about once a second, at most some thousand points."""
