"""What a released log tells of each user, and what it has lost: PEL, ILR and SRP.

Sources: thesis (Erola 2013), sections 4.5 (PEL), 5.3.2.2 (ILR) and 5.4.4.1 (SRP); Erola et al. 2011, section 4.1 (SRP).
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from math import log2
from typing import NamedTuple, TypeVar

from querymix_lab.batch.base import Log
from querymix_lab.batch.measures.views import View, by_user, queries

T = TypeVar("T")
Measure = Callable[[Counter[Hashable], Counter[Hashable]], float | None]
"""What was asked, and what is shown of it -> per cent; None where there is nothing to measure."""


class Average(NamedTuple):
    """A measure over users."""

    mean: float
    """Over the users who have a value, in per cent."""
    users: int
    """Who have one; not those whose queries are all the same, which is no information to expose or to lose."""


def entropy(counts: Mapping[T, int]) -> float:
    """Return the entropy of a multiset, in bits."""
    total = sum(counts.values())
    return -sum(count / total * log2(count / total) for count in counts.values() if count) + 0.0


def pel(asked: Mapping[T, int], shown: Mapping[T, int]) -> float | None:
    """Return the profile exposure level, 100 * I(X, Y) / H(X): how much of what was asked the shown queries expose.

    None where all that was asked is the same, H(X) = 0. The sum over x in closed form; the tests hold it against
    the definition.
    """
    total, whole = sum(asked.values()), sum(shown.values())
    information = entropy(asked)
    if not information:
        return None
    exposed = 0.0
    for thing, count in shown.items():
        own = asked.get(thing, 0)
        if not own or not count:
            continue
        share = own / total
        sure = min(1.0, own / count)
        unsure = 1 - sure
        chance = sure + unsure * share
        bits = chance * log2(chance / share)
        if unsure:
            bits += unsure * (1 - share) * log2(unsure)
        exposed += count / whole * bits
    return 100 * exposed / information


def ilr(asked: Mapping[T, int], shown: Mapping[T, int]) -> float | None:
    """Return the information loss ratio, 100 * |H(original) - H(new)| / H(original); None where H(original) is 0."""
    before = entropy(asked)
    return 100 * abs(before - entropy(shown)) / before if before else None


def srp(asked: Counter[Hashable], shown: Counter[Hashable]) -> float | None:
    """Return the semantic remain percentage: how many of a user's queries of each category are still there.

    None where it asked none. With no common interests it is 1/k under microaggregation with clusters of k users.
    """
    return 100 * (asked & shown).total() / asked.total() if asked else None


def average(measure: Measure, original: Log, released: Log, view: View = queries) -> Average:
    """Return the mean of a measure over the original's users; of one of whom nothing leaves, nothing is shown."""
    shown = by_user(released, view)
    values = (measure(asked, shown.get(user, Counter())) for user, asked in by_user(original, view).items())
    known = [value for value in values if value is not None]
    return Average(sum(known) / len(known) if known else 0.0, len(known))
