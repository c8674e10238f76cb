"""`python -m loadtest capacity`: how many workers, partitions, brokers, databases and how much memory a rate needs."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from querymix.commands.common import print_json, reporting
from querymix.core.errors import ConfigError
from rich.console import Console

from loadtest.capacity import Costs, Demand, Point, Size, point, size
from loadtest.commands.compare import read
from loadtest.commands.showing import show
from loadtest.commands.values import rate as read_rate
from loadtest.commands.values import seconds as read_seconds
from loadtest.measure.measured import DEFAULTS, from_report
from loadtest.measure.tables import Table

_RATES = ("40000", "158500", "1M")


@click.command(short_help="Say how many workers, partitions, brokers and databases a rate needs.")
@click.option("--rate", "rates", multiple=True, default=_RATES, show_default=True, metavar="N", help="Records/s.")
@click.option("--users", type=click.IntRange(min=1), default=100_000_000, show_default=True, help="Users in all.")
@click.option("--hold", default="10m", show_default=True, metavar="TIME", help="Longest time in a pool (--max-hold).")
@click.option("--replication", type=click.IntRange(min=1), default=3, show_default=True, help="Copies of a partition.")
@click.option("--usable", type=click.FloatRange(0, 1, min_open=True), default=0.7, show_default=True,
              help="Share of a core to plan with; the rest catches up after a restart or a spike.")  # fmt: skip
@click.option("--broker-cores", type=click.IntRange(min=1), default=8, show_default=True, help="Cores of a broker.")
@click.option("--database-cores", type=click.IntRange(min=1), default=8, show_default=True, help="Cores of a database.")
@click.option("--retention", default="1d", show_default=True, metavar="TIME", help="How long the topics are kept.")
@click.option("--report", "source", type=click.Path(path_type=Path, exists=True),
              help="Report of a load test to take the costs from, instead of those that come along.")  # fmt: skip
@click.option("--check", "checks", multiple=True, type=click.Path(path_type=Path, exists=True),
              help="With --report: report of a knee or a burst to check the model against; give several.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def capacity(
    rates: tuple[str, ...], users: int, hold: str, replication: int, usable: float, broker_cores: int,
    database_cores: int, retention: str, source: Path | None, checks: tuple[Path, ...], as_json: bool,
) -> None:  # fmt: skip
    """Say how many workers, partitions, brokers, databases and how much memory a rate of records needs.

    The costs of a log are those measured by the project (deploy/README.md says where), or those of your own --report.
    Exit codes: 0 done; 2 wrong usage.
    """
    demands = [
        Demand(
            read_rate(text, "--rate"), users, read_seconds(hold, "--hold"), replication, usable, broker_cores,
            database_cores, read_seconds(retention, "--retention"),
        )
        for text in rates
    ]  # fmt: skip
    report = None if source is None else read(source)
    if checks and report is None:
        raise ConfigError("--check goes with --report: give the costs of the machine that is checked")
    try:
        costs = DEFAULTS if report is None else from_report(report)
        sizes = [size(costs, demand) for demand in demands]
        points = [point(costs, read(path)) for path in checks]
    except ValueError as error:
        raise ConfigError(f"{source or '--rate'}: {error}") from None
    for remark in _remarks(report, [(path, read(path)) for path in checks]):
        click.echo(f"WARNING: {remark}", err=True)
    if as_json:
        rows = [asdict(demand) | one._asdict() for demand, one in zip(demands, sizes, strict=True)]
        print_json({
            "costs": asdict(costs), "sizes": rows, "checks": [one._asdict() | {"error": one.error} for one in points]
        })  # fmt: skip
        return
    shown = [costs_table(costs), sizes_table(demands, sizes)]
    show([*shown, checks_table(points)] if points else shown, Console(highlight=False))
    for demand, one in zip(demands, sizes, strict=True):
        if one.hot:
            hot = ",".join(f"{name}={number}" for name, number in one.hot.items())
            click.echo(f"At {demand.rate:,.0f} records/s, workers with: --hot '{hot}'")


def _remarks(report: dict[str, Any] | None, checks: list[tuple[Path, dict[str, Any]]]) -> Iterator[str]:
    """Yield why figures may be worth little."""
    if report is not None and "worker" in (report["costs"] or {}):
        yield (
            "the report's workers did all stages: how their cost splits over the stages is the project's own figure. "
            "And at a low rate a record costs several times as much as near the limit. `run costs` measures both"
        )
    for path, one in checks:
        if one["knee"] is None and (one["total"]["lag_seconds"] or 0) <= 1:
            yield f"{path} is of no knee and no burst: the service could have done more than was measured"


def costs_table(costs: Costs) -> Table:
    """Return the costs of a log."""
    rows = [
        ("worker, to classify it", f"{costs.classifier:.1f} µs"),
        ("worker, to pool and release it", f"{costs.anonymizer:.1f} µs"),
        ("worker, to write its evidence", f"{costs.profiler:.1f} µs"),
        ("broker, one copy", f"{costs.broker:.1f} µs"),
        ("database, a record in a profile", f"{costs.database:.0f} µs"),
        ("disk of all topics, one copy", f"{costs.disk:,.0f} bytes"),
        ("memory of a record in a pool", f"{costs.held_memory:,.0f} bytes"),
    ]
    return Table("What a record costs", ("", ""), rows)


def sizes_table(demands: list[Demand], sizes: list[Size]) -> Table:
    """Return what each demand needs, a column each."""
    lines = {
        "workers (one core each)": [f"{one.workers:,}" for one in sizes],
        "raw and anonymized partitions": [f"{one.raw_partitions:,}" for one in sizes],
        "pool partitions": [f"{one.pool_partitions:,}" for one in sizes],
        "categories to split (--hot)": [f"{len(one.hot):,}" for one in sizes],
        "brokers": [f"{one.brokers:,}" for one in sizes],
        "databases (shards)": [f"{one.databases:,}" for one in sizes],
        "memory of a worker": [_bytes(one.worker_memory) for one in sizes],
        "memory of all pools": [_bytes(one.pool_memory) for one in sizes],
        "disk of all brokers": [_bytes(one.disk) for one in sizes],
        "disk of the profiles, one copy": [_bytes(one.profile_disk) for one in sizes],
    }
    columns = ["", *(f"{demand.rate:,.0f} records/s" for demand in demands)]
    return Table("What is needed", columns, [[name, *values] for name, values in lines.items()])


def checks_table(points: list[Point]) -> Table:
    """Return how the model compares with what was measured."""
    rows = [
        (str(one.workers), f"{one.cores:.2f}", f"{one.predicted:,.0f}", f"{one.measured:,.0f}", f"{one.error:+.0%}")
        for one in points
    ]
    return Table("The model against what was measured", ("workers", "cores", "model", "measured", "error"), rows)


def _bytes(value: float) -> str:
    for unit, least in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if value >= least:
            return f"{value / least:,.1f} {unit}"
    return f"{value:,.0f} bytes"
