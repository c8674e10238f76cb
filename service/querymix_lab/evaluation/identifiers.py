"""Scoring of identifier removal on labelled queries, and reading these from a file.

Rules:
- An identifier counts as found only if each of its letters and digits lies in a cut span: a remaining part is a miss.
- A look-alike counts as changed if anything is cut from it. So does a query without a label, of which nothing is known.
- A labelled file's line: query <tab> kind <tab> the identifier's text as it stands in the query. Both are empty where
  the query is harmless; a line without a tab has no label. A fault names file and line, never the texts.

Source: the Safe Harbor identifiers of HIPAA, 45 CFR 164.514(b)(2).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Final, Protocol

from querymix.core.errors import ConfigError
from querymix.core.identifiers import KINDS, Detector, Identifier
from querymix.core.identifiers.spans import SEVERAL
from querymix.core.knowledge import Knowledge
from querymix.core.text import words

from querymix_lab.knowledge.sources import files
from querymix_lab.shares import Part

HARMLESS: Final = "harmless"
UNLABELLED: Final = "unlabelled"
NAME_WORDS: Final = range(2, 7)
"""Words of the queries that recall of names is asked for."""


class Finder(Protocol):
    """What is evaluated: querymix.core.identifiers.Detector, or another behind the same method."""

    def find(self, text: str) -> list[Identifier]:
        """Return the identifiers of `text`, sorted and disjoint."""
        ...


class Gated:
    """The detector as a classifier asks it: behind its first look, which most queries do not pass."""

    def __init__(self, knowledge: Knowledge, detector: Detector) -> None:
        self._knowledge = knowledge
        self._detector = detector

    def find(self, text: str) -> list[Identifier]:
        """Return the identifiers of `text`."""
        split = words(text)
        terms = list(map(self._knowledge.__getitem__, split))
        return self._detector.find(text) if self._detector.suspicious(text, split, terms) else []


@dataclass(frozen=True, slots=True)
class Row:
    """A query; `text[start:end]` is an identifier of `kind`, or nothing is known to be one: HARMLESS, UNLABELLED."""

    text: str = field(repr=False)
    kind: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    """What an evaluation found."""

    kinds: dict[str, Part]
    """Identifiers wholly cut, of all, by kind in alphabetical order."""
    partly: dict[str, Part]
    """Identifiers of which something is cut and something is left, of all, by kind."""
    short_names: Part
    """Names wholly cut, of those in lower-case queries of `NAME_WORDS` words."""
    lookalikes: Part
    """Look-alikes that lost something."""
    unlabelled: Part
    """Queries without a label that lost something."""
    seconds: float
    """CPU time in `find` alone, all rows: other processes do not count."""

    @property
    def all(self) -> Part:
        """Identifiers wholly cut, of all kinds."""
        return Part(sum(found.part for found in self.kinds.values()), sum(found.whole for found in self.kinds.values()))

    @property
    def queries_per_second(self) -> float:
        """Rows that `find` handles in a second of CPU time."""
        rows = sum(found.whole for found in (*self.kinds.values(), self.lookalikes, self.unlabelled))
        return rows / self.seconds if self.seconds else 0.0

    def as_json(self) -> dict[str, object]:
        """Return the figures for machines."""

        def figures(name: str, found: Part, share: str) -> dict[str, float]:
            return {name: found.part, "of": found.whole, share: round(found.share, 4)}

        return {
            "kinds": {
                kind: figures("found", found, "recall") | {"partly": self.partly[kind].part}
                for kind, found in self.kinds.items()
            },
            "names_in_2_to_6_words": {"found": self.short_names.part, "of": self.short_names.whole},
            "lookalikes": figures("changed", self.lookalikes, "share"),
            "unlabelled": figures("changed", self.unlabelled, "share"),
            "queries_per_second": round(self.queries_per_second),
        }


def evaluate(detector: Finder, rows: Iterable[Row]) -> Score:
    """Run `detector` over `rows` and score it."""
    rows = list(rows)
    begin = process_time()
    answers = [detector.find(row.text) for row in rows]
    seconds = process_time() - begin
    total, cut, partly, short = Counter(row.kind for row in rows), Counter[str](), Counter[str](), Counter[bool]()
    for row, answer in zip(rows, answers, strict=True):
        harmless = row.kind in (HARMLESS, UNLABELLED)
        found = bool(answer) if harmless else covered(row, answer)
        cut[row.kind] += found
        partly[row.kind] += not found and any(one.start < row.end and row.start < one.end for one in answer)
        if row.kind == "name" and len(row.text.split()) in NAME_WORDS and row.text == row.text.lower():
            short[found] += 1
    parts = {kind: Part(cut[kind], count) for kind, count in sorted(total.items())}
    lookalikes, unlabelled = (parts.pop(kind, Part(0, 0)) for kind in (HARMLESS, UNLABELLED))
    some = {kind: Part(partly[kind], found.whole) for kind, found in parts.items()}
    return Score(parts, some, Part(short[True], short.total()), lookalikes, unlabelled, seconds)


def covered(row: Row, answer: Sequence[Identifier]) -> bool:
    """Return whether every letter and digit of the row's identifier lies in a span of `answer`."""
    return all(
        any(one.start <= place < one.end for one in answer)
        for place in range(row.start, row.end)
        if row.text[place].isalnum()
    )


def read(path: Path) -> Iterator[Row]:
    """Yield the rows of a labelled file.

    Raises ConfigError where it cannot be read, or at the first line that is not as it has to be.
    """
    for number, fields in files.rows(path, "query kind identifier", least=1):
        yield _row(f"{path}:{number}", fields)


def _row(where: str, fields: list[str]) -> Row:
    if len(fields) == 1:
        return Row(fields[0], UNLABELLED)
    query, kind, *rest = fields
    identifier = rest[0] if rest else ""
    if not kind and not identifier:
        return Row(query, HARMLESS)
    if kind not in KINDS and kind not in SEVERAL:
        raise ConfigError(f"{where}: no such kind of identifier; those are {', '.join(KINDS)}")
    start = query.find(identifier) if identifier else -1
    if start < 0:
        raise ConfigError(f"{where}: the third field has to be the identifier as it stands in the query")
    return Row(query, kind, start, start + len(identifier))
