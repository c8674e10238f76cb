"""How many of a user's queries are still there by their category: the semantic remain percentage (SRP).

With no common interests it is 1/k under microaggregation with clusters of k users.

Source: Erola et al. 2011, section 4.1; thesis (Erola 2013), section 5.4.4.1.
"""

from collections import Counter
from collections.abc import Hashable

from querymix_lab.batch.base import Log
from querymix_lab.batch.measures.information import Average
from querymix_lab.batch.measures.views import NOTHING, by_user, categories_at


def srp(asked: Counter[Hashable], shown: Counter[Hashable]) -> float | None:
    """Return how many of a user's queries of each category are still there, in per cent; None where it asked none."""
    return 100 * (asked & shown).total() / asked.total() if asked else None


def average_srp(original: Log, released: Log, level: int) -> Average:
    """Return the mean SRP of the original's users, over the categories of one level (1 the first)."""
    shown = by_user(released, categories_at(level))
    values = [srp(asked, shown.get(user, NOTHING)) for user, asked in by_user(original, categories_at(level)).items()]
    known = [value for value in values if value is not None]
    return Average(sum(known) / len(known) if known else 0.0, len(known), len(values) - len(known))
