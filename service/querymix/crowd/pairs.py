"""From queries to pairs of an item and a user, as numbers under keys: all that is kept of a log while it is counted.

Rules:
- What is counted of a query: the items of its text as it was asked (querymix.core.crowd), the steps of its URLs and
  the values of the fields of the ladders (querymix.core.generalize).
- A user is a number too, under a key of its own. Who has the key of the items, which stands in the table, cannot tell
  a user's number.
- A record without any item still says on which day its user was there: the pair with the item `SEEN` does.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from querymix.codecs.fields import order_of
from querymix.core.bounded_cache import BoundedCache
from querymix.core.crowd import items_of
from querymix.core.generalize import fields_of, group_item, levels, url_steps, urls_of
from querymix.core.records import Query
from querymix.crowd.layout import Numbers

SEEN: Final = 0
"""The item that each user has on each day on which it has a record; no other item has this number."""
_DAY: Final = 86_400
_KEY: Final = 32
Group = tuple[int, int, int]
"""The number of a group of level 0, a level, and the number of the group that its records are in there."""


class Keys:
    """The two keys of a window, derived from its secret."""

    def __init__(self, secret: bytes) -> None:
        self.items = hashlib.blake2b(b"items", key=secret, digest_size=16).digest()
        self._users = hashlib.blake2b(key=hashlib.blake2b(b"users", key=secret).digest(), digest_size=8)

    def user(self, user: str) -> int:
        """Return a user's number."""
        found = self._users.copy()
        found.update(user.encode("utf-8", "surrogatepass"))
        return int.from_bytes(found.digest(), "little")

    def __repr__(self) -> str:
        return "Keys(...)"


class Pairs:
    """What makes pairs of queries. A day is its number since 1970 (UTC).

    `ladders` are those that groups are counted by; the values of their fields, and of no others, stand first in a
    query's `extra`, in the order of querymix.codecs.fields. `domain_of` says the registrable domain of a host.
    """

    def __init__(self, keys: Keys, ladders: Mapping[str, Sequence[str]], domain_of: Callable[[str], str]) -> None:
        self._keys = keys
        self._number = Numbers(keys.items)
        self._ladders = ladders
        fields = fields_of(ladders)
        order = order_of(list(dict.fromkeys(fields)))
        self._places = [order.index(field) for field in fields]
        self._domain_of = domain_of
        self._texts = BoundedCache[frozenset[int]]()
        self._urls = BoundedCache[frozenset[int]]()
        self._items = BoundedCache[int]()
        self._users = BoundedCache[int]()
        self._chains = BoundedCache[int]()
        self.groups: set[Group] = set()
        """Those that were met since somebody emptied it."""

    def __call__(self, queries: Iterable[Query]) -> set[tuple[int, int, int]]:
        """Return the day, the item and the user of each pair, each once."""
        found: set[tuple[int, int, int]] = set()
        for query in queries:
            day, user = int(query.at // _DAY), self._user(query.user)
            found.add((day, SEEN, user))
            found.update([(day, item, user) for item in self._of_text(query.text)])
            for url in urls_of(query):
                found.update([(day, item, user) for item in self._of_url(url)])
            if self._ladders and (group := self._of_fields(query)):
                found.add((day, group, user))
        return found

    def _user(self, user: str) -> int:
        number = self._users.get(user)
        if number is None:
            number = self._keys.user(user)
            self._users.keep(user, number)
        return number

    def _item(self, item: str) -> int:
        number = self._items.get(item)
        if number is None:
            number = self._number(item)
            self._items.keep(item, number)
        return number

    def _of_text(self, text: str) -> frozenset[int]:
        numbers = self._texts.get(text)
        if numbers is None:
            numbers = frozenset(map(self._item, items_of(text)))
            self._texts.keep(text, numbers)
        return numbers

    def _of_url(self, url: str) -> frozenset[int]:
        numbers = self._urls.get(url)
        if numbers is None:
            numbers = frozenset(self._item(item) for item, _ in url_steps(url, self._domain_of))
            self._urls.keep(url, numbers)
        return numbers

    def _of_fields(self, query: Query) -> int:
        """Return the number of a query's group of level 0, `SEEN` where its fields are empty."""
        values: Any = query.extra[0] if query.extra else ()
        chain = levels(self._ladders, [values[place] for place in self._places]) if values else []
        if not chain:
            return SEEN
        first = group_item(0, chain[0])
        number = self._chains.get(first)
        if number is None:
            number = self._number(first)
            self._chains.keep(first, number)
            self.groups.update((number, level, self._number(group_item(level, one))) for level, one in enumerate(chain))
        return number
