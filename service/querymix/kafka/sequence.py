"""Which records of a partition were taken in: each once, whatever a feeder leaves out, repeats or reorders.

Rules:
- The log's offsets are the truth. A record is certain where it stands right after all that is `checked`. Where offsets
  have a gap (the markers of transactions, aborted records, or something that a feeder left out) nobody can tell from
  offsets alone; then the log itself is read up to there, and what it gives is complete.
- Frames carry a number in a header: counted for each source and target partition, in the transaction that writes them.
  A frame with the next number of its source is certain too, which spares reading the log; a number that was taken is a
  repetition. A number that is missing in the log itself was lost there.
- An epoch begins where a source has lost its count, so that new numbers are not taken for repetitions of old ones.
- `in_order` takes records by offset only, for what keeps its position as an offset (the profile store).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from querymix.kafka.ports import Chunk, Record

HEADER: Final = "number"
READ_AFTER: Final = 1000
"""Offsets that are taken on the word of numbers alone before the log itself is read, so that a restart reads few."""


class Number(NamedTuple):
    """The number of a frame."""

    source: str
    epoch: int
    nth: int
    """Counted from 1."""

    def header(self) -> tuple[str, bytes]:
        """Return it as a header of its record."""
        return HEADER, f"{self.source} {self.epoch} {self.nth}".encode()


def number_of(record: Record) -> Number | None:
    """Return a frame's number, None where it has none, as those of strangers."""
    for name, value in record.headers or ():
        if name == HEADER:
            try:
                source, epoch, nth = value.decode("ascii").split(" ")
                return Number(source, int(epoch), int(nth))
            except ValueError:
                return None
    return None


class Numbers:
    """Gives out the numbers of one source's frames; kept with the source's state, in the same transactions."""

    def __init__(self, source: str, epoch: int, kept: Mapping[str, Any] | None = None) -> None:
        self._source = source
        self._epoch = epoch if kept is None else int(kept["epoch"])
        self._counts: dict[str, int] = {} if kept is None else dict(kept["counts"])

    def next(self, partition: int) -> tuple[str, bytes]:
        """Return the header of the next frame to a target partition."""
        count = self._counts[str(partition)] = self._counts.get(str(partition), 0) + 1
        return Number(self._source, self._epoch, count).header()

    def snapshot(self) -> dict[str, Any]:
        """Return the state, for the next `Numbers` of this source."""
        return {"epoch": self._epoch, "counts": self._counts}


class InputSequence:
    """What was taken in of one partition.

    `numbered` says whether its records may carry numbers, `in_order` that numbers do not stand for offsets.
    """

    def __init__(self, *, numbered: bool = False, in_order: bool = False) -> None:
        self._numbered = numbered
        self._in_order = in_order
        self.checked = -1
        """Offset up to which every committed record was taken."""
        self.position = -1
        """Offset of the last record that was taken."""
        self.missing = 0
        """Frames whose numbers the log itself lacks."""
        self.repeated = 0
        """Frames that the log itself holds a second time."""
        self.lost = 0
        """Records that retention removed before they were read."""
        self._taken: dict[str, tuple[int, int]] = {}
        """Epoch and count of each source's last number."""
        self._explained: set[str] = set()
        """Sources whose next gap retention explains."""

    def snapshot(self) -> dict[str, Any]:
        """Return the state, for `restore`."""
        return {"checked": self.checked, "position": self.position, "taken": self._taken}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over a state that `snapshot` gave."""
        self.checked, self.position = state["checked"], state["position"]
        self._taken = {source: (epoch, count) for source, (epoch, count) in state["taken"].items()}

    def start_after(self, position: int) -> None:
        """Go on after a position that somebody else vouches for, if that is further."""
        if position > self.position:
            self.checked = self.position = position

    def accept(self, records: Sequence[Record]) -> tuple[list[Record], int]:
        """Take what is certain out of a feeder's records.

        Returns those that the stream goes on with, and the offset up to which the log itself has to be read (not past
        `checked` + 1 where it need not be).
        """
        fresh: list[Record] = []
        for record in records:
            offset = record.offset
            if offset == self.checked + 1:
                self.checked = offset
                if not self._numbered or self._count(record):
                    fresh.append(record)
            elif offset > self.checked:
                follows = self._follows(record)
                if follows is None:
                    return fresh, max(record.offset for record in records) + 1
                if follows:
                    self._count(record)
                    fresh.append(record)
            self.position = max(self.position, offset)
        far = self.position - self.checked > READ_AFTER
        return fresh, self.position + 1 if far else self.checked + 1

    def resolve(self, start: int, chunk: Chunk) -> list[Record]:
        """Take in what the log itself gave from `start` on; that is complete."""
        if chunk.begin > start:
            self._note_lost(chunk.begin - start)
        fresh = [record for record in chunk.records if not self._numbered or self._count(record)]
        self.checked = max(self.checked, chunk.next - 1)
        if chunk.records:
            self.position = max(self.position, chunk.records[-1].offset)
        return fresh

    def _note_lost(self, offsets: int) -> None:
        """Count what retention has removed unread.

        Whoever has taken nothing begins where the log does: that is no loss. Numbers tell how many frames that were,
        once the next one comes. Without any that are known, each frame has the marker of its transaction behind it;
        the last one's alone is no loss.
        """
        self._explained = set(self._taken)
        if self.checked >= 0 and not self._taken:
            self.lost += offsets // 2 if self._numbered else offsets

    def _follows(self, record: Record) -> bool | None:
        """Say whether a frame has the next number (True) or was taken (False); None where that is uncertain."""
        number = number_of(record) if self._numbered and not self._in_order else None
        if number is None:
            return None
        epoch, count = self._taken.get(number.source, (None, 0))
        if epoch == number.epoch and number.nth == count + 1:
            return True
        known = epoch == number.epoch and number.nth <= count
        return False if known and record.offset <= self.position else None

    def _count(self, record: Record) -> bool:
        """Note a frame's number; say whether the frame is new."""
        number = number_of(record)
        if number is None:
            return True
        epoch, count = self._taken.get(number.source, (None, 0))
        if epoch == number.epoch:
            if number.nth <= count:
                self.repeated += record.offset > self.position
                return False
            if number.source in self._explained:
                self.lost += number.nth - count - 1
            else:
                self.missing += number.nth - count - 1
        self._explained.discard(number.source)
        self._taken[number.source] = (number.epoch, number.nth)
        return True
