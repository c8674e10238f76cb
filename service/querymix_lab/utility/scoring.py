"""One figure of a task: what the original, the released log and a baseline reach, side by side.

Rules:
- The interval is a bootstrap over users (or days), 95 %, of the ratio released / original, since the cases of one user
  are right or wrong together; both sides are drawn together.
- The baseline knows nothing that is particular to the task. `kept` is the share of what the original gains over it.
- The sentence for consumers goes by `kept`, so that a task whose baseline is high is not praised for it.
"""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from querymix_lab.attacks.scoring import TooShortError, interval

_GOOD, _FAIR, _POOR = 0.95, 0.8, 0.5
_NOTHING = 1e-9


class Figure(NamedTuple):
    """What a task reaches: scores between 0 and 1, correlations between -1 and 1, perplexities from 1 on."""

    task: str
    measure: str
    cases: int
    original: float
    released: float
    baseline: float
    relative: float | None
    """released / original, of perplexities the other way round; None where the original reaches nothing."""
    low: float | None
    high: float | None
    """Ends of the 95 % interval of `relative`."""
    kept: float | None
    """(released - baseline) / (original - baseline); None where the original is no better than the baseline."""
    meaning: str
    """What it means to a consumer."""


Sums = tuple[float, float, float, int]
"""The sums of the scores of original, released log and baseline over some cases, and how many cases those are."""


class Scores:
    """The scores of a task's cases by one measure, each with the user or day that it belongs to.

    `purpose` ends the sentence "Use the released log for ...".
    """

    def __init__(self, task: str, measure: str, purpose: str) -> None:
        self._task, self._measure, self._purpose = task, measure, purpose
        self._groups: dict[Hashable, int] = {}
        self._rows: list[tuple[int, float, float, float, int]] = []

    def add(self, group: Hashable, original: float, released: float, baseline: float) -> None:
        """Add one case."""
        self.add_sums(group, (original, released, baseline, 1))

    def add_sums(self, group: Hashable, sums: Sums) -> None:
        """Add several cases at once."""
        if sums[3]:
            self._rows.append((self._groups.setdefault(group, len(self._groups)), *sums))

    def _table(self) -> "np.ndarray[Any, np.dtype[np.float64]]":
        if not self._rows:
            raise TooShortError(f"{self._task}, {self._measure}: the log is too short: there is no case of it")
        return np.array(self._rows, dtype=np.float64)

    def figure(self, seed: int) -> Figure:
        """Return the figure of all cases. Raises TooShortError where there is none."""
        rows = self._table()
        cases = int(rows[:, 4].sum())
        original, released, baseline = (float(value) / cases for value in rows[:, 1:4].sum(axis=0))
        groups = rows[:, 0].astype(np.int64)
        below, above = (np.bincount(groups, rows[:, column]).astype(np.float64) for column in (1, 2))
        low, high = interval(above, below, seed) if len(below) > 1 and below.any() else (None, None)
        gain = original - baseline
        kept = (released - baseline) / gain if gain > _NOTHING else None
        relative = released / original if original > 0 else None
        meaning = _sentence(self._purpose, kept)
        return Figure(
            self._task, self._measure, cases, original, released, baseline, relative, low, high, kept, meaning
        )


class Perplexity(Scores):
    """The same of bits: each case is a word, what is added are bits, and less is better. The figures are perplexities.

    `relative` is the original's perplexity over the released log's; `kept` is measured in bits.
    """

    def figure(self, seed: int) -> Figure:
        """Return the figure of all words. Raises TooShortError where there is none."""
        rows = self._table()
        cases = int(rows[:, 4].sum())
        original, released, baseline = (float(value) / cases for value in rows[:, 1:4].sum(axis=0))
        groups = rows[:, 0].astype(np.int64)
        saved, words = (
            np.bincount(groups, column).astype(np.float64) for column in (rows[:, 1] - rows[:, 2], rows[:, 4])
        )
        low, high = (2**end for end in interval(saved, words, seed)) if len(words) > 1 else (None, None)
        gain = baseline - original
        kept = (baseline - released) / gain if gain > _NOTHING else None
        meaning, spelt = _sentence(self._purpose, kept), (2**original, 2**released, 2**baseline)
        relative = 2 ** (original - released)
        return Figure(self._task, self._measure, cases, *spelt, relative, low, high, kept, meaning)


def _sentence(purpose: str, kept: float | None) -> str:
    if kept is None:
        return f"Not even the original tells more than the baseline for {purpose}: this log says nothing about it."
    if kept >= _GOOD:
        return f"Use the released log for {purpose} as you would use the original."
    share = f"{max(0.0, kept):.0%} of what the original gains over the baseline is kept"
    if kept >= _FAIR:
        return f"The released log serves for {purpose}, a little worse than the original: {share}."
    if kept >= _POOR:
        return f"The released log serves for {purpose}, clearly worse than the original: {share}."
    return f"Do not use the released log for {purpose}: {share}."


def reciprocal(ranked: Sequence[Hashable], wanted: Hashable) -> float:
    """Return 1 / the place of `wanted` in `ranked`, 0 where it is not there."""
    return 1.0 / (1 + ranked.index(wanted)) if wanted in ranked else 0.0
