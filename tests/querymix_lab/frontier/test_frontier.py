"""The frontier: its measures by worked values, its ways on a made-up log, its page, and the command."""

import json
import random
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn  # noqa: F401 - what is tested needs the laboratory: without it the module is skipped
from hypothesis import given
from hypothesis import strategies as st
from querymix.bootstrap.parts import make_classifier, open_bundle
from querymix.core.records import Query
from querymix.settings import load
from querymix.settings.presets import PRESETS
from querymix_lab.batch.base import Log, Row
from querymix_lab.batch.log_reading import read
from querymix_lab.bootstrap import read_log
from querymix_lab.frontier import crowds, measures, measuring, page, picture, population, presets, trend, words
from querymix_lab.frontier import ways as all_ways
from querymix_lab.frontier.releasing import Left, release
from querymix_lab.frontier.ways import Way, ways
from querymix_lab.settings import CompareSettings

from tests.conftest import Command

DAY = 86_400.0


def ints(*values: int) -> "np.ndarray[Any, np.dtype[np.int64]]":
    return np.array(values, dtype=np.int64)


@pytest.fixture(scope="module")
def log() -> Log:
    """A made-up log of 40 users in two topics over ten days, with texts of their own and shared ones, and clicks."""
    chance = random.Random(2)
    rows = []
    for place in range(2_000):
        user = chance.randrange(40)
        topic = user % 2
        text = f"{('soccer', 'guitar')[topic]} {chance.choice(['club', 'shop', f'number{chance.randrange(400)}'])}"
        at = place * 432.0
        query = Query(f"user{user}", text, at, at, None, f"http://{text.split()[1]}.example")
        rows.append(Row(query, (13, 1)[topic], (("Sports",), ("Arts",))[topic], place))
    return Log(rows)


@pytest.fixture(scope="module")
def prepared(log: Log) -> measuring.Prepared:
    return prepared_of(log)


def prepared_of(log: Log) -> measuring.Prepared:
    return measuring.Prepared.of(log, [row.query for row in log.rows])


def left_of(log: Log, way: Way) -> Left:
    return release(log, crowds.counted(row.query for row in log.rows), way)


def asked_and_log(path: Path, knowledge: Path) -> tuple[list[Query], Log]:
    """Return a log's queries as they came, and the log as the ways see it."""
    chosen = load(CompareSettings, {"knowledge": str(knowledge)})
    with ExitStack() as owned:
        asked = list(read_log(str(path), chosen, owned))
    return asked, read(asked, make_classifier(chosen, open_bundle(chosen)))


def way(told: str) -> Way:
    return next(one for one in ways(1) if one.told == told)


def test_what_fewer_than_two_users_had_is_alone_and_what_is_not_shown_is_not() -> None:
    """Thing 0: users 0 and 1; thing 1: user 0 twice; thing 2: nobody. -1 shows nothing."""
    found = measures.alone(ints(0, 0, 1, 1, -1), ints(0, 1, 0, 0, 2), ints(0, 1, 2, -1))
    assert found.tolist() == [False, True, True, False]


def test_an_id_is_found_by_most_in_common_then_by_who_had_it_most_often() -> None:
    """Id 0 shows thing 5 twice: user 1 had it twice, user 0 once. Id 1 shows thing 6: users 0 (3 times) and 1."""
    found = measures.traced(ints(0, 0, 1), ints(5, 5, 6), ints(0, 1, 1, 0, 0, 0, 1), ints(5, 5, 5, 6, 6, 6, 6))
    assert found.of(ints(0, 0, 1, 1), ints(1, 0, 0, 1)).tolist() == [1.0, 0.0, 1.0, 0.0]


def test_of_equal_users_each_is_found_with_its_share_and_nobody_with_nothing_in_common() -> None:
    found = measures.traced(ints(0, 1), ints(5, 9), ints(0, 1, 2), ints(5, 5, 6))
    assert found.of(ints(0, 0, 0, 1), ints(0, 1, 2, 0)).tolist() == [0.5, 0.5, 0.0, 0.0]


