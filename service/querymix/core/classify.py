"""What all classifiers share: the interface, the identifiers that go, and the answers that are remembered.

Rules:
- Identifiers are cut from the text. Category, path and main unit are those of what is left: no unit holds a part of an
  identifier, and no path tells which it was.
- Where what is left has no category, it is judged once more with the names, since a performer's name is a topic too.
  From them comes the category alone: the path is its first level, the unit empty. All else is still cut, and what the
  base does not know of a name is not guessed from its letters.
- Where nothing is left the text is empty, so that the query is suppressed, whatever its category.
- A text is split into words once; only where an identifier was cut is it split again.
- Where the log has a clicked URL whose host has weights in the base, the host is one more term of the query, for a
  classifier that reads hosts. It is no part of what is released.
- The answer depends on the text and that host alone, so a bounded number of answers is remembered.

What `decided` does where nothing is cut, service/native/src/classify/engine.rs does too, and what `each` does, each.rs:
what changes here changes there too.

Source: Pàmies-Estrems et al. 2016, section 3.3.1.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol

from querymix.core.bounded_cache import LONGEST, BoundedCache
from querymix.core.hosts import LONGEST_HOST, host_of
from querymix.core.identifiers import Detector, Identifier, cut
from querymix.core.knowledge import CATEGORIES, Knowledge, Term
from querymix.core.records import UNCLASSIFIED, Classification, Query
from querymix.core.text import is_empty, words

_new: Final = tuple.__new__  # half the time of calling the class

Decision = tuple[int, str, str]
"""Category, path and main unit; `UNCLASSIFIED` and two empty texts where no category was found."""


class Classify(Protocol):
    """A classifier: from a query's text, and the URL clicked if there is one, to its classification."""

    def __call__(self, text: str, url: str | None = None, /) -> Classification:
        """Return the classification of `text`."""
        ...


Each = Callable[[list[Query]], list[Classification]]
"""From queries to the classification of each."""


def each_of(classify: Classify) -> Each:
    """Return what asks a classifier for many queries: in one call where it can (`each`)."""
    found: Each | None = getattr(classify, "each", None)
    return found or partial(_one_by_one, classify)


def _one_by_one(classify: Classify, queries: Iterable[Query]) -> list[Classification]:
    return [classify(query[1], query[5]) for query in queries]


class Engine(Protocol):
    """The native path (service/native): it decides as the classifier does, many texts in one call."""

    def decide(
        self, texts: list[str], hosts: list[str] | None = None, /
    ) -> tuple[list[Classification | None], list[int]]:
        """Return the classification of each text, and the places of those that may hold an identifier.

        Theirs are right where nothing is found. None stands for what it leaves to Python. `hosts` are those clicked.
        """
        ...

    def each(
        self,
        queries: list[Query],
        remembered: dict[Any, Classification],
        hosts: Mapping[str, str] | None,
        longest: int,
        finish: Callable[[str, str, Classification | None], Classification],
        /,
    ) -> tuple[list[Classification], dict[Any, Classification]]:
        """Return the classification of each query, and those that are new, by text or by host and text.

        `hosts` gives the host of a URL, None where none is read; texts of more than `longest` characters are not among
        the new. `finish` is asked for what is left to Python and for what may hold an identifier.
        """
        ...

    def likeliest(self, word: str, /) -> list[str] | None:
        """Return what querymix.core.unknown asks for."""
        ...

    def guess(self, word: str, /) -> tuple[bytes, int | None] | None:
        """Return what querymix.core.guesses asks for."""
        ...


