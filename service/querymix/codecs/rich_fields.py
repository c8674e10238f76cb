"""The lists of a record: its results and its clicks, under a producer's own names (querymix.core.rich).

>>> lists = RichFields({"clicks": "serp.clicked", "clicks.url": "href", "clicks.time": "ts"})
>>> lists.read({"serp.clicked": [{"href": "http://a.example/b", "ts": 1141197440, "mouse": 3}]}, 1141197432.0)
((), (('http://a.example', None, 8, None),))

Rules:
- `results` and `clicks` name a list, `results.url` and the like what is read of its elements, relative to one of them;
  dots lead into objects. Nothing else of an element is read. What is absent, null or empty is not there.
- A record is refused that has another type in such a place, or more elements or characters than `MOST_ELEMENTS` and
  `LONGEST_LINE`. Each reason names the field, and the rule.
- A click's time leaves as whole seconds after its query, never as a time of day. A number of up to a day's seconds is
  such an offset already, as querymix writes it. One of up to a minute before the query is 0, since clocks differ; what
  is earlier, or more than a day later, is refused.
- A dwell leaves in whole seconds; a day or longer is a day.
- Numbers that are no moments count seconds or milliseconds: `clicks.dwell_unit=ms` says so, or the end of the field's
  name. They leave in the unit in which they came, so that a field goes on to mean what its name says.
- URLs are cut as that of a click is. Where nothing is left of a result's URL, its title does not leave either.
- Lists leave in their order, each element with its fields in the order of `FIELDS_OF`. One whose elements say nothing
  is left out.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from querymix.codecs.base import LONGEST_LINE, CutUrls, UnreadableRecordError, UrlPolicy
from querymix.codecs.rich_values import FLAGS, READERS, UNITS, factor_of
from querymix.codecs.spelling import NULL
from querymix.core.errors import ConfigError

FIELDS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "results": ("url", "rank", "shown", "clicked", "title"),
    "clicks": ("url", "rank", "time", "dwell"),
}
"""What can be named of each list's elements, in the order of querymix.core.rich."""
RICH_NAMES: Final = (*(key for name, fields in FIELDS_OF.items() for key in (name, *(f"{name}.{f}" for f in fields))),
                     *UNITS)  # fmt: skip
"""All that can be named of them."""
_LISTS: Final = frozenset(f"{name}.list" for name in FIELDS_OF)
MOST_ELEMENTS: Final = 200
"""Of a list; those beyond would let one record grow without bound, each time that it is held, sent and kept."""
_CALLED: Final[Mapping[str, str]] = {"url": "URL", **{flag: f"flag {flag!r}" for flag in FLAGS}}
_TITLE: Final = FIELDS_OF["results"].index("title")


