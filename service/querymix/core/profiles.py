"""User profiles: how often each user was seen under each category, and the weights that follow.

Rules:
- A profile is counts and nothing else; weights are derived, never stored.
- Evidence adds up: its order does not matter.

Source: Pàmies-Estrems et al. 2016, section 3.3.1 (Profiler).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, Final

from querymix.core.records import UNCLASSIFIED, Origin, Release

_of_whom: Final = itemgetter(0, 1)


def evidence(releases: Iterable[Release]) -> dict[tuple[str, int], int]:
    """Count releases by (user, category of the user's own query); what is unclassified counts for nobody.

    Each query of a session counts under its own category.
    """
    counts: dict[Any, int] = dict(Counter(map(_of_whom, releases)))
    for key in [key for key in counts if type(key[1]) is tuple]:
        count = counts.pop(key)
        for category in key[1]:
            counts[key[0], category] = counts.get((key[0], category), 0) + count
    return {key: count for key, count in counts.items() if key[1] != UNCLASSIFIED}


def categories_of(origin: Origin) -> tuple[int, ...]:
    """Return the category of each query of a unit."""
    return (origin,) if isinstance(origin, int) else origin


def weights(counts: Mapping[int, int]) -> dict[int, float]:
    """Return each category's share of a profile, between 0 and 1; all of a profile's shares add up to 1.

    `counts` maps a category's place in `CATEGORIES` to how often the user was seen under it.
    """
    total = sum(counts.values())
    return {category: count / total for category, count in counts.items()} if total else {}
