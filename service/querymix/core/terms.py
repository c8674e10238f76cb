"""The classifier by term weights: the weights of all known terms of a query are added, the largest sum wins.

Example: "cheap" has 72 steps for Shopping and -4 for Sports, "soccer" 22 and 127: "cheap soccer" is Sports by "soccer".

Rules:
1. A longer term is looked up only where the prefilter says that its first word and the later ones may stand together.
2. A word that the base does not know is reduced to known ones once (unknown.py). What nothing reduces is weighed as a
   compound or by its pieces (guesses.py), unless a longer term that is known holds it. Known words without weights are
   weighed so where no term of the query has any. A host is a term like any other.
3. The main unit is the term with the largest weight for the winner, or a longer term around it that has a positive one:
   a longer term's weights are only what its words' weights lack. The path is that of the term with the largest weight
   for the winner among those whose own category it is, or of a longer such term around it ("san diego" is not where San
   is), else the first level.
4. At most `MAX_WORDS` words are read, so that no field of the sum overflows: of w words come at most 4w - 6 terms, and
   the bias.

service/native/src/classify/decide.rs does the same for words of ASCII: what changes here changes there too.

Source: multinomial logistic regression on term counts; the weights are in the bundle (querymix_lab.knowledge.train).
"""

from typing import Final

from querymix.core.classify import CachingClassifier, Decision, Engine
from querymix.core.guesses import Guesses
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
    which a query is unclassified; `reads_hosts` tells whether the base may have weights for hosts; `pieces` is the
    table of word pieces; `engine` decides over the same base.
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
        pieces: bytes | memoryview = b"",
        engine: Engine | None = None,
    ) -> None:
        super().__init__(knowledge, detector, reads_hosts=reads_hosts, engine=engine)
        self._reduce = reduce
        self._guesses = Guesses(knowledge, pieces, engine.guess if engine else None)
        self._bias = bias
        self._confidence = confidence

    def _decide(  # noqa: C901 - one loop over a query's words, without a call for most of them: it is the hot path
        self, names: list[str], terms: list[Term], guessing: bool = True, reduced: bool = False
    ) -> Decision:
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
            elif not (term.tags or reduced):
                if self._reduce(name) != (name,):
                    return self._decide(*self._reduced(names, terms, guessing), guessing, reduced=True)
                # What stays as it is is guessed here and now: to decide anew would cost as much as the query did.
                guess = self._guesses[name] if guessing else term
                if guess.weights and not self._in_longer(names, terms, after - 1):
                    score += guess.weights
                    contributions.append((name, guess))
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
            return self._guessed(names) if guessing else _UNCLASSIFIED
        fields = FIELDS_STRUCT.unpack(score.to_bytes(32, "little"))
        winner = fields.index(max(fields))
        if self._confidence and share(fields, winner) < self._confidence:
            return _UNCLASSIFIED
        return _verdict(winner, contributions)

    def _guessed(self, names: list[str]) -> Decision:
        """Return what guesses say of a query of which no term has weights."""
        terms = [self._guesses[name] for name in names]
        if any(term.weights for term in terms):
            return self._decide(names, terms, guessing=False, reduced=True)
        return _UNCLASSIFIED

    def _reduced(self, names: list[str], terms: list[Term], guessing: bool) -> tuple[list[str], list[Term]]:
        """Return the words and terms with each unknown word reduced, and guessed where it is unknown still."""
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
        if guessing:
            for place, word in enumerate(new_names):
                term = new_terms[place]
                if not (term.weights or term.tags or self._in_longer(new_names, new_terms, place)):
                    new_terms[place] = self._guesses[word]
        return new_names, new_terms

    def _in_longer(self, names: list[str], terms: list[Term], place: int) -> bool:
        """Say whether the word at a place stands in a longer term that is known: that says what it is worth there."""
        for start in range(max(0, place - LONGEST_UNIT + 1), place + 1):
            for end in range(max(place + 1, start + 2), min(start + terms[start].span, len(names)) + 1):
                if self._knowledge[" ".join(names[start:end])].weights:
                    return True
        return False


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
