"""Learn term weights from an operator's click log and a directory of classified hosts.

Rules:
- A click on a host of the directory says that the query belongs under the host's category. Identifiers are cut from
  the query first; a word with four digits or more in it is no term.
- Only terms that at least `min_users` distinct users searched for with such a click enter. A user counts once for a
  term and a category. Neither a user id nor a rarer term is in the result, which the rows' order does not change.
- A term's weights move from the base's by the logarithm of how often its queries were clicked under a category over how
  often the base expects it, both smoothed; the base may be an earlier result.
- What the base expects is first scaled to the clicks' own spread, so that a category that is clicked more everywhere
  gets no credit.

Source: one step of generalized iterative scaling (Darroch and Ratcliff 1972) on a multinomial model.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from querymix.codecs.aol import AolCodec
from querymix.core.classify import parents
from querymix.core.hosts import host_of
from querymix.core.identifiers import Detector, cut
from querymix.core.knowledge import LONGEST_UNIT, STOP, Knowledge
from querymix.core.packed_weights import FIELDS, SCALE, steps, unpack
from querymix.core.text import words
from querymix.knowledge.bundle import Bundle

from querymix_lab.knowledge.facts import WeightsFact
from querymix_lab.knowledge.sources.files import open_text

LONGEST_TERM: Final = 3
"""Words in the longest term that is learned."""
SMOOTHING: Final = 30.0
"""Clicks, spread as the base expects them, that are added to a term's own."""
DRIFTS: Final = 5
"""Rounds in which the directory's own spread is fitted."""
MIN: Final = 1.0
"""Clicks that are added in every category, so that one click is never a certainty."""
RATE: Final = 0.25
"""Share of the step that a term with weights takes, because the terms of a query share what it teaches."""
_CHUNK: Final = 10_000
_MAX_DIGITS: Final = 3
_MAX_TERMS: Final = 200
"""Terms of a query that the base's expectation counts; fewer than may be added (`MAX_ADDED`)."""


class Learned(NamedTuple):
    """What a log taught."""

    facts: list[WeightsFact]
    joined: int
    """Distinct (user, query, category) clicks on hosts of the directory."""


class _Click(NamedTuple):
    user: str
    terms: frozenset[str]
    words: tuple[str, ...]
    category: int

    def __repr__(self) -> str:
        return "_Click(...)"


def learn(
    logs: Iterable[Path], hosts: Mapping[str, int], base: Bundle, detector: Detector, *, min_users: int = 5
) -> Learned:
    """Return the weights that click logs in the AOL format (plain or .gz) add to the base's.

    Raises SourceError where a log cannot be read.
    """
    clicks: set[_Click] = set()
    for path in logs:
        for user, text, host in _clicked(path):
            place = hosts.get(host, -1)
            if place < 0:
                place = next((hosts[parent] for parent in parents(host) if parent in hosts), -1)
            if place >= 0:
                clicks.update(_clicks(user, text, place, base, detector))
    return _learned(clicks, base, min_users)


def _clicked(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield user, query and host of every row with a click."""
    codec = AolCodec(urls="full")
    with open_text(path) as file:
        while lines := [line.rstrip("\r\n") for line in islice(file, _CHUNK)]:
            for query in codec.decode(lines, "", 1).queries:
                if query.url and (host := host_of(query.url)):
                    yield query.user, query.text, host


def _clicks(user: str, text: str, place: int, base: Bundle, detector: Detector) -> Iterator[_Click]:
    identifiers = detector.find(text)
    named = tuple(words(cut(text, identifiers) if identifiers else text))
    terms = frozenset(_terms(named, base))
    if terms:
        yield _Click(user, terms, named, place)


def _terms(named: tuple[str, ...], base: Bundle) -> Iterator[str]:
    for start in range(len(named)):
        for end in range(start + 1, min(start + LONGEST_TERM, len(named)) + 1):
            part = named[start:end]
            if base[part[0]].tags & STOP or base[part[-1]].tags & STOP:
                continue
            if any(sum(map(str.isdigit, word)) > _MAX_DIGITS or "@" in word for word in part):
                continue
            yield " ".join(part)


def _learned(clicks: set[_Click], base: Bundle, min_users: int) -> Learned:
    kept = _searched_by_many(clicks, min_users)
    # Sums of fractions depend on their order in the last digit, so the order is fixed.
    ordered = sorted(clicks, key=lambda click: (click.words, click.category, click.user))
    shares = {named: _share(named, base) for named in {click.words for click in clicks}}
    drift = _drift(ordered, shares)
    shares = {named: _scaled(share, drift) for named, share in shares.items()}
    seen = {term: [0.0] * FIELDS for term in kept}
    expected = {term: [0.0] * FIELDS for term in kept}
    counted: set[tuple[str, str, int]] = set()
    for click in ordered:
        share = shares[click.words]
        for term in sorted(click.terms & kept):
            if (click.user, term, click.category) not in counted:
                counted.add((click.user, term, click.category))
                seen[term][click.category] += 1
                _add(expected[term], share)
    facts = [_fact(term, seen[term], expected[term], base) for term in sorted(kept)]
    return Learned([fact for fact in facts if any(fact.weights)], len(clicks))


def _searched_by_many(clicks: Iterable[_Click], min_users: int) -> set[str]:
    """Return the terms that at least `min_users` users searched for."""
    users: dict[str, set[str]] = {}
    for click in clicks:
        for term in click.terms:
            searchers = users.setdefault(term, set())
            if len(searchers) < min_users:
                searchers.add(click.user)
    return {term for term, searchers in users.items() if len(searchers) >= min_users}


def _drift(clicks: list[_Click], shares: Mapping[tuple[str, ...], list[float]]) -> list[float]:
    """Return how much more often each category is clicked than the base expects it, over all clicks."""
    drift = [1.0] * FIELDS
    for _ in range(DRIFTS):
        seen, expected = [1.0] * FIELDS, [1.0] * FIELDS
        for click in clicks:
            seen[click.category] += 1
            _add(expected, _scaled(shares[click.words], drift))
        drift = [factor * real / wanted for factor, real, wanted in zip(drift, seen, expected, strict=True)]
    return drift


def _scaled(share: list[float], factors: list[float]) -> list[float]:
    odds = [part * factor for part, factor in zip(share, factors, strict=True)]
    total = sum(odds)
    return [part / total for part in odds]


def _add(sums: list[float], share: list[float]) -> None:
    for place, part in enumerate(share):
        sums[place] += part


def _share(named: tuple[str, ...], base: Bundle) -> list[float]:
    """Return each category's share by the base's own weights."""
    score, added = 0, 0
    for start in range(len(named)):
        for end in range(start + 1, min(start + LONGEST_UNIT, len(named)) + 1):
            weights = base[" ".join(named[start:end])].weights
            if weights and added < _MAX_TERMS:
                score, added = score + weights, added + 1
    sums = unpack(score, added)
    top = max(sums)
    odds = [math.exp((sum_ - top) / SCALE) for sum_ in sums]
    total = sum(odds)
    return [part / total for part in odds]


def _fact(term: str, seen: list[float], expected: list[float], base: Knowledge) -> WeightsFact:
    """Return how far a term's weights move."""
    total = sum(expected)
    rate = RATE if base[term].weights else 1.0
    moves = []
    for real, wanted in zip(seen, expected, strict=True):
        prior = SMOOTHING * wanted / total + MIN
        moves.append(math.log((real + prior) / (wanted + prior)))
    mean = sum(moves) / FIELDS
    return WeightsFact(term, tuple(steps(rate * (move - mean)) for move in moves))
