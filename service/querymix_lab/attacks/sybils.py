"""The sybil attack: an attacker fills a pool with accounts of its own and watches what else comes out.

After every query of somebody else in one category the attacker asks some of its own, each from the account with the
least in the pool, so that the pool stays small and everything leaves soon. It waits for what each of them sets off
(longer than the click wait) before it asks the next, so it always knows which of its own users and queries are pooled.
What others ask meanwhile is left out.

A release that none of its queries set off shows that somebody asked. All that somebody asked and has not left yet may
be what leaves next, users and queries apart: of m pooled users each is the one that leaves with probability 1/m, and so
for queries. So for each asking it is known with what probability it was a query that left, and with what probability a
user that left; the owner is the user whose askings these most likely are. Those probabilities are exact but for owners
with several pooled queries, and for a line's own user, which is left out.

There are twice as many accounts as the threshold, a reserve included, asks for, so that hardly one has two entries and
the pool stays at its least size. Under `established` there are as many as it asks for: they ask once, are quiet for
that time, and only then attack. The attacker must act while the log is written, so the method is run anew over the
original with its accounts added.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from querymix.core.draw import seeded_draw
from querymix.core.records import Query, Release
from querymix.core.rules import Rules
from querymix.stages.classifying import Classified
from querymix.stages.pooling import Pooling

from querymix_lab.attacks.attacked import Attacked
from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.scoring import Guesses, Row, Score, TooShortError, score
from querymix_lab.attacks.truth import truth_of

KNOWS: Final = "2 (k + 1 + reserve) accounts of its own (half as many if aged), k, the reserve and the classifier"
QUERIES: Final = (10, 30, 100)
"""The attacker's queries after each query of somebody else."""
_LONGEST: Final = 3_000
"""Queries of the category that are attacked."""
_GONE: Final = 1e-4
"""An asking that is pooled with a smaller probability counts as gone."""


class Seen(NamedTuple):
    """A release as the attacker sees it."""

    user: int
    """-1: one of its own accounts."""
    text: int
    """-1: one of its own queries."""
    own: bool
    """Whether one of its own queries set it off."""


class _Attacker:
    """Keeps count of what its accounts have in the pool, as users and as owners of queries."""

    def __init__(self, accounts: int, first: int) -> None:
        self.users = dict.fromkeys(range(first, first + accounts), 0)
        self.owners = dict(self.users)

    def next(self) -> int:
        """Return the account that asks next: what is missing as user or owner first, then what has least of both."""
        users, owners = self.users, self.owners
        return min(users, key=lambda name: (min(users[name], owners[name]), users[name] + owners[name]))

    def asks(self, account: int) -> None:
        """Take note of a query of its own."""
        self.users[account] += 1
        self.owners[account] += 1

    def sees(self, user: int, owner: int) -> None:
        """Take note of its own users and queries in a release."""
        if user in self.users:
            self.users[user] -= 1
        if owner in self.owners:
            self.owners[owner] -= 1


