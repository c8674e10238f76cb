"""Effective anonymity: how many equally likely owners a release hides its query among, as a histogram.

Rules:
- Of a draw over owners it is the number of distinct owners that could have been drawn, exactly.
- Of a draw over entries it is 2**H, H the entropy in bits of the owner's distribution over those pooled queries that
  could have been drawn, rounded down to steps of 1 / STEPS_PER_BIT bit so that the histogram does not grow.

Source: A. Serjantov and G. Danezis, Towards an information theoretic metric for anonymity, PET 2002.
"""

from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from itertools import accumulate
from math import log2
from typing import Final, NamedTuple

STEPS_PER_BIT: Final = 32
"""Resolution of the histogram of H: values are rounded down, by less than 2.2 % of the effective anonymity."""

_SCALE: Final = 1 << 32


@cache
def surprisal(count: int) -> int:
    """Return count * log2(count) in fixed point, whose sums do not drift as floating point would."""
    return round(count * log2(count) * _SCALE) if count else 0


def gain(count: int) -> int:
    """Return by how much the surprisal of an owner with `count` queries grows with one more."""
    return surprisal(count + 1) - surprisal(count)


def of_entries(entries: int, total: int) -> float:
    """Return 2**H for so many entries whose owners' surprisals add up to `total`."""
    return of_step(int((log2(entries) - total / (_SCALE * entries)) * STEPS_PER_BIT + 1e-6))


def of_step(step: int) -> float:
    """Return 2**H where H is given in steps."""
    return float(2.0 ** (step / STEPS_PER_BIT))


class Anonymity(NamedTuple):
    """Effective anonymity over a category's releases, in users; 0 where there were none."""

    minimum: float
    fifth_percentile: float
    median: float


def summarize(spread: Mapping[float, int]) -> Anonymity:
    """Return the figures of a histogram from effective anonymity to releases."""
    if not spread:
        return Anonymity(0.0, 0.0, 0.0)
    values = sorted(spread)
    sums = list(accumulate(spread[value] for value in values))
    places = [bisect_right(sums, share * sums[-1]) for share in (0.0, 0.05, 0.5)]
    return Anonymity(*(float(values[place]) for place in places))
