"""SeenTimes by hash, and what the pools remember of users' past."""

import json
from hashlib import blake2b
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.history import History
from querymix.core.pieces import whole
from querymix.core.rules import Rules
from querymix.core.seen_times import Keyed, SeenTimes, hash_of

RULES = Rules(established=100.0, dedupe=50.0)
keys = st.one_of(st.integers(0, 40), st.integers(0, 2**64 - 1), st.integers(2**64 - 9, 2**64 - 1))
puts = st.lists(st.tuples(keys, st.integers(0, 2**32 - 1)), max_size=200)


def _restored(chunks: list[str]) -> SeenTimes:
    found = SeenTimes()
    for _ in found.restoring(chunks):
        pass
    return found


def _restore(history: History, state: dict[str, Any]) -> None:
    for _ in history.restoring(state):
        pass


@given(puts, st.integers(0, 2**32), keys)
def test_moments_answer_as_a_dict_does_and_so_does_what_was_written_and_read_back(
    pairs: list[tuple[int, int]], limit: int, asked: int
) -> None:
    moments, model = SeenTimes(), {}
    for key, second in pairs:
        moments.put(key, float(second))
        model[key] = second
    for found in (moments, _restored(json.loads(json.dumps(list(moments.frozen()))))):
        assert {key: found.get(key) for key in model} == model
        assert len(found) == len(model)
        assert found.get(asked) == model.get(asked)
        assert list(found.frozen()) == list(moments.frozen())
        found.forget_before(limit)
        kept = {key: second for key, second in model.items() if second >= limit}
        assert {key: found.get(key) for key in model if found.get(key) is not None} == kept
        assert len(found) == len(kept)
        if found is moments:
            moments = SeenTimes()
            for key, second in pairs:
                moments.put(key, float(second))


def test_moments_are_rounded_up_and_kept_in_range_and_show_nothing() -> None:
    moments = SeenTimes()
    for key, moment in enumerate((0.2, -5.0, 1e12)):
        moments.put(key, moment)
    assert [moments.get(key) for key in range(3)] == [1, 0, 2**32 - 1]
    assert repr(moments) == "SeenTimes(3)"


def test_ten_thousand_users_take_sixteen_bytes_each_in_a_snapshot() -> None:
    moments = SeenTimes()
    for number in range(10_000):
        moments.put(hash_of(f"user{number}"), number)
    assert sum(map(len, moments.frozen())) <= 10_000 * 16 + 12
    assert len(moments) == 10_000


@pytest.mark.parametrize("chunk", ["AAAA", "not base64", "AAAAAAAAAAAAAAA="])
def test_damaged_moments_are_refused(chunk: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        _restored([chunk])


def test_a_hash_tells_texts_apart_that_join_to_the_same() -> None:
    assert hash_of("ab", "c") != hash_of("a", "bc") != hash_of("abc")
    assert hash_of("\udce9") == hash_of("\udce9")


def test_a_user_is_established_once_it_was_first_seen_long_enough_ago() -> None:
    history = History(RULES)
    assert [history.established("ann", now) for now in (10.0, 60.0, 109.0, 110.0, 500.0)] == [False] * 3 + [True] * 2
    assert not history.established("bob", 500.0)


def test_a_repeat_is_what_its_user_asked_within_the_time_and_each_asking_counts() -> None:
    history = History(RULES)
    asked = [("ann", "made-up", 0.0), ("ann", " Made-Up ", 49.0), ("ann", "made-up", 98.0), ("ann", "made-up", 148.0)]
    assert [history.repeated(*one) for one in asked] == [False, True, True, False]
    assert not history.repeated("bob", "made-up", 149.0)
    assert not history.repeated("ann", "made-up too", 149.0)


def test_a_jump_of_the_clock_makes_what_came_after_it_younger() -> None:
    history = History(RULES)
    history.established("ann", 10.0)
    history.established("bob", 30.0)
    history.move_on(20.0, 1000.0)
    assert history.established("ann", 1030.0)
    assert not history.established("bob", 1030.0)
    assert history.established("bob", 1130.0)


def test_what_is_too_old_and_what_is_too_much_is_forgotten() -> None:
    history = History(RULES, most=8)
    for number in range(100):
        history.repeated("ann", f"text {number}", float(number))
    assert len(history._asked) <= 8
    history.forget(1000.0)
    assert len(history._asked) == 0
    crowd = History(RULES, most=8)
    for number in range(100):
        crowd.repeated("ann", f"text {number}", 5.0)
    assert len(crowd._asked) <= 8


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 60)), max_size=40), st.integers(0, 40))
def test_a_restored_history_goes_on_as_if_it_had_never_stopped(steps: list[tuple[str, int]], cut: int) -> None:
    one, other, now = History(RULES), History(RULES), 0.0
    for number, (name, step) in enumerate(steps):
        if number == cut:
            state = json.loads(json.dumps(whole(one.frozen())))
            _restore(other, state)
            assert whole(other.frozen()) == whole(one.frozen())
        now += step
        for history in (one, other) if number >= cut else (one,):
            history.forget(now)
        here = (one.established(name, now), one.repeated(name, "text", now))
        if number >= cut:
            assert (other.established(name, now), other.repeated(name, "text", now)) == here