def attacked_category(log: Log) -> int:
    """Return the category that is larger than a quarter of all: thin ones are attacked best."""
    categories, counts = np.unique(log.categories, return_counts=True)
    order = np.argsort(counts, kind="stable")
    return int(categories[order[len(order) // 4]])


def sybils(attacked: Attacked, rules: Rules, seed: int, queries: Sequence[int] = QUERIES) -> list[Row]:
    """Return the attack's figures for each number of queries, over the released queries of others.

    Raises TooShortError where it named nobody.
    """
    return [attack(attacked.asked.classified(), rules, seed, count)._asdict() for count in queries]


def attack(log: Log, rules: Rules, seed: int, queries: int) -> Score:
    """Return the attack's figures over a log that is in time order, one line a query; raises as `sybils` does."""
    name = f"sybils ({queries} queries)" if rules.established is None else f"sybils ({queries} queries, aged)"
    asked, seen = plant(log, rules, seed, queries)
    foreign = [line for line, release in enumerate(seen) if release.text >= 0]
    if not foreign:
        raise TooShortError(f"{name}: nothing but the attacker's own queries was released")
    users, texts = (np.array([release[column] for release in seen], dtype=np.int64)[foreign] for column in (0, 1))
    view = Log(users, texts, asked.categories[texts], asked.times[texts])
    counts = np.bincount(users[users >= 0], minlength=2)
    first, second = np.argsort(-counts, kind="stable")[:2]
    guesses = name_owners(seen, quiet=rules.established is not None)
    return score(name, KNOWS, guesses, view, truth_of(asked, view), np.where(users == first, second, first))


def plant(log: Log, rules: Rules, seed: int, queries: int) -> tuple[Log, list[Seen]]:
    """Return one category's queries as they were asked, and what the attacker sees from when it begins on.

    The text of a line is the number of its asking, so that every line has one owner.
    """
    category = attacked_category(log)
    honest = log.take(np.flatnonzero(log.categories == category)[:_LONGEST])
    first = int(honest.users.max(initial=-1)) + 1
    pooling = Pooling(rules._replace(click_wait=0.0), seeded_draw(seed), in_order=True)
    quiet, seen = rules.established or 0.0, list[Seen]()
    accounts = rules.k + 1 + rules.reserve
    attacker = _Attacker(accounts if quiet else 2 * accounts, first)

    def ask(user: int, text: int, at: float) -> None:
        if user >= first:
            attacker.asks(user)
        for release in pooling([Classified(category, Query(str(user), str(text), at, at))]):
            attacker.sees(int(release.user), int(release.query.user))
            seen.append(_seen(release, first, user >= first))

    for account in attacker.users if quiet else ():
        ask(account, -1, float(honest.times[0]))
    for text, (user, at) in enumerate(zip(honest.users.tolist(), honest.times.tolist(), strict=True)):
        ask(user, text, at)
        for _ in range(queries if at >= honest.times[0] + quiet else 0):
            ask(attacker.next(), -1, at)
    return Log(honest.users, np.arange(len(honest)), honest.categories, honest.times), seen


def _seen(release: Release, first: int, own: bool) -> Seen:
    user = int(release.user)
    return Seen(user if user < first else -1, int(release.query.text), own)


class _Side:
    """The askings of others of which one half, user or query, is still pooled: each with its probability."""

    def __init__(self) -> None:
        self.there: dict[int, float] = {}

    def leave(self, asking: int) -> dict[int, float]:
        """Return for each asking the probability that it is what leaves; `asking` is the newest."""
        whole = sum(self.there.values())
        if whole < 1:  # somebody asked unseen, since nothing left at that moment
            self.there[asking] = self.there.get(asking, 0.0) + 1 - whole
            whole = 1.0
        left = {name: there / whole for name, there in self.there.items()}
        self.there = {name: there - left[name] for name, there in self.there.items() if there - left[name] > _GONE}
        return left


def _unseen(seen: Sequence[Seen]) -> float:
    """Return how many asked unseen at least: more has left than asked."""
    asked = np.cumsum([not release.own for release in seen])
    left = [np.cumsum([release[column] >= 0 for release in seen]) for column in (0, 1)]
    return float(max(0, *((gone - asked).max(initial=0) for gone in left)))


def name_owners(seen: Sequence[Seen], *, quiet: bool = False) -> Guesses:
    """Return the likeliest owner of each foreign query, in their order: the n-th has line n.

    `quiet`: whether others asked for long before the first release.
    """
    users, queries, asking = _Side(), _Side(), 0
    if quiet:
        users.there[0] = queries.there[0] = _unseen(seen)
    askers: dict[int, dict[int, float]] = {}
    texts: list[tuple[int, dict[int, float]]] = []
    for release in seen:
        if not release.own:
            asking += 1
            users.there[asking] = queries.there[asking] = 1.0
        if release.user >= 0:
            for name, sure in users.leave(asking).items():
                of = askers.setdefault(name, {})
                of[release.user] = of.get(release.user, 0.0) + sure
        if release.text >= 0:
            texts.append((release.user, queries.leave(asking)))
    return Guesses.of([
        (line, *best) for line, (under, askings) in enumerate(texts) if (best := _likeliest(askings, askers, under))
    ])  # fmt: skip


def _likeliest(
    askings: dict[int, float], askers: dict[int, dict[int, float]], under: int
) -> tuple[int, float] | None:  # fmt: skip
    """Return the user other than `under` who most likely is behind one of the askings, and how likely that is."""
    weights: dict[int, float] = {}
    for name, sure in askings.items():
        for user, share in askers.get(name, {}).items():
            if user != under:
                weights[user] = weights.get(user, 0.0) + sure * share
    best = max(weights, key=weights.__getitem__, default=None)
    return None if best is None else (best, weights[best])
