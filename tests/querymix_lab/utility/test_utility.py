"""The tasks of consumers: worked values, and what must hold of logs that are the same, thinned, shuffled or empty."""

import json
import random
from collections import Counter
from math import log2
from pathlib import Path

import numpy as np
import pytest
import rapidfuzz  # noqa: F401 - what is tested needs it: without it the module is skipped
import scipy  # noqa: F401 - as above
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.records import UNCLASSIFIED, Classification, Query
from querymix_lab.attacks.scoring import TooShortError
from querymix_lab.utility import (
    completion,
    following,
    head_counts,
    language,
    lines,
    ranking,
    scoring,
    spelling,
    suite,
    trends,
)
from querymix_lab.utility.lines import Line, Parts

from tests.conftest import Command

DAY = 86_400.0


def made_up(users: int = 30, each: int = 60, seed: int = 3) -> list[Line]:
    """Return a log in which users have favourite categories, repeat queries, and ask in sessions."""
    chance = random.Random(seed)
    words = ["garden", "soccer", "recipe", "travel", "laptop", "guitar", "mortgage", "puzzle", "camera", "yoghurt"]
    found = []
    for user in range(users):
        at = chance.random() * DAY
        for _ in range(each):
            at += chance.choice([60.0, 120.0, DAY / 4])
            place = (user + min(chance.randrange(4), chance.randrange(4))) % len(words)
            text = f"{words[place]} {words[(place + chance.randrange(3)) % len(words)]}"
            found.append(Line(f"user{user}", text, place, at, f"{words[place]}.example"))
    return sorted(found, key=lambda line: line.at)


def thinned(log: list[Line], share: float) -> list[Line]:
    chance = random.Random(5)
    return [line for line in log if chance.random() < share]


def shuffled(log: list[Line]) -> list[Line]:
    """Return the log with every query under some other user of the log."""
    users = [line.user for line in log]
    random.Random(6).shuffle(users)
    return [line._replace(user=user) for line, user in zip(log, users, strict=True)]


def by_measure(parts: Parts) -> dict[tuple[str, str], scoring.Figure]:
    figures, _ = suite.measure(parts, 1)
    return {(figure.task, figure.measure): figure for figure in figures}


def test_a_log_is_as_good_as_itself_at_every_task() -> None:
    log = made_up()
    for figure in by_measure(lines.split(log, log)).values():
        assert figure.original == figure.released
        assert figure.relative in (1.0, None)
        if figure.low is not None and figure.high is not None:
            assert figure.low == pytest.approx(1.0) == figure.high


def test_less_of_a_log_is_never_better_for_completion_and_nothing_is_worth_nothing() -> None:
    log = made_up()
    key = (completion.TASK, "MRR at 10")
    some, few = (by_measure(lines.split(log, thinned(log, share)))[key] for share in (0.9, 0.02))
    assert few.relative is not None
    assert some.relative is not None
    assert few.relative < some.relative <= 1.05
    assert by_measure(lines.split(log, []))[key].relative == 0.0


def test_a_shuffled_log_loses_sessions_and_profiles_and_keeps_completion() -> None:
    """What a method that moves queries between users at random must lose, the measures see."""
    log = made_up()
    found = by_measure(lines.split(log, shuffled(log)))
    assert found[completion.TASK, "MRR at 10"].relative == 1.0
    assert found[following.CLICKS, "MRR at 10"].relative == 1.0
    kept = found[ranking.TASK, "MRR"].kept
    assert kept is not None
    assert kept < 0.2
    kept = found[following.SUGGESTION, "MRR at 10"].kept
    assert kept is not None
    assert kept < 0.5


def test_what_tests_was_seen_by_neither_side() -> None:
    log = made_up()
    parts = lines.split(log, log)
    assert len(parts.original) == int(0.8 * len(log))
    assert len(parts.original) + len(parts.test) == len(log)
    assert max(line.at for line in (*parts.original, *parts.released)) < min(line.at for line in parts.test)


def test_completions_are_the_most_frequent_queries_that_begin_so() -> None:
    ranked = completion.popular(["cats", "cars", "cats", "dogs", "car"])
    assert ranked == ["cats", "car", "cars", "dogs"]
    offered = completion.offers(ranked)
    assert offered["ca"] == ["cats", "car", "cars"]
    assert offered["car"] == ["cars"], "a query that is typed whole needs no completion"
    assert scoring.reciprocal(offered["ca"], "cars") == pytest.approx(1 / 3)
    assert scoring.reciprocal(offered["ca"], "dogs") == 0.0


def test_prefixes_end_within_ten_characters_and_in_the_word_being_typed() -> None:
    assert list(completion.fragments("ab cd")) == [("a", "ab"), ("c", "cd")]
    assert all(
        len("garden ") + len(typed) <= 10 for typed, word in completion.fragments("garden chairs") if word == "chairs"
    )


