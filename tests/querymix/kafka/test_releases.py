"""What a transaction sends for releases: lines and evidence, once nothing more is to be waited for."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from querymix.codecs.aol import AolCodec
from querymix.codecs.frames import decode_evidence
from querymix.core.records import Query, Release
from querymix.kafka.numbers import Numbers
from querymix.kafka.ports import Headers
from querymix.kafka.releases import ReleaseWriter
from querymix.kafka.slices import Room
from querymix.stages.releasing import Released

from tests.querymix.kafka.whole import TOPICS


class Counting(Room):
    """Counts the turns that were taken."""

    def __init__(self) -> None:
        super().__init__()
        self.taken = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Run the body."""
        self.taken += 1
        async with super().turn():
            yield


class Sent:
    """A transaction that notes what is sent, and after how many turns."""

    def __init__(self, room: Counting) -> None:
        self._room = room
        self.turns: set[int] = set()
        self.lines = self.counted = 0

    async def send(
        self, topic: str, value: bytes | None, *, key: bytes | None = None, partition: int | None = None,
        headers: Headers = (),
    ) -> None:  # fmt: skip
        """Note a frame of evidence."""
        self.turns.add(self._room.taken)
        self.counted += sum(decode_evidence(value).values())

    async def send_many(self, topic: str, partition: int, records: Iterable[tuple[bytes, bytes, Headers]]) -> None:
        """Note lines."""
        self.turns.add(self._room.taken)
        self.lines += len(list(records))

    def reached(self, position: int) -> None:
        """Note nothing."""


async def test_the_releases_of_a_full_transaction_are_sent_in_one_turn_of_the_loop() -> None:
    """The brokers' minute for a transaction begins with what is sent first: other partitions' work must not fill it."""
    query = Query("7", "soccer", "2006-03-01 07:17:12", 1141197432, None, None)
    releases = [Release(str(number), 15, query, 15, query, 3) for number in range(10_000)]
    room, partitions = Counting(), dict.fromkeys(TOPICS, 2)
    writer = ReleaseWriter(TOPICS, partitions, AolCodec(), category_header=True, room=room)
    sent = Sent(room)
    await writer.send(sent, Released(releases, {}), Numbers("pools-0", 1), 0.0)
    assert room.taken > 10_000 / 256
    assert len(sent.turns) == 1
    assert (sent.lines, sent.counted) == (10_000, 10_000)
