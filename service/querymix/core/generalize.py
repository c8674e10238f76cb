"""From what a record says of its place, device, language and URLs to as much of it as enough users share.

>>> levels({"place": ["city", "country"], "language": ["lang"]}, ("Lyon", "FR", "fr-CA"))
[('Lyon', 'FR', 'fr-CA'), (None, 'FR', 'fr-CA'), (None, 'FR', 'fr'), (None, None, 'fr')]
>>> url_steps("https://news.shop.example/red?size=9", lambda host: "shop.example")  # doctest: +NORMALIZE_WHITESPACE
[('url https://news.shop.example/red?size=9', 'https://news.shop.example/red?size=9'),
 ('host https://news.shop.example', 'https://news.shop.example'), ('domain shop.example', 'shop.example')]

Rules:
- A ladder has fields from what is dropped first to what is dropped last. All ladders make one chain of joint levels:
  level 0 has every value, and each further level lacks the next step of the next ladder in turn.
- The ladder `language` of one field has a step more: the first subtag of its tag ("es-MX" -> "es").
- A group is all values of a level. Groups are counted by remainder, level by level: groups with enough users stay; the
  records of all others move up and are counted anew among those that moved. So each group has enough users by itself.
- A URL has up to three steps: all of it, its scheme and host, its registrable domain. The item of a step names what
  leaves. A URL whose host is not certain (querymix.core.hosts) has none. One that does not begin with its scheme and
  host as they leave, such as one with user information, has no first one, and neither has one with nothing behind them.
- The title of a result tells the page as its URL does: it leaves only with the whole URL.
- Users are counted for the URLs that they clicked and for those that they were shown.

Source: full-domain generalization with a joint threshold, as for search data under the Digital Markets Act, article
6(11); k-anonymity by generalization and suppression (Samarati 2001).
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from querymix.core.bounded_cache import BoundedCache
from querymix.core.crowd import DOMAIN, GROUP, HOST, URL, Crowd, item
from querymix.core.expressions import expression
from querymix.core.hosts import cut_url, host_of
from querymix.core.records import Query
from querymix.core.rich import rich_of

Ladders = Mapping[str, Sequence[str]]
"""From a ladder's name to its fields, from what is dropped first to what is dropped last."""
LANGUAGE: Final = "language"
"""The ladder that has a step between a whole tag and nothing."""
LONGEST_URL: Final = 2048
"""Characters of a URL that may leave whole."""
_LONGEST_GROUP: Final = 1024
"""Characters of a group's values whose answer is remembered."""
_LISTS: Final = 2
"""Where results and clicks stand in a query's `extra` (querymix.core.rich), as plain data."""
_new: Final = tuple.__new__
_SUBTAG: Final = expression(r"[^\W\d_]{1,32}")
_TAIL: Final = expression(r"(?::\d{1,5})?(?:[/?#]|\Z)")
"""What may follow the host of a URL that leaves whole."""


def fields_of(ladders: Ladders) -> list[str]:
    """Return the fields of all ladders, in the order of the values of a group."""
    return [field for ladder in ladders.values() for field in ladder]


