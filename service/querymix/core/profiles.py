"""User profiles: how often each user was seen under each category, and the weights that follow.

Rules:
- A profile is counts and nothing else; weights are derived, never stored.
- Evidence adds up: its order does not matter.

Source: Pàmies-Estrems et al. 2016, section 3.3.1 (Profiler).
"""

from collections.abc import Iterable, Mapping

from querymix.core.records import UNCLASSIFIED, Release


def evidence(releases: Iterable[Release]) -> dict[tuple[str, int], int]:
    """Count releases by (user, category of the user's own query); what is unclassified counts for nobody."""
    counts: dict[tuple[str, int], int] = {}
    get = counts.get
    for release in releases:
        key = release[:2]
        counts[key] = get(key, 0) + 1
    return {key: count for key, count in counts.items() if key[1] != UNCLASSIFIED}


def weights(counts: Mapping[int, int]) -> dict[int, float]:
    """Return each category's share of a profile, between 0 and 1; all of a profile's shares add up to 1.

    `counts` maps a category's place in `CATEGORIES` to how often the user was seen under it.
    """
    total = sum(counts.values())
    return {category: count / total for category, count in counts.items()} if total else {}
