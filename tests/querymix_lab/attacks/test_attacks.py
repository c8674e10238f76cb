"""Attacks are validated: they find a planted leak, win on a bare log, and score the prior on noise."""

import numpy as np
import pytest
from querymix.core.draw import seeded_draw
from querymix.core.pools import Pools
from querymix.core.records import Classification, Query
from querymix.core.rules import Rules
from querymix.core.score import width
from querymix_lab.attacks.authorship import guess as authorship
from querymix_lab.attacks.kernel import kernel, posteriors
from querymix_lab.attacks.logs import Log, Vocabulary, read
from querymix_lab.attacks.match import match
from querymix_lab.attacks.membership import membership
from querymix_lab.attacks.paper import METHODS, deanonymize
from querymix_lab.attacks.profiles import halves
from querymix_lab.attacks.repeats import guess as repeats
from querymix_lab.attacks.scoring import Guesses, recall, score, worst_tenth
from querymix_lab.attacks.sessions import sessions
from querymix_lab.attacks.sybils import attack, plant
from querymix_lab.attacks.truth import UNMATCHED, truth_of

USERS, LINES = 40, 4_000


def made(seed: int = 1, *, bursts: bool = True) -> Log:
    """A log of one category in which every text is asked once; with bursts, users search ten times in a row."""
    chance = np.random.default_rng(seed)
    users = np.repeat(chance.integers(USERS, size=LINES // 10), 10) if bursts else chance.integers(USERS, size=LINES)
    return Log(users, np.arange(LINES), np.zeros(LINES, dtype=np.int64), np.arange(LINES, dtype=np.float64))


def released_by(original: Log, rules: Rules) -> Log:
    """Run the method itself over a log."""
    pools = Pools(rules, seeded_draw(3))
    rows = []
    for user, text, at in zip(original.users, original.texts, original.times, strict=True):
        release = pools.arrive(0, Query(str(user), str(text), at, at), at)
        if release is not None:
            rows.append((int(release.user), int(release.query.text), release.trigger.at))
    users, texts, times = zip(*rows, strict=True)
    return Log(np.array(users), np.array(texts), np.zeros(len(users), dtype=np.int64), np.array(times))


def test_each_of_the_papers_attacks_wins_on_a_log_that_was_not_anonymized() -> None:
    original = made()
    truth = truth_of(original, original)
    assert truth.own_returns
    for method in METHODS:
        assert score(method, "", deanonymize(method, original, 10), original, truth).success > 10 / USERS


def test_the_kernel_names_owners_where_users_leave_about_when_they_ask() -> None:
    original = made()
    released = released_by(original, Rules(k=5, draw="entry"))
    truth = truth_of(original, released)
    assert not truth.own_returns
    found = score("kernel", "", kernel(released, width(5)), released, truth)
    assert found.low <= found.success <= found.high
    assert found.success > 2 * found.baseline


def test_every_attack_scores_the_prior_on_independent_random_data() -> None:
    original = made(bursts=False)
    chance = np.random.default_rng(5)
    order = chance.permutation(LINES)
    released = Log(chance.permutation(original.users), original.texts[order], original.categories, original.times)
    truth = truth_of(original, released)
    for guesses in (deanonymize("d1", released, 10), kernel(released, width(10))):
        assert score("any", "", guesses, released, truth).success == pytest.approx(1 / USERS, abs=0.02)


def test_a_planted_leak_is_found_whole() -> None:
    """Users leave with the query that was asked just before theirs: the neighbour is the owner, always."""
    users = np.arange(LINES) % USERS
    original = Log(users, np.arange(LINES), np.zeros(LINES, dtype=np.int64), np.arange(LINES, dtype=np.float64))
    released = Log(np.roll(users, 1), original.texts, original.categories, original.times)
    truth = truth_of(original, released)
    guesses = Guesses(np.arange(LINES), np.roll(released.users, -1), np.ones(LINES))
    found = score("neighbour", "", guesses, released, truth)
    assert found.success == found.recall_at_90 == found.worst_tenth == 1.0
    assert kernel(released, 1.0).users[5] in (released.users[4], released.users[6])


def test_the_posterior_leaves_the_lines_own_user_out_and_adds_up_to_one() -> None:
    log = made()
    for line, users, weights in posteriors(log, 20.0):
        assert log.users[line] not in users
        assert weights.sum() == pytest.approx(1.0)


def test_releases_of_one_text_together_tell_more_than_one_alone() -> None:
    """User 0 asks one text all the time; each release stands near to it, under somebody else."""
    chance = np.random.default_rng(2)
    users = chance.integers(1, USERS, size=LINES)
    texts = np.arange(1, LINES + 1)
    places = np.arange(100, LINES - 100, 200)
    users[places], users[places - 1], texts[places] = chance.integers(1, USERS, size=len(places)), 0, 0
    released = Log(users, texts, np.zeros(LINES, dtype=np.int64), np.arange(LINES, dtype=np.float64))
    owners = np.where(texts == 0, 0, (users + 1) % USERS)
    truth = truth_of(Log(owners, texts, released.categories, released.times), released)
    guesses = repeats(released, 10.0)
    assert len(guesses.lines) == len(places)
    assert score("repeats", "", guesses, released, truth).success == 1.0


def test_the_truth_of_a_text_that_several_asked_is_shared_by_how_often_they_did() -> None:
    original = Log(np.array([0, 0, 1, 2]), np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64), np.zeros(4))
    released = Log(np.array([2]), np.array([0]), np.array([0]), np.zeros(1))
    truth = truth_of(original, released)
    shares = [float(truth.credit(released, np.array([user]))[0]) for user in (0, 1, 2, -1)]
    assert shares == pytest.approx([2 / 3, 1 / 3, 0, 0])
    assert truth.owned(released, 3).tolist() == pytest.approx([2 / 3, 1 / 3, 0])


def test_only_lines_whose_owner_is_known_score_an_attack() -> None:
    """Text 0 was asked by users 0 and 1, text 1 by user 1 alone; under user 1 text 0 can only be user 0's."""
    original = Log(np.array([0, 1, 1]), np.array([0, 0, 1]), np.zeros(3, dtype=np.int64), np.zeros(3))
    released = Log(np.array([2, 2, 1]), np.array([0, 1, 0]), np.zeros(3, dtype=np.int64), np.zeros(3))
    truth = truth_of(original, released)
    assert truth.known(released).tolist() == [False, True, True]
    guesses = Guesses(np.arange(3), np.array([0, 1, 1]), np.ones(3))
    assert score("any", "", guesses, released, truth).success == 0.5


def test_logs_that_have_nothing_in_common_are_refused_with_the_likely_reasons() -> None:
    one, other = made(), made()
    strange = Log(other.users, other.texts + LINES, other.categories, other.times)
    with pytest.raises(ValueError, match=UNMATCHED[:40]):
        truth_of(one, strange)


def test_authors_with_words_of_their_own_are_named_by_their_texts() -> None:
    users = np.arange(LINES) % USERS
    texts = [f"word{user} thing{number % 3}" for number, user in enumerate(users)]
    log = Log(users, np.arange(LINES), np.zeros(LINES, dtype=np.int64), np.arange(LINES, dtype=np.float64))
    released = Log(np.roll(users, 7), log.texts, log.categories, log.times)
    truth = truth_of(log, released)
    assert score("authorship", "", authorship(log, released, texts), released, truth).success > 0.95
    assert score("authorship", "", authorship(log, released, texts, 20.0), released, truth).success > 0.5


def test_two_halves_with_words_of_ones_own_are_linked_and_shuffled_words_are_not() -> None:
    users = np.arange(LINES) % USERS
    log = Log(users, np.arange(LINES), np.zeros(LINES, dtype=np.int64), np.arange(LINES, dtype=np.float64))
    own = [f"word{user}" for user in users]
    assert halves(log, own, "words").success == 1.0
    chance = np.random.default_rng(1)
    mixed = [f"word{user}" for user in chance.permutation(users)]
    assert halves(log, mixed, "words").success < 0.2


def test_a_search_and_its_refinement_have_one_owner() -> None:
    users = np.repeat(np.arange(100) % USERS, 2)
    texts = [f"topic{number // 2} of things" + (" cheap" if number % 2 else "") for number in range(200)]
    log = Log(users, np.arange(200), np.zeros(200, dtype=np.int64), np.repeat(np.arange(100) * 300.0, 2))
    released = Log(np.roll(users, 8), log.texts, log.categories, log.times)
    pairs = sessions(released, texts, truth_of(log, released))
    assert pairs.success > pairs.baseline


def test_a_member_is_told_from_an_outsider_by_its_rare_texts() -> None:
    members = made()
    outsiders = Log(members.users, members.texts + LINES, members.categories, members.times)
    assert membership(members, members, outsiders).success == 1.0


def test_recall_counts_only_what_is_named_at_90_percent_precision() -> None:
    assert recall(np.array([1.0] * 9 + [0.0] * 11)) == pytest.approx(9 / 20)
    assert recall(np.array([0.0, 0.0])) == 0.0


def test_the_worst_tenth_of_users_is_the_one_that_is_named_most() -> None:
    right, owned = np.array([0.0] * 9 + [8.0]), np.array([10.0] * 10)
    assert worst_tenth(right, owned) == 0.8


def test_the_matcher_counts_what_stands_in_both_logs() -> None:
    def log(*rows: tuple[str, str, float]) -> list[Query]:
        return [Query(user, text, at, at) for user, text, at in rows]

    first = log(("a", "x y", 1.0), ("a", "x y", 1.0), ("b", "z", 2.0))
    second = log(("a", "x  y", 1.0), ("b", "z", 3.0))
    assert match(first, second) == (3, 2, 2, 1, 2)


def test_reading_numbers_equal_users_and_texts_alike_over_logs() -> None:
    vocabulary = Vocabulary()

    def classify(text: str, url: str | None = None, /) -> Classification:
        kinds = ("name",) if "secret" in text else ()
        return Classification(1, "Arts", text, text.replace("secret", ""), kinds)

    queries = [Query("a", "x secret", 1.0, 1.0), Query("a", "secret", 1.0, 1.0), Query("b", " x", 2.0, 2.0)]
    log = read(queries, classify, vocabulary)
    assert log.users.tolist() == [0, 1]
    assert log.texts.tolist() == [0, 0]
    assert "x" not in repr(vocabulary)


def test_sybils_name_more_owners_than_the_kernel_does_without_accounts() -> None:
    original = made(bursts=False)
    rules = Rules(k=10, reserve=0)
    with_accounts = attack(original, rules, seed=1, queries=10)
    released = released_by(original, rules)
    alone = score("kernel", "", kernel(released, width(10)), released, truth_of(original, released))
    assert with_accounts.success > max(2 * alone.success, 2 * with_accounts.baseline)
    assert attack(original, rules, seed=1, queries=100).success > 0.9


def test_accounts_that_wait_for_their_sessions_to_end_name_as_many_where_sessions_leave_whole() -> None:
    original, rules = made(bursts=False), Rules(k=10, reserve=0)
    alone = attack(original, rules, seed=1, queries=10)
    together = attack(original, rules._replace(unit="session"), seed=1, queries=10)
    assert together.success > 0.9 * alone.success


def test_the_sybils_score_counts_only_the_queries_of_others() -> None:
    asked, seen = plant(made(bursts=False), Rules(k=5), seed=1, queries=10)
    foreign = [release.text for release in seen if release.text >= 0]
    assert 0 < len(foreign) <= len(asked)
    assert len(set(foreign)) == len(foreign), "each asking leaves once at most"
    assert {release.user for release in seen} <= {-1, *asked.users.tolist()}


def test_accounts_that_have_to_be_of_an_age_first_ask_when_they_are() -> None:
    original = made(bursts=False)
    slow = Log(original.users, original.texts, original.categories, original.times * 100)
    rules = Rules(k=5, established=86_400.0)
    asked, seen = plant(slow, rules, seed=1, queries=10)
    own = sum(release.own for release in seen)
    late = int((asked.times >= asked.times[0] + 86_400).sum())
    assert 9 * late < own <= 10 * late
    found = attack(slow, rules, seed=1, queries=100)
    assert found.success > 3 * found.baseline
