"""Going on with topics that are other ones than they were: the operator's word for `anew`.

Rules:
- What was counted, held and numbered stays; only the position goes, in a transaction that fences whoever works on it.
- A topic under another id is read from its beginning. One under the same id that has become shorter goes on at its end:
  all that it still holds was read.
"""

from collections.abc import AsyncIterator
from typing import NamedTuple

from querymix.codecs.frames import dumps
from querymix.kafka.admin import READ, WRITE, Found, connected
from querymix.kafka.anew import unreadable
from querymix.kafka.anonymizer import TAKEN, Anonymizer, taken_of
from querymix.kafka.checks import check_topics, partitions_of
from querymix.kafka.classifier import Classifier, account_key, group_of, positions_of, read_account
from querymix.kafka.log import KafkaLog
from querymix.kafka.ports import TopicPartition
from querymix.kafka.profiler import Profiler
from querymix.kafka.topics import Topics, names
from querymix.settings import GroupSettings


class Accepted(NamedTuple):
    """A partition that goes on elsewhere than its position says."""

    topic: str
    partition: int
    offset: int
    """Where it goes on."""


class _Place(NamedTuple):
    """A partition, and what is kept of it."""

    source: TopicPartition
    id: str
    """The topic's id now."""
    end: int

    def goes_on(self, kept: str | None, position: int) -> int | None:
        """Return the position to go on after instead of the one that is kept, None where that holds."""
        if kept and kept != self.id:
            return -1
        if position < self.end:
            return None
        return self.end - 1 if kept else -1


async def accept(settings: GroupSettings) -> list[Accepted]:
    """Give up positions that belong to another topic, and return those partitions.

    No worker may run. Raises ConfigError where a topic is missing, TransientError where Kafka is away.
    """
    topics = names(settings)
    rights = {"positions": {READ, WRITE}, "state": {READ, WRITE}}
    done: list[Accepted] = []
    async with connected(settings) as admin, KafkaLog(admin, settings.group) as log:
        found = await check_topics(admin, topics, rights)
        async for place in _places(log, found["raw"]):
            done += await _accept_raw(log, settings.group, topics, found, place)
        async for place in _places(log, found["classified"]):
            done += await _accept_classified(log, settings.group, topics, place)
        async for place in _places(log, found["evidence"]):
            done += await _accept_evidence(log, settings.group, place)
    return done


async def _places(log: KafkaLog, topic: Found) -> AsyncIterator[_Place]:
    sources = [TopicPartition(topic.name, number) for number in range(topic.partitions)]
    ends = await log.ends(sources)
    for source in sources:
        yield _Place(source, topic.id, ends[source].last)


async def _accept_raw(
    log: KafkaLog, group: str, topics: Topics, found: dict[str, Found], place: _Place
) -> list[Accepted]:
    counts = partitions_of(found)
    number = place.source.partition
    kept = await read_account(log, topics, counts, number)
    position = None if kept is None else place.goes_on(kept.get("topic"), kept["position"])
    if kept is None or position is None:
        return []
    async with (
        log.writer(Classifier.name, place.source, group_of(group)) as writer,
        writer.transaction() as transaction,
    ):
        await transaction.send(
            topics.positions,
            dumps(kept | {"position": position, "topic": place.id}),
            key=account_key(number),
            partition=positions_of(topics, counts, number),
        )
        transaction.reached(position)
    return [Accepted(place.source.topic, place.source.partition, position + 1)]


async def _accept_classified(log: KafkaLog, group: str, topics: Topics, place: _Place) -> list[Accepted]:
    number = place.source.partition
    taken = None
    async for record in log.scan(TopicPartition(topics.state, number)):
        taken = record.value if record.key == TAKEN else taken
    if not taken:
        return []
    try:
        kept = taken_of(taken)
    except ValueError as error:
        raise unreadable(topics.state, number, str(error)) from None
    position = place.goes_on(kept.get("topic"), kept["intake"]["position"])
    if position is None:
        return []
    # The numbers stay: a frame that was lost with the topic is missed by its number.
    sequence = kept["intake"] | {"checked": position, "position": position}
    async with log.writer(Anonymizer.name, place.source, group) as writer, writer.transaction() as transaction:
        entry = dumps(kept | {"intake": sequence, "topic": place.id})
        await transaction.send(topics.state, entry, key=TAKEN, partition=number)
        transaction.reached(position)
    return [Accepted(place.source.topic, place.source.partition, position + 1)]


async def _accept_evidence(log: KafkaLog, group: str, place: _Place) -> list[Accepted]:
    """The profile store tells evidence by the topic's id and its offset, so that reading it again changes nothing."""
    committed = await log.committed(group, place.source)
    if committed is None or committed <= place.end:
        return []
    async with log.writer(Profiler.name, place.source, group) as writer, writer.transaction() as transaction:
        transaction.reached(-1)
    return [Accepted(place.source.topic, place.source.partition, 0)]
