"""Weights of a word that no list knows, from its pieces: brands, misspellings, words of a kind.

Rules:
- A word's pieces are the runs of `SHORTEST` to `LONGEST` characters of its folded form between "<" and ">".
- A table has one row of weights a bucket, `FIELDS` bytes: a weight in steps plus `OFFSET` a category, or only zeros
  where the bucket is not known. A piece's bucket is the CRC-32 of its UTF-8 modulo the number of rows.
- The word's weights are the mean of its known rows.
- service/native/src/classify/guesses.rs does the same for words of ASCII: what changes here changes there too.

Source: Bojanowski et al., "Enriching word vectors with subword information" (TACL 2017). The table is learned with the
term weights (querymix_lab.knowledge.train).
"""

import struct
from itertools import chain
from typing import Final
from zlib import crc32

from querymix.core.packed_weights import FIELDS, MAX_ADDED, OFFSET, pack
from querymix.core.text import folded

SHORTEST: Final = 3
LONGEST: Final = 6
UNKNOWN_ROW: Final = bytes(FIELDS)
# A row's bytes are added in two numbers of sixteen bits a byte, which hold a sum of `MAX_ADDED` of them.
_EVERY_OTHER: Final = int.from_bytes(b"\xff\0" * (FIELDS // 2), "little")
_SUMS: Final = struct.Struct(f"<{FIELDS // 2}H")


def buckets(word: str, size: int) -> list[int]:
    """Return the bucket, below `size`, of each piece of a lower-case word; a piece that occurs twice is there twice."""
    padded = f"<{folded(word)}>"
    end = len(padded) + 1
    places = [(at, at + length) for length in range(SHORTEST, LONGEST + 1) for at in range(end - length)]
    if padded.isascii():
        content = padded.encode()
        return [crc32(content[at:to]) % size for at, to in places]
    return [crc32(padded[at:to].encode("utf-8", "surrogatepass")) % size for at, to in places]


def piece_weights(word: str, table: bytes | memoryview) -> int:
    """Return a word's weights by a table, packed; 0 where no row of its pieces is known."""
    size = len(table) // FIELDS
    even = odd = known = 0
    for bucket in buckets(word, size)[:MAX_ADDED] if size else ():
        at = bucket * FIELDS
        row = int.from_bytes(table[at : at + FIELDS], "little")
        if row:
            even += row & _EVERY_OTHER
            odd += row >> 8 & _EVERY_OTHER
            known += 1
    if not known:
        return 0
    sums = [_SUMS.unpack(part.to_bytes(_SUMS.size, "little")) for part in (even, odd)]
    return pack([round(added / known) - OFFSET for added in chain.from_iterable(zip(*sums, strict=True))])
