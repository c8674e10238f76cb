"""The account: where every log went, out of what moves with the positions.

Rules:
- Raw side: each raw partition's account stands in its group offset's metadata, written in the same transaction.
- Pool side: each partition of the state topic restores to its pools, which know what they let out and hold.
- What the raw side sent on and the pool side has not taken in yet is `waiting`.
"""

from aiokafka.structs import TopicPartition

from service.codecs.frames import loads
from service.core.draw import system_draw
from service.core.pools import Rules
from service.kafka.ingest import group_of
from service.kafka.statelog import Reader
from service.kafka.topics import names, partitions_of
from service.kafka.transactions import position_and_note
from service.settings import WorkerSettings
from service.stages.partition import Partition


async def take(settings: WorkerSettings, rules: Rules) -> dict[str, int]:
    """Return the counts by what became of the logs.

    Raises Broken where Kafka is away, Misconfigured where a topic is missing.
    """
    topics = names(settings)
    counts = await partitions_of(settings)
    total = dict.fromkeys(
        ("in", "released", "held", "suppressed", "unclassified", "refused", "waiting", "own_query_returned"), 0
    )
    sources = [TopicPartition(topics.raw, number) for number in range(counts[topics.raw])]
    sent_on = 0
    for _, note in (await position_and_note(settings, group_of(settings), sources)).values():
        if note:
            kept = loads(note.encode())
            stage = kept["stage"]
            dropped = stage["unclassified"] if settings.unclassified == "drop" else 0
            total["in"] += stage["arrived"] + kept["refused"]
            total["refused"] += kept["refused"]
            total["suppressed"] += stage["suppressed"]
            total["unclassified"] += dropped
            sent_on += stage["arrived"] - stage["suppressed"] - dropped
    reader = Reader(settings, topics)
    await reader.start()
    try:
        for number in range(counts[topics.state]):
            state = Partition(rules, system_draw())
            state.restore(await reader.entries(number))
            sent_on -= state.arrived
            total["held"] += state.pools.held
            for _, pool in state.pools:
                total["released"] += pool.released
                total["suppressed"] += pool.suppressed
                total["own_query_returned"] += pool.own_returned
    finally:
        await reader.stop()
    total["waiting"] = sent_on
    return total
