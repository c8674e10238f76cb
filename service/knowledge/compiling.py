"""The compiler: from facts to the terms of a bundle.

Rules:
- Facts add up. A term's category is the first level with the highest sum, its path the strongest one inside it; ties
  go to the first in alphabetical order.
- Evidence is what a model learned of the term. A term that no model knows speaks for its category by `PLAIN`, unless
  it has it from its words alone.
- References are the largest number that any source gives, since sources count different webs.
- A term enters only if it can change an answer: it has a category, a tag or a recommendation, or begins a longer one.
- The first word of a longer unit knows the length of the longest, so that look-ups of pairs are rare.
- The same facts give the same terms in the same order.
"""

from collections.abc import Iterable, Iterator

from service.core.knowledge import CATEGORIES, LONGEST_UNIT, Term, mark
from service.core.lanes import LANES, LARGEST, PLAIN
from service.core.lanes import pack as pack_lanes
from service.knowledge.facts import (
    CategoryFact,
    EvidenceFact,
    Fact,
    HostFact,
    PathFact,
    RecommendationFact,
    ReferenceFact,
    TagFact,
)

_PLACES = {name: place for place, name in enumerate(CATEGORIES)}
_LONGEST_KEY = 255


def compile_facts(facts: Iterable[Fact]) -> Iterator[tuple[str, Term]]:
    """Yield the terms of a bundle in alphabetical order."""
    paths: dict[str, dict[str, float]] = {}
    references: dict[str, int] = {}
    recommendations: dict[str, str] = {}
    tags: dict[str, int] = {}
    evidence: dict[str, tuple[int, ...]] = {}
    own: set[str] = set()
    for fact in facts:
        match fact:
            case CategoryFact(term, path, count) | HostFact(term, path, count) | PathFact(term, path, count):
                if path.partition("/")[0] in _PLACES:
                    counts = paths.setdefault(term, {})
                    counts[path] = counts.get(path, 0.0) + count
                    if not isinstance(fact, PathFact):
                        own.add(term)
            case EvidenceFact(term, weights):
                evidence[term] = tuple(map(sum, zip(weights, evidence.get(term, (0,) * LANES), strict=True)))
            case ReferenceFact(term, number):
                references[term] = max(number, references.get(term, 0))
            case RecommendationFact(term, replacement):
                recommendations.setdefault(term, replacement)
            case TagFact(term, bits):
                tags[term] = tags.get(term, 0) | bits
    known = set(filter(_fits, paths.keys() | tags.keys() | {term for term, all_ in evidence.items() if any(all_)}))
    recommendations = {
        term: right
        for term, right in recommendations.items()
        if right in known and right not in recommendations and term not in known
    }
    names = sorted(filter(_fits, known | recommendations.keys()))
    spans: dict[str, int] = {}
    follow: dict[str, int] = {}
    lead: dict[str, int] = {}
    for name in names:
        first, *rest = name.split(" ")
        if rest:
            spans[first] = max(spans.get(first, 1), 1 + len(rest))
            if name in own or any(evidence.get(name, ())):
                for word in rest:
                    follow[first] = follow.get(first, 0) | mark(word)
                    lead[word] = lead.get(word, 0) | mark(first)
    for name in sorted(spans.keys() | set(names)):
        category, path = _strongest(paths.get(name, {}))
        yield (
            name,
            Term(
                tags=tags.get(name, 0),
                references=references.get(name, 0),
                category=category,
                path=path,
                evidence=_packed(evidence[name]) if name in evidence else PLAIN[category] if name in own else 0,
                recommendation=recommendations.get(name, ""),
                span=spans.get(name, 1),
                mark=0 if " " in name else mark(name),
                follow=follow.get(name, 0),
                lead=lead.get(name, 0),
            ),
        )


def _fits(term: str) -> bool:
    parts = term.split(" ")
    return len(parts) <= LONGEST_UNIT and "" not in parts and term == term.lower() and len(term.encode()) < _LONGEST_KEY


def _packed(weights: tuple[int, ...]) -> int:
    """Return weights as one integer, 0 where they say nothing."""
    bounded = [max(-LARGEST, min(LARGEST, weight)) for weight in weights]
    return pack_lanes(bounded) if any(bounded) else 0


def _strongest(counts: dict[str, float]) -> tuple[int, str]:
    """Return the place of the strongest first level and the strongest path in it, or -1 and an empty path."""
    sums: dict[str, float] = {}
    for path, count in sorted(counts.items()):
        first = path.partition("/")[0]
        sums[first] = sums.get(first, 0.0) + count
    if not sums:
        return -1, ""
    best = min(sums, key=lambda first: (-sums[first], first))
    inside = [path for path in counts if path.partition("/")[0] == best]
    return _PLACES[best], min(inside, key=lambda path: (-counts[path], path))
