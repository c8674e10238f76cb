"""How a crowd table is laid out: what reading and writing share. docs/crowd.md describes the whole.

Rules:
- Little-endian, one format number. In order: magic; length of the header (32 bits); header (JSON); the numbers of the
  items in ascending order (64 bits each); how many users had each (32 bits each, in the same order).
- An item's number is a keyed hash of it (BLAKE2b, RFC 7693) whose last three bits are its kind. The key stands in the
  header. Two of a hundred million items have one number by a chance of 1 in 500; a text that nobody asked is taken for
  one of them by a chance of 1 in 20 thousand million.
- The version is the SHA-256 of the header and of everything behind it.
- No user and no text is in it.
"""

import hashlib
import struct
from collections.abc import Mapping
from typing import Any, Final

import orjson

from querymix.core.crowd import DOMAIN, GROUP, HOST, PAIR, QUERY, TERM, URL

MAGIC: Final = b"querymix crowd\n"
FORMAT: Final = 1
COUNTED: Final = 1
"""How texts and URLs become items (querymix.core.crowd); a table that was counted in another way cannot be asked."""
LENGTH: Final = struct.Struct("<I")
"""The header's length in bytes."""
HEADER_BEGIN: Final = len(MAGIC) + LENGTH.size
NUMBER: Final = "Q"
"""The type of an item's number, as `array` and `memoryview.cast` name it."""
COUNT: Final = "I"
"""The type of a count."""
MOST_USERS: Final = (1 << 32) - 1
"""A larger count is written as this one."""

KINDS: Final = (TERM, PAIR, QUERY, HOST, DOMAIN, URL, GROUP)
KIND_BITS: Final = 7
"""The last bits of an item's number: one more than the place of its kind in `KINDS`; 0 is no item's."""
_KIND: Final = {kind[0]: place for place, kind in enumerate(KINDS, start=1)}
"""By the first letter, which tells them apart."""


class Numbers:
    """From an item to its number, under a key of 16 to 64 bytes."""

    def __init__(self, key: bytes) -> None:
        self._begin = hashlib.blake2b(key=key, digest_size=8)

    def __call__(self, item: str) -> int:
        """Return an item's number. Raises KeyError where it is of no kind."""
        found = self._begin.copy()
        found.update(item.encode() if item.isascii() else item.encode("utf-8", "surrogatepass"))
        return int.from_bytes(found.digest(), "little") & ~KIND_BITS | _KIND[item[0]]

    def __repr__(self) -> str:
        return "Numbers(...)"


def version_of(header: Mapping[str, Any]) -> "hashlib._Hash":
    """Return the digest that a table's body is still to be added to; `header` with or without a version."""
    told = {name: value for name, value in header.items() if name != "version"}
    return hashlib.sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS))
