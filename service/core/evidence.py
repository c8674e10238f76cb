"""The classifier by evidence: every known term of the query speaks for the categories, the loudest one wins.

Rules:
1. A category's score is the base's bias plus the weights of all known terms of the query, of one to `LONGEST_UNIT`
   words. A longer term is looked up only where its first word and the later ones say that they may stand together
   (`Term.follow`, `Term.lead`).
2. A word that the base does not know is reduced to known ones once (`unknown.py`). A host is a term like any other,
   also the one that was clicked.
3. The main unit is the term that speaks most for the winner, or the longest one around it that speaks for the winner
   too, since a longer term's weights are only what its words do not say; the path is that of the term that speaks most
   for it among those whose own category it is, else the first level.
4. Where no term has evidence, or the winner's share is below the confidence asked for, the query is unclassified.
5. At most `MOST_WORDS` words are read, so that no lane overflows: of w words come at most 4w - 6 terms, and the bias.

Source: multinomial logistic regression on term counts, weights in the bundle (service/knowledge/teaching).
"""

from typing import Final

from service.core.classify import Remembering, Verdict
from service.core.identifiers import Detector
from service.core.knowledge import CATEGORIES, LONGEST_UNIT, STOP, Knowledge, Term
from service.core.lanes import MOST_ADDED, OFFSET, WIDE, pack, share
from service.core.records import UNCLASSIFIED
from service.core.unknown import Reduce

MOST_WORDS: Final = (MOST_ADDED - 1 + 6) // LONGEST_UNIT
NO_BIAS: Final = pack([0] * len(CATEGORIES))
_UNCLASSIFIED: Final[Verdict] = (UNCLASSIFIED, "", "")


class EvidenceClassifier(Remembering):
    """All terms weigh in.

    Args:
        knowledge: answers for terms.
        detector: finds identifiers.
        reduce: reduces unknown words to known ones.
        bias: each category's own weight, packed.
        confidence: the least share (0 to 1) of the winning category; below it a query is unclassified.
    """

    reads_hosts = True

    def __init__(
        self, knowledge: Knowledge, detector: Detector, reduce: Reduce, bias: int = NO_BIAS, confidence: float = 0.0
    ) -> None:
        super().__init__(knowledge, detector)
        self._reduce = reduce
        self._bias = bias
        self._confidence = confidence

    def _judge(self, found: list[str], terms: list[Term], reduced: bool = False) -> Verdict:
        size = len(found)
        if size > MOST_WORDS:
            size = MOST_WORDS
            found, terms = found[:size], terms[:size]
        knowledge = self._knowledge
        score = bias = self._bias
        spoken: list[tuple[str, Term]] = []
        for after, term in enumerate(terms, start=1):
            name = found[after - 1]
            evidence = term.evidence
            if evidence:
                score += evidence
                spoken.append((name, term))
            elif not (term.tags or reduced) and self._reducible(name):
                return self._judge(*self._reduced(found, terms), reduced=True)
            follow = term.follow
            end, last, mark = after, after - 1 + term.span if follow else 0, term.mark
            while end < last and end < size and follow & terms[end].mark and terms[end].lead & mark:
                name = f"{name} {found[end]}"
                end += 1
                longer = knowledge[name]
                evidence = longer.evidence
                if evidence:
                    score += evidence
                    spoken.append((name, longer))
        if score == bias:
            return _UNCLASSIFIED
        lanes = WIDE.unpack(score.to_bytes(32, "little"))
        winner = lanes.index(max(lanes))
        if self._confidence and share(lanes, winner) < self._confidence:
            return _UNCLASSIFIED
        return _verdict(winner, spoken)

    def _reducible(self, word: str) -> bool:
        return self._reduce(word) != (word,)

    def _reduced(self, found: list[str], terms: list[Term]) -> tuple[list[str], list[Term]]:
        """Return the words and terms with each unknown word reduced."""
        get = self._knowledge.__getitem__
        names: list[str] = []
        out: list[Term] = []
        for word, term in zip(found, terms, strict=True):
            if term.evidence or term.tags:
                names.append(word)
                out.append(term)
            else:
                for piece in self._reduce(word):
                    names.append(piece)
                    out.append(get(piece))
        return names, out


def _verdict(winner: int, spoken: list[tuple[str, Term]]) -> Verdict:
    shift = 16 * winner
    unit, path = "", CATEGORIES[winner]
    loudest = loudest_path = 0
    longer: list[str] = []
    for name, term in spoken:
        voice = term.evidence >> shift & 0xFFFF
        if voice > loudest and (not unit or not term.tags & STOP):
            loudest, unit = voice, name
        if voice > OFFSET and " " in name:
            longer.append(name)
        if voice > loudest_path and term.category == winner and term.path:
            loudest_path, path = voice, term.path
    for name in longer:
        if f" {unit} " in f" {name} ":
            unit = name
    return winner, path, unit
