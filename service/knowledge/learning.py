"""Learn evidence from an operator's click log and a directory of classified hosts.

Rules:
- A click on a host of the directory says that the query belongs under the host's category. Identifiers are cut from
  the query first; a word with four digits or more in it is no term.
- Only terms that at least `min_users` distinct users searched for with such a click enter, and what they searched for
  a category by counts once a user, however often. Neither a user id nor a rarer term is in what comes out.
- What is learned stands on the base: a term's weights move by the logarithm of how often its queries were clicked
  under a category over how often the base expects it, both smoothed. So a base that already knows stays as it is, a
  base may be an earlier result, and a term that the base lacks gets all its weight from the clicks.
- Directories are not spread like queries: what the base expects is first scaled to the clicks' own spread over the
  categories, so that a category that is clicked more everywhere gets no credit.
- Order of the rows and names of the users do not matter: equal logs give equal facts.

Source: one step of generalized iterative scaling (Darroch and Ratcliff, 1972) on a multinomial model.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from service.codecs.aol import AolCodec
from service.core.classify import parents
from service.core.errors import Misconfigured
from service.core.hosts import host_of
from service.core.identifiers import Detector, cut
from service.core.knowledge import CATEGORIES, LONGEST_UNIT, STOP, UNKNOWN, Knowledge
from service.core.lanes import LANES, SCALE, steps, unpack
from service.core.text import words
from service.knowledge.bundle import Bundle
from service.knowledge.facts import (
    CategoryFact,
    EvidenceFact,
    Fact,
    PathFact,
    RecommendationFact,
    ReferenceFact,
    TagFact,
)
from service.knowledge.sources import operator
from service.knowledge.sources.files import SourceError, open_text, rows

BASE: Final = "the base bundle"
LONGEST_TERM: Final = 3
"""Words in the longest term that is learned."""
SMOOTHING: Final = 30.0
"""Clicks, spread as the base expects them, that stand beside a term's own."""
DRIFTS: Final = 5
"""Rounds in which the directory's own spread is fitted."""
LEAST: Final = 1.0
"""Clicks that stand in every category beside these, so that one click is never a certainty."""
RATE: Final = 0.25
"""Share of the step that a term with evidence takes: the terms of a query share what it teaches."""
_BASE_WEIGHT: Final = 20.0
_PLACES: Final = {name: place for place, name in enumerate(CATEGORIES)}
_CHUNK: Final = 10_000
_MOST_DIGITS: Final = 3
_LEAST_LABEL: Final = 4


class Learned(NamedTuple):
    """What a log taught."""

    facts: list[EvidenceFact]
    rows: int
    """Log rows read."""
    joined: int
    """Distinct (user, query, category) clicks on hosts of the directory."""
    rare: int
    """Terms that were left out because too few users searched for them."""


class _Click(NamedTuple):
    user: str
    terms: frozenset[str]
    words: tuple[str, ...]
    category: int


def base_facts(base: Bundle) -> Iterator[Fact]:
    """Yield a bundle's terms as the facts that compile into them again."""
    for name, term in base.terms():
        if term.tags:
            yield TagFact(name, term.tags)
        if term.references:
            yield ReferenceFact(name, term.references)
        if term.recommendation:
            yield RecommendationFact(name, term.recommendation)
        if term.category >= 0:
            yield (CategoryFact if term.evidence else PathFact)(name, term.path, _BASE_WEIGHT)
        if term.evidence:
            yield EvidenceFact(name, tuple(unpack(term.evidence)))


def facts_from(
    base: Bundle,
    *,
    clicks: Sequence[Path],
    directory: Sequence[Path],
    categories: Sequence[Path] = (),
    site_terms: Sequence[Path] = (),
    min_users: int = 5,
) -> Iterator[tuple[str, Iterable[Fact]]]:
    """Yield each source's name and facts, the base's first.

    Raises Misconfigured where a file cannot be read or the directory knows none of the clicked hosts.
    """
    try:
        yield BASE, base_facts(base)
        host_facts = sorted({fact for path in directory for fact in operator.host_tsv(path)})
        hosts = {host: _PLACES[path.partition("/")[0]] for host, path, _ in host_facts}
        yield "the directory's hosts", host_facts
        yield "the names of these hosts", label_facts(hosts, base)
        for path in categories:
            yield path.name, title_facts(path)
        for path in site_terms:
            yield path.name, phrase_facts(path, base)
        learned = learn(clicks, hosts, base, Detector(base), min_users=min_users)
        if not learned.joined:
            raise Misconfigured("no click of the log leads to a host of the directory: are these the right files?")
        yield f"{learned.joined:,} clicks of {min_users} users or more a term", learned.facts
    except SourceError as error:
        raise Misconfigured(str(error)) from None


def title_facts(path: Path) -> Iterator[PathFact]:
    """Yield what the names of categories say: the last part of each path is a term of it."""
    for _, (full, _) in rows(path, "path sites"):
        category = operator.category_path(full)
        name = " ".join(words(category.rpartition("/")[2].replace("_", " ")))
        if len(name) > 1:
            yield PathFact(name, category, 1.0)


def phrase_facts(path: Path, base: Knowledge) -> Iterator[CategoryFact | PathFact]:
    """Yield key phrases of sites; those that the base has evidence on lend a path only."""
    for fact in operator.category_tsv(path):
        if fact.term:
            known = base[fact.term].evidence or " " in fact.term
            yield PathFact(*fact) if known else fact


