"""Axes are for persons: commas between thousands, time as minutes, shares in percent."""

import re

import pytest
from querymix_lab.sweep import plots


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.05, "0.05"), (12.5, "12.5"), (999, "999"), (1000, "1,000"), (2_500_000, "2,500,000")],
)
def test_a_figure_has_commas_and_no_needless_decimals(value: float, text: str) -> None:
    assert plots.shown(value) == text


@pytest.mark.parametrize(("value", "text"), [(0, "0:00"), (7, "0:07"), (90, "1:30"), (3600, "60:00")])
def test_time_is_minutes_and_seconds(value: float, text: str) -> None:
    assert plots.clock(value) == text


def test_nines_are_percent() -> None:
    assert [plots.percent(nines) for nines in range(6)] == ["0 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %"]


def marks(svg: str) -> list[str]:
    """Return the texts that a plot shows; matplotlib draws them as paths, and says them in comments."""
    return [text.strip() for text in re.findall(r"<!-- (.*?) -->", svg)]


@pytest.mark.parametrize("length", [1, 9, 45, 61, 300, 3600, 20_000, 400_000])
def test_an_axis_of_time_has_few_marks_at_full_steps(length: int) -> None:
    svg = plots.lines("t", plots.TIME, "records", {"one": [(0.0, 1e6), (float(length), 2e6)]})
    times = [text for text in marks(svg) if re.fullmatch(r"\d+:\d\d", text)]
    assert 2 <= len(times) <= 11
    assert times[0] == "0:00"
    assert "2,000,000" in marks(svg)


def test_an_axis_of_shares_names_them() -> None:
    svg = plots.lines("t", plots.NINES, "milliseconds", {"one": [(0.0, 1.0), (3.0, 2.0)]})
    assert {"90 %", "99 %", "99.9 %"} <= set(marks(svg))
