"""A term's weights, one a category, packed into one integer: one addition adds all sixteen.

Rules:
- A weight is a whole number from -`LARGEST` to `LARGEST`. `SCALE` steps are one nat, the unit of natural log-odds.
- The integer has one field of sixteen bits a category. A field holds a weight plus `OFFSET`, from 1 to 255: it is never
  negative, so an addition borrows nothing from the next field.
- At most `MAX_ADDED` packed weights may be added, since 257 * 255 = 65,535 is the largest number that a field holds.
- Each of them adds `OFFSET` to every field, so the largest field belongs to the largest sum of weights.
- A term without weights has 0. Packed weights are never 0, because no field of theirs is.

service/native/src/classify/packed.rs does the same: what changes here changes there too.
"""

import math
import struct
from collections.abc import Sequence
from typing import Final

from querymix.core.knowledge import CATEGORIES

FIELDS: Final = len(CATEGORIES)
SCALE: Final = 40.0
"""Steps a nat."""
LARGEST: Final = 127
OFFSET: Final = 128
MAX_ADDED: Final = 257
FIELDS_STRUCT: Final = struct.Struct(f"<{FIELDS}H")
"""From the integer's little-endian bytes to its fields, and back."""


def steps(weight: float) -> int:
    """Return a weight in nats as a whole number of steps, at most `LARGEST` in size."""
    return max(-LARGEST, min(LARGEST, round(weight * SCALE)))


def pack(weights: Sequence[int]) -> int:
    """Pack one weight a category, in steps. Raises ValueError where one is out of range or their number is wrong."""
    if len(weights) != FIELDS or not all(-LARGEST <= weight <= LARGEST for weight in weights):
        raise ValueError(f"{FIELDS} weights from -{LARGEST} to {LARGEST} belong here")
    return int.from_bytes(FIELDS_STRUCT.pack(*(weight + OFFSET for weight in weights)), "little")


def unpack(packed: int, added: int = 1) -> list[int]:
    """Return the weights, in steps, of a sum of `added` packed weights."""
    return [field - added * OFFSET for field in FIELDS_STRUCT.unpack(packed.to_bytes(FIELDS_STRUCT.size, "little"))]


def to_bytes(packed: int) -> bytes:
    """Return one term's packed weights in a byte a category."""
    return packed.to_bytes(FIELDS_STRUCT.size, "little")[::2]


def from_bytes(content: bytes) -> int:
    """Return the packed weights that `to_bytes` made `content` of."""
    return int.from_bytes(FIELDS_STRUCT.pack(*content), "little")


def share(fields: Sequence[int], winner: int) -> float:
    """Return the winner's share of all categories' odds, from the fields of a sum."""
    top = fields[winner]
    return 1.0 / sum(math.exp((field - top) / SCALE) for field in fields)


CATEGORY_ONLY_WEIGHT: Final = 2.0
"""Nats for the category of a term of which nothing but the category is known."""
_OWN, _OTHER = steps(CATEGORY_ONLY_WEIGHT), -steps(CATEGORY_ONLY_WEIGHT / (FIELDS - 1))
CATEGORY_ONLY: Final = (*(pack([_OTHER] * n + [_OWN] + [_OTHER] * (FIELDS - 1 - n)) for n in range(FIELDS)), 0)
"""By category, the packed weights of a term of which only that category is known; no weights for the category -1."""
