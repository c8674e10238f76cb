"""Who had an item a short time ago, in bounded memory: the crowd of a stream (z-anonymity).

>>> window = CrowdWindow(CrowdRules(within=60, users=2, groups=2))
>>> for user, now in (("ann", 0), ("bob", 50), ("ann", 55)):
...     window.read(now)
...     window.note(user, ["term red"])
>>> window.enough("term red", 2), window.enough("term red", 3)
(True, False)
>>> window.read(110)
>>> window.enough("term red", 2)
False

Rules:
- Of an item those users are kept who had it last, as many as may be asked for, each with the moment of the last time.
  So whether `users` of them had it within the window is told exactly.
- At most `most` pairs of an item and a user are kept. They stand in two generations: what is had again moves to the
  newer one. Where that has half of the pairs, or began a window ago, the older one is forgotten as a whole, so that
  what was had last goes last. Who is forgotten early makes an item rarer, never more common; `forgotten` counts them.
- Nobody's hash is kept for longer than three windows, or where the clock stands for as long as it does.
- Moments are those of the hold clock, which never runs back. Where it jumps, arrivals get their own moments; where a
  later log begins earlier, nothing is later than its beginning.
- Items and users are kept as hashes under a key that is drawn once and kept with them (querymix.core.seen_times).

Source: Jha et al. 2020, "z-anonymity: Zero-Delay Anonymization for Data Streams".
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from struct import Struct
from typing import Any, Final, NamedTuple

from querymix.core.bounded_cache import BoundedCache
from querymix.core.crowd import GROUP
from querymix.core.draw import random_key
from querymix.core.hold_clock import Jump
from querymix.core.seen_times import Keyed

MAX_PAIRS: Final = 1 << 19
"""Pairs of an item and a user that are kept at once: 92 MB where each item has one user, 8 MB where each has 20."""
_PARTITIONS: Final = 4
"""Partitions whose windows are that large; those of more share what these have."""
_GROUP: Final = f"{GROUP} "
_ENTRY: Final = Struct(">Qd")
_SIZE: Final = 16
"""Bytes of an entry: a user's hash, and the moment."""
_MOMENT: Final = Struct(">d")
_HEAD: Final = Struct(">QI")
"""Before an item's entries in a snapshot: its hash, and how many they are."""
_CHUNK: Final = 1 << 16
"""Bytes in one text of a snapshot, about."""
_REMEMBERED: Final = 1 << 14
"""Items whose hashes are remembered: 3 MB."""


def share(partitions: int) -> int:
    """Return how many pairs the window of each of so many partitions keeps: a worker may have to take over all."""
    return MAX_PAIRS * _PARTITIONS // max(_PARTITIONS, partitions)


class CrowdRules(NamedTuple):
    """What is asked of the crowd of a stream."""

    within: float
    """Seconds for which a user counts who had an item."""
    users: int
    """How many are asked for at most."""
    groups: int
    """How many are asked for at most where the item is a group of values."""
    others: tuple[str, ...] = ()
    """What else is chosen about texts and fields, which only tells rules from others."""

    @classmethod
    def of(cls, row: Iterable[Any] | None) -> "CrowdRules | None":
        """Return the rules that `row`, a state's list, names. Raises TypeError or ValueError where it is none."""
        if row is None:
            return None
        within, users, groups, others = row
        return cls(float(within), int(users), int(groups), tuple(map(str, others)))


