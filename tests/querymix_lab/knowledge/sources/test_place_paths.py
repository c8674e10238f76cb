"""A place name's path: as deep as it is certain, never that of a word in it; lists go as deep as the gazetteer."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix_lab.knowledge.category_paths import certain, shared
from querymix_lab.knowledge.facts import CategoryFact, Fact, TagFact
from querymix_lab.knowledge.sources.place_paths import FIRST, Named, PlacePaths
from querymix_lab.knowledge.sources.places import LARGE, OWN_LEVEL, deeper, place_facts

STATE, ABROAD = f"{FIRST}/Near/Home/State", f"{FIRST}/Far/Abroad"
PATHS = st.sampled_from([STATE, f"{STATE}/Town", f"{FIRST}/Near/Home", ABROAD, f"{ABROAD}/Town", f"{FIRST}/Far/Third"])


def paths(*places: tuple[str, str, str, int], known: str = "", home: str = "") -> PlacePaths:
    return PlacePaths([Named(*place) for place in places], lambda _: [known], home, ["joined and other"])


@pytest.mark.parametrize(
    ("abroad", "expected"), [(0, f"{STATE}/Town"), (400_000, f"{STATE}/Town"), (600_000, FIRST), (5_000_000, ABROAD)]
)
def test_a_name_is_as_deep_as_two_thirds_of_its_people_live_there(abroad: int, expected: str) -> None:
    found = paths(("town", f"{STATE}/Town", "state", 1_000_000), ("town", ABROAD, "abroad", abroad))
    assert found["town"] == expected


def test_what_the_dictionary_knows_and_what_is_at_home_counts_more() -> None:
    places = (("town", f"{STATE}/Town", "state", 100_000), ("town", ABROAD, "abroad", 300_000))
    assert paths(*places)["town"] == ABROAD
    assert paths(*places, known="state")["town"] == f"{STATE}/Town"
    assert paths(*places, home=f"{FIRST}/Near/Home")["town"] == FIRST


def test_a_small_place_is_not_where_the_word_of_a_larger_name_is() -> None:
    """ "San" is no sure place: millions live in San Diego and San Jose; nor is it in the country of these."""
    found = paths(("san", ABROAD, "abroad", 60_000), ("san town", f"{STATE}/Town", "state", 1_400_000))
    assert found["san"] == FIRST
    assert found["san town"] == f"{STATE}/Town"


def test_a_large_place_keeps_its_path_whatever_small_ones_are_named_after_it() -> None:
    found = paths(("town", ABROAD, "abroad", 9_000_000), ("new town", f"{STATE}/New_Town", "state", 30_000))
    assert found["town"] == ABROAD


def test_a_country_counts_more_than_its_people_and_joined_names_tell_nothing_of_their_words() -> None:
    found = paths(
        ("other", f"{FIRST}/Far/Other", "", 50),
        ("other", f"{STATE}/Other", "state", 90_000),
        ("joined and other", f"{FIRST}/Far/Joined", "", 10**9),
    )
    assert found["other"] == f"{FIRST}/Far/Other"


@given(st.dictionaries(PATHS, st.integers(1, 10**7), min_size=1))
def test_a_certain_path_has_its_share_and_no_deeper_one_has(people: dict[str, int]) -> None:
    total, path = sum(people.values()), certain(people, FIRST)

    def living(within: str) -> int:
        return sum(count for name, count in people.items() if f"{name}/".startswith(within + "/"))

    assert path == FIRST or 3 * living(path) >= 2 * total
    for name in people:
        if name.startswith(path + "/"):
            assert 3 * living("/".join(name.split("/")[: path.count("/") + 2])) < 2 * total


@given(PATHS, PATHS)
def test_what_two_paths_share_lies_above_both(one: str, other: str) -> None:
    path = shared(one, other)
    assert f"{one}/".startswith(path + "/")
    assert f"{other}/".startswith(path + "/")
    assert shared(other, one) == path
    assert shared(one, one) == one


def test_a_list_that_names_the_state_alone_is_given_the_place_itself_and_no_other_list_is_touched() -> None:
    located: list[CategoryFact | TagFact] = [
        TagFact("town", 1),
        CategoryFact("town", f"{STATE}/Town", 5.0),
        CategoryFact("town", FIRST, 1.0),
    ]
    above = [CategoryFact("town", STATE, 20.0), CategoryFact("town", FIRST, 6.0)]
    others: list[Fact] = [
        CategoryFact("town", ABROAD, 1.0),
        CategoryFact("town", "Arts/Music", 2.0),
        CategoryFact("village", STATE, 2.0),
        TagFact("town", 1),
    ]
    moved = [fact._replace(path=f"{STATE}/Town") for fact in above]
    assert list(deeper([*above, *others], located)) == [*moved, *others]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two countries with a city each of the same name, and towns of the USA."""
    cities = [
        ("US", "IN", "Springvale", OWN_LEVEL), ("US", "IN", "Smallville", OWN_LEVEL - 1),
        ("US", "IN", "Reading", LARGE - 1), ("US", "IN", "Buffalo", LARGE),
        ("US", "IN", "Saint Racket", 50_000), ("AA", "01", "Springvale", 90_000),
    ]  # fmt: skip
    rows = {
        str(number): {"countrycode": country, "admin1code": state, "name": name, "population": people}
        for number, (country, state, name, people) in enumerate(cities)
    }
    tables = {
        "us_states": {"IN": {"name": "Indiana"}},
        "countries": {
            "US": {"name": "United States", "continentcode": "NA", "population": 10**8},
            "AA": {"name": "Abroad", "continentcode": "AS", "population": 10**6},
        },
        "cities1000": rows,
        "cities15000": rows,
    }
    for name, table in tables.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(table))
    return tmp_path


def test_a_city_is_a_level_of_its_own_and_an_ordinary_word_is_a_place_only_where_it_is_large(folder: Path) -> None:
    state = "Regional/North_America/United_States/Indiana"
    facts = place_facts({"reading", "buffalo"}, (), folder)
    found = {fact.term: fact.path for fact in facts if isinstance(fact, CategoryFact)}
    assert found["smallville"] == state
    assert found["st racket"] == found["saint racket"] == f"{state}/Saint_Racket"
    assert found["reading"] == FIRST
    assert found["buffalo"] == f"{state}/Buffalo"
    assert found["springvale"] == "Regional/Asia/Abroad/Springvale"
    assert found["indiana"] == state
    assert found["america"] == "Regional/North_America/United_States"
