"""A topic that is another one than it was: deleted and made anew, or cut short by its brokers.

Rules:
- Kafka's topic id stands beside each position that the service keeps. Under the same name and another id the position
  means nothing: reading on from it would skip records, and beginning anew could release some twice. Nobody but the
  operator can say which, so the work stops until `querymix topics accept` has said it.
- A topic that ends before the position has lost records, even under the same id (an unclean leader election does that).
"""

from querymix.core.errors import ConfigError
from querymix.kafka.ports import TopicPartition

_WHAT_TO_DO = (
    "stop all workers, run 'querymix topics accept', which goes on with the topic as it is now, and start them again"
)


def refuse_another(source: TopicPartition, kept: str | None, now: str) -> None:
    """Raise ConfigError where the topic's id is `now` another one than the id `kept` beside the position.

    There is none where nothing is kept (None), nor has a log in memory one (empty).
    """
    if kept and now and kept != now:
        raise ConfigError(
            f"{source.topic} is another topic than the one that partition {source.partition} was read from: it was "
            f"deleted and made anew. To take that: {_WHAT_TO_DO}"
        )


def shorter(source: TopicPartition, position: int, end: int) -> ConfigError:
    """Return the error for a partition that ends before what was taken in."""
    return ConfigError(
        f"{source.topic} partition {source.partition} ends at offset {end}, before offset {position}, which was read: "
        f"it was deleted and made anew, or its brokers have lost records. To take that: {_WHAT_TO_DO}"
    )


def unreadable(topic: str, partition: int, why: str) -> ConfigError:
    """Return the error for what the service keeps in a topic of its own and cannot read any more.

    `why` holds nothing of a record but its key.
    """
    return ConfigError(
        f"{topic} partition {partition}: {why}. A restart does not help: somebody else has written there, or it was "
        "damaged. See Restore in deploy/README.md, 'A record that cannot be read'"
    )
