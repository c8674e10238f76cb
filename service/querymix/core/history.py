"""What the pools remember of users' past: when each was first seen, and when it last asked a text.

Rules:
- Moments are those of the hold clock. A user's first moment is kept for good, an asking for as long as `dedupe` lasts.
- Askings are bounded: past `MAX_ASKED` the older ones are forgotten early, so that a repeat may be pooled again.
- Nothing is remembered for a rule that is off.
- Users and texts are remembered by hashes under a key, which is drawn once and kept with them. Up to 0.4.0 there was no
  key: a hash of then gets one by being hashed once more.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from querymix.core.draw import random_key
from querymix.core.rules import Rules
from querymix.core.seen_times import Keyed, SeenTimes, hash_of

MAX_ASKED: Final = 1 << 22
"""Askings remembered at once: 48 MiB."""
_FORGETS: Final = 4
"""How often what is too old is looked for in the time that an asking is remembered."""


class History:
    """The past of one stream's users, or of those of one partition of it."""

    __slots__ = ("_asked", "_forget_at", "_key", "_keyed", "_most", "_seen", "_since", "_within")

    def __init__(self, rules: Rules, most: int = MAX_ASKED) -> None:
        self._seen = SeenTimes()
        self._asked = SeenTimes()
        self._set_key(b"")
        self._forget_at = 0.0
        self._most = most
        self.follow(rules)

    def follow(self, rules: Rules) -> None:
        """Let other rules hold; what a rule that is off now had remembered is forgotten."""
        self._since, self._within = rules.established, rules.dedupe
        if not self._key and (self._since, self._within) != (None, None):
            self._set_key(random_key())
        if self._since is None:
            self._seen = SeenTimes()
        if self._within is None:
            self._asked = SeenTimes()

    def established(self, user: str, now: float) -> bool:
        """Note that a user was seen, and say whether it was first seen long enough ago."""
        first = self.first(user, now)
        return first is not None and self.long_ago(first, now)

    def first(self, user: str, now: float) -> int | None:
        """Note that a user was seen, and return when it was first, in whole seconds; None where that is now."""
        key = self._hash(user)
        first = self._seen.get(key)
        if first is None:
            self._seen.put(key, now)
        return first

    def long_ago(self, first: int, now: float) -> bool:
        """Say whether who was first seen then is established."""
        return self._since is None or now - first >= self._since

    def first_seen(self, user: str) -> int | None:
        """Return when a user was first seen, in whole seconds; None where nobody remembers."""
        return self._seen.get(self._hash(user))

    def repeated(self, user: str, text: str, now: float) -> bool:
        """Note an asking, and say whether its user asked the same (but for case and spaces) a short time before."""
        if self._within is None:
            return False
        key = self._hash(user, " ".join(text.casefold().split()))
        before = self._asked.get(key)
        self._asked.put(key, now)
        if len(self._asked) > self._most:
            self._shorten(now, self._within)
        return before is not None and now - before < self._within

    def _set_key(self, key: bytes) -> None:
        self._key, self._keyed = key, Keyed(key)

    def _hash(self, *parts: str) -> int:
        return self._keyed.hash_of(hash_of(*parts))

    def _shorten(self, now: float, within: float) -> None:
        while len(self._asked) > self._most * 3 // 4 and within > 1:
            within /= 2
            self._asked.forget_before(now - within)
        if len(self._asked) > self._most:
            self._asked = SeenTimes()

    def forget(self, now: float) -> None:
        """Forget askings that are too old to matter, where it is time to look for them."""
        if self._within is not None and now >= self._forget_at:
            self._forget_at = now + self._within / _FORGETS
            self._asked.forget_before(now - self._within)

    def move_on(self, since: float, by: float) -> None:
        """Make what came after `since` younger by `by` seconds, after a jump of the hold clock."""
        self._seen.move_on(since, by)
        self._asked.move_on(since, by)

    def put_back(self, now: float) -> None:
        """Let nothing have come later than `now`, where the hold clock begins again earlier."""
        self._seen.put_back(now)
        self._asked.put_back(now)
        self._forget_at = min(self._forget_at, now)

    def frozen(self) -> dict[str, Any]:
        """Return the state as plain data, for `restoring`; moments are iterators, to be used before they change."""
        return {
            "seen": self._seen.frozen(),
            "asked": self._asked.frozen(),
            "seen_key": self._key.hex(),
            "forget_at": self._forget_at,
        }

    def restoring(self, state: Mapping[str, Any]) -> Iterator[None]:
        """Take over, in pieces, what `frozen` described. Raises ValueError where it is damaged."""
        self._set_key(bytes.fromhex(state.get("seen_key", "")))
        if len(self._key) not in (0, len(random_key())):
            raise ValueError("that is no key")
        own = b""
        if not self._key and (state["seen"] or state["asked"] or (self._since, self._within) != (None, None)):
            own = random_key()
            self._set_key(own)
        self._seen, self._asked = SeenTimes(), SeenTimes()
        yield from self._seen.restoring(state["seen"], own)
        yield from self._asked.restoring(state["asked"], own)
        self._forget_at = state["forget_at"]
