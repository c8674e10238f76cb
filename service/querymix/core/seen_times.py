"""When each of many names was last or first met: a compact map from a name's hash to a whole second.

Rules:
- An entry takes 12 bytes: 8 of the hash, 4 of the moment (up to the year 2106), in sorted arrays by the hash's first
  bits, so that one goes in with a short shift. In a snapshot it takes 16.
- Two names of one hash are taken for one: 1 in 36 million of ten million names has such a twin.
- What is kept is no name, and its hash is one under a key of the state's own: it can be looked up in no list that was
  made before, and joined with no other state. Whoever has this state has its key and can try names: it is guarded as
  the raw queries beside it are.
"""

from array import array
from base64 import b64decode, b64encode
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from math import ceil
from typing import Final

_BUCKET_BITS: Final = 12
_SHIFT: Final = 64 - _BUCKET_BITS
_LATEST: Final = 0xFFFF_FFFF
_CHUNK: Final = 4096
"""Entries in one text of a snapshot."""


def hash_of(*parts: str) -> int:
    """Return 64 bits for some texts, the same in every process."""
    lengths = ",".join([str(len(part)) for part in parts])  # a list: this is the hot path
    data = f"{lengths}:{''.join(parts)}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


class Keyed:
    """64 bits for a number or a text under a key. The key's own block is hashed once: the rest is two thirds."""

    __slots__ = ("_keyed",)

    def __init__(self, key: bytes) -> None:
        self._keyed = blake2b(digest_size=8, key=key)

    def __repr__(self) -> str:
        return "Keyed()"

    def of(self, text: str) -> int:
        """Return the bits for a text."""
        keyed = self._keyed.copy()
        keyed.update(text.encode("utf-8", "surrogatepass"))
        return int.from_bytes(keyed.digest(), "big")

    def hash_of(self, number: int) -> int:
        """Return the bits."""
        keyed = self._keyed.copy()
        keyed.update(number.to_bytes(8, "big"))
        return int.from_bytes(keyed.digest(), "big")


class SeenTimes:
    """SeenTimes in seconds by hash; rounded up to whole ones, so that nobody seems older than they are."""

    __slots__ = ("_buckets", "_size")

    def __init__(self) -> None:
        self._buckets: dict[int, tuple[array[int], array[int]]] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"SeenTimes({self._size})"

    def get(self, key: int) -> int | None:
        """Return the moment of a hash, None where there is none."""
        bucket = self._buckets.get(key >> _SHIFT)
        if bucket is None:
            return None
        keys, moments = bucket
        place = bisect_left(keys, key)
        return moments[place] if place < len(keys) and keys[place] == key else None

    def put(self, key: int, moment: float) -> None:
        """Set the moment of a hash."""
        second = _second(moment)
        bucket = self._buckets.get(key >> _SHIFT)
        if bucket is None:
            bucket = self._buckets[key >> _SHIFT] = array("Q"), array("I")
        keys, moments = bucket
        place = bisect_left(keys, key)
        if place < len(keys) and keys[place] == key:
            moments[place] = second
        else:
            keys.insert(place, key)
            moments.insert(place, second)
            self._size += 1

    def forget_before(self, moment: float) -> None:
        """Drop all entries whose moment is earlier."""
        for number, (keys, moments) in list(self._buckets.items()):
            kept = [place for place, second in enumerate(moments) if second >= moment]
            if not kept:
                del self._buckets[number]
            elif len(kept) < len(keys):
                pair = array("Q", (keys[place] for place in kept)), array("I", (moments[place] for place in kept))
                self._buckets[number] = pair
            self._size -= len(keys) - len(kept)

    def move_on(self, since: float, by: float) -> None:
        """Make moments after `since` later by `by` seconds, after a jump of the hold clock."""
        first, seconds = ceil(since), ceil(by)
        for _, moments in self._buckets.values():
            for place, second in enumerate(moments):
                if second >= first:
                    moments[place] = min(second + seconds, _LATEST)

    def put_back(self, moment: float) -> None:
        """Let no moment be later than this one."""
        second = _second(moment)
        for _, moments in self._buckets.values():
            for place, other in enumerate(moments):
                if other > second:
                    moments[place] = second

    def frozen(self) -> Iterator[str]:
        """Yield the entries as texts, for `restoring`."""
        keys, moments = array("Q"), array("I")
        for number in sorted(self._buckets):
            keys += self._buckets[number][0]
            moments += self._buckets[number][1]
            if len(keys) >= _CHUNK:
                yield _packed(keys, moments)
                keys, moments = array("Q"), array("I")
        if keys:
            yield _packed(keys, moments)

    def restoring(self, chunks: Iterable[str], key: bytes = b"") -> Iterator[None]:
        """Take over, in pieces, what `frozen` yielded, where there is nothing yet.

        With a key, by the hashes that these hashes have under it. Raises ValueError where a text is damaged.
        """
        for chunk in chunks:
            keys, moments = _unpacked(chunk)
            if key:
                keyed = Keyed(key)
                for hashed, second in zip(keys, moments, strict=True):
                    self.put(keyed.hash_of(hashed), second)
            else:
                self._take(keys, moments)
            yield

    def _take(self, keys: "array[int]", moments: "array[int]") -> None:
        self._size += len(keys)
        start = 0
        while start < len(keys):
            number = keys[start] >> _SHIFT
            end = bisect_left(keys, (number + 1) << _SHIFT, start)
            self._buckets[number] = keys[start:end], moments[start:end]
            start = end


def _second(moment: float) -> int:
    return min(max(ceil(moment), 0), _LATEST)


def _packed(keys: "array[int]", moments: "array[int]") -> str:
    keys, moments = keys[:], moments[:]
    if _SWAPPED:
        keys.byteswap()
        moments.byteswap()
    return b64encode(keys.tobytes() + moments.tobytes()).decode()


def _unpacked(chunk: str) -> "tuple[array[int], array[int]]":
    data = b64decode(chunk, validate=True)
    keys, moments = array("Q"), array("I")
    count, rest = divmod(len(data), keys.itemsize + moments.itemsize)
    if rest:
        raise ValueError("moments are cut off")
    keys.frombytes(data[: 8 * count])
    moments.frombytes(data[8 * count :])
    if _SWAPPED:
        keys.byteswap()
        moments.byteswap()
    return keys, moments


_SWAPPED: Final = array("H", b"\x01\x00")[0] != 1
"""Whether this machine puts the high byte first: what is written puts the low one first."""
