"""Attacks that take lines, or releases of one log, together: they find a planted leak, and score chance on noise."""

import numpy as np
import pytest
from querymix.core.rules import Rules
from querymix_lab.attacks import again, kin
from querymix_lab.attacks.attacked import Files, first_rows, named
from querymix_lab.attacks.kernel import kernel
from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.repeats import repeats
from querymix_lab.attacks.scoring import TooShortError
from querymix_lab.attacks.simulated import simulate
from querymix_lab.attacks.together import name_groups

USERS, LINES, DAY = 40, 4_000, 86_400.0


def made(texts: np.ndarray | None = None) -> Log:
    """A log of ten days in one category, by users at random; every text is asked once unless `texts` is given."""
    chance = np.random.default_rng(1)
    times = np.sort(chance.uniform(0, 10 * DAY, LINES)).round()
    own = np.arange(LINES) if texts is None else texts
    return Log(chance.integers(USERS, size=LINES), own, np.zeros(LINES, dtype=np.int64), times)


def beside() -> tuple[Log, np.ndarray]:
    """Releases under users at random; the one before each hundredth is that line's owner, user 0."""
    log, places = made(), np.arange(100, LINES - 100, 100)
    users = np.where(log.users == 0, 1, log.users)
    users[places - 1] = 0
    return Log(users, log.texts, log.categories, log.times), places


def test_lines_of_one_owner_name_it_together_and_lines_of_many_do_not() -> None:
    released, places = beside()
    assert (name_groups(released, 10.0, places, np.zeros(len(places), dtype=np.int64)).users == 0).all()
    mixed = name_groups(released, 10.0, places + 50, np.arange(len(places)))
    assert (mixed.users == 0).mean() < 0.3
    assert (mixed.users != released.users[mixed.lines]).all()


def test_texts_that_share_a_rare_word_are_one_owners() -> None:
    released, places = beside()
    texts = [f"common{text % 7} own{text}" for text in range(LINES)]
    for text in places[:5]:
        texts[text] = f"common{text % 7} zyzzy"
    found = kin.guess(released, texts, 10.0)
    assert sorted(found.lines.tolist()) == places[:5].tolist()
    assert (found.users == 0).all()
    assert not len(kin.guess(released, [f"own{text}" for text in range(LINES)], 10.0).lines)


def test_a_log_that_is_released_again_and_again_names_ever_more_owners() -> None:
    rules = Rules(k=5, reserve=0)
    simulated = simulate(made(), rules)
    once, five, twenty, tried = (row["success"] for row in again.again(simulated, rules, 1, (1, 5, 20), (3, 10)))
    assert once < five < twenty
    assert twenty > 0.5
    assert tried > once


def test_releases_of_different_logs_tell_no_more_than_one() -> None:
    rules = Rules(k=5)
    simulated = simulate(made(), rules)
    chance = np.random.default_rng(2)
    others = [
        Log(chance.permutation(log.users), log.texts, log.categories, chance.permutation(log.times))
        for log in [simulated.released] * 10
    ]
    found = named(simulated, "again", "", again.guess([simulated.released, *others], [5] * 11))
    assert found["success"] == pytest.approx(1 / USERS, abs=0.03)


def test_a_text_that_is_asked_all_the_time_gives_its_owner_away_unless_ids_change() -> None:
    log = made()
    texts = np.where((log.users == 0), LINES, log.texts)
    log, rules = Log(log.users, texts, log.categories, log.times), Rules(k=5)
    whole = repeats(simulate(log, rules), rules)[0]
    parts = repeats(simulate(log, rules, period=DAY / 4), rules)[0]
    assert whole["success"] == 1.0
    assert parts["success"] < 0.5
    with pytest.raises(TooShortError, match="repeats"):
        repeats(simulate(made(), rules), rules)


def test_rows_of_one_query_are_one_line_in_files_too() -> None:
    original = made()
    simulated = simulate(original, Rules(k=5))
    twice = [log.take(np.repeat(np.arange(len(log)), 2)) for log in (original, simulated.released)]
    files = Files.of(*twice)
    assert len(files.asked) == len(original)
    assert len(files.released) == len(simulated.released) == len(first_rows(files.released))
    expected = named(simulated, "kernel", "", kernel(simulated.released, 10.0))
    assert named(files, "kernel", "", kernel(files.seen, 10.0)) == expected
    assert not len(first_rows(original.take(np.arange(0))))
    assert "users" not in repr(files)
