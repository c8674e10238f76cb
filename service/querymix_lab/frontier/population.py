"""Made-up populations of any size, whose queries are as often alike as those of a log: numbers, and no text.

Rules:
- A made-up user has as many different queries as a user of the log, drawn anew with replacement. A share of them comes
  from a bounded head, P(number < x) = (x / size) ^ power (a Zipf law), the others from a tail without an end,
  P(number >= x) = (1 + x / scale) ^ -shape (Lomax).
- A query's terms follow from its number alone, by a hash: as many as queries of the log have; the first is from such a
  tail too, each further one is a follower of the one before, whose number again is from one.
- A query of one term is no other query, so that its term is one of its own.
- Common queries, of which there are `Shape.head`, have the lengths and the mean rows of the log's queries that two
  users and more asked, all others those of its other queries.
- A user who has a term in two queries counts twice, which matters little where a term is rare.

Source: Lomax 1954; Mandelbrot 1953 (the tail of words).
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from querymix_lab.attacks.logs import Floats, Ints

MOST_TERMS: Final = 8
"""Further terms of a query are left out."""
SAMPLE: Final = 100_000
"""Queries of few askers that are looked at for how rare their terms are."""
_OFTEN: Final = 20
"""Queries of so many askers are all looked at."""
_BLOCK: Final = 1 << 20
_LIMIT: Final = float(1 << 41)
"""Numbers of queries and terms are below it, so that a number and a user fit into 64 bits."""
_FILTER: Final = 1 << 24
Hashes = npt.NDArray[np.uint64]
Tail = tuple[float, float]
"""Shape and scale."""


class Tails(NamedTuple):
    """How common queries, terms and what follows a term are."""

    share: float
    """Of queries that come from the head."""
    head: Tail
    """Its power and size."""
    query: Tail
    term: Tail
    follower: Tail


class Shape(NamedTuple):
    """What a made-up population takes from a log: numbers of things, and no thing."""

    queries: Ints
    """Different queries of each user."""
    rows: tuple[float, float]
    """Mean rows for each pair of a user and a query, of queries that several users asked, and of others."""
    lengths: tuple[Ints, Ints]
    """Terms of these queries, likewise."""
    head: int
    """How many queries several users asked."""


class Kinds(NamedTuple):
    """The different queries of a population."""

    queries: Ints
    """A number for each that says how common it is: 0 is the commonest."""
    askers: Ints
    """How many users asked each."""
    rows: Floats
    """Its rows."""


def lomax(chance: Floats, tail: Tail) -> Ints:
    """Return numbers with this tail, of chances uniform from 0 to 1."""
    shape, scale = tail
    with np.errstate(over="ignore", divide="ignore"):
        drawn = scale * ((1.0 - chance) ** (-1.0 / shape) - 1.0)
    return np.minimum(drawn, _LIMIT).astype(np.int64)


def made_up(shape: Shape, tails: Tails, users: int, seed: int) -> Kinds:
    """Return the different queries of so many users."""
    rng = np.random.default_rng(seed)
    names = np.repeat(np.arange(users), rng.choice(shape.queries, users))
    queries = drawn(rng.random(len(names)), tails)
    queries *= users
    queries += names
    queries.sort()
    queries = queries[np.append(True, queries[1:] != queries[:-1])[: len(queries)]] // users
    begins = np.flatnonzero(np.append(True, queries[1:] != queries[:-1])[: len(queries)])
    askers = np.diff(np.append(begins, len(queries)))
    numbers = queries[begins]
    return Kinds(numbers, askers, askers * np.where(numbers < shape.head, *shape.rows))


def drawn(chance: Floats, tails: Tails) -> Ints:
    """Return the numbers of queries, of chances uniform from 0 to 1; those of the tail follow those of the head."""
    power, size = tails.head
    out = np.empty(len(chance), dtype=np.int64)
    inside = chance < tails.share
    out[inside] = size * (chance[inside] / tails.share) ** (1 / power)
    out[~inside] = np.int64(size) + lomax((chance[~inside] - tails.share) / (1 - tails.share), tails.query)
    return out


def looked_at(kinds: Kinds, seed: int) -> tuple[Ints, Floats]:
    """Return the places of queries that stand for all, and for how many queries each of them stands."""
    often, few = np.flatnonzero(kinds.askers >= _OFTEN), np.flatnonzero(kinds.askers < _OFTEN)
    some = np.random.default_rng(seed).choice(few, min(SAMPLE, len(few)), replace=False)
    weights = np.ones(len(often) + len(some))
    weights[len(often) :] = len(few) / max(1, len(some))
    return np.concatenate([often, some]), weights


def fewest(kinds: Kinds, places: Ints, shape: Shape, tails: Tails, *, pairs: bool) -> Ints:
    """Return how many had the rarest of the terms, and of the pairs where they count, of the queries at `places`."""
    wanted = [(which, items) for which, items in _items(kinds.queries[places], shape, tails, pairs=pairs)]
    looked = np.zeros(_FILTER, dtype=bool)
    for _, items in wanted:
        looked[items % np.uint64(_FILTER)] = True
    found, everything = [], len(places) == len(kinds.queries)
    if everything:
        found = [np.repeat(items, kinds.askers[places[which]]) for which, items in wanted]
    for start in range(0, 0 if everything else len(kinds.queries), _BLOCK):
        askers = kinds.askers[start : start + _BLOCK]
        for which, items in _items(kinds.queries[start : start + _BLOCK], shape, tails, pairs=pairs):
            here = looked[items % np.uint64(_FILTER)]
            found.append(np.repeat(items[here], askers[which[here]]))
    had = np.sort(np.concatenate(found)) if found else np.zeros(0, dtype=np.uint64)
    out = np.full(len(places), np.iinfo(np.int64).max)
    for which, items in wanted:
        count = np.searchsorted(had, items, "right") - np.searchsorted(had, items, "left")
        out[which] = np.minimum(out[which], count)
    return out


def _items(queries: Ints, shape: Shape, tails: Tails, *, pairs: bool) -> Iterator[tuple[npt.NDArray[np.intp], Hashes]]:
    """Yield, place by place, which queries have a term there, and its hash; and those of the pairs that end there."""
    mark = _mixed(queries.astype(np.uint64))
    chance = _uniform(_mixed(mark + np.uint64(1)))
    common, other = (side[(chance * len(side)).astype(np.int64)] for side in shape.lengths)
    lengths = np.where(queries < shape.head, common, other)
    which = np.arange(len(queries))
    term = lomax(_uniform(_mixed(mark + np.uint64(2))), tails.term).astype(np.uint64)
    yield which, np.where(lengths > 1, _mixed(term), ~mark)
    for place in range(1, int(min(MOST_TERMS, lengths.max(initial=0)))):
        going = lengths[which] > place
        which, before = which[going], term[going]
        follower = lomax(_uniform(_mixed(mark[which] + np.uint64(2 + place))), tails.follower).astype(np.uint64)
        both = _mixed(_mixed(before) + follower)
        term = lomax(_uniform(both), tails.term).astype(np.uint64)
        yield which, _mixed(term)
        if pairs:
            yield which, _mixed(both ^ np.uint64(0x5BD1E995))


def _mixed(numbers: Hashes) -> Hashes:
    """Return a hash of each number (splitmix64)."""
    with np.errstate(over="ignore"):
        mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _uniform(hashes: Hashes) -> Floats:
    """Return a number from 0 to 1 for each hash."""
    return (hashes >> np.uint64(11)).astype(np.float64) / float(1 << 53)
