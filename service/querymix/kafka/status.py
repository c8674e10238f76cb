"""How the service stands, read from its topics and groups: what each pool lacks, what waits, and who works on it.

Rules:
- It reads what the service keeps for itself (state, positions); the topics that workers read are asked for their ends.
- Pools are judged by the rules that they were last worked on under.
- One partition's pools are in memory at a time.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from aiokafka.errors import KafkaError

from querymix.core.account import Account
from querymix.core.draw import system_draw
from querymix.core.errors import QuerymixError
from querymix.core.outlook import Outlook
from querymix.core.rules import Rules
from querymix.kafka.admin import Admin, connected
from querymix.kafka.anonymizer import lost_of, read_state
from querymix.kafka.classifier import account_key, account_of, group_of, read_account
from querymix.kafka.log import KafkaLog
from querymix.kafka.numbers import Numbers, Written
from querymix.kafka.ports import PartitionedLog, TopicPartition
from querymix.kafka.preflight import check_topics, partitions_of
from querymix.kafka.reasons import Standing, why
from querymix.kafka.topics import READ, Topics, names
from querymix.settings import GroupSettings
from querymix.stages.partition import Partition


class Input(NamedTuple):
    """A partition that a worker reads."""

    topic: str
    partition: int
    lag: int
    """What is there and not taken in: records of raw, frames of the others."""
    unit: str
    worker: str | None
    """Who works on it: its static name or its address; empty where nobody does, None where that cannot be seen."""


class Status(NamedTuple):
    """How the service stands."""

    account: Account
    reason: str
    """Why what is held is held; empty where nothing is."""
    pools: Sequence[tuple[int, Outlook]]
    """Of each partition, those that hold something."""
    inputs: Sequence[Input]

    @property
    def unattended(self) -> list[Input]:
        """Partitions that wait for a worker and have none."""
        return [one for one in self.inputs if one.lag and one.worker == ""]


async def status_of(settings: GroupSettings, now: float) -> Status:
    """Return how the service stands at `now`, in seconds since 1970.

    Raises TransientError where Kafka is away, ConfigError where a topic is missing.
    """
    topics = names(settings)
    rights = {"state": {READ}, "positions": {READ}}
    only = ("raw", "classified", "evidence", "state", "positions")
    async with connected(settings) as admin, KafkaLog(admin, settings.group) as log:
        counts = partitions_of(await check_topics(admin, topics, rights, only=only))
        of_group = {group_of(settings.group): [topics.raw], settings.group: [topics.classified, topics.evidence]}
        workers = await _workers(admin, of_group)
        return await status_over(log, topics, counts, settings.group, workers, now)


async def status_over(
    log: PartitionedLog,
    topics: Topics,
    counts: Mapping[str, int],
    group: str,
    workers: Mapping[str, Mapping[TopicPartition, str]],
    now: float,
) -> Status:
    """Return how the service over a log stands; `workers` has, by topic, who works on its partitions."""
    total, inputs = Account(), list[Input]()

    def note(source: TopicPartition, lag: int, unit: str) -> None:
        of_topic = workers.get(source.topic)
        worker = None if of_topic is None else of_topic.get(source, "")
        inputs.append(Input(source.topic, source.partition, max(0, lag), unit, worker))

    numbers: dict[str, Numbers] = {}
    for source, end in await _ends(log, topics.raw, counts):
        kept = await read_account(log, topics, counts, source.partition)
        if kept is not None:
            total += account_of(kept)
            name = account_key(source.partition).decode()
            numbers[name] = Numbers(name, 0, kept["numbers"])
        note(source, end - (0 if kept is None else kept["position"] + 1), "records")
    standings: list[Standing] = []
    pools: list[tuple[int, Outlook]] = []
    rules, precision = Rules(), None
    for number in range(counts[topics.classified]):
        state = Partition(Rules(), system_draw())
        kept = await read_state(log, topics, number, state)
        total += state.account + lost_of(kept)
        standings.append(Standing.of(state, now, list(state.pooling.outlooks(now))))
        pools += [(number, pool) for pool in standings[-1].pools]
        if state.arrived:
            rules, precision = state.pools.rules, state.cells.ordering.precision
        written = {name: one.written(number) for name, one in numbers.items()}
        note(TopicPartition(topics.classified, number), _frames_left(written, kept), "frames")
    for source, end in await _ends(log, topics.evidence, counts):
        # Behind each frame stands the marker of its transaction. At rest a profiler stands behind all of them.
        note(source, (end - (await log.committed(group, source) or 0) + 1) // 2, "frames")
    return Status(total, why(standings, rules, precision, now), pools, inputs)


def _frames_left(written: Mapping[str, Written], kept: Mapping[str, Any] | None) -> int:
    taken = {} if kept is None else kept["intake"]["taken"]
    left = 0
    for source, it in written.items():
        epoch, frames = taken.get(source, (it.epoch, 0))
        left += it.frames - (frames if epoch == it.epoch else 0)
    return left


async def _ends(log: PartitionedLog, topic: str, counts: Mapping[str, int]) -> list[tuple[TopicPartition, int]]:
    sources = [TopicPartition(topic, number) for number in range(counts[topic])]
    ends = await log.ends(sources)
    return [(source, ends[source].last) for source in sources]


async def _workers(admin: Admin, topics_of: Mapping[str, Sequence[str]]) -> dict[str, dict[TopicPartition, str]]:
    """Return, by topic, who works on its partitions; a group that this user may not see is left out."""
    found: dict[str, dict[TopicPartition, str]] = {}
    for group, topics in topics_of.items():
        try:
            members = (await admin.group(group)).members
        except (KafkaError, QuerymixError):
            continue
        for topic in topics:
            found[topic] = {
                source: member.instance or member.host or member.id
                for member in members
                for source in member.partitions
                if source.topic == topic
            }
    return found
