"""`querymix deadletter`: what was refused, and putting it back."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from math import inf
from pathlib import Path
from time import time
from typing import Any, TypeVar, cast

import click
import orjson

from querymix.codecs.base import UnreadableRecordError
from querymix.codecs.record_times import moment
from querymix.commands.common import echo, print_json, reporting
from querymix.commands.options import options
from querymix.kafka.admin import connected
from querymix.kafka.log import KafkaLog
from querymix.kafka.preflight import check_topics
from querymix.kafka.replay import Choice, Replayed, Shown, read_dead_letters
from querymix.kafka.replay import replay as replay_letters
from querymix.kafka.topics import READ, WRITE, names
from querymix.settings import GroupSettings, load
from querymix.settings.values import read_seconds
from querymix.terminal import visible_json

Command = TypeVar("Command", bound=Callable[..., Any])


class _Moment(click.ParamType):
    """A moment, in seconds since 1970: so long ago, such as 2h, or an ISO 8601 time; UTC where no zone is given."""

    name = "TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        try:
            return time() - float(str(read_seconds(value)))
        except ValueError:
            pass
        try:
            return moment(value)
        except UnreadableRecordError:
            self.fail("give 2h for two hours ago, or a time such as 2026-11-29T08:00:00Z", param, ctx)


_CHOICES = (
    click.option("--reason", "reasons", multiple=True, help="Only letters whose reason holds this text; repeatable."),
    click.option(
        "--partition",
        "partitions",
        type=click.IntRange(0),
        multiple=True,
        help="Only records of this partition of the topic that they came from; repeatable.",
    ),
    click.option(
        "--since",
        type=_Moment(),
        default=-inf,
        help="Only what was refused from then on: 2h ago, or a time.",
    ),
    click.option("--until", type=_Moment(), default=inf, help="Only what was refused before then."),
    click.option("--limit", type=click.IntRange(1), help="How many at most."),
)


def _choosing(command: Command) -> Command:
    """Give a command the options that choose letters; it is called with their `choice`."""

    @wraps(command)
    def run(reasons: Any, partitions: Any, since: float, until: float, limit: int | None, **given: Any) -> Any:
        return command(choice=Choice(reasons, partitions, since, until, inf if limit is None else limit), **given)

    for option in reversed(_CHOICES):
        run = option(run)
    return cast(Command, run)


@click.group()
def deadletter() -> None:
    """Look at refused records, or put them back."""


@deadletter.command(short_help="Show the refused records, one JSON object a line.")
@options(GroupSettings)
@_choosing
@click.option("--content", is_flag=True, help="Show the records themselves too: they may be raw queries.")
@reporting
def show(settings: Path | None, content: bool, choice: Choice, **given: Any) -> None:
    """Show the dead letters, one JSON object a line: why, where from, when, and whether they were put back.

    \b
    querymix deadletter show --broker kafka:9092
    querymix deadletter show --reason "not a time" --since 2h --limit 20
    """
    asyncio.run(_show(load(GroupSettings, given, settings), choice, content))


async def _show(chosen: GroupSettings, choice: Choice, content: bool) -> None:
    async with connected(chosen) as admin, KafkaLog(admin) as log:
        topics = names(chosen)
        found = await check_topics(admin, topics, {"deadletter": {READ}}, only=["deadletter"])
        async for shown in read_dead_letters(log, found["deadletter"], topics.raw, chosen.group, choice):
            echo(visible_json(orjson.dumps(_line(shown, content))).decode())


def _line(shown: Shown, content: bool) -> dict[str, Any]:
    letter = shown.letter
    line: dict[str, Any] = {
        "letter": shown.offset,
        "letter_partition": shown.partition,
        "time": datetime.fromtimestamp(shown.at, UTC).isoformat(timespec="seconds"),
        "reason": letter.reason,
        "topic": letter.topic,
        "partition": letter.partition,
        "offset": letter.offset,
        "put_back": shown.put_back,
    }
    if letter.batch:
        line["batch"] = letter.batch
    if content and letter.value is not None:
        line["content"] = letter.value.decode("utf-8", "backslashreplace")
    return line


@deadletter.command(short_help="Put refused records back on the raw topic.")
@options(GroupSettings)
@_choosing
@click.option("--dry-run", is_flag=True, help="Only count what would be put back.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def replay(settings: Path | None, choice: Choice, dry_run: bool, as_json: bool, **given: Any) -> None:
    """Put raw records that were refused, and not put back yet, on the raw topic again: all, or those that are chosen.

    \b
    querymix deadletter replay --broker kafka:9092
    querymix deadletter replay --reason "longer than" --partition 3 --limit 1000 --dry-run

    Letters that are no raw records, or were not kept whole, are left.
    """
    done = asyncio.run(_replay(load(GroupSettings, given, settings), choice, dry_run))
    if as_json:
        print_json(done._asdict() | {"dry_run": dry_run})
        return
    parts = [f"{done.replayed} records {'would be ' * dry_run}put back"]
    parts += [f"{done.left} left"] * bool(done.left) + [f"{done.unchosen} not chosen"] * bool(done.unchosen)
    echo(", ".join(parts))


async def _replay(chosen: GroupSettings, choice: Choice, dry_run: bool) -> Replayed:
    rights = {"deadletter": {READ}, "raw": set[str]()} if dry_run else {"deadletter": {READ}, "raw": {WRITE}}
    if choice != Choice() and not dry_run:
        rights["deadletter"] |= {WRITE}  # for the notes
    async with connected(chosen) as admin, KafkaLog(admin, chosen.group) as log:
        found = await check_topics(admin, names(chosen), rights, only=rights)
        raw = found["raw"].name
        return await replay_letters(log, found["deadletter"], raw, chosen.group, choice, dry_run=dry_run)
