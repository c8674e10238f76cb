"""What all classifiers share: the interface, the identifiers that go first, and the answers that are remembered.

Rules:
- Identifiers are cut from the text first, so that no unit holds one.
- A text is split into words once; only where an identifier was cut is it split again.
- Where the log has a clicked URL whose host has weights in the base, the host is one more term of the query, for a
  classifier that reads hosts. It is no part of what is released.
- The answer depends on the text and that host alone, so a bounded number of answers is remembered.

Source: Pàmies-Estrems et al. 2016, section 3.3.1.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from querymix.core.bounded_cache import BoundedCache
from querymix.core.hosts import LONGEST_HOST, host_of
from querymix.core.identifiers import Detector, Identifier, cut, suspicious
from querymix.core.knowledge import Knowledge, Term
from querymix.core.records import Classification, Query
from querymix.core.text import is_empty, words

_new: Final = tuple.__new__  # half the time of calling the class

Decision = tuple[int, str, str]
"""Category, path and main unit; `UNCLASSIFIED` and two empty texts where no category was found."""


class Classify(Protocol):
    """A classifier: from a query's text, and the URL clicked if there is one, to its classification."""

    def __call__(self, text: str, url: str | None = None, /) -> Classification:
        """Return the classification of `text`."""
        ...


class CachingClassifier(ABC):
    """A classifier over words: a subclass only has to decide.

    `knowledge` answers for terms, `detector` finds identifiers; `reads_hosts` tells that the host that was clicked is a
    term of the query.
    """

    def __init__(self, knowledge: Knowledge, detector: Detector, *, reads_hosts: bool = False) -> None:
        self._knowledge = knowledge
        self._detector = detector
        self._reads_hosts = reads_hosts
        self._remembered = _Classifications(self)
        self._hosts = _Hosts(knowledge)

    def __call__(self, text: str, url: str | None = None, /) -> Classification:
        """Return the classification of a query's text."""
        host = self._hosts[url] if url and self._reads_hosts else ""
        if not host:
            return self._remembered[text]
        key = f"{host}\t{text}"
        found = self._remembered.get(key)
        if found is None:
            found = self.decided(text, host)
            self._remembered.keep(key, found)
        return found

    def each(self, queries: Iterable[Query]) -> list[Classification]:
        """Return the classification of each query: what is remembered is one look-up then, without a call."""
        remembered = self._remembered
        if self._reads_hosts:
            return [self(query[1], query[5]) if query[5] else remembered[query[1]] for query in queries]
        return [remembered[query[1]] for query in queries]

    def decided(self, text: str, host: str) -> Classification:
        """Return the classification of a text that is not remembered."""
        get = self._knowledge.__getitem__
        names = words(text)
        terms = list(map(get, names))
        tags = 0
        for term in terms:
            tags |= term.tags
        removed: tuple[str, ...] = ()
        cuts: tuple[Identifier, ...] = ()
        if suspicious(text, names, tags):
            identifiers = self._detector.find(text)
            if identifiers:
                text = cut(text, identifiers)
                removed, cuts = kinds(identifiers), tuple(identifiers)
                names = words(text)
                terms = list(map(get, names))
        nothing_left = removed and not names
        empty = not (names and names[0][0].isalnum()) and is_empty(text)
        if host and not empty:  # what asks for nothing has no category, whatever was clicked
            names = [*names, host]
            terms.append(get(host))
        category, path, unit = self._decide(names, terms)
        return _new(Classification, (category, path, unit, "" if nothing_left or empty else text, removed, cuts))

    @abstractmethod
    def _decide(self, names: list[str], terms: list[Term]) -> Decision:
        """Return the category of a query; `names` are its words and its host, `terms` what is known of each."""


class _Classifications(BoundedCache[Classification]):
    """The classification of each text, decided where it is not remembered."""

    def __init__(self, classifier: CachingClassifier) -> None:
        super().__init__()
        self._classifier = classifier

    def __missing__(self, text: str) -> Classification:
        found = self._classifier.decided(text, "")
        self.keep(text, found)
        return found


class _Hosts(BoundedCache[str]):
    """The host of each URL, or the nearest one that it lies under; empty where none has weights in the base."""

    def __init__(self, knowledge: Knowledge) -> None:
        super().__init__()
        self._knowledge = knowledge

    def __missing__(self, url: str) -> str:
        host = host_of(url)
        known = next((name for name in (host, *parents(host)) if self._knowledge[name].weights), "")
        self.keep(url, known)
        return known


def kinds(identifiers: Iterable[Identifier]) -> tuple[str, ...]:
    """Return the kinds of the identifiers, each once, in alphabetical order."""
    return tuple(sorted({identifier.kind for identifier in identifiers}))


def parents(host: str) -> Iterator[str]:
    """Yield the hosts that a host lies under, the nearest first ("shop.example.com" -> "example.com")."""
    if len(host) > LONGEST_HOST:
        return  # it would be work that grows with the square of its length
    labels = host.split(".")
    for start in range(1, len(labels) - 1):
        yield ".".join(labels[start:])
