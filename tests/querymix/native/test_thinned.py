"""What the hold would take under other rules is the same in compiled code, query for query."""

from importlib import import_module
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.rules import Rules
from querymix.local.thinned import Arrival, replayed, taken
from querymix.native_path import SWITCH

GAPS = st.sampled_from([0.0, 1.0, 6.0, 60.0, 180.0, 300.0, 5000.0])  # some end just when something is looked at
QUERIES = st.lists(st.tuples(GAPS, st.integers(-3, 12)), max_size=120)
RULES = st.builds(
    Rules,
    k=st.integers(1, 9),
    mode=st.sampled_from(["distinct", "paper"]),
    reserve=st.sampled_from([0, 1, 7]),
    max_hold=st.sampled_from([None, 0.0, 1.0, 3600.0, 72000.0]),
    hold_policy=st.sampled_from(["trim", "suppress", "merge"]),
    draw=st.sampled_from(["owner", "entry"]),
    established=st.sampled_from([None, 60.0, 18000.0]),
)


def in_order(gaps: list[tuple[float, int]]) -> list[Arrival]:
    at, log = 1e9, []
    for gap, user in gaps:
        at += gap
        log.append((at, user, 0))
    return log


@settings(max_examples=300, deadline=None)
@given(QUERIES, st.lists(RULES, min_size=1, max_size=4))
def test_as_much_is_taken_as_plain_python_takes(gaps: list[tuple[float, int]], asked: list[Rules]) -> None:
    import_module("querymix.native")
    log = in_order(gaps)
    count = replayed(log)
    assert [count(rules) for rules in asked] == [taken(log, rules) for rules in asked]


def test_draws_go_on_as_python_s_do_over_a_long_log(monkeypatch: pytest.MonkeyPatch) -> None:
    native = import_module("querymix.native")
    draw, rules = Random(3), Rules(12, reserve=5, max_hold=6 * 3600.0)
    log: list[Arrival] = [(1e9 + 300.0 * n, int(150 * draw.random() ** 3) - 75, n) for n in range(6000)]
    monkeypatch.delenv(SWITCH, raising=False)
    count = replayed(log)
    assert count(rules) == taken(log, rules) > 100
    old = rules._replace(hold_policy="suppress", established=1800.0)
    assert count(old) == taken(log, old) > 100
    assert count(rules._replace(k=30)) == taken(log, rules._replace(k=30)) > count(rules)
    monkeypatch.setattr(native, "Thinned", None)  # not asked where it is turned off
    monkeypatch.setenv(SWITCH, "off")
    assert replayed(log)(rules) == count(rules)


def test_what_does_not_fit_together_is_refused() -> None:
    make = import_module("querymix.native").Thinned
    with pytest.raises(ValueError, match="a time for each user"):
        make([1.0], [1, 2], [0] * 624)
    with pytest.raises(ValueError, match="624 words"):
        make([], [], [0] * 623)
    with pytest.raises(TypeError):
        make(["x"], [1], [0] * 624)
