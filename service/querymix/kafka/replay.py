"""Showing dead letters, and putting the raw records among them back.

Rules:
- Showing dead letters shows reasons and places; content only where it is asked for, since it may be a raw query.
- A replay puts each raw record back on the raw topic, once, from all partitions. Frames of internal topics stay
  letters: a damaged frame is not repaired by writing it again.
- The group's position says up to where no letter is left to look at. Where only some are chosen, a note in the letters'
  own partition says which were put back, in the same transaction.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from math import inf
from typing import Final, NamedTuple

from querymix.codecs.frames import dumps, loads
from querymix.core.errors import TransientError
from querymix.kafka.deadletter import DeadLetter
from querymix.kafka.ports import FencedError, Limit, PartitionedLog, Record, TopicPartition
from querymix.kafka.slices import with_pauses
from querymix.kafka.topics import Found

_REPLAY: Final = "replay"
"""Part of the transactional id and of the group's name; it must never change."""
_NOTE: Final = "put-back"
"""The header of a note; its value is the group, the record's is the list of offsets."""
_AT_ONCE: Final = Limit(500, 4 << 20)


class Choice(NamedTuple):
    """Which dead letters are meant; by default all."""

    reasons: Sequence[str] = ()
    """Parts of reasons, upper or lower case; one of them has to be there."""
    partitions: Sequence[int] = ()
    """Partitions of the topic that the records were refused in."""
    since: float = -inf
    """When a record was refused, in seconds since 1970: from here on."""
    until: float = inf
    """And before here."""
    limit: float = inf
    """How many at most."""

    def takes(self, record: Record, letter: DeadLetter) -> bool:
        """Say whether a letter is meant, whatever the limit."""
        reason = letter.reason.casefold()
        return (
            self.since <= record.timestamp / 1000 < self.until
            and (not self.partitions or letter.partition in self.partitions)
            and (not self.reasons or any(part.casefold() in reason for part in self.reasons))
        )


EVERY: Final = Choice()


class Shown(NamedTuple):
    """A dead letter with its place in the topic of dead letters."""

    partition: int
    offset: int
    at: float
    """When it was written, in seconds since 1970."""
    letter: DeadLetter
    put_back: bool

    def __repr__(self) -> str:
        return f"Shown({self.partition}@{self.offset}, {self.letter!r})"


async def read_dead_letters(
    log: PartitionedLog, found: Found, raw: str, group: str, choice: Choice = EVERY
) -> AsyncIterator[Shown]:
    """Yield the chosen letters that are in the topic `found` now, in their order.

    The replays of `group`, onto the topic `raw`, tell which were put back.
    """
    number = 0
    for source in _partitions(found):
        start, done = await _done_before(log, source, group)
        async for records in _records(log, source, 0):
            for record, letter in _letters(records):
                if number >= choice.limit:
                    return
                if choice.takes(record, letter):
                    number += 1
                    back = record.offset in done or (record.offset < start and _can_go(letter, raw))
                    yield Shown(record.partition, record.offset, record.timestamp / 1000, letter, back)


def _partitions(found: Found) -> list[TopicPartition]:
    return [TopicPartition(found.name, number) for number in range(found.partitions)]


async def _records(log: PartitionedLog, source: TopicPartition, start: int) -> AsyncIterator[Sequence[Record]]:
    """Yield what is committed by now, in batches."""
    end = (await log.ends([source]))[source].stable
    while start < end:
        chunk = await log.read(source, start, end, _AT_ONCE)
        if chunk.records:
            yield chunk.records
        start = chunk.next


def _letters(records: Sequence[Record]) -> Iterator[tuple[Record, DeadLetter]]:
    for record in records:
        if all(name != _NOTE for name, _ in record.headers):
            yield record, DeadLetter.read(record)


