"""The rule about rare texts, over a log that is there as a whole: who asked what is counted in it first.

Rules:
- The crowd is a plain count over the log (querymix.core.crowd.CountedCrowd).
- A query with a rare term, a rare pair or, by `items`, a rare whole, or with too many words or characters, is
  suppressed. What leaves is in normal form: where the term is rare and its bare form is not, that one leaves.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise

from querymix.core.crowd import PAIR, QUERY, TERM, CountedCrowd, Crowd, bare, item, items_of, terms_of

from querymix_lab.batch.base import Row
from querymix_lab.frontier.ways import Way


def normal(text: str) -> str:
    """Return a text in the normal form in which texts are compared."""
    return " ".join(terms_of(text))


def counted(rows: Iterable[Row]) -> CountedCrowd:
    """Return the crowd of a log."""
    crowd = CountedCrowd()
    for user, text in {(row.user, row.query.text) for row in rows}:
        crowd.add(user, items_of(text))
    return crowd


def screened(rows: Iterable[Row], crowd: Crowd | None, way: Way) -> list[Row]:
    """Return the rows that may leave, as they may leave; no crowd: only the bounds on length hold."""

    @cache
    def passed(text: str) -> str | None:
        terms = terms_of(text)
        if len(terms) > (way.most_words or len(terms)) or len(text) > (way.most_characters or len(text)):
            return None
        return text if crowd is None or way.crowd is None else common(terms, crowd, way.crowd, way.items)

    return list(_passed(rows, passed))


def _passed(rows: Iterable[Row], passed: Callable[[str], str | None]) -> Iterator[Row]:
    for row in rows:
        text = passed(row.query.text)
        if text:
            yield row._replace(query=row.query._replace(text=text))


def common(terms: list[str], crowd: Crowd, users: int, items: str = "pairs") -> str | None:
    """Return a query of these terms as it may leave where so many users share all that it says; else None."""
    plain = [bare(term) for term in terms]
    wanted = [item(TERM, term) for term in plain]
    if items != "terms":
        wanted += [item(PAIR, *two) for two in pairwise(plain)]
    if items == "queries":
        wanted.append(item(QUERY, *plain))
    if not terms or not all(crowd.enough(one, users) for one in wanted):
        return None
    return " ".join(
        term if crowd.enough(item(TERM, term), users) else short for term, short in zip(terms, plain, strict=True)
    )
