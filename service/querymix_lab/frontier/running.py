"""All ways and the trend, measured in processes beside each other: what takes longest begins first."""

from collections.abc import Callable, Sequence
from typing import Any

from querymix_lab.batch.base import Log
from querymix_lab.frontier import trend
from querymix_lab.frontier.measuring import Prepared, measure
from querymix_lab.frontier.ways import Way
from querymix_lab.task_processes import in_parallel


def measured(
    name: str, log: Log, ways: Sequence[Way], sizes: Sequence[int], seed: int, processes: int,
    tick: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:  # fmt: skip
    """Return all figures as plain data; `tick` is told the name of what is done. No sizes: the trend is left out."""
    prepared = Prepared.of(log)
    calls: list[tuple[Any, ...]] = [(_trend, log, seed, list(sizes))] if sizes else []
    calls += [(_way, prepared, way) for way in sorted(ways, key=lambda way: not way.pooled)]
    grown: dict[str, Any] = {}
    rows: dict[str, dict[str, Any]] = {}
    for what, found in in_parallel(processes, _called, calls):
        if what == "trend":
            grown = found
        else:
            rows[what] = found
        tick(what)
    ordered = [rows[way.name] for way in ways]
    return {"log": name, "lines": len(log.rows), "users": len(log.users), "ways": ordered, "trend": grown}


def _called(work: Callable[..., tuple[str, dict[str, Any]]], *given: Any) -> tuple[str, dict[str, Any]]:
    return work(*given)


def _trend(log: Log, seed: int, sizes: Sequence[int]) -> tuple[str, dict[str, Any]]:
    return "trend", trend.run(log, seed, sizes)


def _way(prepared: Prepared, way: Way) -> tuple[str, dict[str, Any]]:
    return way.name, measure(prepared, way)
