"""A made-up query log in the AOL 2006 format, for demonstrations, tests and load tests.

Owns: how a made-up user searches, and how a made-up query is put together. The vocabularies are the files in
`words/`: one file per first-level category of the Open Directory, `anything.txt` for every category, `places.txt`.

Rules:
- No real query enters. Terms and templates were written for this project, hosts are made of syllables, persons come
  from Faker, telephone numbers are of the range kept for fiction, and e-mail addresses end in example.com, .net, .org.
- In a words file, a line with a capital X is a template (X: a term of the category, Y: a place), any other line is a
  term. Lines stand in order of popularity, which falls by Zipf's law.
- The same arguments give the same log on any machine: the only draw is `Random.random`, whose sequence Python promises
  to keep, and no float goes through the platform's mathematics library unrounded. Faker is pinned for the same reason.
- A session's draws are seeded by (seed, user, session), so both orders hold the same rows, and a user costs a few
  hundred bytes, however long the log is.

Source: the rates are those of spec/streaming.md ("AOL format"): about 45% of the rows with a click, 8% navigational,
1% empty queries, 1.5% with an identifier, 4% misspelt; activity is Zipf-Mandelbrot, 1 / (rank + 2.7).
"""

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import heapify, heappop, heappush, heapreplace
from importlib import resources
from itertools import count
from math import fsum, log
from random import Random
from typing import Final, Literal, NamedTuple, TypeVar

HEADER: Final = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL"

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

_DAY: Final = 86_400
_MORNING: Final = 7 * 3_600
_RANK_OFFSET: Final = 2.7
_ROWS_A_SESSION: Final = 8
_PAUSE: Final = 55
"""Mean seconds between two queries of a session."""
_ROOMY: Final = 300
"""Seconds for each row that is left, below which a user is so busy that pauses shrink and nights are used."""

# Shares of the queries, cumulative. A query makes about 1.4 rows, a nameless one ("-") one.
_EMPTY: Final = 0.013
_HOST: Final = _EMPTY + 0.064
_IDENTIFIER: Final = _HOST + 0.0165
_HABIT: Final = _IDENTIFIER + 0.06

_MISSPELT: Final = 0.046
_STAY_ON_TOPIC: Final = 0.8
_REFINE: Final = 0.35
_CLICKED: Final = 0.385
_CLICKED_AGAIN: Final = 0.26
_NEXT_PAGE: Final = 0.19

_WAITS: Final = tuple(round(-log((i + 0.5) / 512), 3) for i in range(512))
"""Quantiles of the exponential distribution with mean 1, rounded so that they are the same on every machine."""

_SYLLABLES: Final = tuple(
    onset + vowel for onset in (*"bcdfghjklmnprstvwz", "br", "cl", "dr", "gr", "st", "tr") for vowel in "aeiou"
)
_ENDS: Final = ("dex", "bix", "lonk", "marn", "quist", "rvo", "stova", "tund", "vaxi", "wumm", "yond", "zelt")

_INNER_LETTER: Final = re.compile("(?<=[a-z])[a-z](?=[a-z])")
_SECONDS: Final = tuple(f"{i:02d}" for i in range(60))
_MINUTES: Final = tuple(f" {h:02d}:{m:02d}:" for h in range(24) for m in range(60))

T = TypeVar("T")
Draw = Callable[[], float]
"""Gives an even draw from [0, 1), as `Random.random` does."""


class _Template(NamedTuple):
    """A query with gaps: text, first gap, text, second gap, text. A gap is "X", "Y" or "" (none)."""

    before: str
    first: str
    between: str
    second: str
    after: str


class _Topic(NamedTuple):
    """One category's vocabulary; each popular entry stands several times in its list, so that one draw picks it."""

    terms: Sequence[str]
    templates: Sequence[_Template]


class _People(NamedTuple):
    """What made-up persons are put together from."""

    first_names: Sequence[str]
    surnames: Sequence[str]
    streets: Sequence[str]
    social_security_numbers: Sequence[str]


class _World(NamedTuple):
    """What all users of one run share."""

    topics: Sequence[_Topic]
    places: Sequence[str]
    hosts: Sequence[str]
    popular_hosts: Sequence[str]
    people: _People
    days: Sequence[str]
    ends: int
    """Second, counted from the start's midnight, at which the log is over."""


@dataclass(slots=True)
class _User:
    """One user between two sessions."""

    place: int
    label: str = field(repr=False)
    left: int
    """Rows that are still to be written."""
    clock: int = 0
    """Second, counted from the start's midnight, at which the next session begins."""
    sessions: int = 0
    interests: Sequence[int] = field(default=(), repr=False)
    """Places in `TOPICS`, each as often as the user cares for it."""
    habits: Sequence[str] = field(default=(), repr=False)
    """Queries that the user comes back to."""


