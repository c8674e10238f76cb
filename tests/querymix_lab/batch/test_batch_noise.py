"""The noise that protects counts: whole numbers, in the right proportions."""

from collections import Counter
from fractions import Fraction
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.errors import ConfigError
from querymix_lab.batch.noise import discrete_laplace, scale_at_least


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(5, 2), Fraction(7, 10)])
def test_each_number_comes_with_its_probability(scale: Fraction) -> None:
    draw, size = seeded_draw(3), 20_000
    found = Counter(discrete_laplace(scale, draw) for _ in range(size))
    norm = (exp(1 / scale) - 1) / (exp(1 / scale) + 1)
    for number in range(-4, 5):
        share = norm * exp(-abs(number) / scale)
        assert found[number] / size == pytest.approx(share, abs=5 * (share / size) ** 0.5)


@given(st.floats(1e-3, 1e6))
def test_a_scale_is_never_less_than_wanted_and_hardly_more(value: float) -> None:
    scale = scale_at_least(value)
    assert value <= scale <= value * 1.001 + Fraction(1, 1024)


def test_noise_larger_than_any_count_is_refused() -> None:
    with pytest.raises(ConfigError, match="larger epsilon"):
        scale_at_least(1e9)
