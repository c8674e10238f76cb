"""Who watches over time: the strongest attacks on one k under the settings that are meant to lower them.

Rules:
- The method runs as it does for `querymix attack`: exact owners, ids that last as long as the setting says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from querymix.core.periods import Period
from querymix.core.rules import Rules
from querymix.stages.cells import Ordering

from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.simulated import simulate
from querymix_lab.attacks.suite import Case, run
from querymix_lab.sweep.grid import DAY, Named

ATTACKS: Final = ("kernel", "repeats", "kin", "again", "trail", "profiles", "arrivals", "authorship", "pairs")
"""Attacks of the suite that are tried, in the order of the table."""
PARTICLES: Final = 1_000
"""Of arrivals: fewer than `querymix attack` has, since there are several settings."""


@dataclass(frozen=True)
class Watched(Named):
    """One run of the method under rules and ids."""

    k: int
    told: str
    """What it changes of the default."""
    rules: dict[str, Any] = field(default_factory=dict)
    """Rules that are not at their defaults."""
    period: Period = DAY
    precision: float | None = None
    seed: int = 1


_STRICT: Final = {"established": 7 * DAY, "dedupe": DAY}
_TRIED: Final[tuple[tuple[str, dict[str, Any], Period, float | None], ...]] = (
    ("default", {}, DAY, None),
    ("ids that last", {}, None, None),
    ("ids of 7 days", {}, 7 * DAY, None),
    ("times cut to 1 h", {}, DAY, 3600.0),
    ("no reserve", {"reserve": 0}, DAY, None),
    ("sessions", {"unit": "session"}, DAY, None),
    ("strict", _STRICT, DAY, 3600.0),
    ("strict, ids that last", _STRICT, None, 3600.0),
)


def watched(k: int, seed: int) -> Iterator[Watched]:
    """Yield the settings that are tried at one k."""
    for told, rules, period, precision in _TRIED:
        yield Watched(k, told, rules, period, precision, seed)


def measure(log: Log, texts: Sequence[str], setting: Watched) -> dict[str, Any]:
    """Return what share is released, and the attacks' rows by name; `texts` are those of the log's numbers."""
    rules = Rules(setting.k)._replace(**setting.rules)
    simulated = simulate(log, rules, seed=setting.seed, ordering=Ordering(setting.precision), period=setting.period)
    figures = asdict(setting) | {"released": simulated.share, "attacks": {}}
    if len(simulated.released):
        case = Case(
            attacked=simulated, texts=texts, rules=rules, seed=setting.seed, period=setting.period,
            precision=setting.precision, particles=PARTICLES,
        )  # fmt: skip
        rows, _ = run(case, ATTACKS, lambda _: None)
        figures["attacks"] = {row["attack"]: row for row in rows}
    return figures
