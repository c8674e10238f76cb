"""Ids that do not last: the ids that lines leave under, new in each period.

>>> number_of(86_400, 86_399.0), number_of(86_400, 86_400.0), number_of(86_400, -1.0)
(0, 1, -1)

Rules:
- Pools, k, profiles and the score count the users; a period's ids are put in after that, just before lines are encoded.
- A period's id is the user's keyed hash (`Ids`) under a random key that only this period has, and looks as pseudonyms
  do.
  Once the key is gone no id tells which id of another period is the same user's, also not to who knows all users.
  What stands in the lines may tell it all the same (docs/guarantees.md).
- `session`: each release has an id of its own, its rows together. `record`: each row has. Nobody keeps those at all.
- What moment decides about a period is up to the caller; a line never leaves under a period that is over.

Source of the hash: M.-J. Saarinen, J.-P. Aumasson, BLAKE2, RFC 7693: it takes a key itself, at a third of HMAC's time.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from itertools import repeat
from typing import Final, Literal

from querymix.core.bounded_cache import BoundedCache
from querymix.core.draw import random_bytes
from querymix.core.errors import ConfigError
from querymix.core.pseudonyms import MAX_REMEMBERED
from querymix.core.records import Release, each_row
from querymix.native_path import module

Period = float | Literal["session", "record"] | None
"""How long an id lasts: so many seconds; for one release; for one row; or for good, as the users came."""
SHORTEST: Final = 60.0
"""Seconds of a period."""
_new: Final = tuple.__new__


class Ids(BoundedCache[str]):
    """From a user to its id under the key of a period, which is `random_key()`."""

    def __init__(self, key: bytes) -> None:
        super().__init__(MAX_REMEMBERED)
        self._begin = blake2b(key=key, digest_size=8).copy

    def __missing__(self, user: str) -> str:
        digest = self._begin()
        digest.update(user.encode("utf-8", "surrogateescape"))
        found = str(int.from_bytes(digest.digest()) >> 1)
        self.keep(user, found)
        return found

    def __reduce__(self) -> str:
        raise TypeError("the ids of a period stay in the process that has its key")


def check_period(period: Period) -> Period:
    """Return a period. Raises ConfigError where it is no whole number of seconds, or too few of them."""
    if isinstance(period, int | float) and not (period >= SHORTEST and period % 1 == 0):
        raise ConfigError("a pseudonym period is a whole number of seconds, 1m at least; or none, session or record")
    return period


def number_of(period: float, now: float) -> int:
    """Return the number of the period that a moment lies in; `period` and `now` are seconds, since 1970 (UTC)."""
    return int(now // period)


def random_ids(count: int, read: Callable[[int], bytes] = random_bytes) -> list[str]:
    """Return ids that say nothing, in the form of pseudonyms; `read` answers a number of bytes with random ones."""
    return [str(number >> 1) for number in memoryview(read(8 * count)).cast("Q")]


def with_ids(
    releases: Sequence[Release],
    period: Period,
    ids: Mapping[str, str] | None = None,
    read: Callable[[int], bytes] = random_bytes,
) -> Sequence[Release]:
    """Return the releases, all of one period, under the ids that they leave with.

    `ids` are the period's, by the user: needed where the period is a time. Under `record` there is a release
    for each row. service/native/src/files/periods.rs does the same where a period is a time.
    """
    if period is None:
        return releases
    if isinstance(period, str):
        rows = each_row(releases) if period == "record" else releases
        return [_new(Release, (new, *row[1:])) for new, row in zip(random_ids(len(rows), read), rows, strict=True)]
    if ids is None:
        raise ValueError("a period that is a time has ids of its own")
    if not releases:
        return releases
    if (native := module()) is not None:
        named: list[Release] = native.with_ids(list(releases), ids, Release)
        return named
    users, *fields = zip(*releases, strict=True)  # by column, which takes a sixth less time
    return list(map(_new, repeat(Release), zip(map(ids.__getitem__, users), *fields, strict=True)))
