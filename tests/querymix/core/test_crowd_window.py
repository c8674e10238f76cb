"""The crowd of a stream: as a plain count of a sliding window, but for what a bound makes rarer."""

import json
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.crowd_window import CrowdRules, CrowdWindow
from querymix.core.hold_clock import HoldClock

settings = how(deadline=None, max_examples=150)
ITEMS = ["term a", "term b", "pair a b", "group 0 x"]
steps = st.lists(
    st.tuples(
        st.floats(0, 8, allow_nan=False),
        st.sampled_from([f"user{number}" for number in range(7)]),
        st.sets(st.sampled_from(ITEMS), max_size=3),
    ),
    max_size=60,
)


class Plain:
    """Counts who had an item within a window, and keeps all."""

    def __init__(self, within: float) -> None:
        self.within = within
        self.last: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self.now = 0.0

    def note(self, user: str, items: set[str]) -> None:
        for item in items:
            self.last[item][user] = self.now

    def users(self, item: str) -> int:
        return sum(self.now - at < self.within for at in self.last[item].values())


def asked(window: CrowdWindow, plain: Plain, *, exact: bool) -> None:
    for item in ITEMS:
        for users in range(1, 1 + (window.rules.groups if item.startswith("group") else window.rules.users)):
            said, true = window.enough(item, users), plain.users(item) >= users
            assert said == true if exact else said <= true


@settings
@given(steps, st.integers(1, 5), st.integers(1, 7), st.floats(0.5, 30), st.floats(-50, 50))
def test_it_says_what_a_plain_count_says(
    stream: list[tuple[float, str, set[str]]], users: int, groups: int, within: float, begin: float
) -> None:
    window, plain = CrowdWindow(CrowdRules(within, users, groups)), Plain(within)
    plain.now = begin
    for wait, user, items in stream:
        plain.now += wait
        window.read(plain.now)
        asked(window, plain, exact=True)
        window.note(user, items)
        plain.note(user, items)
        asked(window, plain, exact=True)
    assert window.forgotten == 0


@settings
@given(steps, st.integers(1, 5), st.floats(0.5, 30), st.integers(2, 12))
def test_a_bound_makes_items_rarer_and_never_more_common(
    stream: list[tuple[float, str, set[str]]], users: int, within: float, most: int
) -> None:
    window, plain = CrowdWindow(CrowdRules(within, users, users), most), Plain(within)
    for wait, user, items in stream:
        plain.now += wait
        window.read(plain.now)
        window.note(user, items)
        plain.note(user, items)
        assert len(window) <= most + len(ITEMS) * users, "the pairs of one query come on top"
        asked(window, plain, exact=window.forgotten == 0)


def test_what_was_had_last_is_forgotten_last_and_the_rest_is_counted() -> None:
    window = CrowdWindow(CrowdRules(100, 2, 2), most=8)
    for now in range(12):
        window.read(now)
        for user in ("ann", "bob"):
            window.note(user, ["term kept", f"term {now}"])
    assert window.enough("term kept", 2)
    assert window.enough("term 11", 2)
    assert not window.enough("term 0", 1)
    assert window.forgotten > 0


def test_who_comes_back_counts_once_and_from_the_last_time_on() -> None:
    window = CrowdWindow(CrowdRules(10, 2, 2))
    for user, now in (("ann", 0), ("bob", 1), ("ann", 8)):
        window.read(now)
        window.note(user, ["term a", "term a"])
    window.read(10.5)
    assert window.enough("term a", 2)
    window.read(11)
    assert not window.enough("term a", 2)
    assert window.enough("term a", 1)


def test_more_users_than_are_asked_for_are_not_kept_and_a_group_keeps_its_own_number() -> None:
    window = CrowdWindow(CrowdRules(1000, 2, 5))
    for number in range(9):
        window.note(f"user{number}", ["term a", "group 0 x"])
    assert len(window) == 2 + 5
    assert window.enough("group 0 x", 5)
    assert not window.enough("term a", 3), "more than it knows is not there"


def test_nothing_is_kept_for_longer_than_three_windows() -> None:
    window = CrowdWindow(CrowdRules(10, 3, 3))
    for now in (0, 9):
        window.read(now)
        window.note(f"user{now}", ["term a"])
    for now in (18, 28):
        window.read(now)
    assert len(window) == 0


def test_who_had_it_long_ago_is_forgotten_though_another_has_it_again_and_again() -> None:
    window = CrowdWindow(CrowdRules(10, 3, 3))
    for user, now in (("bob", 0), *(("ann", day) for day in range(1, 12))):
        window.read(now)
        window.note(user, ["term a"])
    assert len(window) == 1


def test_nobody_is_named_in_the_state_nor_in_a_repr() -> None:
    window = CrowdWindow(CrowdRules(10, 3, 3))
    window.note("annabella", ["term secretterm"])  # chance writes a shorter one into one state in 10,000
    text = json.dumps([window.head(), list(window.frozen())]) + repr(window)
    assert "annabella" not in text
    assert "secretterm" not in text


