"""What a reader of the released log, who looks for names, gets of those that the detector missed.

Rules:
- Queries are made up with known names. Each is cut, and with surrogates; one that is nothing but a name does not leave.
- Readers know nothing of the detector (spaCy's names; two words that the census has as a given name and a surname),
  but for those who have the surrogates' lists, and take a name for real unless all of its words are on them, or the
  detector itself, and take a name for real that it does not find.
- Recall is the share of the missed names that a reader takes for real names, precision the share of what it takes for
  real that is. With cutting all names that are left are real.

Source: D. Carrell et al., Hiding in plain sight, JAMIA 20(2), 2013.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from querymix.core.identifiers import Detector, cut
from querymix.core.surrogates import Surrogates
from querymix.core.surrogates.people import Names

from querymix_lab.evaluation.identifiers import Finder, Row, covered
from querymix_lab.knowledge.train.reference_tagger import MODEL, loaded
from querymix_lab.shares import Part

Spans = Sequence[tuple[int, int]]
Reader = Callable[[str], Spans]
"""Returns what it takes for names in a text."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


@dataclass
class Read:
    """What one reader takes for real names."""

    real: int = 0
    made_up: int = 0
    missed: set[int] = field(default_factory=set)
    """The rows whose name it sees."""


@dataclass
class Hiding:
    """What readers see in a log that was cut, and in one with surrogates."""

    names: int = 0
    """Queries with a name that leave."""
    leaked: int = 0
    """Those in which the detector missed the name, or a part of it."""
    alone: int = 0
    """Those of them that are nothing but the name: beside them there is no surrogate, since none leaves alone."""
    cut: Mapping[str, Read] = field(default_factory=dict)
    swapped: Mapping[str, Read] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the figures for machines."""

        def figures(read: Read) -> dict[str, float]:
            recall, precision = Part(len(read.missed), self.leaked), Part(read.real, read.real + read.made_up)
            return {"recall": round(recall.share, 4), "precision": round(precision.share, 4), "seen": precision.whole}

        tables = {"cut": self.cut, "surrogates": self.swapped}
        readers = {name: {reader: figures(read) for reader, read in table.items()} for name, table in tables.items()}
        return {"names": self.names, "leaked": self.leaked, "alone": self.alone, "readers": readers}


def measure(finder: Finder, surrogates: Surrogates, rows: Iterable[Row], readers: Mapping[str, Reader]) -> Hiding:
    """Return what `readers` see in the names of `rows`, once cut and once with surrogates."""
    found = Hiding(cut={name: Read() for name in readers}, swapped={name: Read() for name in readers})
    for number, row in enumerate(rows):
        finds = finder.find(row.text)
        left = cut(row.text, finds)
        if row.kind != "name" or not _WORD.search(left):
            continue
        found.names += 1
        real: frozenset[str] = frozenset()
        if not covered(row, finds):
            found.leaked += 1
            found.alone += frozenset(_words(row.text[: row.start] + row.text[row.end :])) == frozenset()
            real = frozenset(_words(row.text[row.start : row.end])) & frozenset(_words(left))
        made = surrogates(row.text, finds).text
        for name, reader in readers.items():
            _note(found.cut[name], number, reader(left), left, row, real)
            _note(found.swapped[name], number, reader(made), made, row, real)
    return found


def _note(read: Read, number: int, spans: Spans, text: str, row: Row, real: frozenset[str]) -> None:
    """Count what a reader takes for names: real if a word of it is, made up if one was not in the query."""
    own = frozenset(_words(row.text))
    for start, end in spans:
        words = frozenset(_words(text[start:end]))
        if words & real:
            read.real += 1
            read.missed.add(number)
        elif words - own:
            read.made_up += 1


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def usual(detector: Detector, given: Iterable[str], family: Iterable[str]) -> dict[str, Reader]:
    """Return the readers of the head of this module. Raises ConfigError where spaCy's model is not installed."""
    spacy, listed = Spacy(), Listed(given, family)
    return {
        "spaCy": spacy,
        "census": listed,
        "spaCy, with our lists": unlisted(spacy),
        "spaCy, with our detector": undetected(spacy, detector),
        "spaCy, with both": undetected(unlisted(spacy), detector),
    }


class Spacy:
    """Names of people, as spaCy's small model sees them in a text whose words begin with capitals."""

    def __init__(self) -> None:
        self._read = loaded(MODEL, "parser", "lemmatizer")

    def __call__(self, text: str) -> Spans:
        """Return the names of a text."""
        return [(one.start_char, one.end_char) for one in self._read(text.title()).ents if one.label_ == "PERSON"]


class Listed:
    """Two words side by side that the census has as a given name and as a surname, with an initial between or not."""

    def __init__(self, given: Iterable[str], family: Iterable[str]) -> None:
        self._given, self._family = frozenset(given), frozenset(family)

    def __call__(self, text: str) -> Spans:
        """Return the names of a text."""
        words = list(re.finditer(r"[^\W\d_]+(?:'[^\W\d_]+)?", text))
        return [
            (one.start(), two.end())
            for at, one in enumerate(words)
            for two in words[at + 1 : at + 3]
            if one[0].lower() in self._given and two[0].lower() in self._family
        ]


def unlisted(reader: Reader) -> Reader:
    """Return a reader who takes for real what another sees and the surrogates' lists do not hold in whole."""
    listed = Names("given").known | Names("family").known

    def read(text: str) -> Spans:
        return [(start, end) for start, end in reader(text) if not listed.issuperset(_words(text[start:end]))]

    return read


def undetected(reader: Reader, detector: Detector) -> Reader:
    """Return a reader who takes for real what another sees and the detector does not find."""

    def read(text: str) -> Spans:
        finds = detector.find(text)
        return [
            (start, end) for start, end in reader(text) if not any(one.start < end and start < one.end for one in finds)
        ]

    return read