def test_linkage_is_the_share_of_a_persons_lines_that_an_id_joins_and_finds_in_the_mean_of_people() -> None:
    """Id 0, whoever's it is: texts 1 and 2 of person 0, and text 3 of person 1, alone; id 1: text 4 of person 0.

    Id 0 is found to be person 0's: two of its three lines, none of persons 1 and 2. The last line is nobody's.
    """
    ids, owners, texts = ints(0, 0, 0, 1, 0), ints(0, 0, 1, 0, -1), ints(1, 2, 3, 4, 9)
    found = measures.Traced(ints(0, 1), ints(0, 0), np.array([1.0, 1.0]))
    assert measures.linkage(ids, owners, texts, found, 3) == pytest.approx(2 / 9)
    assert measures.linkage(ints(), ints(), ints(), found, 3) == 0.0


def test_an_id_of_one_text_asked_again_joins_nothing() -> None:
    found = measures.Traced(ints(0), ints(0), np.array([1.0]))
    assert measures.linkage(ints(0, 0), ints(0, 0), ints(5, 5), found, 1) == 0.0


def test_joined_counts_the_further_texts_of_the_same_owner_under_an_id() -> None:
    """Id 0: owner 1 with texts 1, 2, 2 (one further each), owner 2 with text 3 (none)."""
    assert measures.joined(ints(0, 0, 0, 0), ints(1, 1, 1, 2), ints(1, 2, 2, 3)) == pytest.approx(3 / 4)


def test_the_pareto_line_has_what_nothing_beats() -> None:
    assert measures.pareto([(0.5, 0.5), (0.1, 0.2), (0.6, 0.4), (0.9, 0.9), (0.1, 0.1)]) == [1, 0, 3]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1))
def test_every_point_that_is_not_on_the_pareto_line_is_beaten_by_one_on_it(points: list[tuple[float, float]]) -> None:
    line = measures.pareto(points)
    assert line
    for place, (told, kept) in enumerate(points):
        beaten = any(points[one][0] <= told and points[one][1] >= kept and points[one] != (told, kept) for one in line)
        assert beaten != (place in line)


def test_a_log_is_counted_by_users_for_texts_hosts_and_domains_and_what_one_had_is_left_out() -> None:
    rows = [("1", "red shoes", "http://a.example.com"), ("2", "Red  shoes?", "http://b.example.com"),
            ("1", "red", "http://a.example.com"), ("2", "blue", None)]  # fmt: skip
    crowd = crowds.counted(Query(user, text, 0.0, 0.0, url=url) for user, text, url in rows)
    for one in ("term red", "pair red shoes", "query red shoes", "domain example.com"):
        assert crowd.enough(one, 2), one
        assert not crowd.enough(one, 3), one
    for one in ("term blue", "term shoes?", "host http://a.example.com"):
        assert not crowd.enough(one, 1), one
    assert "shoes" not in repr(crowd)


def test_queries_are_screened_by_the_rules_of_a_run(log: Log) -> None:
    crowd = crowds.counted(row.query for row in log.rows)

    def left(**screens: Any) -> list[Row]:
        return crowds.screened(log.rows, crowd, Way("x", "stream", "", screens=screens))

    assert {row.query.text.split()[1] for row in left(crowd_users=10)} == {"club", "shop"}
    assert left(crowd_users=10, most_words=1) == []
    assert len(left(rare="release", most_characters=500)) == len(log.rows)
    assert {row.query.url for row in left(rare="release", urls="crowd", crowd_users=20)} == {
        "http://club.example", "http://shop.example", ""
    }  # fmt: skip


def test_the_environment_changes_no_preset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYMIX_K", "3")
    assert {one.k for one in presets.presets(1)} == {20}


