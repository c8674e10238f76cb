"""What the classifiers have written to a partition of the classified topic, by their own account.

Each raw partition's account in the positions topic has the numbers of its frames, and moves in one transaction with
them. So frames that it tells of are in the classified topic, or they are lost.
"""

from collections.abc import Mapping

from querymix.codecs.frames import loads
from querymix.kafka.classifier import ACCOUNT_KEY
from querymix.kafka.failures import unreadable
from querymix.kafka.numbers import Numbers, Written
from querymix.kafka.ports import PartitionedLog, TopicPartition
from querymix.kafka.topics import Topics


async def written_to(
    log: PartitionedLog, topics: Topics, partitions: Mapping[str, int], number: int
) -> dict[str, Written]:
    """Return what each raw partition's frames in a partition of the classified topic come to, by their source's name.

    Raises ConfigError where an account is damaged, or where this user may not read the positions.
    """
    found: dict[str, Written] = {}
    for place in (TopicPartition(topics.positions, one) for one in range(partitions[topics.positions])):
        async for record in log.scan(place):
            key = record.key or b""
            if not key.startswith(ACCOUNT_KEY):
                continue
            source = key.decode("ascii", "replace")
            found.pop(source, None)
            if record.value:
                try:
                    found[source] = Numbers(source, 0, loads(record.value)["numbers"]).written(number)
                except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
                    why = f"there is a record under {key!r} that cannot be read"
                    raise unreadable(place.topic, place.partition, why) from None
    return {source: written for source, written in found.items() if written.frames}