def test_clicks_of_one_asking_are_one_case_and_a_pause_ends_a_session() -> None:
    log = [Line("u", "a", 0, 0.0), Line("u", "a", 0, 0.0), Line("u", "b", 0, 60.0), Line("u", "c", 0, 60.0 + 1801)]
    assert [line.text for line in lines.askings(log)] == ["a", "b", "c"]
    assert [[line.text for line in session] for session in lines.sessions(log)] == [["a", "b"], ["c"]]
    assert [(a.text, b.text) for a, b in lines.pairs(log)] == [("a", "b")]


def test_a_rewrite_is_one_word_changed_by_one_edit_soon_after() -> None:
    log = [
        Line("u", "gardn chairs", 0, 0.0),
        Line("u", "garden chairs", 0, 30.0),
        Line("u", "garden tables", 0, 60.0),
        Line("v", "sofas", 0, 0.0),
        Line("v", "sofas blue", 0, 9.0),
    ]
    assert list(spelling.rewrites(log)) == [("u", "gardn", "garden")]


def test_trends_compare_rankings_and_ties_are_no_order() -> None:
    assert trends.tau_of_top({"a": 3, "b": 2, "c": 1}, {"a": 9, "b": 5, "c": 1}) == pytest.approx(1.0)
    assert trends.tau_of_top({"a": 3, "b": 2, "c": 1}, {"c": 9, "b": 5, "a": 1}) == pytest.approx(-1.0)
    assert trends.tau_of_top({"a": 1, "b": 1}, {"a": 9}) is None
    assert trends.tau_of_top({"a": 2, "b": 1}, {}) == 0.0


def test_daily_counts_go_together_or_against_each_other_and_a_flat_line_goes_with_nothing() -> None:
    rising, falling, flat = np.array([1, 2, 3]), np.array([6, 4, 2]), np.array([2, 2, 2])
    assert trends.correlation(rising, rising) == 1.0
    assert trends.correlation(rising, 10 * rising) == pytest.approx(1.0)
    assert trends.correlation(rising, falling) == pytest.approx(-1.0)
    assert trends.correlation(rising, flat) == trends.correlation(flat, rising) == 0.0
    assert trends.correlation(np.array([0, 1, 5, 2]), np.array([1, 1, 3, 4])) == pytest.approx(0.6172134)


def test_a_peak_is_found_in_part_where_several_days_are_as_high() -> None:
    assert trends.same_peak(np.array([1, 5, 2]), np.array([0, 3, 1])) == 1.0
    assert trends.same_peak(np.array([1, 5, 2]), np.array([3, 3, 1])) == 0.5
    assert trends.same_peak(np.array([5, 5, 2]), np.array([0, 1, 0])) == 1.0
    assert trends.same_peak(np.array([1, 5, 2]), np.array([0, 0, 0])) == 0.0


def test_a_log_that_leaves_days_late_keeps_the_counts_and_loses_the_days() -> None:
    counts = [(day, topic, 20 if day == 7 * topic else 1) for day in range(40) for topic in range(4)]
    log = [Line("u", f"topic {topic}", 0, day * DAY + n) for day, topic, count in counts for n in range(count)]
    late = [line._replace(at=line.at + 3 * DAY) for line in log]
    found = by_measure(Parts(log, late, log[-10:]))
    assert found[head_counts.TASK, "lines of the top 10 queries"].released == 1.0
    assert found[trends.TASK, "correlation of the top 50's daily counts"].released < 0.1
    assert found[trends.TASK, "peak day of the top 50"].released == 0.0


def head_shares(log: list[Line], released: list[Line]) -> list[float]:
    return [one.figure(1).released for one in head_counts.head_counts(Parts(log, released, []), 1)]


def test_head_counts_are_what_is_left_of_the_commonest_and_no_more_than_was_asked() -> None:
    log = [Line("u", text, 0, 0.0) for text in ["a"] * 6 + ["b"] * 3 + [f"rare {n}" for n in range(20)]]
    released = [line for line in log if line.text == "a"][:3] + [Line("u", "b", 0, 0.0)] * 9
    assert head_shares(log, released)[:2] == pytest.approx([(3 + 3) / (6 + 3 + 8), (3 + 3) / 29])


def test_what_many_users_ask_is_told_apart_from_what_one_user_asks_often() -> None:
    many = [Line(f"u{user}", f"topic {topic}", 0, 0.0) for topic in range(100) for user in range(2)]
    log = [*many, *[Line("one", "mine", 0, 0.0)] * 9]
    ten, hundred, widely = head_shares(log, many)
    assert (ten, hundred) == pytest.approx((18 / 27, 198 / 207))
    assert widely == 1.0


def test_clicked_hosts_in_the_wrong_order_gain_less() -> None:
    gains = Counter({"a": 3, "b": 1})
    assert following.ndcg(["a", "b", "c"], gains) == 1.0
    assert following.ndcg(["b", "a"], gains) == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))
    assert following.ndcg(["c"], gains) == following.ndcg([], gains) == 0.0


