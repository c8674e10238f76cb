"""The classifier: a query's category by its most specific semantic unit.

Rules (Algorithm 1):
1. Units are the query's nouns and adjectives; adjacent ones form a longer unit where the knowledge base knows it,
   the longest from the left first. A word that the base does not know may be a noun and is a unit of its own.
2. Identifiers are cut from the text first, so that no unit holds one.
3. A unit with a recommendation is replaced by it.
4. The main unit is the one with the fewest references. Where it has no category, the next one by references decides.
5. Where none has one, the query is unclassified.

The answer depends on the text alone, so answers are remembered, a bounded number of them.

Source: papers/streaming-profiles-2016.txt, Algorithm 1 and section 3.3.1; spec/streaming.md, "Classifier".
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from service.core.identifiers import Detector, Identifier, cut, suspicious
from service.core.knowledge import ADJECTIVE, CATEGORIES, LONGEST_UNIT, NOUN, STOP, UNKNOWN, Knowledge, Term
from service.core.records import UNCLASSIFIED, Topic
from service.core.text import is_host, words

MOST_REMEMBERED: Final = 1 << 16
"""Answers that are remembered; past that all are forgotten, which costs less than to choose among them."""
LONGEST_REMEMBERED: Final = 256
"""Characters of a query whose answer is remembered, so that what is remembered is bounded in bytes too."""


class Classify(Protocol):
    """A classifier: from a query's text to its topic."""

    def __call__(self, text: str, /) -> Topic:
        """Return the topic of `text`."""
        ...


class Unit(NamedTuple):
    """A semantic unit of a query and what is known of it."""

    name: str
    term: Term

    def __repr__(self) -> str:
        return "Unit(...)"


def units(found: list[str], knowledge: Knowledge) -> list[Unit]:
    """Return the semantic units of a query's words, in their order."""
    out = []
    place, size = 0, len(found)
    while place < size:
        word = found[place]
        term = knowledge[word]
        longest = min(term.span, LONGEST_UNIT, size - place)
        while longest > 1:
            name = " ".join(found[place : place + longest])
            longer = knowledge[name]
            if longer is not UNKNOWN:
                out.append(Unit(name, longer))
                break
            longest -= 1
        else:
            longest = 1
            tags = term.tags
            if tags & (NOUN | ADJECTIVE) or not tags & STOP:
                out.append(Unit(word, term) if term is not UNKNOWN or not is_host(word) else _host(word, knowledge))
        place += longest
    return out


def _host(word: str, knowledge: Knowledge) -> Unit:
    """Return a host that the base does not know by its name alone ("example" of "shop.example.com")."""
    labels = word.split(".")
    for start in range(1, len(labels) - 1):
        parent = ".".join(labels[start:])
        if knowledge[parent] is not UNKNOWN:
            return Unit(parent, knowledge[parent])
    return Unit(labels[-2], knowledge[labels[-2]])


def _references(unit: Unit) -> int:
    return unit.term.references


class PaperClassifier:
    """Algorithm 1 to the letter.

    `knowledge` answers for terms, `detector` finds identifiers.
    """

    def __init__(self, knowledge: Knowledge, detector: Detector) -> None:
        self._knowledge = knowledge
        self._detector = detector
        self._remembered: dict[str, Topic] = {}

    def __call__(self, text: str, /) -> Topic:
        """Return the topic of a query's text."""
        topic = self._remembered.get(text)
        if topic is None:
            topic = self._classify(text)
            if len(text) <= LONGEST_REMEMBERED:
                if len(self._remembered) >= MOST_REMEMBERED:
                    self._remembered.clear()
                self._remembered[text] = topic
        return topic

    def _classify(self, text: str) -> Topic:
        knowledge = self._knowledge
        found = words(text)
        tags = 0
        for word in found:
            tags |= knowledge[word].tags
        removed: tuple[str, ...] = ()
        if suspicious(text, tags):
            identifiers = self._detector.find(text)
            if identifiers:
                text = cut(text, identifiers)
                found = words(text)
                removed = kinds(identifiers)
        ranked = [self._recommended(unit) for unit in units(found, knowledge)]
        ranked.sort(key=_references)
        for unit in ranked:
            term = unit.term
            if term.category >= 0:
                return Topic(term.category, term.path or CATEGORIES[term.category], unit.name, text, removed)
        return Topic(UNCLASSIFIED, "", "", text if found or not removed else "", removed)

    def _recommended(self, unit: Unit) -> Unit:
        name = unit.term.recommendation
        return Unit(name, self._knowledge[name]) if name else unit


def kinds(identifiers: Iterable[Identifier]) -> tuple[str, ...]:
    """Return the kinds of the identifiers, each once, in alphabetical order."""
    return tuple(sorted({identifier.kind for identifier in identifiers}))
