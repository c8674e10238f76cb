"""`querymix deadletter`: what was refused, and putting it back."""

import asyncio
from pathlib import Path
from typing import Any

import click
import orjson

from querymix.commands.common import reporting
from querymix.commands.options import options
from querymix.kafka.admin import connected
from querymix.kafka.deadletter import DeadLetter, Replayed, read_dead_letters
from querymix.kafka.deadletter import replay as replay_letters
from querymix.kafka.log import KafkaLog
from querymix.kafka.preflight import check_topics
from querymix.kafka.topics import READ, WRITE, names
from querymix.settings import ConnectionSettings, GroupSettings, load
from querymix.terminal import visible_json


@click.group()
def deadletter() -> None:
    """Look at refused records, or put them back."""


@deadletter.command(short_help="Show the refused records, one JSON object a line.")
@options(ConnectionSettings)
@click.option("--content", is_flag=True, help="Show the records themselves too: they may be raw queries.")
@reporting
def show(settings: Path | None, content: bool, **given: Any) -> None:
    """Show the dead letters, one JSON object a line: why, and where from.

    \b
    querymix deadletter show --broker kafka:9092
    """
    chosen = load(ConnectionSettings, given, settings)
    asyncio.run(_show(chosen, content))


async def _show(chosen: ConnectionSettings, content: bool) -> None:
    async with connected(chosen) as admin, KafkaLog(admin) as log:
        found = await check_topics(admin, names(chosen), {"deadletter": {READ}}, only=["deadletter"])
        async for partition, offset, letter in read_dead_letters(log, found["deadletter"]):
            click.echo(visible_json(orjson.dumps(_line(partition, offset, letter, content))))


def _line(partition: int, offset: int, letter: DeadLetter, content: bool) -> dict[str, Any]:
    line: dict[str, Any] = {
        "letter": offset,
        "letter_partition": partition,
        "reason": letter.reason,
        "topic": letter.topic,
        "partition": letter.partition,
        "offset": letter.offset,
    }
    if letter.batch:
        line["batch"] = letter.batch
    if content and letter.value is not None:
        line["content"] = letter.value.decode("utf-8", "backslashreplace")
    return line


@deadletter.command(short_help="Put refused records back on the raw topic.")
@options(GroupSettings)
@reporting
def replay(settings: Path | None, **given: Any) -> None:
    """Put every raw record that was refused, and not put back yet, on the raw topic again.

    \b
    querymix deadletter replay --broker kafka:9092

    Letters that are no raw records, or were not kept whole, are left.
    """
    chosen = load(GroupSettings, given, settings)
    done = asyncio.run(_replay(chosen))
    click.echo(f"{done.replayed} records put back" + (f", {done.left} left" if done.left else ""))


async def _replay(chosen: GroupSettings) -> Replayed:
    rights = {"deadletter": {READ}, "raw": {WRITE}}
    async with connected(chosen) as admin, KafkaLog(admin, chosen.group) as log:
        found = await check_topics(admin, names(chosen), rights, only=rights)
        return await replay_letters(log, found["deadletter"], found["raw"].name, chosen.group)
