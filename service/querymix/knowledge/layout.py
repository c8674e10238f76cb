"""How a knowledge bundle is laid out: what reading and writing share. docs/knowledge-bundle.md describes the whole.

Rules:
- Little-endian, one format number. In order: magic; length of the header (32 bits); header (JSON); slots; records;
  category paths; word lists; weights of word pieces.
- Slots: 32-bit numbers, eight for five terms: an open-addressing hash table by CRC-32 of the term in UTF-8, with linear
  probing. 0 is an empty slot, anything else one more than a record's place in the records.
- Record: `RECORD`, the term, the recommendation, a byte a category of weights where the term has weights of its own,
  then eight bytes each of `Term.later_bits` and `Term.first_bits` where they are not 0.
- Category paths: each with its length in two bytes in front (`PATH`); a record holds its place there.
- Word lists: a JSON object from each list's name to its entries in alphabetical order.
- Weights of word pieces: the table of querymix.core.word_pieces. Format 5 is the same without it, and is still read.
- service/native/src/classify/bundle.rs reads slots, records and paths too.
- The version is the SHA-256 of bias, scale and everything behind the header: equal bundles have equal versions.
"""

import hashlib
import struct
from typing import Final, NamedTuple

import orjson

from querymix.core.packed_weights import FIELDS

MAGIC: Final = b"querymix knowledge\n"
FORMAT: Final = 6
READ: Final = (5, FORMAT)
"""Formats that are read."""
LENGTH: Final = struct.Struct("<I")
"""The header's length in bytes."""
HEADER_BEGIN: Final = len(MAGIC) + LENGTH.size
RECORD: Final = struct.Struct("<IIBBQ")
"""Tags, span and category (`tags << 8 | span << 5 | category + 1`), path, bytes of term, bytes of recommendation, and
references with flags (`references << 4 | FIRST_BITS | LATER_BITS | kind of weights`)."""
MAX_REFERENCES: Final = (1 << 60) - 1
"""They share 8 bytes with four bits of flags."""
PATH: Final = struct.Struct("<H")
NO_WEIGHTS, OWN_WEIGHTS, CATEGORY_WEIGHTS = range(3)
"""Kinds of weights: none; of the term's own; those of its category alone (`CATEGORY_ONLY`), which take no bytes."""
LATER_BITS: Final = 4
FIRST_BITS: Final = 8
FLAGS: Final = 15
BITS_BYTES: Final = 8
REST: Final = tuple(
    FIELDS * (flags & 3 == OWN_WEIGHTS) + BITS_BYTES * (bool(flags & LATER_BITS) + bool(flags & FIRST_BITS))
    for flags in range(FLAGS + 1)
)
"""Bytes behind the recommendation, by a record's flags."""

HOSTS: Final = "hosts with weights"
"""Under which the header says how many of the terms are: it is absent in bundles from before 28 November 2026."""


class Source(NamedTuple):
    """Where facts of a bundle came from."""

    name: str
    licence: str
    facts: int


def is_newer(number: object) -> bool:
    """Say whether a format is one that only a newer querymix reads."""
    return isinstance(number, int) and number > FORMAT


def version(bias: list[int], scale: float, body: bytes | memoryview) -> str:
    """Return the version of a bundle; `body` is everything behind its header."""
    digest = hashlib.sha256(orjson.dumps([bias, scale]))
    digest.update(body)
    return digest.hexdigest()
