"""What an operator does to the topics: makes them, accepts them as they are now, and asks where every record went.

Rules of `accept`, which goes on with topics that are other ones than they were:
- What was counted, held and numbered stays; only the position goes, in a transaction that fences whoever works on it.
- A topic under another id is read from its beginning. One under the same id that has become shorter goes on at its end:
  all that it still holds was read.

Rules of the account, which is exact whatever was killed:
- Raw side: each raw partition's account, written in the same transaction as its frames.
- Pool side: each partition's pools, which know what they let out and hold.
- What the raw side sent on and the pool side has not taken in yet is `waiting`, and what it never will is `lost`.
- Raw records that retention removed before a classifier read them never came in: they stand beside it (`never_read`).
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from querymix.codecs.frames import dumps
from querymix.core.account import Account
from querymix.core.draw import system_draw
from querymix.core.rules import Rules
from querymix.kafka.admin import connected
from querymix.kafka.anonymizer import TAKEN, Anonymizer, lost_of, read_state, taken_of
from querymix.kafka.classifier import Classifier, account_key, account_of, group_of, positions_of, read_account
from querymix.kafka.differences import Difference, differences
from querymix.kafka.failures import unreadable
from querymix.kafka.log import KafkaLog
from querymix.kafka.ports import PartitionedLog, TopicPartition
from querymix.kafka.preflight import check_topics, partitions_of
from querymix.kafka.profiler import Profiler
from querymix.kafka.topics import READ, WRITE, Topics, names, wanted
from querymix.settings import GroupSettings, TopicSettings
from querymix.stages.partition import Partition


class Made(NamedTuple):
    """What became of a topic."""

    made: bool
    """Whether it was made now."""
    differences: list[Difference]
    """How one that was there differs from how it would be made, and whether to act."""
    configs: dict[str, str]
    """The settings of one that was there."""


async def create_topics(settings: TopicSettings) -> dict[str, Made]:
    """Make the topics that are missing and return what became of each, by their names in `Topics`.

    Raises ConfigError or TransientError, with the reason, where the broker cannot be reached or refuses.
    """
    plans = wanted(settings)
    async with connected(settings) as admin:
        there = await admin.topics(plans)
        missing = {name: plan for name, plan in plans.items() if name not in there}
        if missing:
            await admin.create_topics(missing)
        configs = await admin.topic_configs(there) if there else {}
    return {
        field: Made(
            name in missing,
            differences(field, plans[name], there[name], configs.get(name, {}), settings.broker)
            if name in there
            else [],
            configs.get(name, {}),
        )
        for field, name in names(settings)._asdict().items()
    }


class Accepted(NamedTuple):
    """A partition that goes on elsewhere than its position says."""

    topic: str
    partition: int
    offset: int
    """Where it goes on."""


class _Place(NamedTuple):
    """A partition as it is now."""

    source: TopicPartition
    id: str
    """The topic's id."""
    end: int

    def after(self, kept: Mapping[str, Any], position: int) -> int | None:
        """Return the position to go on after instead of the one that is kept, None where that holds."""
        if kept["topic"] != self.id:
            return -1
        return None if position < self.end else self.end - 1


class _Change(NamedTuple):
    """What makes a partition go on after another position."""

    position: int
    record: tuple[str, bytes, bytes, int] | None = None
    """Topic, key, value and partition of what is kept beside the group's own position."""


