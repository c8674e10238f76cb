"""Korolova: what is chosen, what it costs, and that no line names anybody."""

from math import exp, log

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.errors import ConfigError
from querymix_lab.batch.base import Log, Options
from querymix_lab.batch.korolova import NOBODY, Noise, first, korolova, noise_for, noisy, passes
from querymix_lab.batch.made_rows import NO_TIME
from querymix_lab.batch.noise import scale_at_least

from tests.querymix_lab.batch.made import START, log_of, logs, row
from tests.querymix_lab.batch.made import log as made_log


def test_epsilon_and_delta_are_those_of_theorem_1() -> None:
    noise = Noise(20, scale_at_least(100), 600)
    alpha = max(exp(1 / 100), 1 + 1 / (2 * exp(599 / 100) - 1))
    assert noise.epsilon == pytest.approx(20 * log(alpha) + 20 / 100)
    assert noise.delta == pytest.approx(10 * exp((20 - 600) / 100))


def test_alpha_is_the_larger_of_both_terms() -> None:
    assert Noise(1, scale_at_least(10), 1).alpha == pytest.approx(2.0)
    assert Noise(1, scale_at_least(10), 200).alpha == pytest.approx(exp(0.1))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 50), st.floats(0.05, 10), st.floats(1e-12, 0.4))
def test_both_kinds_together_keep_what_was_asked_for(d: int, epsilon: float, delta: float) -> None:
    noise = noise_for(d, epsilon, delta)
    assert 2 * noise.epsilon <= epsilon
    assert 2 * noise.delta <= delta
    assert noise.threshold >= d
    assert 2 * noise.epsilon >= 0.99 * epsilon or noise.scale < 1  # nothing is given away


def test_an_epsilon_that_no_noise_can_keep_is_refused() -> None:
    with pytest.raises(ConfigError, match="larger epsilon"):
        noise_for(1000, 1e-9, 1e-5)


def chance(noise: Noise, count: int) -> float:
    """Return the exact chance that something with this count is chosen."""
    b = float(noise.scale)
    least = noise.threshold - count + 1  # of the noise
    return exp(-least / b) / (1 + exp(-1 / b)) if least > 0 else 1 - exp((least - 1) / b) / (1 + exp(-1 / b))


def compositions(total: int) -> list[list[int]]:
    """Return all ways to ask `total` queries of several new texts, up to their order."""
    if not total:
        return [[]]
    return [
        [part, *rest]
        for part in range(1, total + 1)
        for rest in compositions(total - part)
        if part <= min([*rest, part])
    ]


def test_the_exact_chance_is_that_of_the_mechanism() -> None:
    noise, draw = Noise(1, scale_at_least(2.5), 4), seeded_draw(2)
    for count in (1, 4, 6):
        share = sum(passes(count, noise, draw) for _ in range(8_000)) / 8_000
        assert share == pytest.approx(chance(noise, count), abs=0.03)


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 7), st.floats(0.2, 8), st.floats(1e-9, 0.4))
def test_each_inequality_of_the_theorem_holds_for_the_discrete_noise(d: int, epsilon: float, delta: float) -> None:
    noise = noise_for(d, epsilon, delta)
    alpha = noise.alpha * (1 + 1e-9)
    for count in range(1, noise.threshold + 2 * int(noise.scale) + 10):
        before, after = chance(noise, count), chance(noise, count + 1)
        assert before <= after <= alpha * before
        assert 1 - before <= alpha * (1 - after) + 1e-12  # what is left of doubles close to 1
    assert (
        alpha * (1 - chance(noise, 1)) >= 1
    )  # a text that nobody else asked is chosen with no chance without its user
    for counts in compositions(d):
        assert sum(chance(noise, count) for count in counts) <= noise.delta * (1 + 1e-9)


def test_only_the_first_queries_of_a_user_count() -> None:
    rows = [row("a", text, at=START + at) for at, text in ((3, "z"), (1, "x"), (2, "y"))]
    assert [each.query.text for each in first(rows, 2)] == ["x", "y"]


def common(users: int) -> Log:
    return made_log(
        *(row(f"u{user}", "Weather", "News", url="http://w.com/page", at=START + 9) for user in range(users)),
        *(row(f"u{user}", f"own {user}") for user in range(users)),
    )


def test_common_texts_leave_with_about_their_counts_and_rare_ones_do_not() -> None:
    before = common(400)
    outcome = korolova(before, Options(first=2, privacy_epsilon=8), seeded_draw(1))
    assert {each.query.text for each in outcome.released.rows} == {"weather"}
    assert len(outcome.released.rows) == pytest.approx(400, abs=20)
    clicked = [each for each in outcome.released.rows if each.query.url]
    assert {each.query.url for each in clicked} == {"http://w.com"}
    assert len(clicked) == pytest.approx(400, abs=20)
    assert outcome.figures["epsilon"] <= 8


def test_counts_are_noisy_and_never_below_zero() -> None:
    noise, draw = Noise(1, scale_at_least(20), 10), seeded_draw(1)
    counts = [noisy(5, noise, draw) for _ in range(200)]
    assert min(counts) == 0
    assert len(set(counts)) > 10


@pytest.mark.parametrize("user", ["u0", "0", "00"])
def test_user_and_time_of_the_lines_are_the_same_whatever_the_log_has(user: str) -> None:
    """Another made-up user, or the log's first day, would tell with certainty what one user did."""
    before = common(400)
    first_day = before.rows[0].query._replace(user=user, time="2001-01-01 00:00:00+09:00", at=978_307_200.0)
    changed = Log([before.rows[0]._replace(query=first_day), *before.rows[1:]])
    outcome = korolova(changed, Options(first=2, privacy_epsilon=8), seeded_draw(1))
    assert {each.user for each in outcome.released.rows} == {NOBODY}
    assert {(each.query.time, each.query.at) for each in outcome.released.rows} == {(NO_TIME, 0.0)}


def test_lines_do_not_stand_in_the_order_in_which_texts_were_first_asked() -> None:
    before = log_of({f"u{user}": ["zebra", "apple"] for user in range(400)})
    outcome = korolova(before, Options(first=2, privacy_epsilon=8), seeded_draw(1))
    texts = [each.query.text for each in outcome.released.rows]
    assert texts == sorted(texts)
    assert set(texts) == {"apple", "zebra"}


@settings(max_examples=40, deadline=None)
@given(logs, st.integers(0, 100), st.integers(1, 3))
def test_any_log_balances(before: Log, seed: int, d: int) -> None:
    assume(before.rows)
    options = Options(first=d, privacy_epsilon=100.0, privacy_delta=0.49)
    outcome = korolova(before, options, seeded_draw(seed))
    assert outcome.account.total == len(before.rows)
    assert outcome.account.written == len(outcome.released.rows)
    assert min(outcome.account.figures().values()) >= 0


def test_a_log_of_which_identifiers_left_nothing_gives_nothing() -> None:
    outcome = korolova(Log([], suppressed_by_identifiers=4), Options(), seeded_draw(1))
    assert outcome.account.total == 4
    assert "many more users" in " ".join(outcome.notes)
