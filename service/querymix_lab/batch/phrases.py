"""The topics of a query by its noun phrases: what the semantic method looks up, one by one.

1. A noun phrase is a longest run of content words (querymix.core.grammar); function words part phrases and are dropped.
2. A phrase is looked up as it is, then without its first word, and so on: the last words say what it is about
   ("exciting water sports" -> "water sports"). A word that the base does not know is looked up by its stem.

Source: thesis (Erola 2013), section 5.5.1.1.
"""

from collections.abc import Iterator, Sequence

from querymix.core.bounded_cache import BoundedCache
from querymix.core.grammar import content
from querymix.core.knowledge import CATEGORIES, LONGEST_UNIT, Knowledge
from querymix.core.text import words
from querymix.core.unknown import Reduce

Path = tuple[str, ...]


class Phrases:
    """Gives the categories of a query's noun phrases. `reduce` finds the stems of unknown words."""

    def __init__(self, knowledge: Knowledge, reduce: Reduce) -> None:
        self._knowledge = knowledge
        self._reduce = reduce
        self._remembered = BoundedCache[tuple[Path, ...]]()

    def __call__(self, text: str) -> tuple[Path, ...]:
        """Return one category for each noun phrase that has one, in their order; the same may come twice."""
        found = self._remembered.get(text)
        if found is None:
            found = tuple(path for phrase in self.split(text) if (path := self._path(phrase)))
            self._remembered.keep(text, found)
        return found

    def split(self, text: str) -> list[list[str]]:
        """Return the noun phrases of a text, each its words."""
        names = words(text)
        phrases: list[list[str]] = [[]]
        for name, kept in zip(names, content([self._knowledge[name] for name in names]), strict=True):
            if kept:
                phrases[-1].append(name)
            elif phrases[-1]:
                phrases.append([])
        return [phrase for phrase in phrases if phrase]

    def _path(self, phrase: Sequence[str]) -> Path:
        for name in self._forms(phrase):
            term = self._knowledge[name]
            if term.category >= 0:
                return tuple((term.path or CATEGORIES[term.category]).split("/"))
        return ()

    def _forms(self, phrase: Sequence[str]) -> Iterator[str]:
        """Yield the phrase and its ends, the longest first, and each with its words' stems."""
        for start in range(max(0, len(phrase) - LONGEST_UNIT), len(phrase)):
            end = phrase[start:]
            yield " ".join(end)
            stems = " ".join(stem for word in end for stem in self._reduce(word))
            if stems != " ".join(end):
                yield stems