async def accept_topics(settings: GroupSettings) -> list[Accepted]:
    """Give up positions that belong to another topic, and return those partitions.

    No worker may run. Raises ConfigError where a topic is missing, TransientError where Kafka is away.
    """
    topics, group = names(settings), settings.group
    rights = {"positions": {READ, WRITE}, "state": {READ, WRITE}}
    done: list[Accepted] = []
    async with connected(settings) as admin, KafkaLog(admin, group) as log:
        found = await check_topics(admin, topics, rights)
        counts = partitions_of(found)
        roles: list[tuple[str, str, str, Callable[[_Place], Awaitable[_Change | None]]]] = [
            ("raw", Classifier.name, group_of(group), partial(_change_of_raw, log, topics, counts)),
            ("classified", Anonymizer.name, group, partial(_change_of_classified, log, topics)),
            ("evidence", Profiler.name, group, partial(_change_of_evidence, log, group)),
        ]
        for field, name, member_of, change_of in roles:
            sources = [TopicPartition(found[field].name, number) for number in range(found[field].partitions)]
            for source, end in (await log.ends(sources)).items():
                change = await change_of(_Place(source, found[field].id, end.last))
                if change is None:
                    continue
                async with log.writer(name, source, member_of) as writer, writer.transaction() as transaction:
                    if change.record:
                        topic, key, value, number = change.record
                        await transaction.send(topic, value, key=key, partition=number)
                    transaction.reached(change.position)
                done.append(Accepted(*source, change.position + 1))
    return done


async def _change_of_raw(log: KafkaLog, topics: Topics, counts: Mapping[str, int], place: _Place) -> _Change | None:
    number = place.source.partition
    kept = await read_account(log, topics, counts, number)
    if kept is None or (position := place.after(kept, kept["position"])) is None:
        return None
    value = dumps(kept | {"position": position, "topic": place.id})
    return _Change(position, (topics.positions, account_key(number), value, positions_of(topics, counts, number)))


async def _change_of_classified(log: KafkaLog, topics: Topics, place: _Place) -> _Change | None:
    number = place.source.partition
    taken = None
    async for record in log.scan(TopicPartition(topics.state, number)):
        taken = record.value if record.key == TAKEN else taken
    if not taken:
        return None
    try:
        kept = taken_of(taken)
    except ValueError as error:
        raise unreadable(topics.state, number, str(error)) from None
    if (position := place.after(kept, kept["intake"]["position"])) is None:
        return None
    # The numbers stay: a frame that was lost with the topic is missed by its number, or by its source's account.
    sequence = kept["intake"] | {"checked": position, "position": position, "doubt": True}
    value = dumps(kept | {"intake": sequence, "topic": place.id})
    return _Change(position, (topics.state, TAKEN, value, number))


async def _change_of_evidence(log: KafkaLog, group: str, place: _Place) -> _Change | None:
    """The profile store tells evidence by the topic's id and its offset, so that reading it again changes nothing."""
    committed = await log.committed(group, place.source)
    return None if committed is None or committed <= place.end else _Change(-1)


async def total_account(settings: GroupSettings) -> dict[str, int]:
    """Return the counts by what became of the records.

    Raises TransientError where Kafka is away, ConfigError where a topic is missing.
    """
    topics = names(settings)
    rights = {"state": {READ}, "positions": {READ}}
    only = ("raw", "classified", "state", "positions")
    async with connected(settings) as admin, KafkaLog(admin, settings.group) as log:
        counts = partitions_of(await check_topics(admin, topics, rights, only=only))
        return await account_over(log, topics, counts)


async def account_over(log: PartitionedLog, topics: Topics, counts: Mapping[str, int]) -> dict[str, int]:
    """Return the account of topics with so many partitions, and what stands beside it."""
    total, own_returned, uncounted, removed = Account(), 0, 0, 0
    for number in range(counts[topics.state]):
        state = Partition(Rules(), system_draw())  # what stands in the topic names the rules it was decided by
        kept = await read_state(log, topics, number, state)
        total += state.account + lost_of(kept)
        own_returned += sum(pool.own_returned for _, pool in state.pools)
        uncounted += 0 if kept is None else kept["intake"].get("uncounted", 0)
    for number in range(counts[topics.raw]):
        kept = await read_account(log, topics, counts, number)
        if kept is not None:
            total += account_of(kept)
            removed += kept.get("removed", 0)
    beside = {"own_query_returned": own_returned, "never_read": removed, "frames_uncounted": uncounted}
    return total.figures() | beside
