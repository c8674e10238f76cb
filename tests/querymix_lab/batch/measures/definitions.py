"""The measures as the papers define them, one pair at a time: what the fast ones are held against."""

from collections import Counter
from collections.abc import Hashable, Mapping
from math import log2
from typing import TypeVar

from querymix_lab.batch.measures.clusterings import Agreement, Labels
from querymix_lab.batch.measures.information import entropy

T = TypeVar("T")


def pel_by_definition(asked: Mapping[T, int], shown: Mapping[T, int]) -> float | None:
    """Return the same by thesis 4.5.1: the sum over all x and y of p(x/y) p(y) log2(p(x/y) / p(x))."""
    total, whole = sum(asked.values()), sum(shown.values())
    information = entropy(asked)
    if not information:
        return None
    exposed = 0.0
    for thing, count in shown.items():
        own = asked.get(thing, 0)
        for other, frequency in asked.items():
            share = frequency / total
            if not own:
                given = share
            elif count <= own:
                given = 1.0 if other == thing else 0.0
            else:
                given = (count - own) / count * share + (own / count if other == thing else 0.0)
            if given:
                exposed += given * count / whole * log2(given / share)
    return 100 * exposed / information


def agreement_by_definition(one: Labels, other: Labels) -> Agreement:
    """Return the same by counting pairs: r, s, t and u of the thesis."""
    counts: Counter[tuple[bool, bool]] = Counter(
        (one[a] == one[b], other[a] == other[b]) for b in range(len(one)) for a in range(b)
    )
    r, s, t, u = (counts[pair] for pair in ((True, True), (True, False), (False, True), (False, False)))
    return Agreement(r / (r + s + t) if r + s + t else 1.0, (r + u) / (r + s + t + u) if r + s + t + u else 1.0)


def record_linkage_by_definition(
    asked: Mapping[str, Counter[Hashable]], shown: Mapping[str, Counter[Hashable]]
) -> float:
    """Return the same, each user against each."""
    linked = 0.0
    for user, counts in shown.items():
        common = {other: (counts & theirs).total() for other, theirs in asked.items()}
        highest = max(common.values())
        best = [other for other, number in common.items() if number == highest]
        if highest and user in best:
            linked += 1 / len(best)
    return 100 * linked / len(asked)