def test_the_perplexity_of_two_words_is_that_of_the_worked_example() -> None:
    """Learned and tested "a b": "a" always begins a query, and is one of two words counted: 2 of 5, one more each."""
    learned = [Line("u", "a b", 0, 0.0)]
    (scores,) = language.language(Parts(learned, [], learned), 1)
    figure = scores.figure(1)
    assert figure.original == pytest.approx(1 / ((1 + 2 / 5) / 2))
    assert figure.released == pytest.approx(3.0)
    assert figure.baseline == pytest.approx(3.0)
    assert figure.relative == pytest.approx((1 / 0.7) / 3)
    assert figure.kept == pytest.approx(0.0)


@given(st.lists(st.text("abc ", min_size=1, max_size=9), min_size=1, max_size=9), st.text("abcd ", max_size=9))
def test_the_chances_of_all_words_after_any_add_up_to_one(texts: list[str], before: str) -> None:
    words = {word for text in texts for word in text.split(" ")}
    model = language._Model([Line("u", text, 0, 0.0) for text in texts], words)
    seen = before if before in words else None
    assert sum(model._chance(seen, word) for word in (*words, None)) == pytest.approx(1.0)


def test_tasks_are_measured_by_name_and_a_wrong_name_is_refused(
    querymix: Command, made_up_log: Path, tmp_path: Path
) -> None:
    result = querymix("study", "utility", made_up_log, made_up_log, "--json", "--tasks", "completion,heads")
    assert result.exit_code == 0, result.output
    assert {figure["task"] for figure in json.loads(result.stdout)["figures"]} == {completion.TASK, head_counts.TASK}
    wrong = querymix("study", "utility", made_up_log, made_up_log, "--tasks", "magic")
    assert wrong.exit_code == 2
    assert "--tasks" in wrong.output


def test_the_sentence_goes_by_what_is_gained_over_the_baseline() -> None:
    scores = scoring.Scores("task", "measure", "doing it")
    for user in range(10):
        scores.add(user, 0.5, 0.48, 0.45)
    figure = scores.figure(1)
    assert figure.relative == pytest.approx(0.96)
    assert figure.kept == pytest.approx(0.6)
    assert "clearly worse" in figure.meaning
    with pytest.raises(TooShortError):
        scoring.Scores("task", "measure", "doing it").figure(1)


def test_a_log_without_clicks_leaves_click_prediction_out_and_says_so() -> None:
    log = [line._replace(host="") for line in made_up()]
    figures, left_out = suite.measure(lines.split(log, log), 1)
    assert following.CLICKS not in {figure.task for figure in figures}
    assert f"{following.CLICKS}: the log has no clicked URLs" in left_out


@pytest.mark.parametrize("size", [0, 1, 2, 5])
def test_logs_too_short_for_a_task_leave_it_out_and_break_nothing(size: int) -> None:
    log = made_up()[:size]
    figures, left_out = suite.measure(lines.split(log, log), 1)
    measures = 23
    assert len(figures) + len(left_out) in (measures, measures - 3), "clicks are left out as a whole"


def test_identifiers_are_cut_from_what_is_learned_and_no_repr_shows_a_query() -> None:
    def classify(text: str, url: str | None = None, /) -> Classification:
        if text == "secret":
            return Classification(UNCLASSIFIED, "", "", "", ("name",))
        return Classification(3, "", "", text.replace("secret ", ""))

    queries = [Query("u", "Secret  ", "", 2.0), Query("u", "secret Cars", "", 1.0, None, "http://www.Cars.example/x")]
    found = lines.read([query._replace(text=query.text.strip().lower()) for query in queries], classify)
    assert found == [Line("u", "cars", 3, 1.0, "cars.example")]
    assert "cars" not in repr(found)
    assert "cars" not in repr(lines.split(found, found))


def test_the_command_measures_a_released_log_and_shows_no_query(
    querymix: Command, made_up_log: Path, made_up_rows: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "out.tsv"
    assert querymix("run", made_up_log, "-o", out, "--k", "3").exit_code == 0
    result = querymix("study", "utility", made_up_log, out, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert {figure["task"] for figure in found["figures"]} >= {completion.TASK, following.SUGGESTION, ranking.TASK}
    assert all(figure["meaning"] for figure in found["figures"])
    text = querymix("study", "utility", made_up_log, out).output
    assert "Learned from" in text
    assert not any(row.split("\t")[1] in text for row in made_up_rows if row.split("\t")[1].count(" ") > 1)


def test_a_released_log_of_another_time_is_refused_with_the_reason(
    querymix: Command, made_up_log: Path, tmp_path: Path
) -> None:
    late = tmp_path / "late.tsv"
    late.write_text("7\tsoccer\t2031-03-01 00:00:00\t\t\n")
    result = querymix("study", "utility", made_up_log, late)
    assert result.exit_code == 2
    assert "first four fifths" in result.output
