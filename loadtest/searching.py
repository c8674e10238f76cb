"""How a made-up user searches: interests and habits, sessions, clicks, and the times of all this.

Source: the AOL query log of 2006. Of the whole of it, by its README (Pass et al. 2006): 53 % of the rows with a click.
Of its excerpts: a third of what a user asks was asked before, sessions of two clicked queries five minutes apart, 8 %
navigational, 1 % empty queries, 1.5 % with an identifier, 4 % misspelt. `python -m loadtest describe` shows how well
the made-up log agrees.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from typing import Final

from loadtest.chance import Chance
from loadtest.queries import compose, identify, misspell, result_host
from loadtest.world import TOPICS, Draw, World, pick

_DAY: Final = 86_400
_MORNING: Final = 7 * 3_600
_ASKS: Final = 1.2
"""Queries of a session beyond the first, at the mean."""
_ROWS_A_SESSION: Final = 4
_PAUSE: Final = 250
"""Mean seconds between two queries of a session."""
_ROOMY: Final = 300
"""Seconds for each row that is left, below which a user is so busy that pauses shrink and nights are used."""

# Shares of the queries, cumulative. A query makes about 1.4 rows, a nameless one ("-") one.
_EMPTY: Final = 0.013
_HOST: Final = _EMPTY + 0.03
_IDENTIFIER: Final = _HOST + 0.0165
_HABIT: Final = _IDENTIFIER + 0.28

_MISSPELT: Final = 0.046
_STAY_ON_TOPIC: Final = 0.8
_REFINE: Final = 0.35
_CLICKED: Final = 0.445
_CLICKED_AGAIN: Final = 0.33
_NEXT_PAGE: Final = 0.19

_WAITS: Final = tuple(round(-log((i + 0.5) / 512), 3) for i in range(512))
"""Quantiles of the exponential distribution with mean 1, rounded so that they are the same on every machine."""

_SECONDS: Final = tuple(f"{i:02d}" for i in range(60))
_MINUTES: Final = tuple(f" {h:02d}:{m:02d}:" for h in range(24) for m in range(60))


@dataclass(slots=True)
class User:
    """One user between two sessions."""

    place: int
    label: str = field(repr=False)
    left: int
    """Rows that are still to be written."""
    clock: int = 0
    """Second, counted from the start's midnight, at which the next session begins."""
    chance: int = 0
    """Where its draws are."""
    interests: Sequence[int] = field(default=(), repr=False)
    """Places in `TOPICS`, each as often as the user cares for it."""
    habits: Sequence[str] = field(default=(), repr=False)
    """Queries that the user comes back to."""


def begin(chance: Chance, world: World, user: User, begins: int) -> User:
    """Give a user interests, habits and the time of a first session."""
    draw, user.chance = chance.first(user.place)
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
        ("www." if draw() < 0.4 else "") + pick(draw, world.popular_hosts)
        if draw() < 0.2
        else compose(draw, world, pick(draw, topics), None)[0]
        for _ in range(2 + int(draw() * draw() * 14))
    )
    user.clock = begins
    user.clock = _nextsession_of(draw, user, world.ends)
    return user


def _nextsession_of(draw: Draw, user: User, ends: int) -> int:
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


def session_of(chance: Chance, world: World, user: User) -> list[tuple[int, str]]:
    """Return one session's rows as (second, line), in order of time, and move the user on to the next session."""
    draw, user.chance = chance.next(user.chance)
    pause = _PAUSE * min(1.0, (world.ends - 1 - user.clock) / user.left / _ROOMY)
    rows: list[tuple[int, str]] = []
    topic = pick(draw, user.interests)
    term: str | None = None
    for _ in range(1 + int(pick(draw, _WAITS) * _ASKS)):
        query, topic, term = _ask(draw, world, user, topic, term)
        _search(draw, world, user, query, pause, rows)
        if len(rows) >= user.left:
            break
    user.left -= len(rows)
    if user.left:
        user.clock = _nextsession_of(draw, user, world.ends)
    return rows


def _ask(draw: Draw, world: World, user: User, topic: int, term: str | None) -> tuple[str, int, str | None]:
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


def _search(draw: Draw, world: World, user: User, query: str, pause: float, rows: list[tuple[int, str]]) -> None:
    """Add the rows of a query to those of the session, with its clicks and further pages, and move the user's clock.

    `pause` is the mean number of seconds until the next row.
    """
    now, left, last = user.clock, user.left, world.ends - 1
    least = 1 if pause > 5 else 0
    empty = query == "-"
    page = 0
    while True:
        days, second = divmod(now, _DAY)
        minute, second = divmod(second, 60)
        row = f"{user.label}{query}\t{world.days[days]}{_MINUTES[minute]}{_SECONDS[second]}\t"
        if draw() < _CLICKED and not empty:
            rank = int(draw() * draw() * draw() * 10)
            rows.append((now, f"{row}{page + rank + 1}\thttp://www.{result_host(world, query, page + rank)}"))
            while rank < 9 and len(rows) < left and draw() < _CLICKED_AGAIN:
                rank += 1 + int(draw() * draw() * (9 - rank))
                rows.append((now, f"{row}{page + rank + 1}\thttp://www.{result_host(world, query, page + rank)}"))
        else:
            rows.append((now, row + "\t"))
        now = min(last, now + least + int(_WAITS[int(draw() * 512)] * pause))
        if len(rows) >= left or empty or draw() > _NEXT_PAGE:
            break
        page += 10
    user.clock = now