def label_facts(hosts: Mapping[str, int], base: Knowledge) -> Iterator[CategoryFact]:
    """Yield the names of hosts ("example" of "example.com") that the base does not know as terms."""
    done: set[str] = set()
    for host, place in hosts.items():
        labels = host.split(".")
        name = labels[-2] if len(labels) == 2 else ""
        if len(name) >= _LEAST_LABEL and name.isalpha() and name not in done and base[name] is UNKNOWN:
            done.add(name)
            yield CategoryFact(name, CATEGORIES[place], 1.0)


def learn(
    logs: Iterable[Path], hosts: Mapping[str, int], base: Bundle, detector: Detector, *, min_users: int = 5
) -> Learned:
    """Return the evidence that click logs in the AOL format (plain or .gz) add to the base's.

    Raises SourceError where a log cannot be read.
    """
    counted = _Rows()
    clicks: set[_Click] = set()
    for path in logs:
        for user, text, host in counted.read(path):
            place = hosts.get(host, -1)
            if place < 0:
                place = next((hosts[parent] for parent in parents(host) if parent in hosts), -1)
            if place >= 0:
                clicks.update(_clicks(user, text, place, base, detector))
    return _learned(clicks, base, min_users, counted.rows)


class _Rows:
    """Reads logs and counts their rows."""

    def __init__(self) -> None:
        self.rows = 0

    def read(self, path: Path) -> Iterator[tuple[str, str, str]]:
        """Yield user, query and host of every row with a click."""
        codec = AolCodec(urls="full")
        with open_text(path) as file:
            lines: list[str] = []
            for line in file:
                lines.append(line.rstrip("\r\n"))
                if len(lines) == _CHUNK:
                    yield from self._decoded(codec, lines)
                    lines.clear()
            yield from self._decoded(codec, lines)

    def _decoded(self, codec: AolCodec, lines: list[str]) -> Iterator[tuple[str, str, str]]:
        queries = codec.decode(lines, "", 1).queries
        self.rows += len(queries)
        for query in queries:
            if query.url and (host := host_of(query.url)):
                yield query.user, query.text, host


def _clicks(user: str, text: str, place: int, base: Bundle, detector: Detector) -> Iterator[_Click]:
    found = detector.find(text)
    named = tuple(words(cut(text, found) if found else text))
    terms = frozenset(_terms(named, base))
    if terms:
        yield _Click(user, terms, named, place)


def _terms(named: tuple[str, ...], base: Bundle) -> Iterator[str]:
    for start in range(len(named)):
        for end in range(start + 1, min(start + LONGEST_TERM, len(named)) + 1):
            part = named[start:end]
            if base[part[0]].tags & STOP or base[part[-1]].tags & STOP:
                continue
            if any(sum(map(str.isdigit, word)) > _MOST_DIGITS or "@" in word for word in part):
                continue
            yield " ".join(part)


def _learned(clicks: set[_Click], base: Bundle, min_users: int, rows: int) -> Learned:
    users: dict[str, set[str]] = {}
    for click in clicks:
        for term in click.terms:
            crowd = users.setdefault(term, set())
            if len(crowd) < min_users:
                crowd.add(click.user)
    kept = {term for term, crowd in users.items() if len(crowd) >= min_users}
    # Sums of fractions depend on their order in the last digit, so the order is fixed.
    ordered = sorted(clicks, key=lambda click: (click.words, click.category, click.user))
    shares = {named: _share(named, base) for named in {click.words for click in clicks}}
    drift = _drift(ordered, shares)
    shares = {named: _scaled(share, drift) for named, share in shares.items()}
    seen = {term: [0.0] * LANES for term in kept}
    expected = {term: [0.0] * LANES for term in kept}
    counted: set[tuple[str, str, int]] = set()
    for click in ordered:
        share = shares[click.words]
        for term in sorted(click.terms & kept):
            if (click.user, term, click.category) not in counted:
                counted.add((click.user, term, click.category))
                seen[term][click.category] += 1
                _add(expected[term], share)
    facts = [_fact(term, seen[term], expected[term], base) for term in sorted(kept)]
    return Learned([fact for fact in facts if any(fact.weights)], rows, len(clicks), len(users) - len(kept))


def _drift(clicks: list[_Click], shares: Mapping[tuple[str, ...], list[float]]) -> list[float]:
    """Return how much more often each category is clicked than the base expects it, over all clicks."""
    drift = [1.0] * LANES
    for _ in range(DRIFTS):
        seen, expected = [1.0] * LANES, [1.0] * LANES
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
    """Return each category's share by the base's own evidence."""
    score, added = 0, 0
    for start in range(len(named)):
        for end in range(start + 1, min(start + LONGEST_UNIT, len(named)) + 1):
            evidence = base[" ".join(named[start:end])].evidence
            if evidence and added < 200:
                score, added = score + evidence, added + 1
    lanes = unpack(score, added)
    top = max(lanes)
    odds = [math.exp((lane - top) / SCALE) for lane in lanes]
    total = sum(odds)
    return [part / total for part in odds]


def _fact(term: str, seen: list[float], expected: list[float], base: Knowledge) -> EvidenceFact:
    """Return how far a term's weights move."""
    total = sum(expected)
    rate = RATE if base[term].evidence else 1.0
    moves = []
    for real, wanted in zip(seen, expected, strict=True):
        prior = SMOOTHING * wanted / total + LEAST
        moves.append(math.log((real + prior) / (wanted + prior)))
    mean = sum(moves) / LANES
    return EvidenceFact(term, tuple(steps(rate * (move - mean)) for move in moves))
