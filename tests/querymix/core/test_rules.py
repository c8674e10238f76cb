"""Rules that cannot be followed are refused; a state's rules are read as they were meant."""

import pytest
from querymix.core.draw import seeded_draw
from querymix.core.errors import ConfigError
from querymix.core.pools import Pools
from querymix.core.rules import Rules

from tests.querymix.core.pooled import ARTS, ask


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        (Rules(1), "k must be at least 2"),
        (Rules(0), "k must be at least 2"),
        (Rules(100_001), "k must be at most 100,000, not 100,001: nothing leaves before k other users wait"),
        (Rules(reserve=-1), "reserve must be 0 to 100,000, not -1"),
        (Rules(reserve=100_001), "reserve must be 0 to 100,000, not 100,001: a release waits"),
        (Rules(delta="0.9"), "delta must be at least 1"),
        (Rules(delta="much"), "delta must be a decimal number"),
        (Rules(delta=""), "delta must be a decimal number"),
        (Rules(delta="nan"), "delta must be a decimal number"),
        (Rules(delta="1/0"), "delta must be a decimal number"),
        (Rules(max_hold=0.0), "max hold must be more than 0"),
        (Rules(max_hold=-1.0), "max hold must be more than 0"),
        (Rules(max_hold=float("nan")), "max hold must be more than 0"),
        (Rules(max_hold=None, hold_policy="suppress"), "needs a max hold"),
        (Rules(max_hold=None, hold_policy="merge"), "needs a max hold"),
        (Rules(max_hold=None), "needs a max hold"),
        (Rules(established=0.0), "established must be more than 0"),
        (Rules(dedupe=-1.0), "dedupe must be more than 0"),
        (Rules(click_wait=-1.0), "click wait must be at least 0"),
        (Rules(mode="paper", established=1.0), "established needs mode distinct"),
        (Rules(session_gap=0.0), "session gap must be more than 0"),
        (Rules(session_gap=float("nan")), "session gap must be more than 0"),
        (Rules(session_most=1), "session most must be from 2 to 100, not 1"),
        (Rules(session_most=101), "session most must be from 2 to 100, not 101"),
    ],
)
def test_rules_out_of_range_are_refused_with_the_reason(rules: Rules, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        Pools(rules, seeded_draw(0))


def test_no_repr_shows_a_user_or_a_query() -> None:
    pools = Pools(Rules(2, reserve=0), seeded_draw(0))
    releases = [pools.arrive(ARTS, ask(f"person{n}", n, text="secret words"), 0.0) for n in range(3)]
    ((_, pool),) = pools
    shown = f"{pools!r} {pool!r} {pools!s} {releases!r} {ask('person9', 9, text='secret words')!r}"
    assert any(releases)
    assert "person" not in shown
    assert "secret" not in shown


def test_the_rules_of_a_state_are_all_there_or_refused() -> None:
    assert Rules.of(list(Rules(7, dedupe=9.0))) == Rules(7, dedupe=9.0)
    with pytest.raises(TypeError):
        Rules.of([20, "distinct", "1.2", None, "wait"])
    with pytest.raises(TypeError):
        Rules.of([*Rules(), "of a later version"])
    assert Rules().draw == "owner"


def test_what_a_state_of_an_older_version_does_not_name_is_as_it_was_then() -> None:
    of_0_5_0 = [7, "distinct", "1.2", 60.0, "trim", "owner", None, 9.0, 1.0]
    assert Rules.of(of_0_5_0) == Rules(7, max_hold=60.0, dedupe=9.0, reserve=0)
    assert Rules().reserve > 0, "the default is another one now"


def test_rules_that_were_written_before_there_were_sessions_have_none() -> None:
    row = list(Rules(7, dedupe=9.0))
    assert Rules.of(row[:9]) == Rules(7, dedupe=9.0, reserve=0)
    for length in range(10, len(row)):
        assert Rules.of(row[:length]) == Rules(7, dedupe=9.0), "those of a version in between"
    with pytest.raises(TypeError):
        Rules.of([*row, 1])


@pytest.mark.parametrize(
    ("rules", "bound"),
    [
        (Rules(4), 0.25),
        (Rules(4, reserve=0), 0.25),
        (Rules(4, established=60.0, dedupe=60.0, click_wait=0.0), 0.25),
        (Rules(4, hold_policy="suppress"), 0.25),
        (Rules(4, max_hold=None, hold_policy="wait"), 0.25),
        (Rules(4, hold_policy="merge"), None),
        (Rules(4, draw="entry"), None),
        (Rules(4, mode="paper"), None),
    ],
)
def test_only_the_draw_by_owner_within_a_category_bounds_how_likely_an_owner_is(
    rules: Rules, bound: float | None
) -> None:
    assert rules.owner_named_at_most == bound
