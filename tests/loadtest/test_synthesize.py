"""The made-up query log has the form of AOL's, its habits at about their rates, and is the same for the same seed."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from importlib import resources
from itertools import groupby, islice, pairwise
from random import Random
from typing import Literal, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.knowledge import CATEGORIES

from loadtest.chance import Chance
from loadtest.queries import misspell
from loadtest.synthesize import HEADER, synthesize
from loadtest.world import TOPICS

LINES = 50_000
USERS = 3_000
FINGERPRINT = "4a833434521a3572292dffc470b23d426700b53c1d654fc7702c0a3b37404877"

orders = st.sampled_from(["user", "time"])


class Row(NamedTuple):
    """One row of the log, its fields as they stand."""

    user: str
    query: str
    time: str
    rank: str
    url: str


def parsed(lines: list[str]) -> list[Row]:
    """Split the lines after the header."""
    return [Row(*line.split("\t")) for line in lines[1:]]


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return list(synthesize(LINES, USERS, 1))


@pytest.fixture(scope="module")
def rows(lines: list[str]) -> list[Row]:
    return parsed(lines)


@pytest.fixture(scope="module")
def vocabulary() -> set[str]:
    """Every word that a query can hold by rule: those of the words files."""
    files = resources.files("loadtest") / "words"
    return {word for file in files.iterdir() for word in file.read_text(encoding="ascii").split()}


def fingerprint(lines: Iterable[str]) -> str:
    """Hash a log."""
    return sha256("\n".join(lines).encode()).hexdigest()


def share(rows: list[Row], pattern: str) -> float:
    """Share of the rows whose query matches `pattern` somewhere."""
    return sum(re.search(pattern, row.query) is not None for row in rows) / len(rows)


# Form


@settings(deadline=None, max_examples=40)
@given(
    lines=st.integers(1, 400),
    users=st.integers(1, 500),
    order=orders,
    days=st.integers(1, 120),
    start=st.datetimes(datetime(1999, 1, 1), datetime(2030, 1, 1)),
)
def test_every_line_has_the_form_of_an_aol_row(
    lines: int, users: int, order: Literal["user", "time"], days: int, start: datetime
) -> None:
    header, *found = synthesize(lines, users, lines * users, order=order, start=start, days=days)
    assert header == HEADER == "AnonID\tQuery\tQueryTime\tItemRank\tClickURL"
    assert len(found) == lines
    for line in found:
        row = Row(*line.split("\t"))
        assert row.user.isdecimal()
        assert row.query == row.query.strip() == row.query.lower() != ""
        assert "\n" not in line
        assert start.replace(microsecond=0) <= datetime.strptime(row.time, "%Y-%m-%d %H:%M:%S")
        assert datetime.strptime(row.time, "%Y-%m-%d %H:%M:%S") < start + timedelta(days=days)
        assert (row.rank == "") == (row.url == "")
        assert re.fullmatch(r"(\d+)?", row.rank)
        assert re.fullmatch(r"(http://www\.[a-z]+\.com)?", row.url)
    assert len({line.split("\t")[0] for line in found}) == min(lines, users)


def test_rows_without_a_click_keep_their_two_empty_fields(lines: list[str]) -> None:
    assert all(line.count("\t") == 4 for line in lines)
    assert any(line.endswith("\t\t") for line in lines)


# Order


@settings(deadline=None, max_examples=15)
@given(lines=st.integers(1, 2_000), users=st.integers(1, 200), seed=st.integers(0, 2**40))
def test_both_orders_hold_the_same_rows_each_sorted_its_way(lines: int, users: int, seed: int) -> None:
    by_user = list(synthesize(lines, users, seed, order="user"))
    by_time = list(synthesize(lines, users, seed, order="time"))
    assert sorted(by_user) == sorted(by_time)
    keys = [(int(row.user), row.time) for row in parsed(by_user)]
    assert keys == sorted(keys)
    times = [row.time for row in parsed(by_time)]
    assert times == sorted(times)
    # A user's own rows stand in the same order in both, the clicks of one query together.
    for user in {row.user for row in parsed(by_user)}:
        assert [row for row in parsed(by_user) if row.user == user] == [
            row for row in parsed(by_time) if row.user == user
        ]


def test_a_user_who_fills_the_whole_window_stays_inside_it() -> None:
    rows = parsed(list(synthesize(30_000, 1, 5, days=1)))
    times = [row.time for row in rows]
    assert times == sorted(times)
    assert times[0] < "2006-03-01 02"
    assert "2006-03-01 22" < times[-1] <= "2006-03-01 23:59:59"
    assert Counter(times).most_common(1)[0][1] < 50


# Determinism


@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 2**40), order=orders)
def test_the_same_seed_gives_the_same_log(seed: int, order: Literal["user", "time"]) -> None:
    assert list(synthesize(300, 40, seed, order=order)) == list(synthesize(300, 40, seed, order=order))


def test_another_seed_gives_another_log() -> None:
    assert len({tuple(synthesize(300, 40, seed)) for seed in range(5)}) == 5


def test_neither_the_global_generator_nor_another_log_between_changes_a_log() -> None:
    whole = list(synthesize(500, 40, 3))
    first, second = synthesize(500, 40, 3), synthesize(500, 40, 3)
    turns = [(a, b) for a, b in zip(first, second, strict=True)]
    assert [a for a, _ in turns] == [b for _, b in turns] == whole


def test_the_log_of_a_seed_is_the_same_on_every_machine() -> None:
    """The fingerprint was taken once; it changes only with the generator, its words, or the pinned Faker."""
    assert fingerprint(synthesize(5_000, 300, 2006)) == FINGERPRINT


# Users


def test_activity_falls_by_zipfs_law(rows: list[Row]) -> None:
    counts = [n for _, n in Counter(row.user for row in rows).most_common()]
    assert len(counts) == USERS
    assert 0.02 < counts[0] / LINES < 0.06
    # 1 / rank: ten times the rank, a tenth of the rows (the offset and the one row for everyone bend the ends).
    assert 5 < counts[9] / counts[99] < 11
    assert 5 < counts[29] / counts[299] < 11


def test_a_users_id_says_nothing_of_its_activity(rows: list[Row]) -> None:
    counts = Counter(row.user for row in rows)
    ids = sorted(counts, key=int)
    half = sum(counts[user] for user in ids[: len(ids) // 2])
    assert 0.3 < half / LINES < 0.7


def test_users_search_in_bursts_with_days_of_silence_between(rows: list[Row]) -> None:
    gaps = [
        (datetime.fromisoformat(b.time) - datetime.fromisoformat(a.time)).total_seconds()
        for _, own in groupby(rows, key=lambda row: row.user)
        for a, b in pairwise(own)
    ]
    within = sum(gap < 600 for gap in gaps) / len(gaps)
    assert 0.5 < within < 0.7
    apart = [gap for gap in gaps if gap >= 3_600]
    assert sum(gap > 86_400 for gap in apart) / len(apart) > 0.3


# Queries


def test_about_a_third_of_the_queries_are_distinct_and_their_number_grows_with_the_log(rows: list[Row]) -> None:
    assert 0.30 < len({row.query for row in rows}) / LINES < 0.45
    shuffled = Random(0).sample(rows, LINES)
    seen = [len({row.query for row in shuffled[:n]}) for n in (12_500, 25_000, 50_000)]
    assert seen[1] > 1.5 * seen[0]
    assert seen[2] > 1.5 * seen[1]


def test_popular_queries_fall_by_zipfs_law(rows: list[Row]) -> None:
    counts = [n for _, n in Counter(row.query for row in rows if row.query != "-").most_common()]
    assert counts[0] / LINES < 0.02
    assert counts[0] > 4 * counts[99] > 4 * counts[999]
    assert counts[-1] == 1


@pytest.mark.parametrize(
    ("quirk", "pattern", "least", "most"),
    [
        ("an empty query", r"^-$", 0.007, 0.013),
        ("a host", r"^[a-z.]+\.com$", 0.06, 0.10),
        ("www before a host", r"^www\.", 0.02, 0.06),
        ("an e-mail address", r"@example\.(com|net|org)$", 0.0005, 0.004),
        ("a social security number", r"^\d{3}-\d{2}-\d{4}$", 0.0003, 0.003),
        ("a telephone number", r"555.?01\d\d$", 0.001, 0.005),
        ("a place with its zip code", r"^[a-z ]+ \d{5}$", 0.0005, 0.004),
        ("a street address", r"^\d{1,4} [a-z]+ [a-z ]+$", 0.0008, 0.005),
    ],
)
def test_quirks_come_at_about_their_rates(rows: list[Row], quirk: str, pattern: str, least: float, most: float) -> None:
    assert least < share(rows, pattern) < most, quirk


def test_every_telephone_number_is_of_the_range_kept_for_fiction(rows: list[Row]) -> None:
    numbers = [row.query for row in rows if len(re.sub(r"\D", "", row.query)) == 10]
    assert numbers
    assert all(re.sub(r"\D", "", number)[3:8] == "55501" for number in numbers)


def test_misspelt_and_personal_queries_are_those_with_words_of_no_vocabulary(
    rows: list[Row], vocabulary: set[str]
) -> None:
    """About 4% misspelt and 1.5% personal, less the misspellings that leave a word as it was."""
    strange = [
        row
        for row in rows
        if row.query != "-" and ".com" not in row.query and not vocabulary.issuperset(row.query.split())
    ]
    assert 0.035 < len(strange) / LINES < 0.065


def test_half_of_the_rows_and_more_hold_a_click(rows: list[Row]) -> None:
    clicks = [row for row in rows if row.rank]
    assert 0.48 < len(clicks) / LINES < 0.58
    ranks = Counter(int(row.rank) for row in clicks)
    assert ranks[1] > ranks[2] > ranks[5] > ranks[10]
    assert any(rank > 10 for rank in ranks), "a click on a next page"


def test_a_query_with_several_clicks_is_several_rows_of_the_same_time(rows: list[Row]) -> None:
    several = 0
    for _, group in groupby(rows, key=lambda row: row[:3]):
        same = list(group)
        if len(same) > 1 and all(row.rank for row in same):
            several += 1
            assert len({row.rank for row in same}) == len(same)
    assert 0.04 < several / LINES < 0.12


def test_a_next_page_repeats_the_query_later(rows: list[Row]) -> None:
    repeats = sum(a.user == b.user and a.query == b.query and a.time < b.time for a, b in pairwise(rows))
    assert 0.08 < repeats / LINES < 0.22


def test_the_same_rank_of_the_same_query_is_the_same_page(rows: list[Row]) -> None:
    pages: dict[tuple[str, str], str] = {}
    for row in rows:
        if row.rank:
            assert pages.setdefault((row.query, row.rank), row.url) == row.url


@given(query=st.text("abcdefgh 0-", min_size=1, max_size=30), seed=st.integers(0, 2**32))
def test_a_misspelling_touches_one_place_inside_a_word(query: str, seed: int) -> None:
    found = misspell(Random(seed).random, query)
    assert abs(len(found) - len(query)) <= 1
    assert found[:1] == query[:1]
    assert [len(part) > 0 for part in found.split(" ")] == [len(part) > 0 for part in query.split(" ")]
    assert sum((Counter(found) - Counter(query)).values()) <= 1


# Vocabularies


def test_every_topic_is_a_category_of_the_open_directory() -> None:
    assert set(TOPICS) <= {name.lower().replace(" ", "_") for name in CATEGORIES}
    assert 13 <= len(TOPICS) <= 16


@pytest.mark.parametrize("name", [*TOPICS, "anything", "places"])
def test_words_files_hold_many_lower_case_terms_and_each_line_once(name: str) -> None:
    lines = (resources.files("loadtest") / "words" / f"{name}.txt").read_text(encoding="ascii").splitlines()
    assert len(lines) == len(set(lines))
    terms = [line for line in lines if not re.search("[XY]", line)]
    assert all(re.fullmatch("[a-z0-9]+( [a-z0-9]+)*", term) for term in terms)
    assert all(
        re.fullmatch("([XY]|[a-z0-9]+)( ([XY]|[a-z0-9]+))*", line) and "X" in line
        for line in lines
        if line not in terms
    )
    assert len(terms) >= 80 or name == "anything"


# Refusals


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lines": 0}, "at least 1"),
        ({"users": 0}, "at least 1"),
        ({"days": 0}, "at least 1"),
        ({"seed": -1}, "seed"),
        ({"order": "query"}, "order"),
    ],
)
def test_what_cannot_be_made_is_refused_before_the_first_line(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        synthesize(**({"lines": 10, "users": 2, "seed": 0} | arguments))  # type: ignore[arg-type]


def test_lines_are_made_as_they_are_asked_for() -> None:
    assert len(list(islice(synthesize(10**9, 100, 0), 50))) == 50
    assert len(list(islice(synthesize(10**9, 100, 0, order="time"), 50))) == 50


# Parts


@settings(deadline=None, max_examples=15)
@given(lines=st.integers(1, 1_500), users=st.integers(1, 200), seed=st.integers(0, 2**70), parts=st.integers(1, 7))
def test_the_parts_of_a_log_in_order_are_the_log(lines: int, users: int, seed: int, parts: int) -> None:
    found = [line for part in range(parts) for line in synthesize(lines, users, seed, part=(part, parts))]
    assert found == list(synthesize(lines, users, seed))


def test_a_part_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="part"):
        synthesize(10, 2, 0, part=(3, 3))


def test_seeds_and_users_have_draws_of_their_own_that_are_even() -> None:
    """Kolmogorov-Smirnov over all draws, and over the first of each session, which tell a bad mixing."""
    chance = Chance(7, Random(7).random)
    firsts, every = [], []
    for user in range(2_000):
        draw, state = chance.first(user)
        for _ in range(3):
            session = [draw() for _ in range(40)]
            firsts.append(session[0])
            every += session
            draw, state = chance.next(state)
    assert len(set(firsts)) == len(firsts)
    assert all(0 <= number < 1 for number in every)
    for found in (firsts, every):
        found.sort()
        distance = max(abs(number - place / len(found)) for place, number in enumerate(found))
        assert distance < 2 / len(found) ** 0.5
