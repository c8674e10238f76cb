"""The log matcher: how many records two logs have in common.

Source: Pàmies-Estrems et al. 2016, section 3.3.3 ("identical logs appearing in the two input streams").
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from querymix.core.records import Query

NO_USERS: Final = (
    "the logs have no user in common, so that nothing can match: ids of a released log last for a period only "
    "(--pseudonym-period), or are keyed hashes. For this count release the log with --pseudonym-period none and no key"
)


class Matched(NamedTuple):
    """How many records stand in both logs; one that stands there twice counts twice only if it does so in both."""

    first: int
    second: int
    pairs: int
    """Same user and text."""
    records: int
    """Same user, text and time."""
    users: int
    """That are in both logs."""


def match(first: Iterable[Query], second: Iterable[Query]) -> Matched:
    """Count the records that two logs share; the order does not matter."""
    a, b = Counter(map(_record, first)), Counter(map(_record, second))
    users = len({user for user, *_ in a} & {user for user, *_ in b})
    return Matched(a.total(), b.total(), (_pairs(a) & _pairs(b)).total(), (a & b).total(), users)


def _record(query: Query) -> tuple[str, str, float]:
    return query.user, " ".join(query.text.split()), query.at


def _pairs(records: Counter[tuple[str, str, float]]) -> Counter[tuple[str, str]]:
    pairs: Counter[tuple[str, str]] = Counter()
    for (user, text, _), count in records.items():
        pairs[user, text] += count
    return pairs
