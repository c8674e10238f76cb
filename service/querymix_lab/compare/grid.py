"""Which methods are compared, and at which settings.

Rules:
- Every method at every k; one that has no k once. A setting with chance in it runs with several seeds.
- Only on request, what the papers show: information lost for small k, and SRP for each number of levels, both measured
  for information alone; and samples of a quarter and a half of the users, for how the cost grows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from querymix.core.errors import ConfigError

from querymix_lab.batch.methods import METHODS
from querymix_lab.sweep.grid import Named

NONE: Final = "none"
STREAMS: Final = {"stream": "distinct", "stream-paper": "paper"}
"""The stream's modes, by the name that the report gives them."""
THRESHOLD: Final = "threshold"
"""Its number of users is what others call k."""
ALL: Final = (NONE, *STREAMS, *METHODS)
NO_CHANCE: Final = frozenset({NONE, "clump", "partition", "poblete", "threshold"})
"""What comes out the same with every seed."""
TITLES: Final = {
    NONE: "only identifiers cut",
    "stream": "the stream, mode distinct",
    "stream-paper": "the stream as printed, mode paper",
    **{name: method.title for name, method in METHODS.items()},
}
PROMISES: Final = {
    NONE: "Nothing: every query stands under its own user.",
    "stream": "At once. Whoever knows the pool just before one draw, and no more, names the owner with 1/k at most.",
    "stream-paper": "At once. No bound; an own query may come back.",
    **{name: method.guarantee for name, method in METHODS.items()},
}
LADDER: Final = (2, 3, 4, 5, 6, 7, 10, 20, 35, 50, 100, 200, 500)
"""The k between the ends of a range such as 2..50."""
SMALL: Final = range(2, 8)
"""The k that the papers show information loss for."""
SRP_KS: Final = range(2, 6)
LEVELS: Final = range(1, 6)
Scope = Literal["all", "information", "cost", "prepare whole", "prepare early"]


@dataclass(frozen=True)
class Choice(Named):
    """One method at one setting, over the log or over a sample of its users."""

    method: str
    k: int | None
    """None for a method that has none."""
    levels: int = 5
    users: int | None = None
    """How many users, chosen by the seed; None: all."""
    scope: Scope = "all"
    """What is measured."""
    seed: int = 1
    """The first one."""
    seeds: int = 1
    """How many, one after another: the setting's figures are their means."""


def has_k(method: str) -> bool:
    """Say whether a method has a k."""
    return method in STREAMS or method == THRESHOLD or (method in METHODS and "k" in METHODS[method].uses)


def methods_of(names: Sequence[str]) -> list[str]:
    """Return the methods of some names, all where there is none. Raises ConfigError for an unknown one."""
    if unknown := sorted(set(names) - set(ALL)):
        raise ConfigError(f"--methods: {unknown[0]!r} is no method; those are {', '.join(ALL)}")
    return [name for name in ALL if name in names or not names]


def ks_of(given: Sequence[str]) -> list[int]:
    """Return the thresholds of texts such as "5" and "2..50", in order. Raises ConfigError for what is none."""
    found: set[int] = set()
    for text in given:
        first, dots, last = text.partition("..")
        try:
            low, high = int(first), int(last if dots else first)
        except ValueError:
            raise ConfigError(f"--k: {text!r} is no whole number and no range; give such as 2,3,5 or 2..50") from None
        if low < 2 or high < low:
            raise ConfigError(f"--k: k must be at least 2, and a range go upwards, not {text}")
        found |= {low, high, *(k for k in LADDER if low < k < high)}
    return sorted(found)


def base_of(ks: Sequence[int]) -> int:
    """Return the k that the report is about: the largest up to 20, or the least."""
    return max((k for k in ks if k <= 20), default=ks[0])


def preparations(methods: Sequence[str], seed: int) -> list[Choice]:
    """Return what is to be computed before the settings: what does not depend on k, for the whole log and its part."""
    scopes: tuple[Scope, ...] = ("prepare whole", "prepare early")
    return [Choice("mdav", None, scope=scope, seed=seed) for scope in scopes if "mdav" in methods]


def choices(methods: Sequence[str], ks: Sequence[int], seed: int, seeds: int = 1) -> list[Choice]:
    """Return the settings that were asked for: each method at each k."""
    return [
        Choice(method, k, seed=seed, seeds=1 if method in NO_CHANCE else seeds)
        for method in methods
        for k in (ks if has_k(method) else [None])
    ]


def of_papers(methods: Sequence[str], ks: Sequence[int], users: int, seed: int, seeds: int = 1) -> Iterator[Choice]:
    """Yield the further settings that the papers show, for a log with `users` users."""
    base = base_of(ks)
    for method in methods:
        if has_k(method) and method not in STREAMS:
            for k in sorted(set(SMALL) - set(ks)):
                yield Choice(method, k, scope="information", seed=seed, seeds=1 if method in NO_CHANCE else seeds)
        for part in (4, 2):
            if users // part > 2 * base:
                at = base if has_k(method) else None
                yield Choice(method, at, users=users // part, scope="cost", seed=seed)
    if "odp" in methods:
        for k in SRP_KS:
            for level in LEVELS[:-1]:  # the last level's are measured above
                yield Choice("odp", k, level, scope="information", seed=seed)
