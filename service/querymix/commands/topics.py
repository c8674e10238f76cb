"""`querymix topics`: make the topics, and see how those that are there differ."""

import asyncio
from pathlib import Path
from typing import Any

import click

from querymix.commands.common import echo, print_json, reporting
from querymix.commands.options import options
from querymix.kafka.admin import connected
from querymix.kafka.operations import accept_topics, create_topics
from querymix.kafka.preflight import check_topics, refuse_harm
from querymix.kafka.topics import Topics, names
from querymix.settings import ConnectionSettings, GroupSettings, TopicSettings, load


@click.group()
def topics() -> None:
    """Make and check the service's Kafka topics."""


@topics.command(short_help="Make the topics that are missing.")
@options(TopicSettings)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def create(settings: Path | None, as_json: bool, **given: Any) -> None:
    """Make the topics that are missing, with the right partitions, compaction and retention.

    \b
    querymix topics create --broker kafka:9092 --replication 3

    Those that are there stay as they are. How they differ is shown, and for each difference whether it must be set
    right, may be changed or is fine, with the command for it. Exit code 2: a difference loses records.
    """
    chosen = load(TopicSettings, given, settings)
    done = asyncio.run(create_topics(chosen))
    names_of = names(chosen)._asdict()
    words = {
        names_of[field]: ["made" if one.made else "was there", *map(str, one.differences)]
        for field, one in done.items()
    }
    if as_json:
        print_json({name: "; ".join(told) for name, told in words.items()})
    else:
        for name, told in words.items():
            echo(f"{name}: " + "\n  - ".join(told))
    for field, one in done.items():
        refuse_harm(field, names_of[field], one.configs)


@topics.command(short_help="Go on with topics that were made anew.")
@options(GroupSettings)
@reporting
def accept(settings: Path | None, **given: Any) -> None:
    """Go on with topics that were deleted and made anew, or that have lost records. Stop all workers first.

    \b
    querymix topics accept --broker kafka:9092

    A topic that was made anew is read from its beginning; what its predecessor held stays counted.
    """
    done = asyncio.run(accept_topics(load(GroupSettings, given, settings)))
    for topic, partition, offset in done:
        echo(f"{topic} partition {partition}: goes on at offset {offset}")
    if not done:
        echo("nothing to accept: all topics are those that were read")


@topics.command(short_help="Say whether the topics are there and fit for use.")
@options(ConnectionSettings)
@reporting
def check(settings: Path | None, **given: Any) -> None:
    """Say whether the topics are there and fit for use; nothing is made or changed.

    \b
    querymix topics check --broker kafka:9092

    Exit codes: 0 they are; 1 Kafka is unavailable; 2 one is missing or wrong, and the message says which and how.
    """
    asyncio.run(_check(load(ConnectionSettings, given, settings)))


async def _check(chosen: ConnectionSettings) -> None:
    async with connected(chosen) as admin:
        for topic in (await check_topics(admin, names(chosen), {}, only=Topics._fields)).values():
            echo(f"{topic.name}: {topic.partitions} partition{'s' if topic.partitions > 1 else ''}")
