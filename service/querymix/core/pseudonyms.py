"""Pseudonyms: user ids replaced by a keyed hash, so that the released ids cannot be joined with the operator's own.

Rules:
- HMAC-SHA256 under the operator's key, cut to 63 bits and written as a decimal number, the form of an AOL id.
- The same user has the same pseudonym under the same key, else its profile would fall apart.
- The key never shows in a repr or an error.
- A key can be tried, since user ids can be guessed: it has to have what nobody guesses. `key_of` refuses those that
  surely have not. It cannot tell a sentence from random letters.
- HMAC fills a key up to 64 bytes with zeros: a key of an older version that is too short by now, filled up with zeros,
  gives the same pseudonyms.

Source: H. Krawczyk, M. Bellare, R. Canetti, HMAC, RFC 2104.
"""

import hmac
from itertools import pairwise
from typing import Final

from querymix.core.bounded_cache import BoundedCache
from querymix.core.errors import ConfigError

SHORTEST_KEY: Final = 32
"""Bytes."""
LONGEST_KEY: Final = 4096
"""Bytes of a key's file."""
_VARIED: Final = 8
"""Bytes that differ, and steps between two that do, of a key that is not repetitive; 32 random hexadecimal digits have
fewer once in ten million times."""
MAKE: Final = "(umask 077 && openssl rand -out FILE 32)"
"""How to make one that nobody else reads."""
MAX_REMEMBERED: Final = 1 << 18


class Pseudonyms(BoundedCache[str]):
    """A mapping from a user id to its pseudonym under a key, such as `key_of` returns."""

    def __init__(self, key: bytes) -> None:
        super().__init__(MAX_REMEMBERED)
        self._key = key

    def __missing__(self, user: str) -> str:
        digest = hmac.digest(self._key, user.encode("utf-8", "surrogateescape"), "sha256")
        pseudonym = str(int.from_bytes(digest[:8]) >> 1)
        self.keep(user, pseudonym)
        return pseudonym

    def __repr__(self) -> str:
        return "Pseudonyms(...)"


def key_of(content: bytes) -> bytes:
    """Return the key that a file holds; white space around it is no part of it.

    Raises ConfigError, which says what to do, where it is too short, too long or repetitive.
    """
    key = content.strip()
    size = len(key if key.isascii() else content)  # random bytes may begin or end with some that look like white space
    if len(content) > LONGEST_KEY:
        raise ConfigError(f"the file of the pseudonym key has more than {LONGEST_KEY} bytes: name the right one")
    if size < SHORTEST_KEY:
        raise ConfigError(
            f"the pseudonym key has {size} bytes and needs {SHORTEST_KEY}: make one with {MAKE}. It gives other "
            "pseudonyms; docs/SECURITY.md says how a shorter key of an older version is kept."
        )
    if _is_repetitive(key):
        raise ConfigError(f"the pseudonym key is repetitive, and can be guessed: make one with {MAKE}.")
    return key


def _is_repetitive(key: bytes) -> bool:
    steps = {(after - before) % 256 for before, after in pairwise(key)}
    repeats = any(key == (key[:size] * (len(key) // size + 1))[: len(key)] for size in range(1, len(key) // 2 + 1))
    return repeats or len(set(key)) < _VARIED or len(steps) < _VARIED
