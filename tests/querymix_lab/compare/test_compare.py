"""The comparison: which settings, what is measured of each, and a report that holds figures and no query."""

import csv
import json
import random
import re
from pathlib import Path

import pytest
import sklearn  # noqa: F401 - what is tested needs it: without it the module is skipped
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.errors import ConfigError
from querymix.core.records import Query
from querymix_lab.batch.base import Log, Row
from querymix_lab.compare import comparison_report, grid, making, measuring, papers, seeds, words
from querymix_lab.compare.grid import Choice

from tests.conftest import Command
from tests.querymix_lab.knowledge.made import wordnet_folder

DAY = 86_400.0


@pytest.fixture(scope="module")
def log() -> Log:
    """A made-up log of 60 users in two topics, with texts of their own and shared ones."""
    chance = random.Random(2)
    rows = []
    for place in range(3_000):
        user = chance.randrange(60)
        topic = (user + (chance.random() < 0.2)) % 2
        text = f"{('soccer', 'guitar')[topic]} {chance.choice(['club', 'shop', f'number{chance.randrange(400)}'])}"
        at = place * 300.0
        query = Query(f"user{user}", text, at, at, None, f"http://{text.split()[1]}.example")
        path = (("Sports", "Soccer"), ("Arts", "Music"))[topic]
        rows.append(Row(query, (13, 1)[topic], path, place))
    return Log(rows)


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A made-up WordNet of six nouns."""
    return wordnet_folder(tmp_path_factory.mktemp("nouns") / "wordnet")


def test_every_method_stands_in_the_grid_at_every_k_and_names_each_setting_apart() -> None:
    settings = [*grid.choices(grid.ALL, [2, 5, 20], 1, 3), *grid.of_papers(grid.ALL, [2, 5, 20], 1_000, 1, 3)]
    for method in grid.ALL:
        whole = {choice.k for choice in settings if choice.method == method and choice.scope == "all"}
        assert whole == ({2, 5, 20} if grid.has_k(method) else {None})
    assert len({choice.name for choice in settings}) == len(settings)


def test_no_more_settings_are_measured_than_methods_times_thresholds() -> None:
    assert len(grid.choices(["stream", "odp"], [5, 20], 1, 3)) == 4
    assert len(grid.choices(["none", "korolova"], [5, 20], 1, 3)) == 2, "those have no k"


def test_what_the_papers_show_comes_on_request_alone() -> None:
    asked = grid.choices(["odp"], [5, 20], 1)
    more = list(grid.of_papers(["odp"], [5, 20], 1_000, 1))
    assert not {choice.name for choice in asked} & {choice.name for choice in more}
    assert {(choice.k, choice.levels) for choice in (*asked, *more)} >= {
        (k, level) for k in range(2, 6) for level in range(1, 6)
    }
    assert {choice.users for choice in more if choice.scope == "cost"} == {250, 500}


@pytest.mark.parametrize("method", grid.ALL)
def test_what_has_no_chance_comes_out_the_same_and_all_else_does_not(log: Log, wordnet: Path, method: str) -> None:
    nouns = Log([row._replace(query=row.query._replace(text=f"{row.query.text} racket")) for row in log.rows])
    one, other = (making.make(nouns, Choice(method, 5, seed=seed), None, wordnet).outcome for seed in (1, 2))
    same = [row.query for row in one.released.rows] == [row.query for row in other.released.rows]
    assert same == (method in grid.NO_CHANCE or not one.released.rows)


@pytest.mark.parametrize(
    ("texts", "ks"),
    [(["2", "5"], [2, 5]), (["20"], [20]), (["2..7"], [2, 3, 4, 5, 6, 7]), (["9..22", "3"], [3, 9, 10, 20, 22])],
)
def test_thresholds_are_numbers_and_ranges(texts: list[str], ks: list[int]) -> None:
    assert grid.ks_of(texts) == ks


@pytest.mark.parametrize("text", ["x", "1", "1..5", "7..3", "2..", "..5", "2...5", "-3"])
def test_a_threshold_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="--k"):
        grid.ks_of([text])


def test_nothing_but_cut_identifiers_gives_everything_away_and_loses_nothing(log: Log) -> None:
    """The reference: a measure that did not see it would see no method."""
    row = measuring.measure(log, None, Choice("none", None))
    assert row["privacy"]["pel queries"] == pytest.approx(1.0)
    assert row["privacy"]["own returned"] == 1.0
    assert row["privacy"]["rl queries"] > 0.9
    assert row["kept"] == {"lines": 1.0, "distinct": 1.0, "users": 1.0, "clicks": 1.0}
    assert row["information"]["ilr"] == row["information"]["il"] == 0.0
    assert {figure["relative"] for figure in row["utility"]} <= {1.0, None}


def test_the_stream_returns_no_own_query_in_distinct_mode_and_some_in_paper_mode(log: Log) -> None:
    distinct, paper = (measuring.measure(log, None, Choice(method, 5)) for method in ("stream", "stream-paper"))
    assert distinct["privacy"]["own returned"] == 0.0 < paper["privacy"]["own returned"]
    assert distinct["privacy"]["pel queries"] < 0.6
    assert 0.5 < distinct["kept"]["lines"] < 1.0


def test_clusters_leave_nobody_alone_and_the_stream_leaves_everybody_so(log: Log) -> None:
    assert measuring.measure(log, None, Choice("odp", 5))["privacy"]["users alone"] == 0.0
    assert measuring.measure(log, None, Choice("stream", 5))["privacy"]["users alone"] > 0.9


def test_users_who_leave_alike_are_fewer_points_than_clusters_and_that_warns_of_nothing(log: Log) -> None:
    row = measuring.measure(log, None, Choice("odp", 30, scope="information"))
    assert 0 <= row["information"]["rand categories"] <= 1


def test_mdav_gives_the_same_from_prepared_distances_as_without(log: Log, tmp_path: Path) -> None:
    choice = Choice("mdav", 5)
    plain = making.make(log, choice).outcome
    for scope in grid.preparations(["mdav"], 1):
        assert measuring.measure(log, tmp_path, scope)["seconds"] > 0
    prepared = making.make(log, choice, tmp_path / "whole.npz").outcome
    assert [row.query for row in prepared.released.rows] == [row.query for row in plain.released.rows]
    assert prepared.groups == plain.groups


def test_the_stream_is_measured_on_the_queries_that_left(log: Log) -> None:
    made = making.make(log, Choice("stream", 5)).outcome
    texts = {row.place: row.query.text for row in log.rows}
    places = [row.place for row in made.released.rows]
    assert len(set(places)) == len(places) == made.account.released
    assert all(row.query.text == texts[row.place] for row in made.released.rows)
    assert made.account.total == len(log.rows)


def test_a_sample_holds_whole_users(log: Log) -> None:
    part = making.sample(log, 20, 1)
    assert len(part.users) == 20
    assert all(len(rows) == len(log.users[user]) for user, rows in part.users.items())


def test_a_method_that_releases_nothing_has_its_figures_too(log: Log) -> None:
    row = measuring.measure(log, None, Choice("threshold", 500))
    assert row["kept"]["lines"] == row["privacy"]["rl queries"] == row["privacy"]["own returned"] == 0.0
    assert row["privacy"]["halves by words"] is None
    assert comparison_report.page("log", [row], 500)


def test_a_method_that_a_log_does_not_allow_says_why_and_stops_no_other(log: Log) -> None:
    row = measuring.measure(log, None, Choice("odp", 500))
    assert "cluster" in row["failed"]
    page = comparison_report.page("log", [row, measuring.measure(log, None, Choice("none", None))], 500)
    assert "left out: odp (k = 500)" in page
    assert "1 settings measured; 1 more were left out" in page


def test_time_is_foretold_from_how_it_grew() -> None:
    said = papers.growth({"slow": [(250.0, 1.0), (1_000.0, 16.0)], "fast": [(250.0, 0.01), (1_000.0, 0.02)]})
    assert "slow as users^2.0 (27 minutes)" in said
    assert "fast" not in said


def test_the_report_begins_with_one_table_and_holds_no_query_and_no_user(log: Log, tmp_path: Path) -> None:
    choices = [Choice("none", None), Choice("stream", 5), Choice("odp", 5), Choice("odp", 5, users=30, scope="cost")]
    choices.append(Choice("odp", 2, 1, scope="information"))
    rows = [json.loads(json.dumps(measuring.measure(log, None, choice))) for choice in choices]
    page, figures, table = comparison_report.write(tmp_path, "a <log>", rows, 5)
    html = page.read_text("utf-8")
    assert "a &lt;log&gt;" in html
    assert html.index("<table>") < html.index("When to choose what")
    assert html.count("<svg") == html.count("</svg>") >= 6
    assert "Choose the stream (k = 5)" in html
    for text in (html, figures.read_text("utf-8"), table.read_text("utf-8")):
        assert not any(secret in text for secret in ("guitar", "soccer", "user1"))
    with table.open(newline="", encoding="utf-8") as file:
        assert [row["method"] for row in csv.DictReader(file)] == ["none", "stream", "odp", "odp", "odp"]


def test_the_advice_has_no_figure_that_was_not_measured() -> None:
    assert words.advice([]) == [
        "<p>Sessions: no method with a bound keeps them. Take another source for next-query suggestions.</p>"
    ]


def test_a_setting_is_the_mean_of_its_seeds_with_an_interval_where_they_differ(log: Log) -> None:
    runs = [measuring.measure(log, None, Choice("odp", 5, seed=seed)) for seed in (1, 2, 3)]
    row = measuring.measure(log, None, Choice("odp", 5, seeds=3))
    for part, name in (("information", "ilr"), ("privacy", "pel queries"), ("kept", "distinct")):
        assert row[part][name] == pytest.approx(sum(run[part][name] for run in runs) / 3)
        low, high = row["intervals"][f"{part} {name}"]
        assert low < row[part][name] < high
    assert "kept users" not in row["intervals"], "odp keeps all of them, whatever the seed"
    assert row["population"] == 60
    scored = [words.score(run, "query completion") or 0.0 for run in runs]
    assert words.score(row, "query completion") == pytest.approx(sum(scored) / 3)


def test_an_interval_is_students() -> None:
    assert seeds.interval([1.0, 2.0, 3.0]) == pytest.approx((2 - 4.302653 / 3**0.5, 2 + 4.302653 / 3**0.5))


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=9))
def test_an_interval_holds_the_mean_of_its_values(values: list[float]) -> None:
    low, high = seeds.interval(values)
    assert low <= sum(values) / len(values) + 1e-9
    assert high >= sum(values) / len(values) - 1e-9


def test_methods_whose_intervals_meet_are_not_told_apart() -> None:
    a = seeds.Place("a", 0.70, (0.68, 0.72))
    b = seeds.Place("b", 0.73, (0.71, 0.75))
    c = seeds.Place("c", 0.80, (0.79, 0.81))
    assert seeds.best([c, b, a], highest=False) == [a, b]
    assert seeds.best([c, b, a], highest=True) == [c]
    assert seeds.best([], highest=True) == []


def _lossy(method: str, il: float, low: float, high: float) -> seeds.Row:
    return {
        "method": method, "k": 3, "levels": 5, "seeds": 3, "information": {"il": il},
        "intervals": {"information il": [low, high]},
    }  # fmt: skip


def test_the_report_ranks_no_methods_that_the_seeds_do_not_tell_apart() -> None:
    close = [_lossy("odp", 0.749, 0.715, 0.782), _lossy("semantic", 0.750, 0.744, 0.756)]
    assert "k = 3: not distinguishable (odp, semantic)" in "".join(papers.information_loss(close))
    apart = [_lossy("odp", 0.748, 0.740, 0.756), _lossy("semantic", 0.712, 0.700, 0.725)]
    assert "k = 3: semantic" in "".join(papers.information_loss(apart))


def test_the_page_says_why_a_papers_result_does_not_come_out_where_the_method_is_measured(log: Log) -> None:
    with_odp, without = (
        comparison_report.page("log", [measuring.measure(log, None, Choice(method, 5, scope="information"))], 5)
        for method in ("odp", "stream")
    )
    assert "has one path for each term" in with_odp
    assert "ILR of MDAV" not in with_odp
    assert "does not come out" not in without


def test_a_reason_to_leave_settings_out_is_told_once() -> None:
    rows = [
        {"method": method, "k": k, "failed": "no WordNet 3.0", "seeds": 1}
        for method in ("clump", "partition")
        for k in (3, 2)
    ]
    said = words.left_out([*rows, rows[0], {"method": "odp", "k": 9, "failed": "too few users", "seeds": 3}])
    assert said == [
        "left out: clump (k = 2, 3), partition (k = 2, 3): no WordNet 3.0",
        "left out: odp (k = 9): too few users",
    ]


def test_a_missing_wordnet_is_told_once_and_what_failed_for_it_is_tried_again(
    querymix: Command, wordnet: Path, tmp_path: Path
) -> None:
    rows = [f"{n % 6}\t{('racket', 'goose', 'sport')[n % 3]} {n}\t2006-03-01 10:{n:02}:00\t\t" for n in range(60)]
    log = tmp_path / "log.tsv"
    log.write_text("\n".join(["AnonID\tQuery\tQueryTime\tItemRank\tClickURL", *rows, ""]))
    args = ("compare", log, "-o", tmp_path / "out", "--k", "2,3,4", "--methods", "none,clump,partition")
    told = querymix(*args, "--wordnet", tmp_path / "nowhere")
    assert told.exit_code == 0, told.output
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    for text in (told.stderr, page):
        assert text.count("WordNet 3.0") == text.count("apt-get install wordnet-base") == text.count("--wordnet") == 1
    again = querymix(*args, "--wordnet", wordnet)
    assert "left out" not in again.output
    assert "7 settings measured" in again.output


def test_the_command_and_the_page_say_one_number_of_settings(
    querymix: Command, made_up_log: Path, tmp_path: Path
) -> None:
    args = ("compare", made_up_log, "-o", tmp_path / "out", "--k", "2,3", "--methods", "stream,odp", "--seeds", "2")
    said = querymix(*args, "--json")
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert len(json.loads(said.stdout)["settings"]) == 4
    for text in (said.stderr, page):
        assert "4 settings measured, those with chance in them with 2 seeds" in text
    assert set(re.findall(r"/(\d+) |(?:of )?(\d+) settings", said.stderr)) <= {("4", ""), ("", "4")}, "progress too"


def test_the_command_writes_a_report_and_goes_on_where_it_was(
    querymix: Command, made_up_log: Path, tmp_path: Path
) -> None:
    args = ("compare", made_up_log, "-o", tmp_path / "out", "--k", "3", "--methods", "none,stream", "--json")
    first = querymix(*args)
    assert first.exit_code == 0, first.output
    again = querymix(*args)
    assert json.loads(again.stdout) == json.loads(first.stdout), "time and memory too: nothing was measured again"
    rows = made_up_log.read_text().splitlines()[1:]
    for file in (tmp_path / "out").rglob("*"):
        text = file.read_text("utf-8") if file.is_file() else ""
        assert not any(row.split("\t")[1] in text for row in rows if row.split("\t")[1].count(" ") > 1)


@pytest.mark.parametrize(("option", "value"), [("--k", "one"), ("--methods", "magic")])
def test_a_wrong_option_is_refused_by_its_name(
    querymix: Command, made_up_log: Path, tmp_path: Path, option: str, value: str
) -> None:
    result = querymix("compare", made_up_log, "-o", tmp_path, option, value)
    assert result.exit_code == 2
    assert option in result.output
