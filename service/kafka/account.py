"""The account: where every log went, out of the state topic, where it moves with the positions.

Rules:
- Raw side: each raw partition's account, written in the same transaction as its frames.
- Pool side: each partition's pools, which know what they let out and hold.
- What the raw side sent on and the pool side has not taken in yet is `waiting`.
"""

from service.codecs.frames import loads
from service.core.draw import system_draw
from service.core.pools import Rules
from service.kafka.checks import check_topics
from service.kafka.ingest import account_key
from service.kafka.lookup import READ
from service.kafka.statelog import Reader
from service.kafka.topics import names
from service.settings import WorkerSettings
from service.stages.partition import Partition


async def take(settings: WorkerSettings, rules: Rules) -> dict[str, int]:
    """Return the counts by what became of the logs.

    Raises Broken where Kafka is away, Misconfigured where a topic is missing.
    """
    topics = names(settings)
    counts = await check_topics(settings, {"state": {READ}}, only=("raw", "classified", "state"))
    total = dict.fromkeys(
        ("in", "released", "held", "suppressed", "unclassified", "refused", "waiting", "own_query_returned"), 0
    )
    accounts: dict[bytes, bytes] = {}
    reader = Reader(settings, topics)
    await reader.start()
    try:
        for number in range(counts["state"].partitions):
            entries = await reader.entries(number)
            accounts |= dict(entries)
            state = Partition(rules, system_draw())
            state.restore(entries)
            total["waiting"] -= state.arrived
            total["held"] += state.pools.held
            for _, pool in state.pools:
                total["released"] += pool.released
                total["suppressed"] += pool.suppressed
                total["own_query_returned"] += pool.own_returned
    finally:
        await reader.stop()
    for number in range(counts["raw"].partitions):
        entry = accounts.get(account_key(number))
        if entry is not None:
            kept = loads(entry)
            stage = kept["stage"]
            total["in"] += stage["arrived"] + kept["refused"]
            total["refused"] += kept["refused"]
            total["suppressed"] += stage["suppressed"]
            total["unclassified"] += stage["dropped"]
            total["waiting"] += stage["arrived"] - stage["suppressed"] - stage["dropped"]
    return total
