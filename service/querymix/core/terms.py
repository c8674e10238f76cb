"""The classifier by term weights: the weights of all known terms of a query are added, the largest sum wins.

Example: "cheap" has 72 steps for Shopping and -4 for Sports, "soccer" 22 and 127: "cheap soccer" is Sports by "soccer".

Rules:
1. A longer term is looked up only where the prefilter says that its first word and the later ones may stand together.
2. A word that the base does not know is reduced to known ones once (unknown.py). A host is a term like any other.
3. The main unit is the term with the largest weight for the winner, or a longer term around it that has a positive one:
   a longer term's weights are only what its words' weights lack. The path is that of the term with the largest weight
   for the winner among those whose own category it is, or of a longer such term around it ("san diego" is not where San
   is), else the first level.
4. At most `MAX_WORDS` words are read, so that no field of the sum overflows: of w words come at most 4w - 6 terms, and
   the bias.

Source: multinomial logistic regression on term counts; the weights are in the bundle (querymix_lab.knowledge.train).
"""

from typing import Final

from querymix.core.classify import CachingClassifier, Decision
from querymix.core.identifiers import Detector
from querymix.core.knowledge import CATEGORIES, LONGEST_UNIT, STOP, Knowledge, Term
from querymix.core.packed_weights import FIELDS_STRUCT, MAX_ADDED, OFFSET, pack, share
from querymix.core.records import UNCLASSIFIED
from querymix.core.unknown import Reduce

MAX_WORDS: Final = (MAX_ADDED - 1 + 6) // LONGEST_UNIT
NO_BIAS: Final = pack([0] * len(CATEGORIES))
_UNCLASSIFIED: Final[Decision] = (UNCLASSIFIED, "", "")


class TermsClassifier(CachingClassifier):
    """The classifier by term weights.

    `bias` is each category's own weight, packed; `confidence` the least share (0 to 1) of the winning category, below
    which a query is unclassified; `reads_hosts` tells whether the base may have weights for hosts.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        detector: Detector,
        reduce: Reduce,
        bias: int = NO_BIAS,
        confidence: float = 0.0,
        *,
        reads_hosts: bool = True,
    ) -> None:
        super().__init__(knowledge, detector, reads_hosts=reads_hosts)
        self._reduce = reduce
        self._bias = bias
        self._confidence = confidence

    def _decide(self, names: list[str], terms: list[Term], reduced: bool = False) -> Decision:
        size = len(names)
        if size > MAX_WORDS:
            size = MAX_WORDS
            names, terms = names[:size], terms[:size]
        knowledge = self._knowledge
        score = bias = self._bias
        contributions: list[tuple[str, Term]] = []
        for after, term in enumerate(terms, start=1):
            name = names[after - 1]
            weights = term.weights
            if weights:
                score += weights
                contributions.append((name, term))
            elif not (term.tags or reduced) and self._reducible(name):
                return self._decide(*self._reduced(names, terms), reduced=True)
            later_bits = term.later_bits
            if not later_bits or after == size or not later_bits & terms[after].bit:
                continue
            end, last, bit = after, after - 1 + term.span, term.bit
            while end < last and end < size and later_bits & terms[end].bit and terms[end].first_bits & bit:
                name = f"{name} {names[end]}"
                end += 1
                longer = knowledge[name]
                weights = longer.weights
                if weights:
                    score += weights
                    contributions.append((name, longer))
        if score == bias:
            return _UNCLASSIFIED
        fields = FIELDS_STRUCT.unpack(score.to_bytes(32, "little"))
        winner = fields.index(max(fields))
        if self._confidence and share(fields, winner) < self._confidence:
            return _UNCLASSIFIED
        return _verdict(winner, contributions)

    def _reducible(self, word: str) -> bool:
        return self._reduce(word) != (word,)

    def _reduced(self, names: list[str], terms: list[Term]) -> tuple[list[str], list[Term]]:
        """Return the words and terms with each unknown word reduced."""
        get = self._knowledge.__getitem__
        new_names: list[str] = []
        new_terms: list[Term] = []
        for word, term in zip(names, terms, strict=True):
            if term.weights or term.tags:
                new_names.append(word)
                new_terms.append(term)
            else:
                for piece in self._reduce(word):
                    new_names.append(piece)
                    new_terms.append(get(piece))
        return new_names, new_terms


def _verdict(winner: int, contributions: list[tuple[str, Term]]) -> Decision:
    if len(contributions) == 1:
        name, term = contributions[0]
        return winner, term.path if term.category == winner and term.path else CATEGORIES[winner], name
    shift = 16 * winner
    unit, placed, path = "", "", CATEGORIES[winner]
    largest = largest_with_path = 0
    longer: list[tuple[str, Term]] = []
    for name, term in contributions:
        field = term.weights >> shift & 0xFFFF
        if field > largest and (not unit or not term.tags & STOP):
            largest, unit = field, name
        if field > largest_with_path and term.category == winner and term.path:
            largest_with_path, placed, path = field, name, term.path
        if " " in name:
            longer.append((name, term))
    for name, term in longer:
        around = f" {name} "
        if term.weights >> shift & 0xFFFF > OFFSET and f" {unit} " in around:
            unit = name
        if term.category == winner and term.path and f" {placed} " in around:
            placed, path = name, term.path
    return winner, path, unit