def levels(ladders: Ladders, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the joint levels of a record, the most specific first, as long as there is anything in them.

    `values` has one for each of `fields_of(ladders)`, None where there is none.
    """
    now = list(values)
    found: list[tuple[Any, ...]] = []
    for place, to_subtag in (None, False), *_drops(ladders):
        if place is not None:
            now[place] = first_subtag(now[place]) if to_subtag else None
        if now.count(None) == len(now):
            break
        found.append(tuple(now))
    return found


def _drops(ladders: Ladders) -> list[tuple[int, bool]]:
    """Return which value each level after the first lacks, and whether its first subtag is left."""
    steps: list[list[tuple[int, bool]]] = []
    first = 0
    for name, ladder in ladders.items():
        own = [(first + nth, False) for nth in range(len(ladder))]
        steps.append([(first, True), *own] if name == LANGUAGE and len(ladder) == 1 else own)
        first += len(ladder)
    return [own[turn] for turn in range(max(map(len, steps), default=0)) for own in steps if turn < len(own)]


def first_subtag(tag: object) -> str | None:
    """Return the first subtag of a language tag, None where there is none ("es-MX,es;q=0.9" -> "es")."""
    found = _SUBTAG.match(tag.lstrip()) if isinstance(tag, str) else None
    return found[0] if found else None


def group_item(level: int, values: Sequence[Any]) -> str:
    """Return the item of a group: `values` are one of `levels`, and `level` its place there."""
    return item(GROUP, str(level), json.dumps(values, ensure_ascii=False, separators=(",", ":"), sort_keys=True))


def url_steps(url: str, domain_of: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return the steps of a URL, the most specific first: the item that is counted, and what leaves.

    `domain_of` says the registrable domain of a host, empty where there is none.
    """
    host = cut_url(url)
    if not host:
        return []
    steps = [(item(HOST, host), host)]
    plain = url[: len(host)].lower() == host and _TAIL.match(url, len(host)) is not None
    if plain and url.removesuffix("/")[len(host) :] and len(url) <= LONGEST_URL and url.isprintable():
        steps.insert(0, (item(URL, url), url))
    domain = domain_of(host_of(host))
    return [*steps, (item(DOMAIN, domain), domain)] if domain else steps


def urls_of(query: Query) -> list[str]:
    """Return the URLs that a record holds: those that were clicked, and those that were shown."""
    rich = rich_of(query) if query.extra and type(query.extra[0]) is not bool else None
    every = [query.url] if rich is None else [query.url, *(one.url for part in rich for one in part)]
    return [url for url in every if url]


class FieldsRule:
    """The rule about fields and URLs (querymix.stages.screening).

    `places` are where the ladders' fields stand in the first part of a query's `extra`, in the order of `fields_of`. A
    group needs `group_users`, a URL (where `urls` is "crowd") `users`. `domain_of` says the registrable domain of a
    host. `remember`: the crowd is a table, whose answers do not change; else `count` counts a user for items.
    """

    def __init__(
        self,
        crowd: Crowd,
        *,
        ladders: Ladders,
        places: Sequence[int],
        users: int,
        group_policy: Literal["empty", "suppress"],
        group_users: int,
        urls: str,
        remember: bool,
        domain_of: Callable[[str], str],
        count: Callable[[str, Iterable[str]], object] | None = None,
    ) -> None:
        self._crowd = crowd
        self._ladders = {name: list(fields) for name, fields in ladders.items()}
        self._places = list(places)
        self._users, self._group_users = users, group_users
        self._suppresses = group_policy == "suppress"
        self._cuts_urls = urls == "crowd"
        self._domain_of = domain_of
        self._remember = remember
        self._count = count
        self._groups: BoundedCache[tuple[Any, ...]] = BoundedCache(longest=_LONGEST_GROUP)
        """What leaves of a group, nothing where it is too small at each level."""
        self._urls: BoundedCache[str] = BoundedCache()
        """What leaves of a URL, empty where nothing does."""
        self._chains: BoundedCache[list[tuple[str, tuple[Any, ...]]]] = BoundedCache(longest=_LONGEST_GROUP)
        self._steps: BoundedCache[list[tuple[str, str]]] = BoundedCache()
        """The items of groups and of URLs, with what leaves."""

    def __repr__(self) -> str:
        return f"FieldsRule({len(self._ladders)} ladders, {self._group_users} users)"

    def __call__(self, query: Query, /) -> Query | Literal["rare"]:
        """Return the query with as much of its fields and URLs as may leave, or that they are rare."""
        if self._places and (values := _values_of(query)):
            own = tuple([values[place] for place in self._places])
            if own.count(None) < len(own):
                group = self._group(own)
                if group != own:
                    if self._suppresses and not group:
                        return "rare"
                    query = self._with_group(query, values, group)
        return self._with_urls(query) if self._cuts_urls else query

    def note(self, query: Query, /) -> None:
        """Count the query's user for its URLs, and for its group at each level up to the first that has enough."""
        if self._count is None:
            return
        if self._cuts_urls and (urls := urls_of(query)):
            self._count(query[0], {one for url in urls for one, _ in self._steps_of(url)})
        values = _values_of(query) if self._places else ()
        if values:
            own = tuple([values[place] for place in self._places])
            for named, _ in self._chain_of(repr(own), own):
                self._count(query[0], (named,))
                if self._crowd.enough(named, self._group_users):
                    break

    def _chain_of(self, key: str, own: tuple[Any, ...]) -> list[tuple[str, tuple[Any, ...]]]:
        """Return the item of each level of a record's values, with the level."""
        found = self._chains.get(key)
        if found is None:
            found = [(group_item(number, group), group) for number, group in enumerate(levels(self._ladders, own))]
            self._chains.keep(key, found)
        return found

    def _steps_of(self, url: str) -> list[tuple[str, str]]:
        found = self._steps.get(url)
        if found is None:
            found = url_steps(url, self._domain_of)
            self._steps.keep(url, found)
        return found

    def _group(self, own: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return what may leave of a record's values: the first level with enough users, nothing where none has."""
        key = repr(own)  # tells 1 from True and from "1"
        found = self._groups.get(key)
        if found is None:
            chain = self._chain_of(key, own)
            found = next((group for named, group in chain if self._crowd.enough(named, self._group_users)), ())
            if self._remember:
                self._groups.keep(key, found)
        return found

    def _with_group(self, query: Query, values: Sequence[Any], group: Sequence[Any]) -> Query:
        left = list(values)
        for nth, place in enumerate(self._places):
            left[place] = group[nth] if group else None
        now = tuple(left) if left.count(None) < len(left) else ()
        rest = query[6][1:]
        return _new(Query, (*query[:6], (now, *rest) if now or rest else ()))

    def _with_urls(self, query: Query) -> Query:
        url, extra = query[5], query[6]
        left = self._url(url) if url else url
        if len(extra) > _LISTS and type(extra[0]) is not bool:
            lists: Any = extra[_LISTS]
            results = tuple([self._result(row) for row in lists[0]])
            extra = (*extra[:_LISTS], (results, tuple([self._click(row) for row in lists[1]])))
        elif left == url:
            return query
        return _new(Query, (*query[:5], left, extra))

    def _result(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a result, as plain data: without a URL nothing says how many saw its title."""
        url = row[0]
        left = self._url(url) if url else ""
        if url and left == url:
            return row
        return (left or None, *row[1:4], row[4] if left and url == f"{left}/" else None)

    def _click(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        left = self._url(row[0]) if row[0] else ""
        return row if left == row[0] else (left or None, *row[1:])

    def _url(self, url: str) -> str:
        """Return what may leave of a URL: its first step with enough users, empty where none has."""
        found = self._urls.get(url)
        if found is None:
            steps = self._steps_of(url)
            found = next((left for named, left in steps if self._crowd.enough(named, self._users)), "")
            if self._remember:
                self._urls.keep(url, found)
        return found


def _values_of(query: Query) -> tuple[Any, ...]:
    """Return the values of the fields that travel with a query.

    Up to 0.5.0 no field was generalized, and `extra` began with a truth value: such queries leave by the rules of then.
    """
    first: Any = query[6][0] if query[6] else ()
    return () if type(first) is bool else first
