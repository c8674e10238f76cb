"""`querymix status`: why nothing leaves, what each pool lacks, what waits and who works on it."""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from querymix.commands.common import PARTIAL, echo, print_json, reporting
from querymix.commands.options import options
from querymix.core.outlook import Outlook
from querymix.core.records import POOL_NAMES
from querymix.kafka.reasons import date
from querymix.kafka.status import Input, Status, status_of
from querymix.settings import GroupSettings, load
from querymix.settings.values import show_span

_SHOWN: Final = ("in", "released", "held", "lost", "waiting")


@click.command(short_help="Show why nothing leaves, what waits and who works on it.")
@options(GroupSettings)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def status(settings: Path | None, as_json: bool, **given: Any) -> None:
    """Show why nothing leaves, what each category's pool still lacks, and each partition's lag and worker.

    \b
    querymix status --broker kafka:9092

    A pool lets nothing out before k + 1 users count there, and by chance up to `--reserve` more: `users` are in it,
    `count` of them count (with --established only those who were first seen so long ago), `missing` to k + 1 have to
    come, and `by` is when they can be expected where those who are there are enough. `oldest` is the age of the oldest
    query held. Lag is in records for raw, in frames for classified and evidence. It reads what the topics keep as
    `account` does, and shows no query and no user.

    Exit codes: 0 all is well, or it is known when something leaves; 1 Kafka is unavailable; 2 an option or a topic is
    wrong; 3 a partition waits and no worker has it.
    """
    now = time.time()
    found = asyncio.run(status_of(load(GroupSettings, given, settings), now))
    if as_json:
        print_json(_plain(found, now))
    else:
        _show(found, now)
    if found.unattended:
        raise SystemExit(PARTIAL)


def _plain(found: Status, now: float) -> dict[str, Any]:
    figures = found.account.figures()
    return {
        "at": f"{datetime.fromtimestamp(now, UTC):%Y-%m-%dT%H:%M:%SZ}",
        **{name: figures[name] for name in _SHOWN},
        "reason": found.reason or None,
        "pools": [
            {
                "category": POOL_NAMES[pool.category], "partition": number, "held": pool.held, "users": pool.users,
                "counted": pool.counted, "needed": pool.needed, "missing": pool.missing,
                "expected_in_seconds": pool.ready_in,
                "oldest_seconds": round(pool.oldest, 1),
            }
            for number, pool in found.pools
        ],
        "partitions": [one._asdict() for one in found.inputs],
    }  # fmt: skip


def _show(found: Status, now: float) -> None:
    figures = found.account.figures()
    echo(", ".join(f"{name} {figures[name]:,}" for name in _SHOWN))
    if found.reason:
        begin = "" if found.account.released else "Nothing has left yet: "
        echo(f"{begin}{found.reason}.")
    rows = [
        (POOL_NAMES[pool.category], number, f"{pool.held:,}", f"{pool.users:,}", f"{pool.counted:,}",
         f"{pool.missing:,}", _by(pool, now), show_span(pool.oldest))
        for number, pool in sorted(found.pools, key=lambda one: (one[1].missing, -one[1].held))
    ]  # fmt: skip
    if found.inputs and all(one.worker == "" for one in found.inputs):
        echo("No worker works on any partition: start one, or look at the last line of one that has ended.")
    if rows:
        echo()
        _table([("category", "partition", "held", "users", "count", "missing", "by", "oldest"), *rows])
    echo()
    lags = [(one.topic, one.partition, f"{one.lag:,} {one.unit}", _worker(one)) for one in found.inputs]
    _table([("topic", "partition", "lag", "worker"), *lags])


def _table(rows: Sequence[Sequence[object]]) -> None:
    """Print rows, the first of which is the head, where there are others; nothing is cut, however narrow the screen."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row in texts if len(texts) > 1 else ():
        echo("   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _by(pool: Outlook, now: float) -> str:
    if pool.ready_in is None:
        return "others come"
    return date(now + pool.ready_in + 59) if pool.ready_in else "now"


def _worker(one: Input) -> str:
    return "not visible to this user" if one.worker is None else one.worker or "none"
