"""Which settings a study measures: every k under the default, then one factor at a time beside it."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from querymix.core.rules import DrawBy, HoldPolicy, Mode, Rules, SessionScope, Unit

DAY: Final = 86_400.0
HOLDS: Final = (DAY, 6 * 3600.0, 3600.0)
"""Longest holds that are tried, in seconds: a day, six hours, one hour."""
PRINTED: Final[dict[str, Any]] = {"mode": "paper", "draw": "entry", "hold_policy": "wait", "click_wait": 0.0}
"""The paper's method as printed: each row is a query, and nothing bounds the hold."""
SCOPES: Final[tuple[SessionScope, ...]] = ("category", "all")
DELTAS: Final = ("1", "1.1", "1.2", "1.5", "2")
"""`1` is the paper's A(NR): k does not grow."""


@dataclass(frozen=True)
class Named:
    """Plain data that names its own result file."""

    @property
    def name(self) -> str:
        """A name for files: equal for equal settings."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]

    def as_dict(self) -> dict[str, Any]:
        """Return the setting for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Setting(Named):
    """One run of the method over the log, or over a sample of its users."""

    k: int
    mode: Mode = "distinct"
    draw: DrawBy = "owner"
    delta: str = "1.2"
    max_hold: float | None = Rules().max_hold
    hold_policy: HoldPolicy = Rules().hold_policy
    established: float | None = None
    dedupe: float | None = None
    click_wait: float = Rules().click_wait
    reserve: int = Rules().reserve
    unit: Unit = "query"
    session_gap: float = Rules().session_gap
    session_most: int = Rules().session_most
    session_scope: SessionScope = "category"
    users: int | None = None
    """How many users, chosen by the seed; None: all."""
    seed: int = 1

    @property
    def rules(self) -> Rules:
        """The rules of the pools."""
        return Rules(**{name: getattr(self, name) for name in Rules._fields})


def grid(ks: Sequence[int], users: int, seed: int, base_k: int) -> Iterator[Setting]:
    """Yield the settings of a study.

    Args:
        ks: thresholds to measure.
        users: users of the log; samples of a quarter and a half of them are measured too.
        seed: what chance begins with.
        base_k: the threshold at which the other factors vary.
    """
    for k in ks:
        yield Setting(k, seed=seed)
        yield Setting(k, draw="entry", seed=seed)
        yield Setting(k, **PRINTED, seed=seed)
        yield Setting(k, **PRINTED, delta="1", seed=seed)
    for delta in DELTAS:
        if delta not in ("1", "1.2"):
            yield Setting(base_k, **PRINTED, delta=delta, seed=seed)
    for hold in HOLDS:
        policies: tuple[HoldPolicy, ...] = ("trim", "suppress")
        for policy in policies:
            yield Setting(base_k, max_hold=hold, hold_policy=policy, seed=seed)
    yield Setting(base_k, max_hold=HOLDS[1], hold_policy="merge", seed=seed)
    yield Setting(base_k, hold_policy="wait", seed=seed)
    yield Setting(base_k, established=7 * DAY, seed=seed)
    yield Setting(base_k, dedupe=DAY, seed=seed)
    yield Setting(base_k, established=7 * DAY, dedupe=DAY, seed=seed)
    yield Setting(base_k, click_wait=0.0, seed=seed)
    yield Setting(base_k, reserve=0, seed=seed)
    for scope in SCOPES:
        yield Setting(base_k, unit="session", session_scope=scope, seed=seed)
    yield Setting(base_k, draw="entry", hold_policy="wait", click_wait=0.0, seed=seed)
    for part in (4, 2):
        if users // part > 2 * base_k:
            yield Setting(base_k, users=users // part, seed=seed)
