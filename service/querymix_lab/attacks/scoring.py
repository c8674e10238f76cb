"""From guesses to figures: success beside its baseline, recall at 90 % precision, the worst-off tenth of users.

Rules:
- The unit of the confidence interval is the user, since lines of one user are right or wrong together: a bootstrap
  over users, 95 %, by its percentiles.
- The worst-off tenth are the tenth of the users, among those with at least `FEWEST` lines, of whose lines most are
  named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from querymix_lab.attacks.logs import Floats, Ints, Log
from querymix_lab.attacks.truth import Truth

FEWEST: Final = 5
PRECISION: Final = 0.9
_RESAMPLES: Final = 1_000

Row = dict[str, Any]
"""An attack's figures by name."""


class TooShortError(ValueError):
    """A log without what an attack, or a task of a consumer, needs; others may still work on it."""


@dataclass(frozen=True)
class Guesses:
    """What an attack says: for some lines of the released log the user it takes for the owner.

    `lines` are places in the released log, `users` the guessed users, `confidence` orders them (larger: surer).
    """

    lines: Ints
    users: Ints
    confidence: Floats

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, float]]) -> "Guesses":
        """Return guesses of (line, user, confidence)."""
        lines, users, confidence = zip(*rows, strict=True) if rows else ((), (), ())
        return cls(np.array(lines, np.int64), np.array(users, np.int64), np.array(confidence, np.float64))


class Found(NamedTuple):
    """What an attack that names no owners finds: users or lines, and the share of them that it is right about."""

    lines: int
    success: float
    baseline: float
    """The same without what the attack looks at."""


class Score(NamedTuple):
    """An attack's figures; all rates are between 0 and 1."""

    attack: str
    knows: str
    """What the attacker has beside the released log."""
    lines: int
    """Lines that the attack names an owner for, and whose owner is known."""
    success: float
    low: float
    high: float
    """Ends of the 95 % confidence interval of `success`."""
    baseline: float
    """Success of naming for each line the user most often released in its category, itself excluded."""
    recall_at_90: float
    """Share of the lines named rightly among the surest guesses of which 90 % are right."""
    worst_tenth: float
    """Success over the lines owned by the tenth of users that are named most."""


def score(
    attack: str, knows: str, guesses: Guesses, released: Log, truth: Truth, baseline: Ints | None = None
) -> Score:  # fmt: skip
    """Return an attack's figures over the lines whose owner is known.

    `baseline` is the guess that it is compared with, by line; by default the user most released in the category.

    Raises TooShortError where it named nobody, or nobody's owner is known.
    """
    if not len(guesses.lines):
        raise TooShortError(f"{attack} names nobody: the log is too short for it")
    known = truth.known(released.take(guesses.lines))
    if not known.any():
        raise TooShortError(f"{attack} cannot be scored: every text that it names an owner of had several askers")
    users = truth.width  # who is not below it asked nothing
    at = np.where(guesses.users < users, guesses.users, -1)
    guesses = Guesses(guesses.lines[known], at[known], guesses.confidence[known])
    named = released.take(guesses.lines)
    credit = truth.credit(named, guesses.users)
    if baseline is None:
        baseline = most_released(released)
    base = truth.credit(named, baseline[guesses.lines])
    owned = truth.owned(named, users)
    right: Floats = np.bincount(np.maximum(guesses.users, 0), credit, users).astype(np.float64)
    low, high = interval(right[owned > 0], owned[owned > 0])
    order = np.argsort(-guesses.confidence, kind="stable")
    return Score(
        attack, knows, len(named), float(credit.mean()), low, high, float(base.mean()), recall(credit[order]),
        worst_tenth(right, owned),
    )  # fmt: skip


def most_released(released: Log) -> Ints:
    """Return for each line the user most often released in its category, the line's own user excluded (-1: nobody)."""
    out = np.full(len(released), -1, dtype=np.int64)
    for places in released.pools():
        counts = np.bincount(released.users[places])
        top = np.argsort(-counts, kind="stable")[:2]
        others = top[counts[top] > 0]
        for guess in others[::-1]:
            out[places[released.users[places] != guess]] = guess
    return out


def interval(above: Floats, below: Floats, seed: int = 1) -> tuple[float, float]:
    """Return the 95 % interval of sum(above) / sum(below), both given by group, from a bootstrap over the groups."""
    draws = np.random.default_rng(seed).multinomial(len(below), np.full(len(below), 1 / len(below)), _RESAMPLES)
    sums = draws @ below
    low, high = np.percentile((draws @ above)[sums > 0] / sums[sums > 0], [2.5, 97.5])
    return float(low), float(high)


def recall(credit: Floats) -> float:
    """Return the largest share of all lines that is named rightly at a precision of 90 %, surest guesses first."""
    precision = np.cumsum(credit) / np.arange(1, len(credit) + 1)
    good = np.flatnonzero(precision >= PRECISION)
    return float(credit[: good[-1] + 1].sum() / len(credit)) if len(good) else 0.0


def worst_tenth(right: Floats, owned: Floats) -> float:
    """Return the success over the lines of the tenth of users named most; 0 where all own too few lines."""
    many = owned >= FEWEST
    right, owned = right[many], owned[many]
    if not len(owned):
        return 0.0
    worst = np.argsort(-right / owned, kind="stable")[: max(1, len(owned) // 10)]
    return float(right[worst].sum() / owned[worst].sum())
