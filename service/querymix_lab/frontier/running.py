"""All ways and the trend, measured in processes beside each other: what takes longest begins first.

Each result is a file of its own in a folder (querymix_lab.sweep.running): what was interrupted goes on where it was.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from querymix.core.records import Query

from querymix_lab.batch.base import Log
from querymix_lab.frontier import trend
from querymix_lab.frontier.measuring import Prepared, measure
from querymix_lab.frontier.ways import Way
from querymix_lab.sweep import running
from querymix_lab.sweep.grid import Named


@dataclass(frozen=True)
class Grown(Named):
    """The trend over made-up populations of these sizes."""

    sizes: tuple[int, ...]
    seed: int


def measured(
    log: Log, asked: Sequence[Query], ways: Sequence[Way], sizes: Sequence[int], seed: int, folder: Path,
    processes: int, tick: Callable[[], None] = lambda: None,
) -> dict[str, Any]:  # fmt: skip
    """Return all figures as plain data; `tick` is called when something is done. No sizes: the trend is left out.

    `asked` are the queries of the log as they came. Raises ConfigError where the folder holds another log's figures.
    """
    running.claim(folder, log.content())
    prepared = Prepared.of(log, asked)
    once = sorted({way.name: way for way in ways}.values(), key=_slow)
    works = [*([Grown(tuple(sizes), seed)] if sizes else []), *once]
    every = running.run(folder, works, partial(_measure, prepared), processes, tick)
    found = dict(zip((work.name for work in works), every, strict=True))
    grown = found[works[0].name] if sizes else {}
    rows = [found[way.name] | way.as_dict() for way in ways]
    return {"records": prepared.records, "users": len(log.users), "ways": rows, "trend": grown}


def _slow(way: Way) -> tuple[bool, bool]:
    """Return what sorts the slowest ways first, of these the presets."""
    return not way.pooled, not way.preset


def _measure(prepared: Prepared, work: Way | Grown) -> dict[str, Any]:
    if isinstance(work, Way):
        return measure(prepared, work)
    return trend.run(prepared.log, work.seed, work.sizes)