def test_where_the_clock_begins_again_earlier_nobody_came_later() -> None:
    history = History(RULES)
    history.established("ann", 10.0)
    history.established("bob", 1e9)
    history.put_back(100.0)
    assert history.established("ann", 110.0)
    assert not history.established("bob", 110.0)
    assert history.established("bob", 201.0)


def test_what_is_remembered_is_kept_under_a_key_of_each_state() -> None:
    one, other = History(RULES), History(RULES)
    for history in (one, other):
        history.established("u1", 0.0)
        history.repeated("u1", "golf", 0.0)
    shots = [whole(history.frozen()) for history in (one, other)]
    assert [len(bytes.fromhex(shot["seen_key"])) for shot in shots] == [16, 16]
    for field in ("seen_key", "seen", "asked"):
        assert shots[0][field] != shots[1][field]
    plain = SeenTimes()
    plain.put(hash_of("u1"), 0.0)
    assert list(plain.frozen()) not in [shot["seen"] for shot in shots]
    restored = History(RULES)
    _restore(restored, shots[0])
    assert whole(restored.frozen()) == shots[0]


def test_a_state_of_0_4_0_that_remembers_nobody_yet_has_a_key_from_then_on() -> None:
    """Without one, what it remembered was found no more after the next state: a restore decided otherwise."""
    history = History(RULES)
    _restore(history, {"seen": [], "asked": [], "forget_at": 0.0})
    assert (history.established("ann", 0.0), history.repeated("ann", "golf", 0.0)) == (False, False)
    again = History(RULES)
    _restore(again, whole(history.frozen()))
    assert (again.repeated("ann", "golf", 10.0), again.established("ann", 100.0)) == (True, True)


@given(st.lists(st.tuples(st.text(max_size=3), st.integers(0, 10_000)), max_size=60))
def test_a_state_of_0_4_0_is_carried_over(seen: list[tuple[str, int]]) -> None:
    """Written by that version: hashes without a key."""
    old, first = SeenTimes(), dict[str, int]()
    for user, moment in seen:
        if user not in first:
            first[user] = moment
            old.put(hash_of(user), moment)
    history = History(RULES)
    _restore(history, {"seen": list(old.frozen()), "asked": [], "forget_at": 0.0})
    for _ in range(2):
        assert RULES.established is not None
        for user, moment in first.items():
            assert history.established(user, moment + RULES.established)
            assert not history.established(user, moment + RULES.established - 1)
        again = History(RULES)
        _restore(again, whole(history.frozen()))
        history = again
    assert not history.established("somebody new", 20_000)


def test_while_nothing_is_remembered_there_is_no_key() -> None:
    assert History(Rules(2, reserve=1)).frozen()["seen_key"] == ""


@given(st.binary(min_size=1, max_size=64), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_a_number_under_a_key_is_its_keyed_hash_however_often_it_is_asked_for(key: bytes, one: int, other: int) -> None:
    keyed = Keyed(key)
    for number in (one, other, one):
        expected = blake2b(number.to_bytes(8, "big"), digest_size=8, key=key).digest()
        assert keyed.hash_of(number) == int.from_bytes(expected, "big")
    assert repr(keyed) == "Keyed()"
