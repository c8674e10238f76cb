"""The account: where every record went, out of the positions and state topics, where it moves with the positions.

Rules:
- Raw side: each raw partition's account, written in the same transaction as its frames.
- Pool side: each partition's pools, which know what they let out and hold.
- What the raw side sent on and the pool side has not taken in yet is `waiting`.
"""

from querymix.core.account import Account
from querymix.core.draw import system_draw
from querymix.core.rules import Rules
from querymix.kafka.admin import READ, connected
from querymix.kafka.anonymizer import read_state
from querymix.kafka.checks import check_topics, partitions_of
from querymix.kafka.classifier import account_of, read_account
from querymix.kafka.log import KafkaLog
from querymix.kafka.topics import names
from querymix.settings import GroupSettings
from querymix.stages.partition import Partition


async def take(settings: GroupSettings) -> dict[str, int]:
    """Return the counts by what became of the logs.

    Raises TransientError where Kafka is away, ConfigError where a topic is missing.
    """
    topics = names(settings)
    rights = {"state": {READ}, "positions": {READ}}
    only = ("raw", "classified", "state", "positions")
    total, own_returned = Account(), 0
    async with connected(settings) as admin, KafkaLog(admin, settings.group) as log:
        counts = partitions_of(await check_topics(admin, topics, rights, only=only))
        for number in range(counts[topics.state]):
            state = Partition(Rules(), system_draw())  # what stands in the topic names the rules it was decided by
            await read_state(log, topics, number, state)
            total += state.account
            own_returned += sum(pool.own_returned for _, pool in state.pools)
        for number in range(counts[topics.raw]):
            kept = await read_account(log, topics, counts, number)
            if kept is not None:
                total += account_of(kept)
    return total.figures() | {"own_query_returned": own_returned}
