"""The running score of attacks on what is released: what it should find, what it should not, and its memory."""

import random

import pytest
from querymix.core.draw import seeded_draw
from querymix.core.pools import Pools
from querymix.core.records import Release
from querymix.core.rules import Rules
from querymix.core.score import ATTACKS, NONE, Guesses, Score

from tests.querymix.core.pooled import ask

K = 10


def release(user: str, owner: str, pool: int = 1) -> Release:
    query = ask(owner, 0)
    return Release(user, 1, query, pool, query, K)


def total(found: dict[int, Guesses]) -> Guesses:
    whole = NONE
    for guesses in found.values():
        whole = whole.plus(guesses)
    return whole


def released(rules: Rules, logs: int = 40_000) -> list[Release]:
    """Return what pools release of a made-up log, of which a few users ask most, in bursts."""
    chance, pools = random.Random(5), Pools(rules, seeded_draw(6))
    users = [f"user{number}" for number in range(300)]
    out, user = [], users[0]
    for number in range(logs):
        if chance.random() < 0.4:
            user = users[int(300 * chance.random() ** 3)]
        pair = pools.arrive(1, ask(user, number), 0.0)
        out += [pair] if pair else []
    return out


def test_with_the_draw_by_owner_attacks_stay_under_1_in_k_and_with_the_draw_by_entry_they_do_not() -> None:
    success = {}
    for draw in ("owner", "entry"):
        guesses = total(Score(K).see(released(Rules(K, draw=draw))))
        assert guesses.lines > 200
        success[draw] = [getattr(guesses, attack) / guesses.lines for attack in ATTACKS]
    assert max(success["owner"]) < 1 / K
    assert success["entry"][1] > 1.4 / K
    assert success["entry"][0] > success["owner"][0]


def test_a_planted_leak_is_found() -> None:
    """Each user's line stands between two of the user whose query it is."""
    chance, rows = random.Random(1), []
    for _ in range(3000):
        owner, user = chance.sample([f"user{number}" for number in range(500)], 2)
        rows += [release(owner, "somebody"), release(user, owner), release(owner, "somebody")]
    score, right, lines = Score(K), 0.0, 0
    for row in rows:
        for guesses in score.see([row]).values():
            right, lines = right + guesses.kernel, lines + guesses.lines
    # The line in the middle is attacked, each third one is that of a user whose owner stands beside it.
    assert 0.2 < right / lines < 0.4


def test_on_pairs_without_any_system_attacks_have_the_success_of_a_guess() -> None:
    chance, users = random.Random(2), [f"user{number}" for number in range(200)]
    pairs = [(user, owner) for _ in range(60_000) for user, owner in [chance.sample(users, 2)]]
    guesses = total(Score(K).see(release(*pair) for pair in pairs))
    assert guesses.d1 / guesses.lines == pytest.approx(1 / 200, rel=0.15)
    assert guesses.kernel / guesses.lines < 0.015


def test_one_line_in_16_k_is_attacked_in_each_category_by_itself_however_it_is_batched() -> None:
    rows = [release(f"user{n % 37}", f"user{n % 41}", n % 2) for n in range(2000)]
    whole, parts = Score(K), Score(K)
    found = whole.see(rows)
    some: dict[int, Guesses] = {}
    for start in range(0, 2000, 7):
        for category, guesses in parts.see(rows[start : start + 7]).items():
            some[category] = some.get(category, NONE).plus(guesses)
    assert some.keys() == found.keys()
    assert all(some[category] == pytest.approx(found[category]) for category in found)
    assert [guesses.lines for guesses in found.values()] == [1 + (1000 - (8 * K + 1)) // (16 * K + 1)] * 2


def test_what_is_kept_does_not_grow_with_the_log() -> None:
    score = Score(K)
    for batch in range(0, 5000, 50):
        score.see(release(f"user{n}", f"other{n}") for n in range(batch, batch + 50))
        assert all(
            len(side) <= 8 * K + 1 for window in score._windows.values() for side in (window.users, window.owners)
        )


def test_lines_of_one_user_only_are_attacked_in_vain() -> None:
    assert total(Score(K).see(release("user1", "user1") for _ in range(500))).kernel == 0


def test_no_repr_shows_a_user() -> None:
    score = Score(K)
    score.see([release("user77", "user78")])
    assert "user7" not in repr(score)
