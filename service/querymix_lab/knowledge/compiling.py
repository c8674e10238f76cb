"""The compiler: from facts to the terms of a bundle.

Rules:
- Facts add up. A term's category is the first level with the highest sum, its path the strongest one inside it, in as
  much detail as a source gives for it.
- A term's weights are what a model learned of it; without those, what its own category gives (`CATEGORY_ONLY`).
- References are the largest number that any source gives, since sources count different webs.
- A term enters only if it can change an answer: it has a category, a tag or a recommendation, or begins a longer one.
- The first word of a longer unit knows the length of the longest, so that few pairs are looked up in vain.
- The same facts give the same terms in the same order; ties go to the first in alphabetical order.
"""

from collections.abc import Iterable, Iterator

from querymix.core.knowledge import CATEGORY_NUMBERS, LONGEST_UNIT, Term, prefilter_bit
from querymix.core.packed_weights import CATEGORY_ONLY, FIELDS, LARGEST, pack
from querymix.knowledge.layout import MAX_REFERENCES

from querymix_lab.knowledge.category_paths import shared
from querymix_lab.knowledge.facts import CategoryFact, Fact, RecommendationFact, ReferenceFact, TagFact, WeightsFact

_LONGEST_KEY = 255


def compile_facts(facts: Iterable[Fact]) -> Iterator[tuple[str, Term]]:
    """Yield the terms of a bundle in alphabetical order."""
    sums = _Sums(facts)
    recommendations = sums.useful_recommendations()
    names = sorted(filter(_fits, sums.known | recommendations.keys()))
    longer = _Longer(names, sums)
    for name in sorted(longer.spans.keys() | set(names)):
        category, path = _strongest(sums.paths.get(name, {}))
        path = sums.details.get((name, path), path)
        yield (
            name,
            Term(
                tags=sums.tags.get(name, 0),
                references=sums.references.get(name, 0),
                category=category,
                path=path,
                weights=sums.packed(name, category),
                recommendation=recommendations.get(name, ""),
                span=longer.spans.get(name, 1),
                bit=0 if " " in name else prefilter_bit(name),
                later_bits=longer.later_bits.get(name, 0),
                first_bits=longer.first_bits.get(name, 0),
            ),
        )


class _Sums:
    """What all facts together say of each term."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.paths: dict[str, dict[str, float]] = {}
        self.details: dict[tuple[str, str], str] = {}
        """By term and path, the deeper path that all sources give that give any."""
        self.references: dict[str, int] = {}
        self.recommendations: dict[str, str] = {}
        self.tags: dict[str, int] = {}
        self.weights: dict[str, tuple[int, ...]] = {}
        self.own: set[str] = set()
        """Terms that have a category of their own, not from their words alone."""
        for fact in facts:
            self._add(fact)
        weighted = {term for term, weights in self.weights.items() if any(weights)}
        self.known = set(filter(_fits, self.paths.keys() | self.tags.keys() | weighted))

    def _add(self, fact: Fact) -> None:
        match fact:
            case CategoryFact(term, path, count, own, detail):
                if path.partition("/")[0] in CATEGORY_NUMBERS:
                    counts = self.paths.setdefault(term, {})
                    counts[path] = counts.get(path, 0.0) + count
                    if own:
                        self.own.add(term)
                    if detail.startswith(path + "/"):
                        self.details[term, path] = shared(self.details.get((term, path), detail), detail)
            case WeightsFact(term, weights):
                before = self.weights.get(term, (0,) * FIELDS)
                self.weights[term] = tuple(map(sum, zip(weights, before, strict=True)))
            case ReferenceFact(term, number):
                self.references[term] = max(min(number, MAX_REFERENCES), self.references.get(term, 0))
            case RecommendationFact(term, replacement):
                self.recommendations.setdefault(term, replacement)
            case TagFact(term, bits):
                self.tags[term] = self.tags.get(term, 0) | bits

    def useful_recommendations(self) -> dict[str, str]:
        """Return the recommendations of unknown terms for known ones."""
        return {
            term: right
            for term, right in self.recommendations.items()
            if right in self.known and right not in self.recommendations and term not in self.known
        }

    def has_weights(self, name: str) -> bool:
        """Say whether a term has weights, learned or by its own category."""
        return name in self.own or any(self.weights.get(name, ()))

    def packed(self, name: str, category: int) -> int:
        """Return a term's packed weights, 0 where it has none."""
        if name not in self.weights:
            return CATEGORY_ONLY[category] if name in self.own else 0
        bounded = [max(-LARGEST, min(LARGEST, weight)) for weight in self.weights[name]]
        return pack(bounded) if any(bounded) else 0


class _Longer:
    """What single words must know of the longer terms that they stand in."""

    def __init__(self, names: Iterable[str], sums: _Sums) -> None:
        self.spans: dict[str, int] = {}
        self.later_bits: dict[str, int] = {}
        self.first_bits: dict[str, int] = {}
        for name in names:
            first, *rest = name.split(" ")
            if rest:
                self.spans[first] = max(self.spans.get(first, 1), 1 + len(rest))
                if sums.has_weights(name):
                    for word in rest:
                        self.later_bits[first] = self.later_bits.get(first, 0) | prefilter_bit(word)
                        self.first_bits[word] = self.first_bits.get(word, 0) | prefilter_bit(first)


def _fits(term: str) -> bool:
    parts = term.split(" ")
    return len(parts) <= LONGEST_UNIT and "" not in parts and term == term.lower() and len(term.encode()) < _LONGEST_KEY


def _strongest(counts: dict[str, float]) -> tuple[int, str]:
    """Return the number of the strongest first level and the strongest path in it, or -1 and an empty path."""
    sums: dict[str, float] = {}
    for path, count in sorted(counts.items()):
        first = path.partition("/")[0]
        sums[first] = sums.get(first, 0.0) + count
    if not sums:
        return -1, ""
    best = min(sums, key=lambda first: (-sums[first], first))
    inside = [path for path in counts if path.partition("/")[0] == best]
    return CATEGORY_NUMBERS[best], min(inside, key=lambda path: (-counts[path], path))
