"""Scoring of identifier removal on labelled queries, and reading these from a file.

Rules:
- An identifier counts as found only if each of its letters and digits lies in a cut span: a remaining part is a miss.
- A look-alike counts as changed if anything is cut from it. So does a query without a label, of which nothing is known.
- Labelled file: UTF-8, plain or .gz, one query a line: query <tab> kind <tab> the identifier's text as it stands in the
  query. Kind and text are empty where the query is harmless. A line without a tab has no label. Lines that begin with
  "#" are skipped.
- Neither texts nor labels are shown: a fault names the file and the line.

Source: the Safe Harbor identifiers of HIPAA, 45 CFR 164.514(b)(2).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Final, Protocol

from querymix.core.errors import ConfigError
from querymix.core.identifiers import KINDS, Detector, Identifier, suspicious
from querymix.core.identifiers.spans import SEVERAL
from querymix.core.knowledge import Knowledge
from querymix.core.text import words

from querymix_lab.knowledge.sources.files import SourceError, open_text

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
    """The detector as a classifier asks it: behind `suspicious`, which most queries do not pass."""

    def __init__(self, knowledge: Knowledge, detector: Detector) -> None:
        self._knowledge = knowledge
        self._detector = detector

    def find(self, text: str) -> list[Identifier]:
        """Return the identifiers of `text`."""
        tags = 0
        split = words(text)
        for word in split:
            tags |= self._knowledge[word].tags
        return self._detector.find(text) if suspicious(text, split, tags) else []


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

    found: dict[str, int]
    """Identifiers wholly cut, by kind."""
    total: dict[str, int]
    """Identifiers, by kind."""
    short_names: tuple[int, int]
    """Names wholly cut and names, in lower-case queries of `NAME_WORDS` words."""
    changed: int
    """Look-alikes that lost something."""
    lookalikes: int
    changed_unlabelled: int
    """Queries without a label that lost something."""
    unlabelled: int
    seconds: float
    """CPU time in `find` alone, all rows: other processes do not count."""
    missed: list[Row] = field(repr=False)
    """The labelled rows that went wrong."""

    @property
    def recall(self) -> dict[str, float]:
        """Share of the identifiers that were wholly cut, by kind."""
        return {kind: self.found.get(kind, 0) / total for kind, total in sorted(self.total.items())}

    @property
    def name_recall(self) -> float | None:
        """Share of the names that were wholly cut from lower-case queries of two to six words."""
        found, total = self.short_names
        return found / total if total else None

    @property
    def changed_share(self) -> float:
        """Share of the look-alikes that lost something."""
        return self.changed / self.lookalikes if self.lookalikes else 0.0

    @property
    def changed_unlabelled_share(self) -> float:
        """Share of the queries without a label that lost something."""
        return self.changed_unlabelled / self.unlabelled if self.unlabelled else 0.0

    @property
    def queries_per_second(self) -> float:
        """Rows that `find` handles in a second of CPU time."""
        rows = sum(self.total.values()) + self.lookalikes + self.unlabelled
        return rows / self.seconds if self.seconds else 0.0

    def as_json(self) -> dict[str, object]:
        """Return the figures for machines."""
        return {
            "kinds": {
                kind: {"found": self.found.get(kind, 0), "of": total, "recall": round(self.recall[kind], 4)}
                for kind, total in sorted(self.total.items())
            },
            "names_in_2_to_6_words": {"found": self.short_names[0], "of": self.short_names[1]},
            "lookalikes": {"changed": self.changed, "of": self.lookalikes, "share": round(self.changed_share, 4)},
            "unlabelled": {
                "changed": self.changed_unlabelled,
                "of": self.unlabelled,
                "share": round(self.changed_unlabelled_share, 4),
            },
            "queries_per_second": round(self.queries_per_second),
        }


def evaluate(detector: Finder, rows: Iterable[Row]) -> Score:
    """Run `detector` over `rows` and score it."""
    rows = list(rows)
    begin = process_time()
    answers = [detector.find(row.text) for row in rows]
    seconds = process_time() - begin
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    unmarked: Counter[str] = Counter()
    short = short_found = 0
    missed: list[Row] = []
    for row, answer in zip(rows, answers, strict=True):
        if row.kind in (HARMLESS, UNLABELLED):
            unmarked[row.kind] += 1
            changed[row.kind] += bool(answer)
            right = not answer or row.kind == UNLABELLED
        else:
            total[row.kind] += 1
            right = covered(row, answer)
            found[row.kind] += right
            if row.kind == "name" and len(row.text.split()) in NAME_WORDS and row.text == row.text.lower():
                short += 1
                short_found += right
        if not right:
            missed.append(row)
    return Score(
        found=dict(found),
        total=dict(total),
        short_names=(short_found, short),
        changed=changed[HARMLESS],
        lookalikes=unmarked[HARMLESS],
        changed_unlabelled=changed[UNLABELLED],
        unlabelled=unmarked[UNLABELLED],
        seconds=seconds,
        missed=missed,
    )


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
    try:
        with open_text(path) as file:
            for number, line in enumerate(file, start=1):
                text = line.rstrip("\r\n")
                if text and not text.startswith("#"):
                    yield _row(f"{path}:{number}", text.split("\t"))
    except SourceError as error:
        raise ConfigError(str(error)) from None
    except (UnicodeDecodeError, EOFError, OSError):
        raise ConfigError(f"{path} cannot be read to its end: it has to be UTF-8, plain or gzipped") from None


def _row(where: str, fields: list[str]) -> Row:
    if len(fields) == 1:
        return Row(fields[0], UNLABELLED)
    query, kind, *rest = fields
    identifier = rest[0] if rest else ""
    if len(fields) > 3:
        raise ConfigError(f"{where}: {len(fields)} fields; write query <tab> kind <tab> identifier")
    if not kind and not identifier:
        return Row(query, HARMLESS)
    if kind not in KINDS and kind not in SEVERAL:
        raise ConfigError(f"{where}: no such kind of identifier; those are {', '.join(KINDS)}")
    start = query.find(identifier) if identifier else -1
    if start < 0:
        raise ConfigError(f"{where}: the third field has to be the identifier as it stands in the query")
    return Row(query, kind, start, start + len(identifier))
