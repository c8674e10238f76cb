"""Which records of a partition were taken in: each once, whatever a feeder leaves out, repeats or reorders.

Rules:
- The log's offsets are the truth. A record is certain where it stands right after all that is `checked`. Where offsets
  have a gap (the markers of transactions, aborted records, or something that a feeder left out) nobody can tell from
  offsets alone; then the log itself is read up to there, and what it gives is complete.
- Frames carry a number in a header: counted for each source and target partition, in the transaction that writes them.
  A frame with the next number of its source is certain too, which spares reading the log; a number that was taken is a
  repetition. A number that is missing in the log itself was lost there.
- Another header says how many records its source had written there before the frame, and how many are in it. So what
  is lost is counted in records, exactly. Frames of 0.4.0 and before lack it: nobody knows what was in those.
- Where retention has cut the log before it was read, no later frame of a source need ever come. Then what the source
  has written by its own account, once the log is read that far, tells what is lost (`settle`).
- An epoch begins where a source has lost its count, so that new numbers are not taken for repetitions of old ones.
- `in_order` takes records by offset only, for what keeps its position as an offset (the profile store).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from querymix.kafka.numbers import Number, Written, number_of
from querymix.kafka.ports import Chunk, Record

READ_AFTER: Final = 1000
"""Offsets that are taken on the word of numbers alone before the log itself is read, so that a restart reads few."""


class Doubt(Enum):
    """Whether the log lacks frames that only their sources can tell of."""

    NONE = 0
    OPEN = 1
    """It may."""
    ASKED = 2
    """The sources were asked, and the log is not read that far yet."""


@dataclass
class Losses:
    """What a log itself was found to lack."""

    removed: int = 0
    """Records of the topic that retention removed before they were read."""
    missing: int = 0
    """Frames whose numbers the log itself lacks."""
    repeated: int = 0
    """Frames that the log itself holds a second time."""
    records: int = 0
    """Records in the frames that are lost."""
    uncounted: int = 0
    """Lost frames of an older version, whose records nobody has counted."""
    forgotten: int = 0
    """Records of frames that were taken by a state that is lost; among `records`."""


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
        """Offset of the last record that was taken, or that retention removed; or of a marker behind it."""
        self.found = Losses()
        """What the log lacks and nobody has reported yet."""
        self.removed = 0
        """Records of the topic that retention removed before they were read, since the partition began."""
        self.lost = 0
        """Records in frames that are lost, since the partition began."""
        self.uncounted = 0
        """Lost frames whose records nobody has counted, since the partition began."""
        self.refused = 0
        """Records in frames that could not be read, since the partition began."""
        self.unsaved = False
        """Whether something was lost that is not written down yet."""
        self.doubt = Doubt.NONE
        self._taken: dict[str, Written] = {}
        """What was taken of each source, up to its last frame."""
        self._heard: set[str] | None = None
        """Sources that a frame has come of since retention cut the log; None: it has not."""
        self._estimated = 0
        """Frames that were counted as removed by their offsets, and that numbers may count again."""

    @property
    def unit(self) -> str:
        """What a record of the topic is called."""
        return "frames" if self._numbered else "records"

    def snapshot(self) -> dict[str, Any]:
        """Return the state, for `restore`."""
        return {
            "checked": self.checked,
            "position": self.position,
            "taken": {source: taken[:2] for source, taken in self._taken.items()},
            "records": {source: taken[2:] for source, taken in self._taken.items()},
            "lost": self.lost,
            "uncounted": self.uncounted,
            "refused": self.refused,
            "doubt": self.doubt is not Doubt.NONE,
            "heard": None if self._heard is None else sorted(self._heard),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over a state that `snapshot` gave, be it that of an older version."""
        self.checked, self.position = state["checked"], state["position"]
        counted = state.get("records", {})
        for source, (epoch, count) in state["taken"].items():
            since, records = counted.get(source, (0, 0))
            self._taken[source] = Written(epoch, count, since, records)
        self.lost, self.uncounted, self.refused = (int(state.get(name, 0)) for name in ("lost", "uncounted", "refused"))
        self.doubt = Doubt.OPEN if state.get("doubt") else Doubt.NONE
        heard = state.get("heard")
        self._heard = None if heard is None else set(heard)

    def start_after(self, position: int) -> None:
        """Go on after a position that somebody else vouches for, if that is further."""
        if position > self.position:
            self.checked = self.position = position
            if self._numbered and not self._in_order:
                self.doubt = Doubt.OPEN  # what was taken before, no numbers here tell of

    def accept(self, records: Sequence[Record]) -> tuple[list[Record], int]:
        """Take what is certain out of a feeder's records.

        Returns those that the stream goes on with, and the offset up to which the log itself has to be read (not past
        `checked` + 1 where it need not be).
        """
        fresh: list[Record] = []
        begin, count = self.checked + 1, len(records)
        if count and not self._numbered and [record.offset for record in records] == list(range(begin, begin + count)):
            # As it usually is. Record by record it would come to the same.
            fresh, records, self.checked = list(records), (), self.checked + count
            self.position = max(self.position, self.checked)
        for record in records:
            offset = record.offset
            number = number_of(record) if self._numbered and offset > self.checked else None
            if offset == self.checked + 1:
                self.checked = offset
                if self._count(number, offset):
                    fresh.append(record)
            elif offset > self.checked:
                follows = self._follows(number, offset)
                if follows is None:
                    return fresh, max(record.offset for record in records) + 1
                if follows:
                    self._count(number, offset)
                    fresh.append(record)
            self.position = max(self.position, offset)
        far = self.position - self.checked > READ_AFTER
        return fresh, self.position + 1 if far else self.checked + 1

    def resolve(self, start: int, chunk: Chunk) -> list[Record]:
        """Take in what the log itself gave from `start` on; that is complete."""
        if chunk.begin > start:
            self._note_removed(chunk.begin - start)
            self.position = max(self.position, chunk.begin - 1)
        fresh = [
            record for record in chunk.records if not self._numbered or self._count(number_of(record), record.offset)
        ]
        self.checked = max(self.checked, chunk.next - 1)
        if chunk.records:
            self.position = max(self.position, chunk.records[-1].offset)
        if not fresh and self.checked > self.position >= 0 and (self._in_order or not self._numbered):
            # All that is kept of these is an offset: an idle partition stands at its end, and not before the markers.
            self.position, self.unsaved = self.checked, True
        return fresh

    def settle(self, written: Mapping[str, Written]) -> None:
        """Count what is lost of what sources have `written` by their own account.

        The log has to be read as far as it went when they were asked.
        """
        for source, it in written.items():
            known = self._taken.get(source)
            if known is None or known.epoch != it.epoch or known.frames < it.frames:
                self._note_gap(known, Number(source, it.epoch, it.frames + 1, it.since, it.records))
                self._taken[source] = it
        self.doubt, self._heard, self.unsaved = Doubt.NONE, None, True

    def refuse(self, record: Record) -> None:
        """Count the records of a frame that was taken and cannot be read."""
        number = number_of(record)
        if number is not None:
            self.refused += number.records
            self.uncounted += not number.since

    def _note_removed(self, offsets: int) -> None:
        """Note that retention has removed so many offsets unread.

        Whoever has taken nothing begins where the log does: that is no loss, unless numbers tell of one. They tell how
        many frames that were once the next one of each source has come, or the sources are asked. Where they cannot be,
        each frame is taken to have the marker of its transaction behind it; the last one's alone is no loss.
        """
        self._heard = set()
        if self._numbered and not self._in_order:
            self.doubt = Doubt.OPEN
        if self.checked < 0:
            return
        if not self._numbered:
            self._count_removed(offsets)
        elif self._in_order or not self._taken:
            self._estimated += offsets // 2
            self._count_removed(offsets // 2)

    def _count_removed(self, number: int) -> None:
        self.removed += number
        self.found.removed += number
        self.unsaved = self.unsaved or number > 0

    def _follows(self, number: Number | None, offset: int) -> bool | None:
        """Say whether a frame has the next number (True) or was taken (False); None where that is uncertain."""
        known = None if number is None or self._in_order else self._taken.get(number.source)
        if number is None or known is None or known.epoch != number.epoch:
            return None
        if number.nth == known.frames + 1:
            return True
        return False if number.nth <= known.frames and offset <= self.position else None

    def _count(self, number: Number | None, offset: int) -> bool:
        """Note a frame's number; say whether the frame is new."""
        if number is None:
            return True
        source, epoch, nth, since, before, records = number
        known = self._taken.get(source)
        if known is not None and known.epoch == epoch and nth <= known.frames:
            self.found.repeated += offset > self.position
            return False
        self._note_gap(known, number)
        if self._heard is not None:
            self._heard.add(source)
        self._taken[source] = Written(epoch, nth, since, before + records)
        return True

    def _note_gap(self, known: Written | None, number: Number) -> None:
        """Count the frames of a source between what is `known` of it and the one that has come."""
        source, epoch, nth, since, before, _ = number
        cut = self._heard is not None and source not in self._heard
        if known is not None and known.epoch == epoch:
            frames = nth - known.frames - 1
            if not frames:
                return
            if since and since == known.since:
                records, uncounted = before - known.records, 0
            elif since > known.frames:
                records, uncounted = before, since - known.frames - 1
            else:  # an older version has taken some
                records, uncounted = 0, frames
        elif known is None and self._in_order:
            return  # a worker before this one may have taken them
        else:
            # Never met, or not in this epoch: what an older version has written is not asked for.
            frames, records, uncounted = nth - since if since else 0, before, 0
        self._lose(frames, records, uncounted, cut=cut, forgotten=known is None and not cut)

    def _lose(self, frames: int, records: int, uncounted: int, *, cut: bool, forgotten: bool) -> None:
        if cut:
            already = min(frames, self._estimated)
            self._estimated -= already
            self._count_removed(frames - already)
        elif not forgotten:
            self.found.missing += frames
        self.found.forgotten += records if forgotten else 0
        self.found.records += records
        self.found.uncounted += uncounted
        self.lost += records
        self.uncounted += uncounted
        self.unsaved = self.unsaved or frames > 0
