"""Pairs of lines are judged rightly where they can be told, and by chance where they cannot; by a program too."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from querymix.core.errors import ConfigError, TransientError
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix_lab.attacks.clicks import Clicked, Clicks
from querymix_lab.attacks.embedding import Vectors, embedding
from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.pairing import candidates, judged, lines_of, parts, posteriors_of
from querymix_lab.attacks.pairs import pairs
from querymix_lab.attacks.scoring import TooShortError
from querymix_lab.attacks.simulated import Simulated, joined, simulate
from querymix_lab.attacks.verifier import ask, verifier

USERS, LINES, DAY = 60, 2_000, 86_400.0
RULES = Rules(k=5)


def made(*, own_words: bool) -> tuple[Log, list[str]]:
    """A log in which a text is two rare words, of the user's own ten or of anybody's, and a number of its own."""
    chance = np.random.default_rng(1)
    users = chance.integers(USERS, size=LINES)
    times = np.sort(chance.uniform(0, 10 * DAY, LINES)).round()
    whose = users if own_words else chance.integers(USERS, size=LINES)
    words = chance.integers(8, size=(LINES, 2))
    texts = [f"w{who}x{a} w{who}x{b} n{n}" for n, (who, (a, b)) in enumerate(zip(whose, words, strict=True))]
    return Log(users, np.arange(LINES), np.zeros(LINES, dtype=np.int64), times), texts


@pytest.fixture(scope="module")
def planted() -> tuple[Simulated, list[str]]:
    log, texts = made(own_words=True)
    return simulate(log, RULES), texts


@pytest.fixture(scope="module")
def noise() -> tuple[Simulated, list[str]]:
    log, texts = made(own_words=False)
    return simulate(log, RULES), texts


def test_lines_that_share_their_owners_words_are_found_to_be_one_owners(planted: tuple[Simulated, list[str]]) -> None:
    (row,) = pairs(planted[0], RULES, 1, planted[1])
    assert row["success"] > 0.95
    assert row["recall"] > 0.9
    assert row["brier"] < 0.05
    assert row["low"] <= row["success"] <= row["high"]


def test_of_words_that_are_anybodys_no_more_than_chance_is_known(noise: tuple[Simulated, list[str]]) -> None:
    (row,) = pairs(noise[0], RULES, 1, noise[1])
    assert row["success"] < row["baseline"] + 0.03
    assert row["recall_at_90"] < 0.05
    assert row["brier"] == pytest.approx(row["baseline"] * (1 - row["baseline"]), abs=0.01)


def test_learned_from_and_attacked_users_are_apart_and_together_all() -> None:
    users = np.repeat(np.arange(40), 3)
    made_parts = list(parts(users, (0.35, 0.15, 0.5), 7))
    assert [len(part) for part in made_parts] == [14, 6, 20]
    assert sorted(np.concatenate(made_parts).tolist()) == list(range(40))


def test_each_pair_that_shares_a_rare_word_is_looked_at_once(planted: tuple[Simulated, list[str]]) -> None:
    simulated, texts = planted
    lines = lines_of(
        simulated, texts, Clicked.none(len(simulated.asked)), posteriors_of(simulated.seen, 5), np.arange(20)
    )
    found = candidates(lines)
    seen = set(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert len(seen) == len(found.first)
    assert (found.first < found.second).all()
    held = [set(texts[text].split()) for text in lines.log.texts]
    for one, other in list(seen)[:200]:
        assert held[one] & held[other] or lines.log.users[one] == lines.log.users[other]


def test_a_judge_that_knows_all_has_each_figure_at_its_end(planted: tuple[Simulated, list[str]]) -> None:
    simulated, texts = planted
    lines = lines_of(
        simulated, texts, Clicked.none(len(simulated.asked)), posteriors_of(simulated.seen, 5), np.arange(20)
    )
    found = candidates(lines)
    right = (lines.owners[found.first] == lines.owners[found.second]).astype(np.float64)
    figures = judged(right, lines, found)
    assert (figures.precision, figures.recall, figures.f1, figures.recall_at_90, figures.brier) == (1, 1, 1, 1, 0)
    assert figures.claimed == right.sum()
    assert figures.recall_of_all < 1


def test_nobody_is_told_from_a_log_of_three_lines() -> None:
    log = Log(np.arange(3), np.arange(3), np.zeros(3, dtype=np.int64), np.arange(3.0))
    with pytest.raises(TooShortError, match="too short"):
        pairs(simulate(log, Rules(k=2)), RULES, 1, ["a"] * 3)


def test_the_clicks_of_a_query_are_those_of_all_its_rows() -> None:
    clicks = Clicks()
    rows = [("a", 3, "http://x.com/1"), ("a", 1, "http://y.org/2"), ("b", None, None), ("c", "none", "http://x.com/9")]
    for user, rank, url in rows:
        clicks.add(Query(user, "t", 0, 0.0, rank, url))
    log = Log(np.array([0, 0, 1, 2]), np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64), np.zeros(4))
    asked = joined(log)
    clicked = clicks.of(log, asked)
    assert {(int(asked.users[q]), int(h)) for q, h in zip(clicked.queries, clicked.hosts, strict=True)} == {
        (0, 0), (0, 1), (2, 0),
    }  # fmt: skip
    assert clicked.ranks[asked.users == 0].tolist() == [1.0]
    assert np.isnan(clicked.ranks[asked.users != 0]).all()


def test_hosts_that_one_user_alone_clicks_give_its_pairs_away(noise: tuple[Simulated, list[str]]) -> None:
    simulated, texts = noise
    queries = np.arange(len(simulated.asked))
    own = simulated.asked.users * 40 + np.random.default_rng(2).integers(40, size=len(queries))
    clicked = Clicked(queries, own, np.full(len(queries), np.nan))
    (without,), (row,) = pairs(simulated, RULES, 1, texts), pairs(simulated, RULES, 1, texts, clicked)
    assert row["f1"] > without["f1"] + 0.1
    assert row["recall_at_90"] > 0.1


WORDS = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    a, b = (set(w for w in asked[name]["text"].split() if w[0] == "w") for name in "ab")
    owners = [{w.split("x")[0] for w in words} for words in (a, b)]
    print(json.dumps({"id": asked["id"], "p": 0.8 if owners[0] == owners[1] else 0.3}), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / "verifier.py"
        path.write_text(text)
        return f"{sys.executable} {path}"

    return write


def test_an_own_program_that_knows_finds_the_pairs_and_its_probabilities_are_calibrated(
    planted: tuple[Simulated, list[str]], program: Callable[[str], str]
) -> None:
    (row,) = verifier(planted[0], 1, planted[1], program(WORDS), most=400)
    assert row["success"] == row["recall"] == 1
    assert row["brier"] < 0.001 < row["brier uncalibrated"]


def test_answers_may_come_in_any_order_and_at_the_end(program: Callable[[str], str]) -> None:
    late = "import json, sys\nfor line in reversed(sys.stdin.readlines()):\n"
    late += "    n = json.loads(line)['id']\n    print(json.dumps({'id': n, 'p': n / 9}))\n"
    assert ask(program(late), [{"a": n} for n in range(9)], 60.0).tolist() == [n / 9 for n in range(9)]


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("import sys; sys.exit(3)", TransientError, "exit code 3"),
        ("print('{\"id\": 0, \"p\": 1}')", TransientError, "after 1 of 2"),
        ("import time; time.sleep(60)", TransientError, "no answer for 0.5 s"),
        ("print('secret words')", ConfigError, "no JSON object"),
        ("print('[1]')", ConfigError, "no JSON object"),
        ("print('{\"p\": 0.5}')", ConfigError, "no id"),
        ("print('{\"id\": true, \"p\": 0.5}')", ConfigError, "no id"),
        ("print('{\"id\": 2, \"p\": 0.5}')", ConfigError, "no id"),
        ("print('{\"id\": 0, \"p\": \"secret\"}')", ConfigError, "no probability"),
        ("print('{\"id\": 0, \"p\": 1.5}')", ConfigError, "no probability"),
        ("print('{\"id\": 0, \"p\": NaN}')", ConfigError, "no probability"),
        ("print('{\"id\": 0, \"p\": 0}\\n' * 2)", ConfigError, "answered already"),
    ],
)  # fmt: skip
def test_a_program_that_answers_wrongly_is_told_so_without_what_it_said(
    program: Callable[[str], str], text: str, error: type[Exception], said: str
) -> None:
    requests = [{"a": {"text": "secret"}}] * 2
    with pytest.raises(error, match="--verifier") as found:
        ask(program(text), requests, 0.5 if "sleep" in text else 60.0)
    assert said in str(found.value)
    assert "secret" not in str(found.value)


@pytest.mark.parametrize("command", ["/nowhere/at all", "", "unclosed 'quote", shlex.quote("/nowhere/secret") + " x"])
def test_a_command_that_cannot_be_started_is_an_error_that_says_so(command: str) -> None:
    with pytest.raises(ConfigError, match="--verifier"):
        ask(command, [], 1.0)


def by_owner_word(texts: list[str]) -> Callable[[object], Vectors]:
    """Return an encoder whose vectors are the owners that texts were made of."""

    def encode(asked: object) -> Vectors:
        owners = [int(text.split("x")[0][1:]) for text in list(asked)]  # type: ignore[call-overload]
        vectors: Vectors = np.eye(USERS, dtype=np.float32)[owners]
        return vectors

    return encode


def test_vectors_that_tell_the_user_name_the_owners(planted: tuple[Simulated, list[str]]) -> None:
    alone, both = embedding(planted[0], RULES, 1, planted[1], by_owner_word(planted[1]))
    assert alone["success"] > 0.99
    assert both["success"] > 0.99


def test_vectors_that_tell_nothing_name_no_more_than_chance(noise: tuple[Simulated, list[str]]) -> None:
    alone, _ = embedding(noise[0], RULES, 1, noise[1], by_owner_word(noise[1]))
    assert alone["success"] < 3 / USERS


def test_where_ids_do_not_last_the_kernel_has_no_part_in_it(planted: tuple[Simulated, list[str]]) -> None:
    log, texts = made(own_words=True)
    rows = embedding(simulate(log, RULES, period=DAY), RULES, 1, texts, by_owner_word(texts))
    assert [row["attack"] for row in rows] == ["embedding"]
