"""The classifier of the paper: a query's category by its most specific semantic unit.

Example: "european soccer" stands in fewer documents than "players", so "european soccer players" is Sports, as that is.

Rules (Algorithm 1; rule 3 is the project's own):
1. Units are the query's nouns and adjectives (grammar.py); adjacent ones form a longer unit where the knowledge base
   knows it, the longest from the left first. A unit with a recommendation is replaced by it.
2. The main unit is the one with the fewest references. Where it has no category, the next one by references decides.
3. Where none has one, the words that may be nouns or adjectives elsewhere are units too, since a tagger errs.

Source: Pàmies-Estrems et al. 2016, Algorithm 1 and section 3.3.1.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from querymix.core.classify import CachingClassifier, Decision, parents
from querymix.core.grammar import by_tags, content
from querymix.core.knowledge import CATEGORIES, LONGEST_UNIT, UNKNOWN, Knowledge, Term
from querymix.core.records import UNCLASSIFIED
from querymix.core.text import is_host


class Unit(NamedTuple):
    """A semantic unit of a query and what is known of it."""

    name: str
    term: Term

    def __repr__(self) -> str:
        return "Unit(...)"


def units(words: list[str], knowledge: Knowledge) -> list[Unit]:
    """Return the semantic units of a query's words, in their order."""
    terms = [knowledge[word] for word in words]
    return _units(words, terms, content(terms), knowledge)


def _units(words: list[str], terms: Sequence[Term], kept: Sequence[bool], knowledge: Knowledge) -> list[Unit]:
    """Return the units of words of which `terms` is known and those that are `kept` may be units of their own."""
    out = []
    place, size = 0, len(words)
    while place < size:
        word = words[place]
        term = terms[place]
        longest = min(term.span, LONGEST_UNIT, size - place)
        while longest > 1:
            name = " ".join(words[place : place + longest])
            longer = knowledge[name]
            # What has weights alone is no unit: the student learns what words say side by side ("free antivirus").
            if longer.category >= 0 or longer.tags or longer.references or longer.recommendation:
                out.append(Unit(name, longer))
                break
            longest -= 1
        else:
            longest = 1
            if kept[place]:
                out.append(Unit(word, term) if term is not UNKNOWN or not is_host(word) else _host(word, knowledge))
        place += longest
    return out


def _host(word: str, knowledge: Knowledge) -> Unit:
    """Return a host that the base does not know by its name alone ("example" of "shop.example.com")."""
    for name in parents(word):
        if knowledge[name] is not UNKNOWN:
            return Unit(name, knowledge[name])
    name = word.split(".")[-2]
    return Unit(name, knowledge[name])


def _references(unit: Unit) -> int:
    return unit.term.references


class PaperClassifier(CachingClassifier):
    """Algorithm 1, with rule 4 for what a tagger misses."""

    def _decide(self, names: list[str], terms: list[Term], guessing: bool = True) -> Decision:
        kept = content(terms)
        verdict = self._rarest(_units(names, terms, kept, self._knowledge))
        if verdict is None and (more := list(map(by_tags, terms))) != kept:
            verdict = self._rarest(_units(names, terms, more, self._knowledge))
        return verdict or (UNCLASSIFIED, "", "")

    def _rarest(self, candidates: Iterable[Unit]) -> Decision | None:
        """Return the category of the unit with the fewest references that has one."""
        for unit in sorted(map(self._recommended, candidates), key=_references):
            term = unit.term
            if term.category >= 0:
                return term.category, term.path or CATEGORIES[term.category], unit.name
        return None

    def _recommended(self, unit: Unit) -> Unit:
        name = unit.term.recommendation
        return Unit(name, self._knowledge[name]) if name else unit
