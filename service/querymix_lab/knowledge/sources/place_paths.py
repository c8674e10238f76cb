"""Which path the name of a place gets, where several places bear it.

Rules:
- A name's path is that of the places that bear it, by their people: as deep as `CERTAIN` of them live there.
- A place counts `KNOWN` times where the dictionary has it as a part of its country or state, and `HOME` times more in
  the USA: the searches that the papers used come from there. A country is known, and has `NATION` people at least.
- A word that stands in the names of larger places elsewhere ("san", "york") is no deeper than those leave it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from querymix_lab.knowledge.category_paths import certain, shared

FIRST: Final = "Regional"
KNOWN: Final = 10
HOME: Final = 2
NATION: Final = 1_000_000

Wholes = Callable[[str], Collection[str]]
"""From a place's name to the names, in lower case, of what it is a part of."""


class Named(NamedTuple):
    """A place that bears a name."""

    name: str
    path: str
    whole: str
    """The name of its state, or of its country, in lower case; empty for a country."""
    people: int


class PlacePaths:
    """Gives a name its path. `home` is the path of the USA; the words of `joined` names tell nothing by themselves."""

    def __init__(
        self, places: Iterable[Named], wholes: Wholes, home: str = "", joined: Collection[str] = frozenset()
    ) -> None:
        self._bearing: dict[str, Counter[str]] = {}
        self._around: dict[str, Counter[str]] = {}
        """Of each word: those places in whose names it is one of several words."""
        for name, path, whole, people in places:
            count = ((people if whole else max(people, NATION)) + 1) * (HOME if home and path.startswith(home) else 1)
            known = not whole or whole in wholes(name)
            self._bearing.setdefault(name, Counter())[path] += count * (KNOWN if known else 1)
            for word in () if name in joined else set(name.split()) - {name}:
                self._around.setdefault(word, Counter())[path] += count

    def __getitem__(self, name: str) -> str:
        """Return the path of a name that a place bears. Raises KeyError for any other."""
        bearing = self._bearing[name]
        path = certain(bearing, FIRST)
        around = self._around.get(name)
        return shared(path, certain(bearing + around, FIRST)) if around else path
