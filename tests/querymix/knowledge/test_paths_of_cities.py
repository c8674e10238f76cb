"""Where the bundle that comes along has the large cities of the USA and of the world, in queries of several shapes."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from querymix.core.classify import Classify
from querymix.core.identifiers import Detector
from querymix.core.paper import PaperClassifier
from querymix.core.terms import TermsClassifier
from querymix.core.unknown import Reduce
from querymix.knowledge.bundle import Bundle

SHAPES = (
    "{}",
    "{} hotels",
    "hotels in {}",
    "{} map",
    "{} weather",
    "cheap flights to {}",
    "{} apartments",
    "jobs in {}",
)
COUNTRY, STATE = 2, 3
"""Levels of a path, counted from 0."""


class City(NamedTuple):
    name: str
    country: str
    state: str


def cities() -> Iterator[City]:
    for line in Path(__file__).with_name("cities.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, country, *state = line.split("\t")
            yield City(name, country, *(state or [""]))


CITIES = list(cities())


@pytest.fixture(scope="module", params=["terms", "paper"])
def classify(request: pytest.FixtureRequest) -> Classify:
    bundle = Bundle()
    detector = Detector(bundle)
    if request.param == "paper":
        return PaperClassifier(bundle, detector)
    return TermsClassifier(bundle, detector, Reduce(bundle, bundle.counts), bundle.bias)


def test_no_city_is_in_another_country_or_state(classify: Classify) -> None:
    placed, wrong = 0, []
    for city in CITIES:
        for shape in SHAPES:
            path = classify(shape.format(city.name)).path.split("/")
            if path[0] == "Regional" and len(path) > COUNTRY:
                placed += 1
                if path[COUNTRY] != city.country or (city.state and path[STATE:4] not in ([], [city.state])):
                    wrong.append((city.name, path))
    assert len(CITIES) > 200
    assert placed > 500
    assert not wrong


@pytest.mark.parametrize(
    "name", ["san diego", "san jose", "san francisco", "new york city", "santa fe", "las vegas", "fort worth"]
)
def test_a_city_has_five_levels(name: str) -> None:
    path = Bundle()[name].path.split("/")
    assert path[:STATE] == ["Regional", "North_America", "United_States"]
    assert len(path) == 5


@pytest.mark.parametrize("name", ["san", "york", "cambridge", "normal", "early"])
def test_a_name_without_a_certain_country_has_the_shorter_path(name: str) -> None:
    assert Bundle()[name].path in ("Regional", "")


def test_paths_of_every_kind_have_five_levels_and_more() -> None:
    deep = {term.path.partition("/")[0] for _, term in Bundle().terms() if term.path.count("/") >= 4}
    assert len(deep) >= 12
