"""What a log costs: the defaults of the capacity model, and how a report's figures take their place. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from loadtest.capacity import Costs

Report = Mapping[str, Any]

DEFAULTS: Final = Costs(
    classifier=0.0, anonymizer=0.0, profiler=0.0, broker=0.0, database=0.0, disk=0.0, worker_memory=0.0,
    held_memory=0.0, held=0.0, released=0.0, shares={}, profile_disk=0.0,
)  # fmt: skip


def from_report(report: Report, costs: Costs = DEFAULTS) -> Costs:
    """Return the costs that a report tells, and for what it does not tell those of `costs`.

    Workers that do all stages tell their sum: the shares of the stages are then taken from `costs`. Raises ValueError
    where the report has no costs.
    """
    told, account = report["costs"], report["account"]
    if not told or not account.get("in"):
        raise ValueError("nothing was taken in, so it tells no costs")
    released = account["released"] / account["in"]
    whole = costs.classifier + costs.anonymizer + costs.released * costs.profiler
    share = told["worker"] / whole if "worker" in told else 1.0
    categories = report["total"]["categories"]
    return replace(
        costs,
        classifier=told.get("classifier", costs.classifier * share),
        anonymizer=told.get("anonymizer", costs.anonymizer * share),
        profiler=told.get("profiler", costs.profiler * share),
        broker=told.get("broker", costs.broker),
        database=told.get("database", costs.database),
        disk=sum(report["disk"].values()) or costs.disk,
        held=account["held"] / account["in"],
        released=released,
        shares={name: count / sum(categories.values()) for name, count in categories.items()} or costs.shares,
    )
