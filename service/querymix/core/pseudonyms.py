"""Pseudonyms: user ids replaced by a keyed hash, so that the released ids cannot be joined with the operator's own.

Rules:
- HMAC-SHA256 under the operator's key, cut to 63 bits and written as a decimal number, the form of an AOL id.
- The same user has the same pseudonym under the same key, else its profile would fall apart.
- The key never shows in a repr or an error.

Source: H. Krawczyk, M. Bellare, R. Canetti, HMAC, RFC 2104.
"""

import hmac
from typing import Final

from querymix.core.bounded_cache import BoundedCache
from querymix.core.errors import ConfigError

SHORTEST_KEY: Final = 16
MAX_REMEMBERED: Final = 1 << 18


class Pseudonyms(BoundedCache[str]):
    """A mapping from a user id to its pseudonym.

    Raises ConfigError where the key is shorter than `SHORTEST_KEY` bytes.
    """

    def __init__(self, key: bytes) -> None:
        super().__init__(MAX_REMEMBERED)
        if len(key) < SHORTEST_KEY:
            raise ConfigError(
                f"the pseudonym key has {len(key)} bytes and needs {SHORTEST_KEY}: make one with 'openssl rand -hex 32'"
            )
        self._key = key

    def __missing__(self, user: str) -> str:
        digest = hmac.digest(self._key, user.encode("utf-8", "surrogateescape"), "sha256")
        pseudonym = str(int.from_bytes(digest[:8]) >> 1)
        self.keep(user, pseudonym)
        return pseudonym

    def __reduce__(self) -> tuple[type["Pseudonyms"], tuple[bytes]]:
        return Pseudonyms, (self._key,)  # for another process: the key, and not what is remembered

    def __repr__(self) -> str:
        return "Pseudonyms(...)"
