"""The numbers of frames: a source counts its frames to a partition, and the records in them, in the frames' headers."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from querymix.kafka.ports import Record

HEADER: Final = "number"
RECORDS: Final = "records"


class Written(NamedTuple):
    """What a source has written to a partition."""

    epoch: int
    frames: int
    since: int = 0
    """The first frame whose records are counted; 0: they are not."""
    records: int = 0
    """Those from that frame on."""


class Number(NamedTuple):
    """The number of a frame."""

    source: str
    epoch: int
    nth: int
    """Counted from 1."""
    since: int = 0
    """The source's first frame whose records are counted; 0: they are not."""
    before: int = 0
    """Records in the frames from that one on, up to this one."""
    records: int = 0
    """Records in this one."""

    def header(self) -> tuple[str, bytes]:
        """Return it as a header of its record."""
        return HEADER, f"{self.source} {self.epoch} {self.nth}".encode()

    def headers(self) -> list[tuple[str, bytes]]:
        """Return it and its count of records as headers of its record."""
        return [self.header(), (RECORDS, f"{self.since} {self.before} {self.records}".encode())]


def number_of(record: Record) -> Number | None:
    """Return a frame's number, None where it has none, as those of strangers."""
    first, counted = b"", b"0 0 0"
    for name, value in record.headers or ():
        if name == HEADER:
            first = value
        elif name == RECORDS:
            counted = value
    try:
        source, epoch, nth = first.decode("ascii").split(" ")
        since, before, records = counted.split(b" ")
        return Number(source, int(epoch), int(nth), int(since), int(before), int(records))
    except (ValueError, AttributeError):
        return None


class Numbers:
    """Gives out the numbers of one source's frames; kept with the source's state, in the same transactions."""

    def __init__(self, source: str, epoch: int, kept: Mapping[str, Any] | None = None) -> None:
        self._source = source
        self._epoch = epoch if kept is None else int(kept["epoch"])
        self._counts: dict[str, int] = {} if kept is None else dict(kept["counts"])
        self._records: dict[str, tuple[int, int]] = {}
        """By partition: the first frame whose records are counted, and how many they are."""
        for partition, (since, records) in ({} if kept is None else kept.get("records", {})).items():
            self._records[partition] = since, records

    def next(self, partition: int, records: int) -> list[tuple[str, bytes]]:
        """Return the headers of the next frame, of so many `records`, to a target partition."""
        count = self._counts[str(partition)] = self._counts.get(str(partition), 0) + 1
        since, before = self._records.get(str(partition), (count, 0))
        self._records[str(partition)] = since, before + records
        return Number(self._source, self._epoch, count, since, before, records).headers()

    def written(self, partition: int) -> Written:
        """Return what was written to a target partition so far."""
        count = self._counts.get(str(partition), 0)
        return Written(self._epoch, count, *self._records.get(str(partition), (0, 0)))

    def snapshot(self) -> dict[str, Any]:
        """Return the state, for the next `Numbers` of this source."""
        return {"epoch": self._epoch, "counts": self._counts, "records": self._records}
