"""`querymix deadletter`: what was refused, and putting it back."""

import asyncio
from pathlib import Path
from typing import Any

import click
import orjson

from service.commands.common import reporting
from service.kafka.connection import reaching
from service.kafka.deadletter import read_letters
from service.kafka.deadletter import replay as replay_letters
from service.kafka.topics import names
from service.settings import ConnectionSettings, load, options


@click.group()
def deadletter() -> None:
    """Look at refused records, or put them back."""


@deadletter.command()
@options(ConnectionSettings)
@click.option("--content", is_flag=True, help="Show the records themselves too: they may be raw queries.")
@reporting
def show(settings: Path | None, content: bool, **given: Any) -> None:
    """Show the dead letters, one JSON object a line: why, and where from."""
    chosen = load(ConnectionSettings, given, settings)
    with reaching(chosen):
        asyncio.run(_show(chosen, content))


async def _show(chosen: ConnectionSettings, content: bool) -> None:
    async for offset, letter in read_letters(chosen, names(chosen).deadletter):
        line: dict[str, Any] = {
            "letter": offset,
            "reason": letter.reason,
            "topic": letter.topic,
            "partition": letter.partition,
            "offset": letter.offset,
        }
        if content and letter.value is not None:
            line["content"] = letter.value.decode("utf-8", "backslashreplace")
        click.echo(orjson.dumps(line).decode())


@deadletter.command()
@options(ConnectionSettings)
@reporting
def replay(settings: Path | None, **given: Any) -> None:
    """Put every letter that was not put back yet on the topic that it came from."""
    chosen = load(ConnectionSettings, given, settings)
    with reaching(chosen):
        done = asyncio.run(replay_letters(chosen, names(chosen).deadletter))
    click.echo(f"{done} records put back")
