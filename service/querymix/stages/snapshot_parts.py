"""A snapshot of a partition's state in parts that each fit a record of the state topic."""

from collections.abc import Iterator
from typing import Any, Final

from querymix.codecs.frames import dumps, loads

LISTS: Final = ("waiting", "further", "sessions", "seen", "asked", "in_cells", "crowd")
"""What of the state is long beside the pools, and is split over the parts of a snapshot as they are."""


def split(pools: dict[str, dict[str, Any]], lists: dict[str, Iterator[Any]], most: int) -> Iterator[dict[str, Any]]:
    """Yield the pools and the lists in parts of about `most` bytes; both are used up."""
    part: dict[str, Any] = {"pools": {}}
    room = most
    for category, pool in pools.items():
        entries = zip(pool.pop("users"), pool.pop("queries"), strict=True)
        part["pools"][category] = pool | {"users": [], "queries": []}
        for user, query in entries:
            size = len(dumps([user, query]))
            if room < size:
                yield part
                part, room = {"pools": {}}, most
            room -= size
            some = part["pools"].setdefault(category, {"users": [], "queries": []})
            some["users"].append(user)
            some["queries"].append(query)
    for name, items in lists.items():
        for item in items:
            size = len(dumps(item))
            if room < size:
                yield part
                part, room = {"pools": {}}, most
            room -= size
            part.setdefault(name, []).append(item)
    yield part


def put_together(folded: dict[bytes, bytes], state: dict[str, Any]) -> Iterator[int]:
    """Put a snapshot's parts together in `state`, one at a time, and yield the bytes of each; they leave `folded`.

    Raises ValueError where a part is missing.
    """
    pools: dict[str, dict[str, Any]] = {}
    lists: dict[str, list[Any]] = {name: [] for name in LISTS}
    number, count = 0, 1
    while number < count:
        value = folded.pop(b"part-%d" % number, None)
        if value is None:
            raise ValueError("the state log lacks a part of its snapshot")
        part = loads(value)
        if not number:
            state.update(part)
            count = part["parts"]
        for name in lists:
            lists[name] += part.get(name, ())
        for category, some in part["pools"].items():
            pool = pools.setdefault(category, some)
            if pool is not some:
                pool["users"] += some["users"]
                pool["queries"] += some["queries"]
        number += 1
        yield len(value)
    state.update(lists, pools=pools)
