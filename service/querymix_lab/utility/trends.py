"""Trends: are the same queries and categories popular on the same days?

For each day that is learned from, the hundred most frequent queries of the original that day (and all its categories)
are ranked by their counts that day in either log. Score: Kendall's tau-b of the two rankings, averaged over days, and
the same for the whole time. The original's tau with itself is 1, so the released log's is relative as it stands.
Baseline: the counts of the original's whole time, the same for every day; for the whole time 0, a random order.

And the other way round, for each of the fifty most frequent queries whose count is not the same every day: Pearson's
correlation of its counts by day in both logs, and whether the day that it is asked most on is the same (of several such
days in the released log each counts in part). Baseline: the log's lines by day, and its busiest day.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping
from math import isnan, sqrt
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
from querymix.core.records import UNCLASSIFIED
from scipy.stats import kendalltau

from querymix_lab.utility.completion import popular
from querymix_lab.utility.lines import Line, Lines, Parts
from querymix_lab.utility.scoring import Scores

TOP: Final = 100
FOLLOWED: Final = 50
TASK: Final = "trends"
_DAY: Final = 86_400
T = TypeVar("T", bound=Hashable)
Counts = npt.NDArray[np.integer[Any]]
"""How often something was asked on each day."""


def trends(parts: Parts, seed: int) -> list[Scores]:
    """Return Kendall's tau of categories by day, queries by day and queries of the whole time, and how queries go."""
    original, released = parts.original, parts.released
    whole = Scores(TASK, "tau of the top 100 queries", "the most popular queries")
    tau = tau_of_top(Counter(line.text for line in original), Counter(line.text for line in released))
    if tau is not None:
        whole.add(0, 1.0, tau, 0.0)
    topics = Scores(TASK, "tau of categories by day", "daily topics")
    known, left = ([line for line in side if line.category != UNCLASSIFIED] for side in (original, released))
    _add_days(topics, known, left, lambda line: line.category)
    texts = Scores(TASK, "tau of the top 100 queries by day", "what is asked on which day")
    _add_days(texts, original, released, lambda line: line.text)
    return [topics, texts, whole, *_courses(original, released)]


def _courses(original: Lines, released: Lines) -> list[Scores]:
    """Return how the counts of the most frequent queries go over the days, and whether they peak on the same day."""
    course = Scores(
        TASK, "correlation of the top 50's daily counts", "how often a popular query is asked from day to day"
    )
    peak = Scores(TASK, "peak day of the top 50", "telling the day on which a query peaks")
    by_day, left = (_days(side, lambda line: line.text) for side in (original, released))
    days = sorted(by_day)
    every = np.array([by_day[day].total() for day in days])
    for text in popular(line.text for line in original)[:FOLLOWED]:
        before, after = (np.array([counts[day][text] for day in days]) for counts in (by_day, left))
        if len(set(before.tolist())) > 1:
            course.add(text, 1.0, correlation(before, after), correlation(before, every))
            peak.add(text, 1.0, same_peak(before, after), same_peak(before, every))
    return [course, peak]


def correlation(one: Counts, other: Counts) -> float:
    """Return Pearson's correlation of two rows of counts, 0 where one of them is the same all over."""
    before, after = one - one.mean(), other - other.mean()
    spread = float(before @ before) * float(after @ after)
    return float(before @ after) / sqrt(spread) if spread else 0.0


def same_peak(one: Counts, other: Counts) -> float:
    """Return the share of the other's highest days that are highest in the first, too; 0 where it has no count."""
    highest = other == other.max()
    return float((one == one.max())[highest].mean()) if other.max() else 0.0


def _add_days(scores: Scores, original: Lines, released: Lines, key: Callable[[Line], Hashable]) -> None:
    first, second = _days(original, key), _days(released, key)
    always = Counter(key(line) for line in original)
    for day, counts in first.items():
        tau, plain = tau_of_top(counts, second[day]), tau_of_top(counts, always)
        if tau is not None and plain is not None:
            scores.add(day, 1.0, tau, plain)


def _days(lines: Lines, key: Callable[[Line], Hashable]) -> defaultdict[int, Counter[Hashable]]:
    days: defaultdict[int, Counter[Hashable]] = defaultdict(Counter)
    for line in lines:
        days[int(line.at // _DAY)][key(line)] += 1
    return days


def tau_of_top(original: Mapping[T, int], other: Mapping[T, int]) -> float | None:
    """Return Kendall's tau-b of the counts of the original's most frequent hundred in both logs.

    None where the original's counts are all the same; 0 where only the other's are.
    """
    top = sorted(original, key=lambda item: (-original[item], str(item)))[:TOP]
    if len({original[item] for item in top}) < 2:
        return None
    tau = float(kendalltau([original[item] for item in top], [other.get(item, 0) for item in top]).statistic)
    return 0.0 if isnan(tau) else tau
