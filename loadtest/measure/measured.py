"""What a log costs: the defaults of the capacity model, and how a report's figures take their place. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from loadtest.capacity import Costs

Report = Mapping[str, Any]

DEFAULTS: Final = Costs(
    classifier=0.0, anonymizer=0.0, profiler=0.0, broker=0.0, database=0.0, disk=0.0, worker_memory=0.0,
    held_memory=0.0, held=0.0, released=0.0, busiest=0.0, profile_disk=0.0,
)  # fmt: skip


def from_report(report: Report, costs: Costs = DEFAULTS) -> Costs:
    """Return the costs that a report tells, and for what it does not tell those of `costs`.

    A worker that does all stages tells their sum: the shares of the stages are taken from `costs`. Raises ValueError
    where the report has no costs.
    """
    told, account = report["costs"], report["account"]
    if not told or not account.get("in"):
        raise ValueError("nothing was taken in, so it tells no costs")
    share = told["worker"] / costs.worker
    categories = report["total"]["categories"]
    return replace(
        costs,
        classifier=costs.classifier * share,
        anonymizer=costs.anonymizer * share,
        profiler=costs.profiler * share,
        broker=told.get("broker", costs.broker),
        database=told.get("database", costs.database),
        disk=sum(report["disk"].values()) or costs.disk,
        held=account["held"] / account["in"],
        released=account["released"] / account["in"],
        busiest=max(categories.values()) / sum(categories.values()) if categories else costs.busiest,
    )
