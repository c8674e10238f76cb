"""How a topic that is there differs from how it would be made, and what an operator has to do about it.

Rules:
- Each difference is one of three: it must be set right, since records are lost or doubled; it may be, and the text says
  what it costs as it is; or it is fine, and the text says why.
- A difference that a command removes names that command. None is run here.
- What a worker refuses to start with (`harm`) must be set right. A number of partitions that is fixed for good is fine.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from querymix.kafka.topics import Found, Plan, harm

MUST: Final = "must be set right"
MAY: Final = "may be changed"
FINE: Final = "is fine"

_FIXED: Final = {
    "classified": "give --pool-partitions {}",
    "state": "give --pool-partitions {}",
    "evidence": "give --evidence-partitions {}",
    "positions": "it need not be that of the raw topic",
    "periods": "the first one alone is used",
}
"""Topics whose number of partitions is fixed for good, with what to know."""
_GROWS: Final = {
    "raw": "more workers can share them; workers notice within half a minute",
    "anonymized": "then restart the workers; the order of a user's records breaks once",
    "deadletter": "more are of no use",
}
_PERSONAL: Final = "queries and users stay there for longer"
_LARGER: Final = {
    "retention.ms": _PERSONAL,
    "retention.bytes": "",
    "max.message.bytes": "",
    "segment.ms": f"what was replaced is removed later: {_PERSONAL}",
    "max.compaction.lag.ms": f"what was replaced is removed later: {_PERSONAL}",
}
"""What a larger number than the planned one costs, nothing where it costs nothing."""
_OF_KEYS: Final = {
    True: "keys of periods that are over stay there for longer, where they cannot be deleted",
    False: "a worker that starts gives users other ids before the period is over",
}
"""What another retention of the periods topic costs, a longer and a shorter one."""
_SMALLER: Final = {
    "retention.ms": "what no worker takes in before then is lost",
    "retention.bytes": "what does not fit is lost, taken in or not",
    "max.message.bytes": "",
    "segment.ms": "",
    "max.compaction.lag.ms": "",
}
_TIMES: Final = "retention then goes by the producers' clocks: records with an old time are removed at once"


class Difference(NamedTuple):
    """How a topic differs in one thing."""

    what: str
    verdict: str
    """MUST, MAY or FINE."""
    why: str
    command: str = ""
    """What removes it."""

    def __str__(self) -> str:
        command = f": {self.command}" if self.command else ""
        return f"{self.what}, which {self.verdict} ({self.why}){command}"


def differences(field: str, plan: Plan, found: Found, configs: Mapping[str, str], broker: str) -> list[Difference]:
    """Return how a topic differs, what weighs most first. `field` is its name in `Topics`."""
    to = f"--bootstrap-server {broker}"
    repair = harm(field, configs)
    setting, _, value = repair.partition("=")
    planned = {setting: value} | dict(plan.configs) if repair else plan.configs
    all_of_them = [
        *_partitions(field, plan, found, to),
        *_copies(plan, found, to),
        *(
            _setting(field, found.name, name, configs[name], value, repair, to)
            for name, value in planned.items()
            if name in configs and configs[name] != value
        ),
    ]
    return sorted(all_of_them, key=lambda one: (MUST, MAY, FINE).index(one.verdict))


def _partitions(field: str, plan: Plan, found: Found, to: str) -> Iterator[Difference]:
    if found.partitions == plan.partitions:
        return
    what = f"has {found.partitions} partitions, not {plan.partitions}"
    if field in _FIXED:
        yield Difference(what, FINE, f"the number is fixed for good; {_FIXED[field].format(found.partitions)}")
    elif found.partitions > plan.partitions:
        yield Difference(what, FINE, "Kafka takes no partition away")
    else:
        alter = f"kafka-topics.sh {to} --alter --topic {found.name} --partitions {plan.partitions}"
        yield Difference(what, MAY, _GROWS[field], alter)


def _copies(plan: Plan, found: Found, to: str) -> Iterator[Difference]:
    if found.copies > plan.copies:
        yield Difference(f"has {found.copies} copies, not {plan.copies}", FINE, "more copies are safer")
    elif found.copies < plan.copies:
        reassign = f"kafka-reassign-partitions.sh {to} --execute --reassignment-json-file FILE"
        why = (
            f"records are lost with {found.copies} of the brokers; FILE names {plan.copies} brokers for each partition"
        )
        yield Difference(f"has {found.copies} copies, not {plan.copies}", MUST, why, reassign)


def _setting(field: str, topic: str, name: str, value: str, planned: str, repair: str, to: str) -> Difference:
    what = f"{name} is {value}, not {planned}"
    alter = f"kafka-configs.sh {to} --alter --topic {topic} --add-config "
    if repair.partition("=")[0] == name:
        return Difference(what, MUST, "it loses records, and workers refuse it", alter + repair)
    if name == "message.timestamp.type":
        return Difference(what, MAY, _TIMES, f"{alter}{name}={planned}")
    if name not in _LARGER:
        return Difference(what, FINE, "workers take it")
    larger = _amount(value) > _amount(planned)
    cost = _OF_KEYS[larger] if (field, name) == ("periods", "retention.ms") else (_LARGER if larger else _SMALLER)[name]
    if cost:
        return Difference(what, MAY, cost, f"{alter}{name}={planned}")
    return Difference(what, FINE, "it is enough")


def _amount(value: str) -> float:
    """Return a setting as a number; Kafka writes no bound as -1."""
    try:
        number = float(value)
    except ValueError:
        return 0.0
    return float("inf") if number < 0 else number
