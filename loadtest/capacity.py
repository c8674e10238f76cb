"""The capacity model: how many workers, partitions, brokers, databases and how much memory a rate of records needs.

Pure. What a record costs is measured (`Costs`, by `python -m loadtest run`, or the defaults below); what a deployment
has to carry is asked for (`Demand`); `size` divides the one by the other.

Rules:
- A worker is one process that uses one core. CPU is planned to `usable` of it: the rest catches up after a restart, a
  rebalance or a spike.
- A pool lives in one partition, and so does its work: a category that one worker cannot carry is split into shards
  (`--hot`), each a pool of its own, in a partition of its own.
- Brokers and databases are planned by CPU too. A replica costs what a leader costs: an upper bound, not measured.
- Every rounding is up.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any, Final, NamedTuple

CATEGORIES: Final = 16
"""Categories, each a pool."""
MICRO: Final = 1e6


@dataclass(frozen=True)
class Costs:
    """What one record costs: CPU in microseconds, memory and disk in bytes."""

    classifier: float
    """A worker's CPU for reading and classifying a log."""
    anonymizer: float
    """A worker's CPU for pooling and releasing it."""
    profiler: float
    """A worker's CPU for a log that goes into a profile."""
    broker: float
    """CPU of all brokers, one copy of each partition."""
    database: float
    """CPU of the database for a log that goes into a profile."""
    disk: float
    """Bytes that all topics together keep of a log, one copy."""
    worker_memory: float
    """A worker's memory when its pools are empty."""
    held_memory: float
    """Memory of a log in a pool."""
    held: float
    """Share of the logs that wait in a pool at any time, of those that came within the hold."""
    released: float
    """Share of the logs that are released, and so go into profiles."""
    shares: Mapping[str, float]
    """Share of the pooled records that each category has."""
    profile_disk: float
    """Bytes of a profile in the database, without its indexes."""

    @property
    def worker(self) -> float:
        """A worker's CPU for a log that comes in, on average."""
        return self.classifier + self.anonymizer + self.released * self.profiler


@dataclass(frozen=True)
class Demand:
    """What is asked for."""

    rate: float
    """Records a second."""
    users: int
    hold: float
    """Seconds that a log may be held, at most (`--max-hold`)."""
    replication: int = 3
    usable: float = 0.7
    """Share of a core that is planned with."""
    broker_cores: int = 8
    database_cores: int = 8
    retention: float = 86_400.0
    """Seconds that the topics are kept."""


class Size(NamedTuple):
    """What a demand needs."""

    workers: int
    raw_partitions: int
    """Of the raw and the anonymized topic."""
    pool_partitions: int
    hot: dict[str, int]
    """Shards of the categories that need several (`--hot`)."""
    brokers: int
    databases: int
    """Machines that take writes: shards of MongoDB, each with copies of its own."""
    worker_memory: float
    """Bytes of one worker."""
    pool_memory: float
    """Bytes of all pools together."""
    disk: float
    """Bytes of all brokers together."""
    profile_disk: float
    """Bytes of all profiles, one copy."""


def size(costs: Costs, demand: Demand) -> Size:
    """Return what a demand needs. Raises ValueError where a number makes no sense."""
    _check(demand)
    usable = demand.usable * MICRO
    workers = ceil(demand.rate * costs.worker / usable)
    shards = {
        name: max(1, ceil(demand.rate * share * costs.anonymizer / usable)) for name, share in costs.shares.items()
    }
    held = min(1.0, costs.held) * demand.rate * demand.hold
    pool_memory = held * costs.held_memory
    brokers = ceil(demand.rate * costs.broker * demand.replication / (usable * demand.broker_cores))
    databases = ceil(demand.rate * costs.released * costs.database / (usable * demand.database_cores))
    return Size(
        workers=workers,
        raw_partitions=max(4, 2 * workers),
        pool_partitions=max(CATEGORIES, sum(shards.values())),
        hot={name: number for name, number in shards.items() if number > 1},
        brokers=max(brokers, demand.replication),
        databases=max(1, databases),
        worker_memory=costs.worker_memory + pool_memory / workers,
        pool_memory=pool_memory,
        disk=demand.rate * demand.retention * costs.disk * demand.replication,
        profile_disk=demand.users * costs.profile_disk,
    )


def _check(demand: Demand) -> None:
    if not (demand.rate > 0 and demand.users > 0 and demand.hold >= 0):
        raise ValueError("rate and users have to be above 0, and the hold not below it")
    if not 0 < demand.usable <= 1:
        raise ValueError("the usable share of a core is above 0 and at most 1")
    if min(demand.replication, demand.broker_cores, demand.database_cores) < 1:
        raise ValueError("replication and cores are at least 1")


class Point(NamedTuple):
    """A measured point that the model is checked against."""

    workers: int
    cores: float
    """Cores that the deployment had: those of the machine, less what other programs took."""
    measured: float
    """Records a second: the knee, or what was done of a burst."""
    predicted: float

    @property
    def error(self) -> float:
        """How far the prediction is off, as a share of what was measured."""
        return self.predicted / self.measured - 1


def throughput(costs: Costs, workers: int, cores: float, extra: float = 0.0, profiled: float | None = None) -> float:
    """Return the records a second that workers reach on one machine with all that belongs to them.

    A worker has one core at most; all processes together have `cores`. `extra` is what a record costs beside: the load
    test's own processes, in microseconds. `profiled` is the share of the logs that go into profiles meanwhile.
    """
    profiled = costs.released if profiled is None else profiled
    worker = costs.classifier + costs.anonymizer + profiled * costs.profiler
    whole = worker + costs.broker + profiled * costs.database + extra
    return min(workers * MICRO / worker, cores * MICRO / whole)


def point(costs: Costs, report: Mapping[str, Any]) -> Point:
    """Return how the model's throughput compares with what a report measured at the limit.

    Raises ValueError where the service was not at its limit: the report has no knee, and nothing waited.
    """
    total = report["total"]
    knee = (report["knee"] or {}).get("rate")
    if not knee and (total["lag_seconds"] or 0) < 1:
        raise ValueError("the service was not at its limit: run a scenario with a [knee], such as ramp, or a burst")
    measured = knee or total["settled_rate"]
    if not measured:
        raise ValueError("nothing was taken in")
    cores = report["machine"]["cores"] - max(0.0, total["settled_others"])
    extra = sum(report["costs"].get(kind, 0.0) for kind in ("driver", "follower"))
    workers = int(report["options"]["workers"])
    predicted = throughput(costs, workers, cores, extra, total["settled_profiled"])
    return Point(workers, round(cores, 2), measured, predicted)
