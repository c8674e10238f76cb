"""The sybil attack: an attacker fills a pool with accounts of its own and watches what else comes out.

The attacker runs k + 1 accounts. After every query of somebody else in one category it asks some of its own, each from
the account with the least in the pool, so that the pool stays at its least size and everything leaves soon. Its own
users and queries in the released log it knows; who stands near a foreign query among the users that are left is its
owner with a likelihood that falls with the distance in releases (the kernel attack over what is not its own).

The attacker must act while the log is written, so the method is run anew over the original with its accounts added.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import count
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from querymix.core.draw import seeded_draw
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.core.score import width
from querymix.stages.classifying import Classified
from querymix.stages.pooling import Pooling

from querymix_lab.attacks.logs import Ints, Log
from querymix_lab.attacks.scoring import Guesses, Score, TooShortError, score
from querymix_lab.attacks.truth import truth_of

KNOWS: Final = "k + 1 accounts of its own, the classifier, about how large k is"
A_QUERY: Final = 10
"""The attacker's queries after each query of somebody else."""
_LONGEST: Final = 3_000
"""Queries of the category that are attacked."""
_REACH: Final = 6
_DAY: Final = 86_400.0


class Accounts(NamedTuple):
    """The attacker's accounts: `renewed` seconds after its first query an account is given up for a new one."""

    name: str
    renewed: float | None


NEW: Final = Accounts("sybils (new accounts)", _DAY)
AGED: Final = Accounts("sybils (old accounts)", None)


class _Attacker:
    """Keeps count of what its accounts have in the pool."""

    def __init__(self, accounts: int, first: int, renewed: float | None) -> None:
        self.renewed = renewed
        self.inside: dict[int, int] = dict.fromkeys(range(first, first + accounts), 0)
        self.began: float | None = None

    def next(self, now: float) -> int:
        """Return the account that asks next."""
        if self.began is None:
            self.began = now
        if self.renewed is not None and now - self.began >= self.renewed:
            newest = max(self.inside) + 1
            self.inside = dict.fromkeys(range(newest, newest + len(self.inside)), 0)
            self.began = now
        account = min(self.inside, key=self.inside.__getitem__)
        self.inside[account] += 2
        return account

    def sees(self, user: int) -> None:
        """Take note of one of its own users or queries in the released log."""
        if user in self.inside:
            self.inside[user] -= 1


def attacked_category(log: Log) -> int:
    """Return the category of median size among those with users enough to look at."""
    categories, counts = np.unique(log.categories, return_counts=True)
    order = np.argsort(counts, kind="stable")
    return int(categories[order[len(order) // 2]])


def plant(log: Log, rules: Rules, accounts: Accounts, seed: int) -> tuple[Log, Log]:
    """Return one category's lines as they were asked, and as released beside the attacker's accounts.

    The text of a line is the number of its asking, so that every line has one owner; the attacker's users and texts
    have numbers above all others.
    """
    category = attacked_category(log)
    honest = log.take(np.flatnonzero(log.categories == category)[:_LONGEST])
    first = int(honest.users.max()) + 1
    pooling = Pooling(rules, seeded_draw(seed))
    attacker = _Attacker(rules.k + 1, first, accounts.renewed)
    rows: list[tuple[int, int, float]] = []
    quiet = rules.established or 0.0 if accounts.renewed is None else 0.0
    for user, text, at in _askings(honest, attacker, quiet):
        for release in pooling([Classified(category, Query(str(user), str(text), at, at))]):
            attacker.sees(int(release.user))
            attacker.sees(int(release.query.user))
            rows.append((int(release.user), int(release.query.text), release.trigger.at))
    columns = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    same = np.full(len(rows), category, dtype=np.int64)
    asked = Log(honest.users, np.arange(len(honest)), honest.categories, honest.times)
    return asked, Log(columns[0].astype(np.int64), columns[1].astype(np.int64), same, columns[2])


def _askings(honest: Log, attacker: _Attacker, quiet: float) -> Iterator[tuple[int, int, float]]:
    """Yield (user, text, time) of all queries; old accounts ask once, and are `quiet` seconds until they count."""
    own = count(len(honest))
    start = float(honest.times[0]) + quiet
    for account in attacker.inside if quiet else ():
        yield account, next(own), float(honest.times[0])
    for text, (user, at) in enumerate(zip(honest.users.tolist(), honest.times.tolist(), strict=True)):
        yield user, text, at
        for _ in range(A_QUERY if at >= start else 0):
            yield attacker.next(at), next(own), at


def sybils(log: Log, rules: Rules, accounts: Accounts, seed: int) -> Score:
    """Return the attack's figures over the released queries of others.

    Raises TooShortError where it named nobody.
    """
    asked, released = plant(log, rules, accounts, seed)
    foreign = np.flatnonzero(released.texts < len(asked))
    if not len(foreign):
        raise TooShortError(f"{accounts.name}: nothing but the attacker's own queries was released")
    last = int(asked.users.max())
    guesses = name_owners(released, foreign, last, width(rules.k))
    view = released.take(foreign)
    return score(accounts.name, KNOWS, guesses, view, truth_of(asked, view), _busiest(released, view, last))


def _busiest(released: Log, view: Log, last_user: int) -> Ints:
    """Return for each line of `view` the user up to `last_user` most released, the line's own left out."""
    counts = np.bincount(released.users[released.users <= last_user], minlength=last_user + 1)
    first, second = np.argsort(-counts, kind="stable")[[0, min(1, last_user)]]
    guesses: Ints = np.where(view.users == first, second, first)
    return guesses


def name_owners(released: Log, foreign: npt.NDArray[np.intp], last_user: int, n: float) -> Guesses:
    """Return for each foreign line the likeliest of the users up to `last_user`, by their distance in releases."""
    places = np.flatnonzero(released.users <= last_user).tolist()
    users = released.users[released.users <= last_user]
    rows = []
    for number, line in enumerate(foreign.tolist()):
        near = slice(bisect_left(places, line - _REACH * n), bisect_right(places, line + _REACH * n))
        distances = np.abs(np.array(places[near]) - line)
        candidates = users[near][distances > 0]
        if not len(candidates):
            continue
        names, which = np.unique(candidates, return_inverse=True)
        weights = np.bincount(which, np.exp(-distances[distances > 0] / n))
        best = int(np.argmax(weights))
        rows.append((number, int(names[best]), float(weights[best] / weights.sum())))
    return Guesses.of(rows)