def synthesize(
    lines: int,
    users: int,
    seed: int,
    *,
    order: Literal["user", "time"] = "user",
    start: datetime = datetime(2006, 3, 1),
    days: int = 90,
) -> Iterator[str]:
    """Return the lines of a made-up log, without line ends: the header, then `lines` rows.

    `users` is the number of users, each with at least one row (with fewer rows than users, one user a row). `order`
    is "user" (by AnonID, then time, as in each of AOL's files) or "time"; both hold the same rows. The log begins at
    `start` and lasts `days` days. Memory grows with `users`, never with `lines`.

    Raises ValueError for counts below one, a negative seed or an unknown order, ImportError where Faker is missing;
    both at once, not at the first line.
    """
    if lines < 1 or users < 1 or days < 1:
        raise ValueError("lines, users and days must be at least 1")
    if seed < 0:
        raise ValueError("the seed must not be negative")
    if order not in ("user", "time"):
        raise ValueError(f'order must be "user" or "time", not {order!r}')
    rng = Random(seed)
    midnight = datetime(start.year, start.month, start.day)
    begins = int((start.replace(tzinfo=None) - midnight).total_seconds())
    hosts = _hosts(rng.random, 4_000)
    world = _World(
        topics=_topics(),
        places=_zipf(_read("places")),
        hosts=hosts,
        popular_hosts=_zipf(hosts[:1_500], slots=8_192),
        people=_people(seed, min(1_000, 40 + lines // 500)),
        days=[f"{midnight + timedelta(days=n):%Y-%m-%d}" for n in range(days + 1)],
        ends=begins + days * _DAY,
    )
    population = _population(rng.random, lines, users)
    own = Random()  # not `rng`, from which the population is still drawn
    searchers = (_begin(own, seed, world, user, begins) for user in population)
    return _by_user(searchers, seed, world) if order == "user" else _by_time(searchers, seed, world)


def _by_user(users: Iterator[_User], seed: int, world: _World) -> Iterator[str]:
    yield HEADER
    rng = Random()
    for user in users:
        while user.left:
            for _, line in _session(rng, seed, world, user):
                yield line


def _by_time(users: Iterator[_User], seed: int, world: _World) -> Iterator[str]:
    """Merge the users' sessions: one heap of the next session of each user, one of the rows of open sessions."""
    yield HEADER
    rng = Random()
    upcoming = [(user.clock, user.place, user) for user in users]
    heapify(upcoming)
    rows: list[tuple[int, int, int, str]] = []
    number = count()
    while upcoming:
        begins, place, user = upcoming[0]
        while rows and rows[0][0] < begins:
            yield heappop(rows)[3]
        for second, line in _session(rng, seed, world, user):
            heappush(rows, (second, place, next(number), line))
        if user.left:
            heapreplace(upcoming, (user.clock, place, user))
        else:
            heappop(upcoming)
    while rows:
        yield heappop(rows)[3]


# Users


def _population(draw: Draw, lines: int, users: int) -> Iterator[_User]:
    """Yield the users by AnonID, the rows shared out by Zipf's law over ranks that are independent of the id."""
    users = min(users, lines)
    ranks = array("l", range(users))
    for i in range(users - 1, 0, -1):
        j = int(draw() * (i + 1))
        ranks[i], ranks[j] = ranks[j], ranks[i]
    shares = array("d", [0.0])
    for rank in range(1, users + 1):
        shares.append(shares[-1] + 1 / (rank + _RANK_OFFSET))
    total, spare = shares[-1], lines - users
    number = 0
    for place, rank in enumerate(ranks):
        number += 1 + int(draw() * 75)
        rows = 1 + int(spare * (shares[rank + 1] / total)) - int(spare * (shares[rank] / total))
        yield _User(place=place, label=f"{number}\t", left=rows)


def _begin(rng: Random, seed: int, world: _World, user: _User, begins: int) -> _User:
    """Give a user interests, habits and the time of a first session."""
    _reseed(rng, seed, user)
    draw = rng.random
    topics: list[int] = []
    for _ in range(3 + int(draw() * 3)):
        topic = int(draw() * draw() * len(TOPICS))
        while topic in topics:
            topic = (topic + 1) % len(TOPICS)
        topics.append(topic)
    weights = [_pick(draw, _WAITS) + 0.05 for _ in topics]
    most = max(weights)
    user.interests = tuple(
        topic for topic, weight in zip(topics, weights, strict=True) for _ in range(1 + int(weight / most * 15))
    )
    user.habits = tuple(
        _pick(draw, world.popular_hosts) if draw() < 0.3 else _compose(draw, world, _pick(draw, topics), None)[0]
        for _ in range(3)
    )
    user.clock = begins
    user.clock = _next_session(draw, user, world.ends)
    return user


def _reseed(rng: Random, seed: int, user: _User) -> None:
    rng.seed(seed << 64 | user.place << 32 | user.sessions)
    user.sessions += 1


def _next_session(draw: Draw, user: _User, ends: int) -> int:
    """Return the second at which the next session begins: the first of as many even draws as sessions are left."""
    room = ends - 1 - user.clock
    sessions = 1 + user.left // _ROWS_A_SESSION
    if sessions <= 8:
        fraction = draw()
        for _ in range(sessions - 1):
            fraction = min(fraction, draw())
    else:
        fraction = min(1.0, _pick(draw, _WAITS) / sessions)
    second = user.clock + int(room * fraction)
    if second % _DAY < _MORNING and room > _ROOMY * user.left:
        later = second + _MORNING + int(draw() * 8 * 3_600)
        if later < ends:
            return later
    return second


def _session(rng: Random, seed: int, world: _World, user: _User) -> list[tuple[int, str]]:
    """Return one session's rows as (second, line), in order of time, and move the user on to the next session."""
    _reseed(rng, seed, user)
    draw = rng.random
    last = world.ends - 1
    now = user.clock
    pause = _PAUSE * min(1.0, (last - now) / user.left / _ROOMY)
    least = 1 if pause > 5 else 0
    rows: list[tuple[int, str]] = []
    topic = _pick(draw, user.interests)
    term: str | None = None
    label, left = user.label, user.left
    for _ in range(1 + int(_pick(draw, _WAITS) * 5)):
        kind = draw()
        if kind >= _HABIT:
            if draw() > _STAY_ON_TOPIC:
                topic = _pick(draw, user.interests)
                term = None
            query, term = _compose(draw, world, topic, term if draw() < _REFINE else None)
            if draw() < _MISSPELT:
                query = _misspell(draw, query)
        elif kind < _EMPTY:
            query = "-"
        elif kind < _HOST:
            query = _pick(draw, world.popular_hosts)
            if draw() < _MISSPELT:
                query = _misspell(draw, query)
            if draw() < 0.5:
                query = "www." + query
        elif kind < _IDENTIFIER:
            query = _identify(draw, world)
        else:
            query = _pick(draw, user.habits)
        page = 0
        while True:
            days, second = divmod(now, _DAY)
            minute, second = divmod(second, 60)
            row = f"{label}{query}\t{world.days[days]}{_MINUTES[minute]}{_SECONDS[second]}\t"
            if draw() < _CLICKED and query != "-":
                rank = int(draw() * draw() * draw() * 10)
                rows.append((now, f"{row}{page + rank + 1}\thttp://www.{_result(world, query, page + rank)}"))
                while rank < 9 and len(rows) < left and draw() < _CLICKED_AGAIN:
                    rank += 1 + int(draw() * (9 - rank))
                    rows.append((now, f"{row}{page + rank + 1}\thttp://www.{_result(world, query, page + rank)}"))
            else:
                rows.append((now, row + "\t"))
            now = min(last, now + least + int(_pick(draw, _WAITS) * pause))
            if len(rows) >= left or query == "-" or draw() > _NEXT_PAGE:
                break
            page += 10
        if len(rows) >= left:
            break
    user.left = left - len(rows)
    user.clock = now
    if user.left:
        user.clock = _next_session(draw, user, world.ends)
    return rows


# Queries


def _compose(draw: Draw, world: _World, topic: int, term: str | None) -> tuple[str, str]:
    """Return a query of the topic and the term that it is about: `term`, or where that is None, one drawn."""
    terms, templates = world.topics[topic]
    if term is None:
        term = _pick(draw, terms)
    kind = draw()
    if kind < 0.43:
        return term, term
    if kind < 0.48:
        return f"{term} {_pick(draw, terms)}", term
    query = _fill(draw, world, _pick(draw, templates), term, terms)
    if kind > 0.82:
        query = _fill(draw, world, _pick(draw, templates), query, terms)
    return query, term


def _fill(draw: Draw, world: _World, template: _Template, term: str, terms: Sequence[str]) -> str:
    """Put `term` in the template's first X, another term in a second X, a place in Y."""
    before, first, between, second, after = template
    if not second:
        return f"{before}{term}{between}"
    if first == "Y":
        return f"{before}{_pick(draw, world.places)}{between}{term}{after}"
    others = world.places if second == "Y" else terms
    return f"{before}{term}{between}{_pick(draw, others)}{after}"


def _misspell(draw: Draw, query: str) -> str:
    """Return `query` with a letter inside a word dropped, doubled or swapped with the next."""
    inner = [match.start() for match in _INNER_LETTER.finditer(query)]
    if not inner:
        return query
    at = _pick(draw, inner)
    kind = draw()
    if kind < 0.4:
        return query[:at] + query[at + 1 :]
    if kind < 0.7:
        return query[:at] + query[at] + query[at:]
    return query[:at] + query[at + 1] + query[at] + query[at + 2 :]


def _identify(draw: Draw, world: _World) -> str:
    """Return a query that names or identifies a made-up person."""
    first_names, surnames, streets, social_security_numbers = world.people
    kind = draw()
    name = f"{_pick(draw, first_names)} {_pick(draw, surnames)}"
    if kind < 0.3:
        return name
    if kind < 0.4:
        return f"{name} {_pick(draw, world.places)}"
    if kind < 0.45:
        return f"dr {name}"
    if kind < 0.6:
        area, line = 201 + int(draw() * 780), int(draw() * 100)
        form = _pick(
            draw, ("{}-555-01{:02d}", "({}) 555-01{:02d}", "{}55501{:02d}", "{} 555 01{:02d}", "{}.555.01{:02d}")
        )
        return form.format(area, line)
    if kind < 0.7:
        mailbox = f"{name[0]}{_pick(draw, surnames)}{int(draw() * 100)}"
        return f"{mailbox}@example.{_pick(draw, ('com', 'net', 'org'))}"
    if kind < 0.77:
        return _pick(draw, social_security_numbers)
    if kind < 0.9:
        return f"{1 + int(draw() * draw() * 9_999)} {_pick(draw, streets)} {_pick(draw, world.places)}"
    return f"{_pick(draw, world.places)} {501 + int(draw() * 99_000):05d}"


def _pick(draw: Draw, entries: Sequence[T]) -> T:
    return entries[int(draw() * len(entries))]


def _result(world: _World, query: str, rank: int) -> str:
    """Return the host at a rank, counted from 0, of a query's results: a query always has the same results."""
    if rank == 0 and query.endswith(".com") and "@" not in query:
        return query.removeprefix("www.")
    spot = 31 * len(query) + 7 * ord(query[0]) + 193 * ord(query[-1]) + 1_009 * ord(query[len(query) // 2])
    return world.hosts[(spot + 37 * rank) % len(world.hosts)]


# Vocabularies


def _read(name: str) -> list[str]:
    return (resources.files(__package__) / "words" / f"{name}.txt").read_text(encoding="ascii").splitlines()


def _zipf(entries: Sequence[T], slots: int = 2_048) -> list[T]:
    """Return the entries, each about as often as its place earns by 1 / (place + 3), and once at the least."""
    weights = [1 / (place + 3) for place in range(len(entries))]
    unit = slots / fsum(weights)
    return [entry for entry, weight in zip(entries, weights, strict=True) for _ in range(max(1, round(weight * unit)))]


def _topics() -> list[_Topic]:
    anything = [_parse(line) for line in _read("anything")]
    topics = []
    for name in TOPICS:
        lines = _read(name)
        own = [_parse(line) for line in lines if "X" in line]
        mixed = [template for pair in zip(own, anything, strict=False) for template in pair]
        rest = own[len(anything) :] + anything[len(own) :]
        topics.append(_Topic(_zipf([line for line in lines if "X" not in line]), _zipf(mixed + rest)))
    return topics


def _parse(line: str) -> _Template:
    before, first, between, *more = re.split("([XY])", line)
    second, after = more or ("", "")
    return _Template(before, first, between, second, after)


def _hosts(draw: Draw, number: int) -> list[str]:
    """Make up `number` different hosts."""
    hosts: dict[str, None] = {}
    while len(hosts) < number:
        syllables = [_pick(draw, _SYLLABLES) for _ in range(2 + int(draw() * 2))]
        hosts[f"{''.join(syllables)}{_pick(draw, _ENDS)}.com"] = None
    return list(hosts)


def _people(seed: int, number: int) -> _People:
    """Draw pools of `number` names, streets and social security numbers from Faker, once a run: it is slow."""
    from faker import Faker  # noqa: PLC0415 - an extra that only this needs, and slow to import

    fake = Faker("en_US")
    fake.seed_instance(seed)
    return _People(
        first_names=[fake.first_name().lower() for _ in range(number)],
        surnames=[fake.last_name().lower() for _ in range(number)],
        streets=[fake.street_name().lower() for _ in range(number)],
        social_security_numbers=[fake.ssn() for _ in range(number)],
    )
