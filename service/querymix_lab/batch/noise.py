"""Noise that protects: integers from the discrete Laplace distribution, exactly, with no floating-point number in it.

P(x) is proportional to exp(-|x| / scale) for a rational scale. Rounded numbers of continuous noise tell what they were
added to (Mironov 2012, "On significance of the least significant bits for differential privacy").

Source: Canonne, Kamath and Steinke 2020, "The discrete Gaussian for differential privacy", algorithms 1 and 2.
"""

from fractions import Fraction
from math import ceil
from typing import Final

from querymix.core.draw import Draw
from querymix.core.errors import ConfigError

_FINEST: Final = 1 << 10
"""Largest denominator of a scale."""
_LARGEST: Final = 1 << 24
"""Largest numerator: keeps every draw below 2 ** 32."""


def scale_at_least(value: float) -> Fraction:
    """Return a scale that is not under `value`, and by 0.1 % at most above it, for what `discrete_laplace` can take.

    Raises ConfigError where the scale is too large.
    """
    denominator = min(_FINEST, _LARGEST // ceil(value))
    if not denominator:
        raise ConfigError("the noise would be larger than any count: give a larger epsilon, or fewer queries a user")
    return Fraction(ceil(Fraction(value) * denominator), denominator)


def discrete_laplace(scale: Fraction, draw: Draw) -> int:
    """Return an integer x with a probability proportional to exp(-|x| / scale)."""
    whole, part = scale.numerator, scale.denominator  # 1 / scale = part / whole
    while True:
        low = draw.below(whole)
        if not _happens(low, whole, draw):
            continue
        high = 0
        while _happens(1, 1, draw):
            high += 1
        size = (low + whole * high) // part
        negative = draw.below(2) == 1
        if size or not negative:  # 0 has one sign
            return -size if negative else size


def _happens(numerator: int, denominator: int, draw: Draw) -> bool:
    """Return True with probability exp(-numerator / denominator), which is at most 1 and at least exp(-1)."""
    count = 1
    while draw.below(denominator * count) < numerator:
        count += 1
    return count % 2 == 1
