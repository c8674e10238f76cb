"""Shares and their intervals."""

import pytest
from querymix_lab.shares import Part


def test_a_share_has_wilsons_interval() -> None:
    """Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662, 15 of 148 gives 0.0624 to 0.1605."""
    assert Part(81, 263).interval == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert Part(15, 148).interval == pytest.approx((0.0624, 0.1605), abs=5e-5)


def test_the_interval_stays_between_nothing_and_all() -> None:
    assert Part(0, 20).interval == pytest.approx((0, 0.1611), abs=5e-5)
    assert Part(20, 20).interval[1] == 1.0
    assert Part(0, 0).interval == (0.0, 1.0)
