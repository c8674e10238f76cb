"""The compiler: from facts to the terms of a bundle.

Rules:
- Facts add up. A term's category is the first level with the highest sum, its path the strongest one inside it; ties
  go to the first in alphabetical order.
- References are the largest number that any source gives, since sources count different webs.
- A term enters only if it can change an answer: it has a category, a tag or a recommendation, or begins a longer one.
- The first word of a longer unit knows the length of the longest, so that look-ups of pairs are rare.
- The same facts give the same terms in the same order.
"""

from collections.abc import Iterable, Iterator

from service.core.knowledge import CATEGORIES, LONGEST_UNIT, Term
from service.knowledge.facts import CategoryFact, Fact, HostFact, RecommendationFact, ReferenceFact, TagFact

_PLACES = {name: place for place, name in enumerate(CATEGORIES)}
_LONGEST_KEY = 255


def compile_facts(facts: Iterable[Fact]) -> Iterator[tuple[str, Term]]:
    """Yield the terms of a bundle in alphabetical order."""
    paths: dict[str, dict[str, float]] = {}
    references: dict[str, int] = {}
    recommendations: dict[str, str] = {}
    tags: dict[str, int] = {}
    for fact in facts:
        match fact:
            case CategoryFact(term, path, count) | HostFact(term, path, count):
                if path.partition("/")[0] in _PLACES:
                    counts = paths.setdefault(term, {})
                    counts[path] = counts.get(path, 0.0) + count
            case ReferenceFact(term, number):
                references[term] = max(number, references.get(term, 0))
            case RecommendationFact(term, replacement):
                recommendations.setdefault(term, replacement)
            case TagFact(term, bits):
                tags[term] = tags.get(term, 0) | bits
    known = set(filter(_fits, paths.keys() | tags.keys()))
    recommendations = {
        term: right
        for term, right in recommendations.items()
        if right in known and right not in recommendations and term not in known
    }
    names = sorted(filter(_fits, known | recommendations.keys()))
    spans: dict[str, int] = {}
    for name in names:
        first, *rest = name.split(" ")
        if rest:
            spans[first] = max(spans.get(first, 1), 1 + len(rest))
    for name in sorted(spans.keys() | set(names)):
        category, path = _strongest(paths.get(name, {}))
        yield (
            name,
            Term(
                tags=tags.get(name, 0),
                references=references.get(name, 0),
                category=category,
                path=path,
                recommendation=recommendations.get(name, ""),
                span=spans.get(name, 1),
            ),
        )


def _fits(term: str) -> bool:
    parts = term.split(" ")
    return len(parts) <= LONGEST_UNIT and "" not in parts and term == term.lower() and len(term.encode()) < _LONGEST_KEY


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
