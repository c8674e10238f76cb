"""Evidence as one integer: sixteen lanes of sixteen bits, one a category: one addition adds all sixteen weights.

Rules:
- A weight is a whole number from -`LARGEST` to `LARGEST`, in `SCALE` parts of a natural logarithm of odds.
- A lane holds a weight plus `OFFSET`, from 1 to 255: it is never negative, so no addition borrows from the next lane.
- `MOST_ADDED` vectors may be added, since 257 * 255 = 65,535 is the largest number that a lane holds.
- Each vector adds `OFFSET` to every lane alike, so the largest lane is the largest sum of weights.
- No evidence is 0, and no vector is.
"""

import math
import struct
from collections.abc import Sequence
from typing import Final

from service.core.knowledge import CATEGORIES

LANES: Final = len(CATEGORIES)
SCALE: Final = 40.0
"""Steps a natural logarithm."""
LARGEST: Final = 127
OFFSET: Final = 128
MOST_ADDED: Final = 257
NARROW_BYTES: Final = LANES
WIDE: Final = struct.Struct(f"<{LANES}H")


def steps(weight: float) -> int:
    """Return a weight in nats as a whole number of steps, at most `LARGEST` in size."""
    return max(-LARGEST, min(LARGEST, round(weight * SCALE)))


def pack(weights: Sequence[int]) -> int:
    """Pack one weight a category, in steps. Raises ValueError where one is out of range or their number is wrong."""
    if len(weights) != LANES or not all(-LARGEST <= weight <= LARGEST for weight in weights):
        raise ValueError(f"{LANES} weights from -{LARGEST} to {LARGEST} belong here")
    return int.from_bytes(WIDE.pack(*(weight + OFFSET for weight in weights)), "little")


def unpack(evidence: int, added: int = 1) -> list[int]:
    """Return the weights, in steps, of a sum of `added` vectors."""
    return [lane - added * OFFSET for lane in WIDE.unpack(evidence.to_bytes(WIDE.size, "little"))]


def narrow(evidence: int) -> bytes:
    """Return one vector in a byte a category."""
    return evidence.to_bytes(WIDE.size, "little")[::2]


def widen(content: bytes) -> int:
    """Return the vector that `narrow` made `content` of."""
    return int.from_bytes(WIDE.pack(*content), "little")


def share(lanes: Sequence[int], winner: int) -> float:
    """Return the winner's share of all categories' odds, from lanes whose offsets are alike."""
    top = lanes[winner]
    return 1.0 / sum(math.exp((lane - top) / SCALE) for lane in lanes)


PLAIN_WEIGHT: Final = 2.0
"""Nats for the category of a term of which no more is known than that."""
PLAIN: Final = (
    *(
        pack([steps(PLAIN_WEIGHT) if lane == place else -steps(PLAIN_WEIGHT / (LANES - 1)) for lane in range(LANES)])
        for place in range(LANES)
    ),
    0,
)
"""The vector of each category of which no more is known, and no evidence for the place -1."""