def test_sessions_end_after_a_pause_and_after_five_queries_and_rows_of_one_query_are_one() -> None:
    """Seven queries a minute apart, the first with two rows; then one an hour later."""
    times = [0.0, 0.0, 60.0, 120.0, 180.0, 240.0, 300.0, 360.0, 4_000.0]
    texts = ["a", "a", "b", "c", "d", "e", "f", "g", "h"]
    rows = [
        Row(Query("u", text, at, at), 1, (), place) for place, (text, at) in enumerate(zip(texts, times, strict=True))
    ]
    left = left_of(Log(rows), Way("sessions", "identifiers cut", "", period="session"))
    assert left.ids.tolist() == [0, 0, 0, 0, 0, 0, 1, 1, 2]


def test_ids_of_a_day_are_new_each_day_and_times_are_cut(log: Log) -> None:
    left = left_of(log, way("day pseudonyms, day times"))
    assert len(set(left.ids.tolist())) == len({(row.user, row.query.at // DAY) for row in log.rows})
    assert {row.query.at % DAY for row in left.rows} == {0.0}


def test_the_stream_keeps_all_rows_of_a_query_and_mixes_it(log: Log) -> None:
    twice = Log([row._replace(place=2 * row.place + copy) for row in log.rows for copy in (0, 1)])
    left = left_of(twice, way("stream, k=5"))
    places = [row.place for row in left.rows]
    assert left.rows
    assert {place ^ 1 for place in places} == set(places), "both rows of each"


def test_identifiers_cut_alone_keeps_all_and_tells_all(prepared: measuring.Prepared) -> None:
    row = measuring.measure(prepared, way("identifiers cut only"))
    assert (row["distinct"], row["volume"], row["completion"], row["ndcg"]) == (1.0, 1.0, 1.0, 1.0)
    assert row["owner named"] == 1.0
    assert row["linkage"] > 0.9


def test_mixing_names_fewer_owners_than_day_pseudonyms_and_a_threshold_keeps_fewer_queries(
    prepared: measuring.Prepared,
) -> None:
    stream, days, least = (
        measuring.measure(prepared, way(told))
        for told in ("stream, k=5", "day pseudonyms, day times", "threshold, 5 users")
    )
    assert stream["owner named"] < days["owner named"]
    assert stream["linkage"] < 0.1 < days["linkage"]
    assert least["distinct"] < 0.1 < stream["distinct"]
    assert least["isolation"] == 0.0 < stream["isolation"]
    assert stream["bound"] == 0.2


def test_suppressed_rare_terms_leave_no_text_that_one_person_only_asked(prepared: measuring.Prepared) -> None:
    row = measuring.measure(prepared, way("rare terms, 5 users"))
    assert 0.0 < row["distinct"] < 0.2
    assert row["isolation"] < 0.05


def test_a_way_that_a_log_does_not_allow_says_why() -> None:
    rows = [Row(Query(f"u{n}", "soccer", 0.0, 0.0), 13, ("Sports",), n) for n in range(3)]
    row = measuring.measure(prepared_of(Log(rows)), way("odp, k=20"))
    assert "users" in row["failed"]


def test_every_preset_is_a_way_by_its_options() -> None:
    found = {one.told.removeprefix("preset "): one for one in presets.presets(1)}
    assert tuple(found) == PRESETS
    assert (found["default"].rules, found["default"].screens) == ({}, {})
    assert (found["strict"].rules["dedupe"], found["strict"].precision) == (DAY, 3600.0)
    assert found["sessions"].rules["unit"] == "session"
    assert not found["sessions"].screens
    shared, threshold = found["shared-search-data"], found["threshold"]
    assert (shared.screens["crowd_users"], shared.screens["most_words"], shared.period) == (20, 10, "session")
    assert (threshold.screens["crowd_items"], threshold.screens["crowd_users"]) == ("queries", 30)
    assert shared.screens["urls"] == threshold.screens["urls"] == "crowd"


@pytest.mark.parametrize("name", ["shared-search-data", "threshold"])
def test_a_preset_suppresses_what_policy_compare_says(
    querymix: Command, made_up_log: Path, small_bundle: Path, name: str
) -> None:
    """What is suppressed before the pools is without chance: both count it alike, of texts as they were asked."""
    ran = querymix("policy", "--compare", "default", name, str(made_up_log), "--crowd-users", "5", "--json")
    told = json.loads(ran.stdout)["settings"][name]
    asked, log = asked_and_log(made_up_log, small_bundle)
    way = presets.way_of(name, load(crowds.PlainSettings, {"preset": name, "crowd_users": "5"}), "", 1)
    left = crowds.screened(log.rows, crowds.counted(asked), way)
    assert len(asked) == told["records"]
    assert (
        0 < len(log.rows) - len(left) == told["account"]["suppressed_as_rare"] + told["account"]["suppressed_as_long"]
    )


def test_lomax_numbers_have_the_tail_that_they_are_named_by() -> None:
    numbers = population.lomax(np.random.default_rng(1).random(200_000), (2.0, 100.0))
    for least in (50, 100, 300):
        assert (numbers >= least).mean() == pytest.approx((1 + least / 100) ** -2, rel=0.05)


TAILS = population.Tails(0.2, (0.4, 100.0), (0.5, 1e4), (0.5, 100.0), (0.5, 3.0))
SHAPE = population.Shape(ints(5, 10, 20), (3.0, 1.0), (ints(1, 2), ints(2, 3)), 40)


def test_made_up_queries_are_counted_by_user_once_each() -> None:
    kinds = population.made_up(SHAPE, TAILS, 300, 1)
    assert len(np.unique(kinds.queries)) == len(kinds.queries)
    assert 1 <= kinds.askers.min() <= kinds.askers.max() <= 300
    assert (kinds.rows == kinds.askers * np.where(kinds.queries < 40, 3.0, 1.0)).all()


def test_how_rare_terms_are_is_the_same_counted_for_some_queries_as_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = population.made_up(SHAPE, TAILS, 300, 1)
    every = population.fewest(kinds, np.arange(len(kinds.queries)), SHAPE, TAILS, pairs=True)
    some = ints(3, 50, 700)
    monkeypatch.setattr(population, "_BLOCK", 64)
    assert (population.fewest(kinds, some, SHAPE, TAILS, pairs=True) == every[some]).all()
    assert (every <= population.fewest(kinds, np.arange(len(every)), SHAPE, TAILS, pairs=False)).all()
    assert (every >= kinds.askers).all(), "who asks a query has all that is in it"


def test_more_users_leave_more_above_each_rule() -> None:
    _, few = trend.imagined(SHAPE, TAILS, 100, 1)
    _, many = trend.imagined(SHAPE, TAILS, 3_000, 1)
    for name in trend.SHOWN:
        assert few[name].volume <= many[name].volume


def test_the_trend_of_a_log_has_the_log_beside_made_up_users(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trend, "_STEPS", 2)
    found = trend.run(log, 1, (50, 200))
    assert [part["users"] for part in found["fit"]] == [4, 12, 40]
    assert [size["users"] for size in found["sizes"]] == [50, 200]
    assert 0 < found["sizes"][1]["rules"][trend.STREAM]["volume"] <= 1
    assert json.loads(json.dumps(found))["fit"] == found["fit"]


def figures(prepared: measuring.Prepared) -> dict[str, Any]:
    told = ("identifiers cut only", "threshold, 30 users", "stream, k=20", "korolova", "odp, k=20")
    rows = [measuring.measure(prepared, way(one)) for one in told]
    rows.append(measuring.measure(prepared, next(presets.presets(1))))
    size = {"users": 1_000, "different": 9, "rules": {name: {"distinct": 0.1, "volume": 0.2} for name in trend.SHOWN}}
    part = {
        "users": 40,
        "different": [9.0, 8.0],
        "rules": {"threshold, 5 users": [{"distinct": 0.1, "volume": 0.2}] * 2},
    }
    return {"log": "made <up>", "records": 2_000, "users": 40, "ways": rows, "trend": {"fit": [part], "sizes": [size]}}


def test_the_page_has_the_picture_first_then_a_sentence_and_all_sections_and_no_query(
    prepared: measuring.Prepared,
) -> None:
    found = figures(prepared)
    text = page.page(found)
    sections = [
        "<svg", "distinct queries", "<h2>All ways", "<h2>The presets", "<h2>As the population grows", "Made up:",
        "<h2>How each was made", "<h2>What this does not show",
    ]  # fmt: skip
    places = [text.index(section) for section in sections]
    assert places == sorted(places)
    assert "made &lt;up&gt;" in text
    for secret in ("soccer", "guitar", "user7"):
        assert secret not in text.lower()
        assert secret not in page.markdown(found).lower()
    assert page.markdown(found).count("\n## ") == 5


def test_marks_do_not_stand_upon_each_other() -> None:
    places = picture._apart([(1.0, 1.0)] * 12)
    assert all(abs(a[0] - b[0]) > 7 or abs(a[1] - b[1]) > 4 for n, a in enumerate(places) for b in places[:n])


@pytest.mark.parametrize(
    ("share", "told"),
    [(None, "-"), (0.0, "0 %"), (0.0004, "0.04 %"), (0.0123, "1.2 %"), (0.95, "95 %"), (1.0, "100 %")],
)
def test_shares_are_told_with_the_digits_that_they_need(share: float | None, told: str) -> None:
    assert words.percent(share) == told


def test_the_command_writes_a_page_and_its_figures_and_goes_on_with_what_was_measured(
    querymix: Command, made_up_log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [way("stream, k=20"), way("threshold, 30 users")]
    monkeypatch.setattr(all_ways, "ways", lambda _: some)
    monkeypatch.setattr(presets, "presets", lambda seed: [replace(some[0], told="preset default", preset=True)])
    out = tmp_path / "page.html"
    call = ("compare", "--frontier", str(made_up_log), "-o", str(out), "--largest", "0", "--json")
    ran = querymix(*call)
    assert ran.exit_code == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert [row["told"] for row in found["ways"]] == ["stream, k=20", "threshold, 30 users", "preset default"]
    assert "<h2>All ways" in out.read_text()
    kept = sorted((tmp_path / "page.figures" / "results").iterdir())
    assert len(kept) == 2, "the preset is the stream with k = 20, measured once"
    kept[0].write_text(json.dumps(json.loads(kept[0].read_text()) | {"rows": 123_456}))
    assert "123456" in querymix(*call).stdout


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--frontier", "-o", "page.txt"), ".html"),
        (("--frontier", "-o", "nowhere/page.html"), "cannot be written"),
        (("--frontier", "-o", "page.html", "--k", "5"), "--k has no use"),
        (("--frontier", "-o", "page.html", "--papers"), "--papers has no use"),
        (("-o", "folder", "--largest", "5"), "--largest needs --frontier"),
    ],
)
def test_the_command_refuses_what_the_frontier_has_no_use_for(
    querymix: Command, made_up_log: Path, options: tuple[str, ...], why: str
) -> None:
    ran = querymix("compare", str(made_up_log), *options)
    assert ran.exit_code == 2
    assert why in ran.stderr


def test_the_sentences_are_about_the_figures_and_say_where_a_log_is_too_small() -> None:
    kept = {"rows": 9, "distinct": 0.95, "owner named": 0.03, "isolation": 0.88}
    rows = [{"told": words.STREAM, **kept}, {"told": words.THRESHOLD, **kept, "distinct": 0.001}]
    first, last = words.seen(rows)
    assert "keeps 95 % of the distinct queries (threshold, 30 users 0.10 %)" in first
    assert "88 % of its lines" in last
    assert "too small" in words.seen([{"told": words.STREAM, **kept, "rows": 0}])[0]
    assert words.seen([]) == words.seen([{"told": words.STREAM, "failed": "why"}]) == []
