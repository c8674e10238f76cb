"""How good a classifier is on labelled queries: coverage, accuracy, per-category precision and recall, speed.

Rules:
- Two forms of labels. KDD Cup 2005: query, then one column a labeler with category names parted by commas; a category
  is right where at least two labelers gave it. Simple: query, one category; that one is right.
- Precision and recall of a category: an answer counts for a query's reference, which is the answer itself where it is
  right, else the category that most labelers gave (the first in alphabetical order among equals).

Source: Li, Zheng, Dai 2005, "KDD CUP-2005 Report" (three labelers, precision and F1 against each).
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from querymix.core.classify import Classify
from querymix.core.errors import ConfigError, reason
from querymix.core.knowledge import CATEGORIES, CATEGORY_NUMBERS
from querymix.core.records import UNCLASSIFIED

from querymix_lab.knowledge.sources import files
from querymix_lab.shares import Part, share

NEEDED = 2
"""Labelers that make a category right, where there are several."""


class Labelled(NamedTuple):
    """A query and how many labelers gave each category."""

    query: str
    votes: dict[int, int]
    needed: int

    def __repr__(self) -> str:
        return "Labelled(...)"

    def right(self, category: int) -> bool:
        """Tell whether a category is right for the query."""
        return self.votes.get(category, 0) >= self.needed

    def reference(self, answer: int) -> int:
        """Return the category that an answer is held against; `UNCLASSIFIED` where no labeler gave any."""
        if self.right(answer):
            return answer
        return min(self.votes, key=lambda place: (-self.votes[place], place), default=UNCLASSIFIED)


class Figures(NamedTuple):
    """What was measured."""

    queries: int
    covered: int
    right: int
    confusion: list[list[int]]
    """Rows are references, columns answers, in the order of `CATEGORIES`; the last column is unclassified."""

    def summary(self) -> dict[str, float | int]:
        """Return coverage and accuracy; low and high are the ends of the 95 % interval."""
        low, high = Part(self.right, self.queries).interval
        return {
            "queries": self.queries,
            "covered": _rounded(self.covered, self.queries),
            "right of all": _rounded(self.right, self.queries),
            "right of all, low": round(low, 4),
            "right of all, high": round(high, 4),
            "right of covered": _rounded(self.right, self.covered),
        }

    def as_json(self) -> dict[str, Any]:
        """Return all figures for machines."""
        return {**self.summary(), "categories": self.categories(), "confusion": self.confusion}

    def categories(self) -> dict[str, dict[str, float | int]]:
        """Return each category's precision and recall, for those that were seen."""
        out: dict[str, dict[str, float | int]] = {}
        for place, name in enumerate(CATEGORIES):
            hits = self.confusion[place][place]
            asked, answered = sum(self.confusion[place]), sum(row[place] for row in self.confusion)
            if asked or answered:
                out[name] = {
                    "queries": asked,
                    "answers": answered,
                    "precision": _rounded(hits, answered),
                    "recall": _rounded(hits, asked),
                }
        return out


def _rounded(part: int, whole: int) -> float:
    return round(share(part, whole), 4)


def read_labels(path: Path) -> list[Labelled]:
    """Read labelled queries. Raises ConfigError where a line is of neither form."""
    labelled = list(_labelled(path))
    if not labelled:
        raise ConfigError(f"{path} holds no labelled query: write query <tab> category, one a line")
    return labelled


def _labelled(path: Path) -> Iterator[Labelled]:
    places = {name.lower(): place for name, place in CATEGORY_NUMBERS.items()}
    for number, (query, *columns) in files.rows(path, "query categories", least=1, most=sys.maxsize - 1):
        if not query.strip() or not columns:
            raise ConfigError(f"{path}:{number}: write query <tab> category, or one column a labeler")
        votes: Counter[int] = Counter()
        for column in columns:
            names = {name.strip().replace("_", " ").lower() for name in column.split(",")} - {""}
            if unknown := names - places.keys():
                raise ConfigError(f"{path}:{number}: {len(unknown)} unknown categories; known: {', '.join(CATEGORIES)}")
            votes.update(places[name] for name in names)
        yield Labelled(query, dict(votes), NEEDED if len(columns) > 1 else 1)


def measure(judge: Classify, rows: Sequence[Labelled]) -> Figures:
    """Classify all queries and count."""
    size = len(CATEGORIES)
    confusion = [[0] * (size + 1) for _ in range(size)]
    covered = right = 0
    for row in rows:
        answer = judge(row.query).category
        covered += answer != UNCLASSIFIED
        right += row.right(answer)
        reference = row.reference(answer)
        if reference != UNCLASSIFIED:
            confusion[reference][answer if answer != UNCLASSIFIED else size] += 1
    return Figures(len(rows), covered, right, confusion)


def speed(make: Callable[[], Classify], queries: Sequence[str]) -> dict[str, int]:
    """Return queries per second of CPU time: cold, and with every term known but no answer remembered.

    `make` returns a classifier that remembers no answer; the first call's has read no term either.
    """
    rates = {}
    for name in ("cold", "warm"):
        judge = make()
        begin = time.process_time()
        for query in queries:
            judge(query)
        rates[name] = round(len(queries) / max(time.process_time() - begin, 1e-9))
    return rates


def plot(figures: Figures, path: Path, title: str) -> None:
    """Draw the confusion matrix into a file, each row's share. Raises ConfigError without matplotlib."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - the extra `lab`
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        raise ConfigError("--plot needs matplotlib: pip install 'querymix[lab]'") from None
    seen = [place for place in range(len(CATEGORIES)) if sum(figures.confusion[place])]
    answers = [*range(len(CATEGORIES) + 1)]
    shares = [[figures.confusion[row][column] / sum(figures.confusion[row]) for column in answers] for row in seen]
    figure = Figure(figsize=(10, 8), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    image = axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    axes.set_xticks(answers, [*CATEGORIES, "unclassified"], rotation=60, ha="right")
    axes.set_yticks(range(len(seen)), [CATEGORIES[place] for place in seen])
    axes.set(xlabel="answer", ylabel="reference", title=title)
    for y, row in enumerate(seen):
        for x, column in enumerate(answers):
            if number := figures.confusion[row][column]:
                axes.text(x, y, str(number), ha="center", va="center", color="white" if shares[y][x] > 0.5 else "black")
    figure.colorbar(image, label="share of the reference's queries")
    try:
        figure.savefig(path, dpi=120)
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot write the plot {path}: {reason(error)}") from None
