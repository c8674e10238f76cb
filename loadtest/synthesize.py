"""A made-up query log in the AOL 2006 format, for demonstrations, tests and load tests.

Owns: how the rows are shared out among users and put in order. How a user searches is in searching.py, what is asked in
queries.py, from the vocabulary in world.py.

Rules:
- No real query enters.
- The same arguments give the same log on any machine: the only draw is `Random.random`, whose sequence Python promises
  to keep, and no float goes through the platform's mathematics library unrounded. Faker is pinned for the same reason.
- A session's draws depend on (seed, user, session) alone, so both orders hold the same rows, and a user costs a few
  hundred bytes, however long the log is.

Source: activity is Zipf-Mandelbrot, 1 / (rank + 2.7), as in the AOL query log of 2006.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from heapq import heapify, heappop, heapreplace
from itertools import chain
from random import Random
from typing import Any, Final, Literal

from loadtest.chance import Chance
from loadtest.searching import User, begin, session_of
from loadtest.world import Draw, World, make_world

HEADER: Final = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL"

_DAY: Final = 86_400
_RANK_OFFSET: Final = 2.7
_AT_ONCE: Final = 4_096
"""Rows that are put in order of time at once."""


def synthesize(
    lines: int,
    users: int,
    seed: int,
    *,
    order: Literal["user", "time"] = "user",
    start: datetime = datetime(2006, 3, 1),
    days: int = 90,
    part: tuple[int, int] = (0, 1),
) -> Iterator[str]:
    """Return the lines of a made-up log, without line ends: the header, then `lines` rows.

    `users` is the number of users, each with at least one row (with fewer rows than users, one user a row). `order`
    is "user" (by AnonID, then time, as in each of AOL's files) or "time"; both hold the same rows. The log begins at
    `start` and lasts `days` days. `part` (n, m) gives the rows of the n-th of m parts of the users, the header in the
    first; the parts in the order of users are the whole. Memory grows with `users`, never with `lines`.

    Raises ValueError for counts below one, a negative seed or an unknown order, ImportError where Faker is missing;
    both at once, not at the first line.
    """
    if lines < 1 or users < 1 or days < 1:
        raise ValueError("lines, users and days must be at least 1")
    if seed < 0:
        raise ValueError("the seed must not be negative")
    if order not in ("user", "time"):
        raise ValueError(f'order must be "user" or "time", not {order!r}')
    first, parts = part
    if not 0 <= first < parts:
        raise ValueError("part must be the number of a part, from 0, and how many there are")
    world, chance, state = _prepared(lines, seed, start, days)
    rng = Random()
    rng.setstate(state)
    begins = int((start.replace(tzinfo=None) - _midnight(start)).total_seconds())
    population = _population(rng.random, lines, users)
    if parts > 1:
        population = _part(population, first * lines // parts, (first + 1) * lines // parts)
    searchers = (begin(chance, world, user, begins) for user in population)
    rows = _by_user(searchers, chance, world) if order == "user" else _by_time(searchers, chance, world)
    return rows if first else chain((HEADER,), rows)


def _midnight(start: datetime) -> datetime:
    return datetime(start.year, start.month, start.day)


@lru_cache(1)
def _prepared(lines: int, seed: int, start: datetime, days: int) -> tuple[World, Chance, Any]:
    """Return what all users of a log share, and the state of the generator that the users are drawn from."""
    rng = Random(seed)
    midnight = _midnight(start)
    begins = int((start.replace(tzinfo=None) - midnight).total_seconds())
    dates = [f"{midnight + timedelta(days=n):%Y-%m-%d}" for n in range(days + 1)]
    world = make_world(rng.random, seed, min(1_000, 40 + lines // 500), dates, begins + days * _DAY)
    return world, Chance(seed, rng.random), rng.getstate()


def _part(users: Iterator[User], first: int, end: int) -> Iterator[User]:
    """Yield those users whose first row, counted over all users, is among the rows from `first` to `end`."""
    row = 0
    for user in users:
        if row >= end:
            return
        if row >= first:
            rows = user.left  # before the user is at work
            yield user
            row += rows
        else:
            row += user.left


def _by_user(users: Iterator[User], chance: Chance, world: World) -> Iterator[str]:
    for user in users:
        while user.left:
            for _, line in session_of(chance, world, user):
                yield line


def _by_time(users: Iterator[User], chance: Chance, world: World) -> Iterator[str]:
    """Merge the users' sessions: a heap of the next session of each user, and the rows of those that have begun."""
    upcoming = [(user.clock, user.place, user) for user in users]
    heapify(upcoming)
    rows: defaultdict[int, list[str]] = defaultdict(list)
    waiting, enough = 0, _AT_ONCE
    while upcoming:
        _, place, user = upcoming[0]
        session = session_of(chance, world, user)
        for second, line in session:
            rows[second].append(line)
        if user.left:
            heapreplace(upcoming, (user.clock, place, user))
        else:
            heappop(upcoming)
        waiting += len(session)
        if waiting >= enough:
            begins = upcoming[0][0] if upcoming else world.ends
            for second in sorted(second for second in rows if second < begins):
                lines = rows.pop(second)
                waiting -= len(lines)
                yield from lines
            enough = waiting + _AT_ONCE
    for second in sorted(rows):
        yield from rows[second]


def _population(draw: Draw, lines: int, users: int) -> Iterator[User]:
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
        yield User(place=place, label=f"{number}\t", left=rows)
