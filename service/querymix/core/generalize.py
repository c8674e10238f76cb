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
  leaves. A URL whose host is not certain (querymix.core.hosts) has none; one with user information has no first one.

Source: full-domain generalization with a joint threshold, as for search data under the Digital Markets Act, article
6(11); k-anonymity by generalization and suppression (Samarati 2001).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from querymix.core.crowd import DOMAIN, GROUP, HOST, URL, item
from querymix.core.hosts import cut_url, host_of

Ladders = Mapping[str, Sequence[str]]
"""From a ladder's name to its fields, from what is dropped first to what is dropped last."""
LANGUAGE: Final = "language"
"""The ladder that has a step between a whole tag and nothing."""
LONGEST_URL: Final = 2048
"""Characters of a URL that may leave whole."""
_SUBTAG: Final = re.compile(r"\s*([^\W\d_]+)")
_USER_INFO: Final = re.compile(r"[^/?#\\]*[/\\]*[^/?#\\]*@")


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
    found = _SUBTAG.match(tag) if isinstance(tag, str) else None
    return found[1] if found else None


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
    if url != host and len(url) <= LONGEST_URL and url.isprintable() and not _USER_INFO.match(url):
        steps.insert(0, (item(URL, url), url))
    domain = domain_of(host_of(host))
    return [*steps, (item(DOMAIN, domain), domain)] if domain else steps
