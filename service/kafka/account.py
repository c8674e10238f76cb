"""The account: where every log went, out of the positions and state topics, where it moves with the positions.

Rules:
- Raw side: each raw partition's account, written in the same transaction as its frames.
- Pool side: each partition's pools, which know what they let out and hold.
- What the raw side sent on and the pool side has not taken in yet is `waiting`.
"""

from aiokafka.structs import TopicPartition

from service.core.draw import system_draw
from service.core.pools import Rules
from service.kafka.checks import partitions_of
from service.kafka.classifier import read_account
from service.kafka.connection import client_options
from service.kafka.log import KafkaLog
from service.kafka.lookup import READ
from service.kafka.topics import names
from service.settings import ConnectionSettings
from service.stages.partition import Entry, Partition


async def take(settings: ConnectionSettings, rules: Rules) -> dict[str, int]:
    """Return the counts by what became of the logs.

    Raises Broken where Kafka is away, Misconfigured where a topic is missing.
    """
    topics = names(settings)
    counts = await partitions_of(
        settings, {"state": {READ}, "positions": {READ}}, only=("raw", "classified", "state", "positions")
    )
    total = dict.fromkeys(
        ("in", "released", "held", "suppressed", "unclassified", "refused", "waiting", "own_query_returned"), 0
    )
    async with KafkaLog(client_options(settings), settings.group) as log:
        for number in range(counts[topics.state]):
            state = Partition(rules, system_draw())
            records = await log.read_all(TopicPartition(topics.state, number))
            state.restore(Entry(record.key, record.value) for record in records if record.key and record.value)
            total["waiting"] -= state.arrived
            total["held"] += state.pools.held
            for _, pool in state.pools:
                total["released"] += pool.released
                total["suppressed"] += pool.suppressed
                total["own_query_returned"] += pool.own_returned
        for number in range(counts[topics.raw]):
            kept = await read_account(log, topics, counts, number)
            if kept is not None:
                stage = kept["stage"]
                total["in"] += stage["arrived"] + kept["refused"]
                total["refused"] += kept["refused"]
                total["suppressed"] += stage["suppressed"]
                total["unclassified"] += stage["dropped"]
                total["waiting"] += stage["arrived"] - stage["suppressed"] - stage["dropped"]
    return total
