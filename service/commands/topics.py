"""`querymix topics`: make the topics."""

import asyncio
from pathlib import Path
from typing import Any

import click

from service.commands.common import print_json, reporting
from service.kafka.topics import create as create_topics
from service.settings import TopicSettings, load, options


@click.group()
def topics() -> None:
    """Make the service's Kafka topics."""


@topics.command()
@options(TopicSettings)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def create(settings: Path | None, as_json: bool, **given: Any) -> None:
    """Make the topics that are missing, with the right partitions, compaction and retention."""
    done = asyncio.run(create_topics(load(TopicSettings, given, settings)))
    if as_json:
        print_json(done)
    else:
        for name, what in done.items():
            click.echo(f"{name}: {what}")