class CachingClassifier(ABC):
    """A classifier over words: a subclass only has to decide.

    `knowledge` answers for terms, `detector` finds identifiers; `reads_hosts` tells that the host that was clicked is a
    term of the query. `engine` decides what it can in compiled code.
    """

    def __init__(
        self, knowledge: Knowledge, detector: Detector, *, reads_hosts: bool = False, engine: Engine | None = None
    ) -> None:
        self._knowledge = knowledge
        self._detector = detector
        self._reads_hosts = reads_hosts
        self._engine = engine
        self._remembered = _Classifications(self)
        self._hosts = _Hosts(knowledge)

    def __call__(self, text: str, url: str | None = None, /) -> Classification:
        """Return the classification of a query's text."""
        host = self._hosts[url] if url and self._reads_hosts else ""
        key: Any = (host, text) if host else text  # no text is equal to a pair
        return self._remembered[key]

    def each(self, queries: Sequence[Query]) -> list[Classification]:
        """Return the classification of each query: what is remembered is one look-up then, without a call."""
        remembered = self._remembered
        if self._engine is not None:
            rows = queries if isinstance(queries, list) else list(queries)
            hosts = self._hosts if self._reads_hosts else None
            found, new = self._engine.each(rows, remembered, hosts, LONGEST, self._finished)
            remembered.keep_all(new)
            return found
        if self._reads_hosts:
            return [self(query[1], query[5]) if query[5] else remembered[query[1]] for query in queries]
        return [remembered[query[1]] for query in queries]

    def decided(self, text: str, host: str) -> Classification:
        """Return the classification of a text that is not remembered."""
        if self._engine is not None and text.isascii():
            (found,), doubted = self._engine.decide([text], [host])
            return found if found is not None and not doubted else self._finished(text, host, found)
        return self._finished(text, host, None)

    def _finished(self, text: str, host: str, answer: Classification | None) -> Classification:
        """Return the classification of a text: the engine's `answer`, None without one, holds if nothing is cut."""
        if answer is not None:
            identifiers = self._detector.find(text)
            return self._cut(text, host, identifiers) if identifiers else answer
        get = self._knowledge.__getitem__
        names = words(text)
        terms = list(map(get, names))
        if self._detector.suspicious(text, names, terms):
            identifiers = self._detector.find(text)
            if identifiers:
                return self._cut(text, host, identifiers)
        empty = _asks_nothing(text, names)
        if host and not empty:  # what asks for nothing has no category, whatever was clicked
            names = [*names, host]
            terms.append(get(host))
        category, path, unit = self._decide(names, terms)
        return _new(Classification, (category, path, unit, "" if empty else text, (), ()))

    def _cut(self, text: str, host: str, identifiers: list[Identifier]) -> Classification:
        """Return the classification of a text that identifiers are cut from."""
        whole = words(cut(text, [one for one in identifiers if one.kind != "name"]))
        left = cut(text, identifiers)
        names = words(left)
        empty = _asks_nothing(left, names)
        category, path, unit = self._decided_of_cut(names, whole, "" if empty else host)
        released = "" if empty or not names else left
        return _new(Classification, (category, path, unit, released, kinds(identifiers), tuple(identifiers)))

    def _decided_of_cut(self, left: list[str], whole: list[str], host: str) -> Decision:
        """Return the category of a query that something was cut from, and the path and unit of what is `left` of it.

        `whole` are its words with the names. The host that was clicked tells a category alone: it may hold a name too.
        """
        get = self._knowledge.__getitem__
        terms = list(map(get, left))
        category, path, unit = self._decide(left, terms)
        judged = self._decide([*left, host], [*terms, get(host)])[0] if host else category
        if judged == UNCLASSIFIED and whole != left:
            judged = self._decide(whole, list(map(get, whole)), guessing=False)[0]
        if judged in (UNCLASSIFIED, category):
            return category, path, unit
        return judged, CATEGORIES[judged], ""

    @abstractmethod
    def _decide(self, names: list[str], terms: list[Term], guessing: bool = True) -> Decision:
        """Return the category of a query; `names` are its words and its host, `terms` what is known of each.

        Without `guessing` only words that the base knows, or that are reduced to such ones, say anything.
        """


class _Classifications(BoundedCache[Classification]):
    """The classification of each text, or pair of a clicked host and a text, decided where it is not remembered."""

    def __init__(self, classifier: CachingClassifier) -> None:
        super().__init__()
        self._classifier = classifier

    def __missing__(self, key: Any) -> Classification:
        host, text = key if type(key) is tuple else ("", key)
        found = self._classifier.decided(text, host)
        if len(text) <= LONGEST:
            self.keep(key, found)
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


def _asks_nothing(text: str, names: list[str]) -> bool:
    return not (names and names[0][0].isalnum()) and is_empty(text)


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
