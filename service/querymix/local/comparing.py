"""What two sets of settings make of one log: both are run in memory, and counted. Nothing is written.

Rules:
- Chance is a run's own: what is released differs by a little each time.
- Of a log beyond `MOST` records (querymix.local.checking) the first ones are looked at.
- No user and no query is in what is found: counts alone.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from querymix.codecs.base import Codec
from querymix.core.account import Account
from querymix.core.crowd import CountedCrowd, terms_of
from querymix.core.hosts import cut_url
from querymix.core.records import Query, Release, rows_of
from querymix.core.rich import rich_of
from querymix.local.checking import MOST, some_of
from querymix.local.reading import Input
from querymix.stages.classifying import Classifying
from querymix.stages.period_ids import PeriodIds
from querymix.stages.releasing import Releasing

_BATCH = 16_384
Tick = Callable[[str], None]


class Side(NamedTuple):
    """One set of settings, put together for one reading of the log."""

    codec: Codec
    classifying: Classifying
    releasing: Releasing
    ids: PeriodIds
    fields: Sequence[str]
    """Fields whose values travel with a query, in the order of the first part of its `extra`."""


@dataclass
class _Seen:
    """What was released so far."""

    texts: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    sessions: int = 0
    fields: Counter[str] = field(default_factory=Counter)


class Counting(NamedTuple):
    """What a log's users are counted for."""

    items: Callable[[Query], Iterable[str]]
    groups: Callable[[Query], Sequence[str]]
    """The items of a query's groups, the most specific level first; nothing where it has none."""
    least: int
    """Users that a group needs."""


def count_crowd(source: Input, codec: Codec, counting: Counting, tick: Tick) -> CountedCrowd:
    """Return a crowd of the log's own users."""
    crowd = CountedCrowd()
    chains = defaultdict[tuple[str, ...], set[str]](set)
    for queries in _batches(source, codec):
        for query in queries:
            crowd.add(query.user, counting.items(query))
            if chain := tuple(counting.groups(query)):
                chains[chain].add(query.user)
        tick("counting who shares what")
    for group, users in by_remainder(chains, counting.least):
        for user in users:
            crowd.add(user, (group,))
    return crowd


def by_remainder(chains: Mapping[tuple[str, ...], set[str]], least: int) -> Iterator[tuple[str, set[str]]]:
    """Yield each group that has enough users by itself, with them.

    `chains` are the groups of records, the most specific level first, with the users who had them. Those of a group
    that is too small move up a level, and are counted anew among those that moved (querymix.core.generalize).

    >>> list(by_remainder({("paris", "fr"): {"1", "2"}, ("nice", "fr"): {"3"}, ("lyon", "fr"): {"4"}}, 2))
    [('paris', {'1', '2'}), ('fr', {'3', '4'})]
    """
    level, left = 0, dict(chains)
    while left:
        groups = defaultdict[str, set[str]](set)
        for chain, users in left.items():
            groups[chain[level]] |= users
        stay = {group: users for group, users in groups.items() if len(users) >= least}
        yield from sorted((group, users) for group, users in stay.items())
        level += 1
        left = {chain: users for chain, users in left.items() if chain[level - 1] not in stay and len(chain) > level}


def measure(source: Input, side: Side, tick: Tick) -> dict[str, Any]:
    """Return what a log comes to under one set of settings."""
    classified: list[tuple[int, Query]] = []
    read, asked, refused = 0, set[str](), 0
    for queries, refusals in some_of(source, side.codec):
        refused += len(refusals)
        read += len(queries)
        asked.update(" ".join(terms_of(query.text)) for query in queries)
        classified += side.classifying(queries)
        tick("reading")
        if read >= MOST:
            break
    asked.discard("")
    classified.sort(key=lambda one: one[1].at)
    seen = _Seen()
    for begin in range(0, len(classified), _BATCH):
        _note(side.releasing(classified[begin : begin + _BATCH]).releases, side, seen)
        tick("releasing")
    _note(side.releasing.finish().releases, side, seen)
    account = side.classifying.account + side.releasing.account + Account(refused=refused)
    return {
        "records": read + refused,
        "whole": read < MOST,
        "account": account.figures(),
        "queries": {"asked": len(asked), "released": len(seen.texts)},
        "ids": len(seen.ids),
        "sessions": seen.sessions,
        "fields": dict(seen.fields),
    }


def _batches(source: Input, codec: Codec) -> Iterator[list[Query]]:
    read = 0
    for queries, _ in some_of(source, codec):
        yield queries
        read += len(queries)
        if read >= MOST:
            return


def _note(releases: list[Release], side: Side, seen: _Seen) -> None:
    seen.sessions += sum(1 for one in releases if any(row.text != one.query.text for row in one.further))
    seen.ids.update(one.user for one in side.ids.of(releases, side.releasing))
    counted = seen.fields
    counted["rows"] += rows_of(releases)
    for release in releases:
        for row in (release.query, *release.further):
            seen.texts.add(" ".join(terms_of(row.text)))
            if row.url:
                whole = "/" in row.url and row.url != cut_url(row.url)
                counted["URL, whole" if whole else "URL, host or domain"] += 1
            values: Any = row.extra[0] if row.extra else ()
            counted.update(name for name, value in zip(side.fields, values, strict=False) if value is not None)
            if rich := rich_of(row):
                counted.update(name for name, part in zip(rich._fields, rich, strict=True) if part)