def test_two_states_have_nothing_in_common() -> None:
    one, other = (CrowdWindow(CrowdRules(10, 3, 3)) for _ in range(2))
    for window in (one, other):
        window.note("ann", ["term a"])
    assert list(one.frozen()) != list(other.frozen())


@settings
@given(steps, steps, st.integers(1, 4), st.floats(0.5, 30), st.integers(4, 40))
def test_a_restore_goes_on_as_if_nothing_had_happened(
    past: list[tuple[float, str, set[str]]],
    future: list[tuple[float, str, set[str]]],
    users: int,
    within: float,
    most: int,
) -> None:
    window, again = (CrowdWindow(CrowdRules(within, users, users), most) for _ in range(2))
    now = 0.0
    for wait, user, items in past:
        now += wait
        window.read(now)
        window.note(user, items)
    head, rows = json.loads(json.dumps([window.head(), list(window.frozen())]))
    for _ in again.restoring(head, rows):
        pass
    for wait, user, items in future:
        now += wait
        for one in (window, again):
            one.read(now)
            one.note(user, sorted(items))
        assert [again.enough(item, n) for item in ITEMS for n in range(1, users + 1)] == [
            window.enough(item, n) for item in ITEMS for n in range(1, users + 1)
        ]
    assert (len(again), again.forgotten) == (len(window), window.forgotten)


@pytest.mark.parametrize("cut", [1, 12, 20])
def test_a_damaged_state_is_refused(cut: int) -> None:
    window = CrowdWindow(CrowdRules(10, 3, 3))
    window.note("ann", ["term a"])
    ((generation, text),) = window.frozen()
    with pytest.raises(ValueError, match=r"cut off|padding|base64"):
        list(window.restoring(window.head(), [(generation, text[:-cut])]))
    with pytest.raises(ValueError, match="no key"):
        list(window.restoring(window.head() | {"key": "00"}, []))


def test_other_rules_hold_at_once_and_bring_nothing_back() -> None:
    window = CrowdWindow(CrowdRules(10, 2, 2))
    for number in range(3):
        window.note(f"user{number}", ["term a"])
    window.follow(CrowdRules(10, 3, 3))
    assert not window.enough("term a", 3), "the third was not kept"
    window.note("user7", ["term a"])
    assert window.enough("term a", 3)
    window.follow(CrowdRules(5, 3, 3))
    window.read(6)
    assert not window.enough("term a", 1)
    window.follow(CrowdRules(100, 3, 3))
    assert len(window) == 0 or not window.enough("term a", 4)


@settings
@given(
    st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=60),
    st.lists(st.integers(0, 60), max_size=40),
    st.floats(10, 5000),
)
def test_a_clock_that_jumps_makes_nothing_seem_later_than_it_came(
    before: list[tuple[int, bool]], after: list[int], within: float
) -> None:
    """A service was down: readings stand far ahead, and are believed once enough of them do."""
    clock, reach = HoldClock(), 5.0
    window, plain = CrowdWindow(CrowdRules(within, 9, 9)), Plain(within)
    readings = [sum(wait for wait, _ in before[: end + 1]) + 2000 * far for end, (_, far) in enumerate(before)]
    readings += [10_000 + wait for wait in after]
    for number, reading in enumerate(readings):
        jump = clock.read(reading, reach)
        if jump is not None:
            window.move_on(jump)
            for times in plain.last.values():
                times.update({user: jump.moved.get(at, at) for user, at in times.items()})
        plain.now = clock.now or 0.0
        window.read(plain.now)
        window.note(f"user{number % 7}", {"term a"})
        plain.note(f"user{number % 7}", {"term a"})
        for users in range(1, 8):
            assert window.enough("term a", users) <= (plain.users("term a") >= users)
            if within > 3000:
                assert window.enough("term a", users) == (plain.users("term a") >= users)


def test_what_arrived_while_a_jump_was_not_believed_counts_from_then() -> None:
    clock, window = HoldClock(0.0), CrowdWindow(CrowdRules(100, 20, 20))
    for number in range(16):
        jump = clock.read(10_000.0, 5.0)
        if jump is not None:
            window.move_on(jump)
        window.read(clock.now or 0.0)
        window.note(f"user{number}", ["term a"])
    assert clock.now == 10_000
    assert window.enough("term a", 16)


def test_an_earlier_log_does_not_find_what_came_later_in_the_future() -> None:
    window = CrowdWindow(CrowdRules(100, 2, 2))
    window.read(1000)
    for user in ("ann", "bob"):
        window.note(user, ["term a"])
    window.put_back(10)
    window.read(10)
    assert window.enough("term a", 2)
    window.read(109)
    assert window.enough("term a", 2)
    window.read(110)
    assert not window.enough("term a", 2)