def flat_names(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names of fields, those of a table inside of it with dots.

    >>> flat_names({"user": "uid", "results": {"list": "serp.items", "url": "link"}})
    {'user': 'uid', 'results': 'serp.items', 'results.url': 'link'}
    """
    found: dict[str, Any] = {}
    for name, value in fields.items():
        if not isinstance(value, Mapping):
            found[name] = value
            continue
        found |= {f"{name}.{inner}": place for inner, place in value.items()}
    return {name.removesuffix(".list") if name in _LISTS else name: place for name, place in found.items()}


def split_names(names: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the names of plain fields, and those of the lists and what is in them."""
    rich = {name: names[name] for name in RICH_NAMES if name in names}
    return {name: place for name, place in names.items() if name not in rich}, rich


class _Field:
    """One field of a list's elements."""

    def __init__(self, field: str, name: str, of: str, listed: object, factor: int, others: Sequence[str]) -> None:
        parts = name.split(".")
        above = {".".join(parts[:end]) for end in range(1, len(parts))}
        self.field: Final = field
        self.name: Final = name
        self.path: Final = parts if above.isdisjoint(others) else [name]
        self.place: Final = FIELDS_OF[of].index(field)
        self.factor: Final = factor
        self.read: Final = READERS[field]
        self.flag: Final = field in FLAGS
        self.words: Final = f"the {_CALLED.get(field, field)} of a {of[:-1]} ({f'{listed}.{name}'!r})"

    def of(self, element: Mapping[Any, Any]) -> Any:
        """Return an element's value; None where it has none."""
        if len(self.path) == 1 or self.name in element:
            return element.get(self.name)
        part: Any = element
        for key in self.path:
            if not isinstance(part, Mapping):
                return None
            part = part.get(key)
        return part

    def put(self, element: dict[str, Any], value: object) -> None:
        """Write a value into an element."""
        *above, last = self.path
        for key in above:
            element = element.setdefault(key, {})
        element[last] = value


class ListField:
    """One of the lists: where it stands, and what is read of its elements."""

    def __init__(self, kind: str, names: Mapping[str, Any]) -> None:
        places: dict[str, Any] = {field: names.get(f"{kind}.{field}") for field in FIELDS_OF[kind]}
        named: dict[str, str] = {field: name for field, name in places.items() if name is not None}
        if names.get(kind, "") == "":
            raise ConfigError(f"the list of {kind} is not named: add {kind}=NAME to --fields")
        if not named:
            raise ConfigError(f"nothing of the {kind} is named: add what is to leave, such as {kind}.url=url")
        if wrong := [name for name in named.values() if not isinstance(name, str) or not name]:
            raise ConfigError(f"{wrong[0]!r} is no name of a field of {kind}")
        if len(set(named.values())) < len(named):
            raise ConfigError(f"two fields of {kind} have the same name: name each field once")
        self.kind: Final = kind
        self.name: Final[Any] = names[kind]
        if stray := [unit for unit in UNITS if unit in names and unit.removesuffix("_unit") not in names]:
            raise ConfigError(f"{stray[0]} is given without {stray[0].removesuffix('_unit')}")
        self.fields: Final = [
            _Field(field, name, kind, names[kind], factor_of(f"{kind}.{field}", name, names), [*named.values()])
            for field, name in named.items()
        ]
        self.width: Final = len(FIELDS_OF[kind])
        self._names = [field.name for field in self.fields]
        self._flat = all(len(field.path) == 1 for field in self.fields)

    def rows(self, log: Mapping[Any, Any], plain: Callable[[Any], Any] | None) -> list[list[Any]]:
        """Return the values of each element as they came, in the order of `fields`; none where there is no list."""
        found = log.get(self.name)
        if found is None or (isinstance(found, str) and found in NULL):
            return []
        if type(found) is not list and type(found) is not tuple:
            raise UnreadableRecordError(f"the {self.kind} ({self.name!r}) are no list")
        if len(found) > MOST_ELEMENTS:
            raise UnreadableRecordError(f"the {self.kind} ({self.name!r}) are more than {MOST_ELEMENTS}")
        for element in found:
            if type(element) is not dict and not isinstance(element, Mapping):
                raise UnreadableRecordError(f"one of the {self.kind} ({self.name!r}) is no object")
        if plain is None:
            if self._flat:
                names = self._names  # which is much faster than a call for each
                return [[element.get(name) for name in names] for element in found]
            return [[field.of(element) for field in self.fields] for element in found]
        return [[plain(field.of(element)) for field in self.fields] for element in found]

    def written(self, rows: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
        """Return the elements as they leave; none where they say nothing."""
        elements: list[dict[str, Any]] = []
        for row in rows:
            element: dict[str, Any] = {}
            for field in self.fields:
                value = row[field.place]
                if value is not None:
                    field.put(element, value * field.factor if field.factor else value)
            elements.append(element)
        return elements if any(elements) else []


class RichFields:
    """Reads and writes the lists that are named. Raises ConfigError where their names are wrong."""

    def __init__(self, names: Mapping[str, Any], urls: UrlPolicy = "host") -> None:
        kinds = [kind for kind in FIELDS_OF if any(key == kind or key.startswith(f"{kind}.") for key in names)]
        self.lists: Final = [ListField(kind, names) for kind in kinds]
        self._urls: Final = CutUrls() if urls == "host" else None

    def read(
        self, log: Mapping[Any, Any], at: float, plain: Callable[[Any], Any] | None = None
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
        """Return the plain form of querymix.core.rich.Rich; None where a record has nothing of it.

        `at` is the query's own moment, and `plain` makes a value plain first. Raises UnreadableRecordError, with the
        rule that the record breaks.
        """
        found: dict[str, tuple[Any, ...]] = {}
        size = 0
        for one in self.lists:
            rows = one.rows(log, plain)
            size += sum([len(value) for row in rows for value in row if type(value) is str])
            if size > LONGEST_LINE:
                raise UnreadableRecordError(f"the results and clicks have more than {LONGEST_LINE} characters")
            made = tuple([self._row(one, row, at) for row in rows])
            if any([value is not None for row in made for value in row]):  # noqa: C419 - a list is faster here
                found[one.kind] = made
        return (found.get("results", ()), found.get("clicks", ())) if found else None

    def _row(self, one: ListField, values: Sequence[Any], at: float) -> tuple[Any, ...]:
        row: list[Any] = [None] * one.width
        emptied = False
        for field, value in zip(one.fields, values, strict=True):
            if value is None:
                continue
            found: Any = (
                value if field.flag and type(value) is bool else field.read(value, field.words, at, field.factor)
            )
            if field.field == "url" and found is not None and self._urls is not None:
                found = self._urls[found] or None
                emptied = found is None
            row[field.place] = found
        if emptied and one.kind == "results":
            row[_TITLE] = None
        return tuple(row)

    def write(self, plain: Sequence[Sequence[Sequence[Any]]], log: dict[Any, Any]) -> None:
        """Add the lists to a record that leaves; `plain` is the plain form of querymix.core.rich.Rich."""
        for one in self.lists:
            if elements := one.written(plain[0 if one.kind == "results" else 1]):
                log[one.name] = elements