class CrowdWindow:
    """The users who had each item last. Life: `read` the clock, `note` who has what, ask whether there are `enough`."""

    def __init__(self, rules: CrowdRules, most: int = MAX_PAIRS) -> None:
        self.rules = rules
        self.now = 0.0
        self.forgotten = 0
        """Pairs that were forgotten before they were a window old."""
        self._most = most
        self._began = 0.0
        """When the newer generation did."""
        self._newer: dict[int, bytes] = {}
        self._older: dict[int, bytes] = {}
        """The entries of each item, what is latest last."""
        self._pairs = self._older_pairs = 0
        self._set_key(random_key())

    def _set_key(self, key: bytes) -> None:
        self._key, self._keyed = key, Keyed(key)
        self._hashes: BoundedCache[int] = BoundedCache(_REMEMBERED)

    def __len__(self) -> int:
        return self._pairs + self._older_pairs

    def __repr__(self) -> str:
        return f"CrowdWindow({len(self)} pairs)"

    def read(self, now: float) -> None:
        """Let time go on; `now` is never earlier than before."""
        self.now = now
        if now - self._began >= self.rules.within:
            self._turn()

    def note(self, user: str, items: Iterable[str]) -> None:
        """Count a user for items from now on."""
        entry = _ENTRY.pack(self._keyed.of(user), self.now)
        name, newer, older, hashes = entry[:8], self._newer, self._older, self._hashes
        for item in items:
            key = hashes.get(item)
            if key is None:
                key = self._hash(item)
            before = newer.get(key)
            if before is None:
                before = older.pop(key, None)
                if before is None:  # nobody has had most items
                    newer[key] = entry
                    self._pairs += 1
                    continue
                self._older_pairs -= len(before) // _SIZE
                self._pairs += len(before) // _SIZE
            if before[:8] == name and len(before) == _SIZE:  # who alone had it has it again, as with several clicks
                newer[key] = entry
                continue
            after = self._with(before, entry, name, item)
            self._pairs += (len(after) - len(before)) // _SIZE
            newer[key] = after
        if self._pairs > self._most // 2:
            self._turn()

    def _with(self, before: bytes, entry: bytes, name: bytes, item: str) -> bytes:
        """Return an item's entries with one more, of which the user's earlier one and what is too old are gone."""
        place = before.find(name)
        while place >= 0 and place % _SIZE:  # bytes of two entries
            place = before.find(name, place + 1)
        if place >= 0:
            before = before[:place] + before[place + _SIZE :]
        most = self.rules.groups if item.startswith(_GROUP) else self.rules.users
        start = max(0, len(before) - (most - 1) * _SIZE)
        while start < len(before) and self._is_old(before, start):
            start += _SIZE
        return before[start:] + entry

    def _is_old(self, entries: bytes, start: int) -> bool:
        moment: float = _MOMENT.unpack_from(entries, start + 8)[0]
        return not self.now - moment < self.rules.within

    def enough(self, item: str, users: int) -> bool:
        """Say whether at least so many distinct users had an item within the window; in doubt, no."""
        key = self._hashes.get(item)
        if key is None:
            key = self._hash(item)
        entries = self._newer.get(key) or self._older.get(key, b"")
        start = len(entries) - users * _SIZE
        return start >= 0 and not self._is_old(entries, start)

    def _hash(self, item: str) -> int:
        key = self._keyed.of(item)
        self._hashes.keep(item, key)
        return key

    def _turn(self) -> None:
        """Forget the older generation; the newer one becomes it."""
        within = self.rules.within
        for entries in self._older.values():
            if self.now - _MOMENT.unpack_from(entries, len(entries) - 8)[0] < within:
                self.forgotten += len(entries) // _SIZE
        self._older, self._newer = self._newer, {}
        self._older_pairs, self._pairs = self._pairs, 0
        self._began = self.now

    def follow(self, rules: CrowdRules) -> None:
        """Let other rules hold from now on. What a shorter window or fewer users had forgotten does not come back."""
        self.rules = rules

    def move_on(self, jump: Jump) -> None:
        """Give what was noted since a jump of the hold clock began its own moment."""
        if moved := jump.moved:
            self._restamp(jump.since, lambda at: moved.get(at, at))

    def put_back(self, now: float) -> None:
        """Let nothing have been noted later than `now`, where the hold clock begins again earlier."""
        self.now, self._began = min(self.now, now), min(self._began, now)
        self._restamp(now, lambda at: min(at, now))

    def _restamp(self, since: float, moment: Callable[[float], float]) -> None:
        """Give what was noted later than `since` other moments."""
        for generation in (self._older, self._newer):
            for key, entries in generation.items():
                if _MOMENT.unpack_from(entries, len(entries) - 8)[0] > since:
                    rows = [(user, moment(at)) for user, at in _ENTRY.iter_unpack(entries)]
                    rows.sort(key=_moment_of)
                    generation[key] = b"".join([_ENTRY.pack(*row) for row in rows])

    def head(self) -> dict[str, Any]:
        """Return the state but for the pairs, as plain data."""
        return {
            "rules": self.rules[:],
            "key": self._key.hex(),
            "now": self.now,
            "began": self._began,
            "forgotten": self.forgotten,
        }

    def frozen(self) -> Iterator[list[Any]]:
        """Yield the pairs as plain data, for `restoring`, before they change."""
        for generation, items in enumerate((self._older, self._newer)):
            parts, size = list[bytes](), 0
            for key, entries in items.items():
                parts += (_HEAD.pack(key, len(entries) // _SIZE), entries)
                size += len(entries) + _HEAD.size
                if size >= _CHUNK:
                    yield [generation, b64encode(b"".join(parts)).decode()]
                    parts, size = [], 0
            if parts:
                yield [generation, b64encode(b"".join(parts)).decode()]

    def restoring(self, head: Mapping[str, Any], rows: Iterable[Any]) -> Iterator[None]:
        """Take over, in pieces, what `head` and `frozen` gave. Raises ValueError where it is damaged."""
        key = bytes.fromhex(head["key"])
        if len(key) != len(random_key()):
            raise ValueError("that is no key")
        self._set_key(key)
        self.now, self._began, self.forgotten = head["now"], head["began"], head["forgotten"]
        self._newer, self._older = {}, {}
        self._pairs = self._older_pairs = 0
        for generation, text in rows:
            pairs = self._take(b64decode(text, validate=True), self._newer if generation else self._older)
            if generation:
                self._pairs += pairs
            else:
                self._older_pairs += pairs
            yield

    def _take(self, data: bytes, items: dict[int, bytes]) -> int:
        place = pairs = 0
        while place < len(data):
            if place + _HEAD.size > len(data):
                raise ValueError("an item is cut off")
            key, count = _HEAD.unpack_from(data, place)
            place += _HEAD.size
            entries = data[place : place + count * _SIZE]
            if not entries or len(entries) != count * _SIZE:
                raise ValueError("an item's users are cut off")
            items[key] = entries
            place += len(entries)
            pairs += count
        return pairs


def _moment_of(row: tuple[int, float]) -> float:
    return row[1]
