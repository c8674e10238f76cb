"""Several seeds of one setting made one row, and which methods these seeds can tell apart.

Rules:
- A figure is the mean over the seeds. Where chance moves it, it has an interval: Student's, 95 %, of that mean.
- Two methods are told apart by a figure where their intervals do not meet. What has no chance is a point.
- The intervals are about the methods' own chance on one log. Another log may rank them otherwise.
- Sentences, and the figures of a consumer's task but for its share, are those of the first seed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.stats import t

Row = dict[str, Any]
Interval = tuple[float, float]
PARTS: Final = ("cost", "privacy", "information", "kept", "own figures")
SURE: Final = 0.975
"""The quantile whose interval holds 95 %."""


class Place(NamedTuple):
    """A method's figure, to be ranked by."""

    method: str
    value: float
    interval: Interval


def merged(runs: Sequence[Row]) -> Row:
    """Return the row of a setting of the rows of its seeds, the first seed's first."""
    first = dict(runs[0])
    intervals: dict[str, Interval] = {}
    for part in PARTS:
        if part in first:
            values = [run[part] for run in runs]
            intervals |= {f"{part} {name}": found for name, found in _moved(values)}
            first[part] = _mean(values)
    if "utility" in first:
        first["utility"] = [dict(figure) for figure in first["utility"]]
        for figure in first["utility"]:
            name = f"{figure['task']}, {figure['measure']}"
            same = [f["relative"] for run in runs for f in run["utility"] if f"{f['task']}, {f['measure']}" == name]
            figure["relative"] = _mean(same)
            intervals |= dict(_moved([{name: value} for value in same]))
    return first | {"intervals": intervals}


def interval(values: Sequence[float]) -> Interval:
    """Return Student's 95 % interval of the mean of two values and more."""
    half = float(t.ppf(SURE, len(values) - 1)) * float(np.std(values, ddof=1)) / len(values) ** 0.5
    middle = float(np.mean(values))
    return middle - half, middle + half


def interval_of(row: Row, name: str, value: float) -> Interval:
    """Return the interval of a row's figure, such as "information il"; a point where chance does not move it."""
    low, high = row.get("intervals", {}).get(name, (value, value))
    return low, high


def best(places: Iterable[Place], *, highest: bool) -> list[Place]:
    """Return the best of some methods, and after it those that are not told apart from it; nothing of nothing."""
    ordered = sorted(places, key=lambda place: (-place.value if highest else place.value, place.method))
    if not ordered:
        return []
    low, high = ordered[0].interval
    return [
        place for place in ordered if place is ordered[0] or (place.interval[1] >= low and place.interval[0] <= high)
    ]


def _mean(values: Sequence[Any]) -> Any:
    """Return the mean of numbers, leaf by leaf where they are dicts of these; None where no seed has any."""
    if any(isinstance(value, dict) for value in values):
        return {key: _mean([value.get(key) for value in values]) for key in _keys(values)}
    known = [value for value in values if value is not None]
    return known[0] if len(set(known)) == 1 else float(np.mean(known)) if known else None


def _moved(values: Sequence[dict[str, Any]]) -> Iterator[tuple[str, Interval]]:
    """Yield the name and the interval of each number that is not the same in all."""
    for key in _keys(values):
        known = [value[key] for value in values if value.get(key) is not None]
        if any(isinstance(one, dict) for one in known):
            yield from ((f"{key} {name}", found) for name, found in _moved(known))
        elif len(set(known)) > 1:
            yield key, interval(known)


def _keys(values: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(key for value in values for key in value))
