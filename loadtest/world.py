"""The vocabulary of a made-up log: terms and templates by topic, places, hosts and persons.

Rules:
- No real query enters. Terms and templates were written for this project, hosts are made of syllables, persons come
  from Faker.
- `words/` holds one file per first-level category of the Open Directory, `anything.txt` for every category, and
  `places.txt`. A line with a capital X is a template (X: a term of the category, Y: a place), any other line is a term.
- Lines stand in order of popularity, which falls by Zipf's law.
"""

import re
from collections.abc import Callable, Sequence
from importlib import resources
from math import fsum
from typing import Final, NamedTuple, TypeVar

TOPICS: Final = (
    "arts",
    "society",
    "shopping",
    "health",
    "recreation",
    "business",
    "home",
    "computers",
    "sports",
    "regional",
    "reference",
    "games",
    "science",
    "news",
    "kids_and_teens",
)
"""The words files of the categories, the most searched first; `Adult` and `World` are left out."""

_SYLLABLES: Final = tuple(
    onset + vowel for onset in (*"bcdfghjklmnprstvwz", "br", "cl", "dr", "gr", "st", "tr") for vowel in "aeiou"
)
_ENDS: Final = ("dex", "bix", "lonk", "marn", "quist", "rvo", "stova", "tund", "vaxi", "wumm", "yond", "zelt")

T = TypeVar("T")
Draw = Callable[[], float]
"""Gives an even draw from [0, 1), as `Random.random` does."""


class Template(NamedTuple):
    """A query with gaps: text, first gap, text, second gap, text. A gap is "X", "Y" or "" (none)."""

    before: str
    first: str
    between: str
    second: str
    after: str


class Topic(NamedTuple):
    """One category's vocabulary; each popular entry stands several times in its list, so that one draw picks it."""

    terms: Sequence[str]
    templates: Sequence[Template]


class People(NamedTuple):
    """What made-up persons are put together from."""

    first_names: Sequence[str]
    surnames: Sequence[str]
    streets: Sequence[str]
    social_security_numbers: Sequence[str]


class World(NamedTuple):
    """What all users of one run share."""

    topics: Sequence[Topic]
    places: Sequence[str]
    hosts: Sequence[str]
    popular_hosts: Sequence[str]
    people: People
    days: Sequence[str]
    ends: int
    """Second, counted from the start's midnight, at which the log is over."""


def make_world(draw: Draw, seed: int, people: int, days: Sequence[str], ends: int) -> World:
    """Return the vocabulary of one run.

    Args:
        draw: makes up the hosts.
        seed: of the persons.
        people: how many names, streets and numbers they are put together from.
        days: the log's dates, from the first on.
        ends: the second after the first day's midnight at which the log is over.

    Raises ImportError where Faker is missing.
    """
    hosts = _hosts(draw, 4_000)
    return World(
        topics=_topics(),
        places=_zipf(_read("places")),
        hosts=hosts,
        popular_hosts=_zipf(hosts[:1_500], slots=8_192),
        people=_people(seed, people),
        days=days,
        ends=ends,
    )


def pick(draw: Draw, entries: Sequence[T]) -> T:
    return entries[int(draw() * len(entries))]


def _read(name: str) -> list[str]:
    return (resources.files(__package__) / "words" / f"{name}.txt").read_text(encoding="ascii").splitlines()


def _zipf(entries: Sequence[T], slots: int = 2_048) -> list[T]:
    """Return the entries, each about as often as its place earns by 1 / (place + 3), and once at the least."""
    weights = [1 / (place + 3) for place in range(len(entries))]
    unit = slots / fsum(weights)
    return [entry for entry, weight in zip(entries, weights, strict=True) for _ in range(max(1, round(weight * unit)))]


def _topics() -> list[Topic]:
    anything = [_parse(line) for line in _read("anything")]
    topics = []
    for name in TOPICS:
        lines = _read(name)
        own = [_parse(line) for line in lines if "X" in line]
        mixed = [template for pair in zip(own, anything, strict=False) for template in pair]
        rest = own[len(anything) :] + anything[len(own) :]
        topics.append(Topic(_zipf([line for line in lines if "X" not in line]), _zipf(mixed + rest)))
    return topics


def _parse(line: str) -> Template:
    before, first, between, *more = re.split("([XY])", line)
    second, after = more or ("", "")
    return Template(before, first, between, second, after)


def _hosts(draw: Draw, number: int) -> list[str]:
    """Make up `number` different hosts."""
    hosts: dict[str, None] = {}
    while len(hosts) < number:
        syllables = [pick(draw, _SYLLABLES) for _ in range(2 + int(draw() * 2))]
        hosts[f"{''.join(syllables)}{pick(draw, _ENDS)}.com"] = None
    return list(hosts)


def _people(seed: int, number: int) -> People:
    """Draw pools of `number` names, streets and social security numbers from Faker, once a run: it is slow."""
    from faker import Faker  # noqa: PLC0415 - an extra that only this needs, and slow to import

    fake = Faker("en_US")
    fake.seed_instance(seed)
    return People(
        first_names=[fake.first_name().lower() for _ in range(number)],
        surnames=[fake.last_name().lower() for _ in range(number)],
        streets=[fake.street_name().lower() for _ in range(number)],
        social_security_numbers=[fake.ssn() for _ in range(number)],
    )
