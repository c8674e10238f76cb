"""What a record costs: the defaults of the capacity model, and how a report's figures take their place. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from loadtest.capacity import Costs

Report = Mapping[str, Any]

DEFAULTS: Final = Costs(
    classifier=10.9,
    anonymizer=13.1,
    profiler=55.7,
    broker=21.3,
    database=294,
    disk=390,
    worker_memory=150e6,
    held_memory=680,
    held=0.04,
    released=0.849,
    shares={
        "Arts": 0.167,
        "Shopping": 0.141,
        "Society": 0.137,
        "Health": 0.119,
        "Recreation": 0.088,
        "Business": 0.074,
        "Home": 0.065,
        "Regional": 0.053,
        "Computers": 0.047,
        "Reference": 0.04,
        "Sports": 0.038,
        "Games": 0.013,
        "Science": 0.01,
        "Kids and Teens": 0.006,
        "News": 0.001,
    },
    profile_disk=150,
)
"""`python -m loadtest run costs` of 2026-11-28: 200,000 made-up logs on two virtual cores that others shared (EPYC,
2.4 GHz), Kafka 4.1 with one copy, the try-out database. Memory of a pooled record: 200,000 held records of 20,000 users
in a process of their own. A profile: the document of a user with eight categories, as BSON."""


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
