"""A made-up query log in the AOL 2006 format, for demonstrations, tests and load tests.

Owns: how a made-up user searches: when, how often, and what is clicked. What is asked is put together in queries.py,
from the vocabulary in world.py.

Rules:
- No real query enters.
- The same arguments give the same log on any machine: the only draw is `Random.random`, whose sequence Python promises
  to keep, and no float goes through the platform's mathematics library unrounded. Faker is pinned for the same reason.
- A session's draws are seeded by (seed, user, session), so both orders hold the same rows, and a user costs a few
  hundred bytes, however long the log is.

Source: rates as measured on the AOL query log of 2006: about 45% of the rows with a click, 8% navigational,
1% empty queries, 1.5% with an identifier, 4% misspelt; activity is Zipf-Mandelbrot, 1 / (rank + 2.7).
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import heapify, heappop, heappush, heapreplace
from itertools import count
from math import log
from random import Random
from typing import Final, Literal

from loadtest.queries import compose, identify, misspell, result_host
from loadtest.world import TOPICS, Draw, World, make_world, pick

HEADER: Final = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL"

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

_SECONDS: Final = tuple(f"{i:02d}" for i in range(60))
_MINUTES: Final = tuple(f" {h:02d}:{m:02d}:" for h in range(24) for m in range(60))


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
    dates = [f"{midnight + timedelta(days=n):%Y-%m-%d}" for n in range(days + 1)]
    world = make_world(rng.random, seed, min(1_000, 40 + lines // 500), dates, begins + days * _DAY)
    population = _population(rng.random, lines, users)
    own = Random()  # not `rng`, from which the population is still drawn
    searchers = (_begin(own, seed, world, user, begins) for user in population)
    return _by_user(searchers, seed, world) if order == "user" else _by_time(searchers, seed, world)


def _by_user(users: Iterator[_User], seed: int, world: World) -> Iterator[str]:
    yield HEADER
    rng = Random()
    for user in users:
        while user.left:
            for _, line in _session(rng, seed, world, user):
                yield line


def _by_time(users: Iterator[_User], seed: int, world: World) -> Iterator[str]:
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


def _begin(rng: Random, seed: int, world: World, user: _User, begins: int) -> _User:
    """Give a user interests, habits and the time of a first session."""
    _reseed(rng, seed, user)
    draw = rng.random
    topics: list[int] = []
    for _ in range(3 + int(draw() * 3)):
        topic = int(draw() * draw() * len(TOPICS))
        while topic in topics:
            topic = (topic + 1) % len(TOPICS)
        topics.append(topic)
    weights = [pick(draw, _WAITS) + 0.05 for _ in topics]
    most = max(weights)
    user.interests = tuple(
        topic for topic, weight in zip(topics, weights, strict=True) for _ in range(1 + int(weight / most * 15))
    )
    user.habits = tuple(
        pick(draw, world.popular_hosts) if draw() < 0.3 else compose(draw, world, pick(draw, topics), None)[0]
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
        fraction = min(1.0, pick(draw, _WAITS) / sessions)
    second = user.clock + int(room * fraction)
    if second % _DAY < _MORNING and room > _ROOMY * user.left:
        later = second + _MORNING + int(draw() * 8 * 3_600)
        if later < ends:
            return later
    return second


def _session(rng: Random, seed: int, world: World, user: _User) -> list[tuple[int, str]]:
    """Return one session's rows as (second, line), in order of time, and move the user on to the next session."""
    _reseed(rng, seed, user)
    draw = rng.random
    pause = _PAUSE * min(1.0, (world.ends - 1 - user.clock) / user.left / _ROOMY)
    rows: list[tuple[int, str]] = []
    topic = pick(draw, user.interests)
    term: str | None = None
    for _ in range(1 + int(pick(draw, _WAITS) * 5)):
        query, topic, term = _ask(draw, world, user, topic, term)
        _search(draw, world, user, query, pause, rows)
        if len(rows) >= user.left:
            break
    user.left -= len(rows)
    if user.left:
        user.clock = _next_session(draw, user, world.ends)
    return rows


def _ask(draw: Draw, world: World, user: _User, topic: int, term: str | None) -> tuple[str, int, str | None]:
    """Return the next query of a session, and the topic and the term that the one after it may stay with."""
    kind = draw()
    if kind >= _HABIT:
        if draw() > _STAY_ON_TOPIC:
            topic = pick(draw, user.interests)
            term = None
        query, term = compose(draw, world, topic, term if draw() < _REFINE else None)
        if draw() < _MISSPELT:
            query = misspell(draw, query)
    elif kind < _EMPTY:
        query = "-"
    elif kind < _HOST:
        query = pick(draw, world.popular_hosts)
        if draw() < _MISSPELT:
            query = misspell(draw, query)
        if draw() < 0.5:
            query = "www." + query
    elif kind < _IDENTIFIER:
        query = identify(draw, world)
    else:
        query = pick(draw, user.habits)
    return query, topic, term


def _search(draw: Draw, world: World, user: _User, query: str, pause: float, rows: list[tuple[int, str]]) -> None:
    """Add the rows of a query to those of the session, with its clicks and further pages, and move the user's clock.

    `pause` is the mean number of seconds until the next row.
    """
    now, left, last = user.clock, user.left, world.ends - 1
    least = 1 if pause > 5 else 0
    page = 0
    while True:
        days, second = divmod(now, _DAY)
        minute, second = divmod(second, 60)
        row = f"{user.label}{query}\t{world.days[days]}{_MINUTES[minute]}{_SECONDS[second]}\t"
        if draw() < _CLICKED and query != "-":
            rank = int(draw() * draw() * draw() * 10)
            rows.append((now, f"{row}{page + rank + 1}\thttp://www.{result_host(world, query, page + rank)}"))
            while rank < 9 and len(rows) < left and draw() < _CLICKED_AGAIN:
                rank += 1 + int(draw() * (9 - rank))
                rows.append((now, f"{row}{page + rank + 1}\thttp://www.{result_host(world, query, page + rank)}"))
        else:
            rows.append((now, row + "\t"))
        now = min(last, now + least + int(pick(draw, _WAITS) * pause))
        if len(rows) >= left or query == "-" or draw() > _NEXT_PAGE:
            break
        page += 10
    user.clock = now
