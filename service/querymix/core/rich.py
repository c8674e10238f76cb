"""What a record may carry beside its query: a list of results, and several clicks.

>>> seen = with_rich(Query("7", "red shoes", 0, 0.0), Rich((Result("http://shop.example", 1, True, False),)))
>>> seen.extra, rich_of(seen)
(((), (), ((('http://shop.example', 1, True, False, None),), ())), Rich(1 results, 0 clicks))

Rule: it travels in the query's `extra`, as plain tuples, after the values of the safe fields and the shape of an object
(querymix.codecs.objects): `extra = (values, shape, (results, clicks))`. Parts at the end that are empty are left out.
"""

from typing import Any, Final, NamedTuple

from querymix.core.records import Query

_RICH: Final = 2
"""Its place in `extra`."""


class Result(NamedTuple):
    """One entry of a list of results. None: the record does not say."""

    url: str | None
    rank: int | None
    shown: bool | None
    clicked: bool | None
    title: str | None = None

    def __repr__(self) -> str:
        return "Result(...)"


class Click(NamedTuple):
    """One click on a result."""

    url: str | None
    rank: int | None
    offset: int | None
    """Whole seconds after the query; never a time of day."""
    dwell: int | None
    """Whole seconds that were spent there."""

    def __repr__(self) -> str:
        return "Click(...)"


class Rich(NamedTuple):
    """What a record carries beside its query."""

    results: tuple[Result, ...] = ()
    clicks: tuple[Click, ...] = ()

    def __repr__(self) -> str:
        return f"Rich({len(self[0])} results, {len(self[1])} clicks)"


def rich_of(query: Query) -> Rich | None:
    """Return what a query carries; None where it carries nothing, as nearly all do."""
    if len(query.extra) <= _RICH or type(query.extra[0]) is bool:  # the second: as 0.5.0 had it, which knew no lists
        return None
    plain: Any = query.extra[_RICH]
    return Rich(tuple(Result(*row) for row in plain[0]), tuple(Click(*row) for row in plain[1]))


def with_rich(query: Query, rich: Rich) -> Query:
    """Return a query that carries this."""
    values, shape = (*query.extra[:_RICH], (), ())[:_RICH]
    plain = tuple([tuple(map(tuple, part)) for part in rich])
    if not any(plain):
        return query._replace(extra=(values, shape) if shape else (values,) if values else ())
    return query._replace(extra=(values, shape, plain))