async def _done_before(log: PartitionedLog, source: TopicPartition, group: str) -> tuple[int, set[int]]:
    """Return the offset up to which no letter is left to look at, and those after it that were put back."""
    start = await log.committed(f"{group}-{_REPLAY}", source) or 0
    if start > (await log.ends([source]))[source].last:
        start = 0  # the topic was made anew since
    done: set[int] = set()
    async for records in _records(log, source, start):
        for record in records:
            if (_NOTE, group.encode()) in [*record.headers]:
                done.update(loads(record.value or b"[]"))
    return start, done


def _can_go(letter: DeadLetter, raw: str) -> bool:
    """Say whether a letter can be put back."""
    return letter.topic == raw and letter.whole


class Replayed(NamedTuple):
    """What became of the letters that are not put back yet."""

    replayed: int
    left: int
    """Those that stay letters: frames of an internal topic, records that were not kept whole, strangers' records."""
    unchosen: int = 0
    """Those that were not meant."""


async def replay(
    log: PartitionedLog, found: Found, raw: str, group: str, choice: Choice = EVERY, *, dry_run: bool = False
) -> Replayed:
    """Put each chosen raw record among the letters of the topic `found`, if it was not put back yet, on `raw` again.

    Each goes in one transaction with what says so, so that a replay that was killed loses and doubles none. What
    workers refuse again meanwhile is the next replay's. With `dry_run` all is counted and nothing put back.
    Raises TransientError where Kafka is away or another replay has begun.
    """
    total = Replayed(0, 0)
    for source in _partitions(found):
        one = _Replay(log, source, raw, group, choice._replace(limit=choice.limit - total.replayed))
        try:
            if dry_run:
                async for _ in one.batches():
                    pass
            else:
                await one.run()
        except FencedError:
            done = total.replayed + one.committed
            raise TransientError(f"another replay began; this one ends after {done} records") from None
        total = Replayed(total.replayed + one.replayed, total.left + one.left, total.unchosen + one.unchosen)
    return total


class _Replay:
    """The replay of one partition."""

    def __init__(self, log: PartitionedLog, source: TopicPartition, raw: str, group: str, choice: Choice) -> None:
        self._log = log
        self._source = source
        self._raw = raw
        self._group = group
        self._choice = choice
        self._position = -1
        """All letters up to here are put back, or never will be."""
        self.replayed = self.left = self.unchosen = 0
        self.committed = 0
        """Those that are back for certain."""

    async def batches(self) -> AsyncIterator[list[tuple[int, DeadLetter]]]:
        """Yield what is to be put back, by offset, after moving the position on."""
        start, done = await _done_before(self._log, self._source, self._group)
        self._position, gap = start - 1, False
        async for records in _records(self._log, self._source, start):
            again, first_unchosen = [], None
            for record, letter in _letters(records):
                if record.offset in done:
                    continue
                if not _can_go(letter, self._raw):
                    self.left += 1
                elif self.replayed < self._choice.limit and self._choice.takes(record, letter):
                    self.replayed += 1
                    again.append((record.offset, letter))
                else:
                    first_unchosen = record.offset if first_unchosen is None else first_unchosen
                    self.unchosen += 1
            if not gap:
                self._position = records[-1].offset if first_unchosen is None else first_unchosen - 1
                gap = first_unchosen is not None
            yield again

    async def run(self) -> None:
        """Put back what is to be. Raises FencedError where another replay has begun."""
        note = [(_NOTE, self._group.encode())]
        async with self._log.writer(_REPLAY, self._source, f"{self._group}-{_REPLAY}") as writer:
            before = self._position
            async for again in self.batches():
                if not again and self._position == before:
                    continue
                before = self._position
                async with writer.transaction() as transaction:
                    async for _, letter in with_pauses(again):
                        await transaction.send(self._raw, letter.value, key=letter.key)
                    later = [offset for offset, _ in again if offset > self._position]
                    if later:
                        await transaction.send(
                            self._source.topic, dumps(later), partition=self._source.partition, headers=note
                        )
                    transaction.reached(self._position)
                self.committed += len(again)
