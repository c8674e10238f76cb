"""The knowledge bundle: one read-only file, mapped into memory and so shared between processes.

Rules:
- Little-endian, one format number. Layout: magic; length of the header; header (JSON); slots; records; paths.
- Slots: a power of two of 32-bit numbers, an open-addressing hash table by CRC-32 of the term in UTF-8, linear
  probing; 0 is empty, anything else one more than a record's place in the records.
- Record: RECORD, then the term, then the recommendation, then 32 bytes of evidence where there is any.
- Behind the records the category paths, each with its length in two bytes before it; a record names its place there.
- The version is the SHA-256 of what stands behind the header, so that equal bundles have equal versions.
- A term is decoded when first asked for and then remembered: the hot path is one look-up in a dict.
"""

import hashlib
import mmap
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import orjson

from service.core.errors import Misconfigured
from service.core.knowledge import UNKNOWN, Term

MAGIC: Final = b"querymix knowledge\n"
FORMAT: Final = 2
RECORD: Final = struct.Struct("<HBBIBBQ")
"""Tags, category + 1, span, path, bytes of term, bytes of recommendation, references << 1 | has evidence."""
PATH: Final = struct.Struct("<H")
EVIDENCE_BYTES: Final = 32
MOST_REMEMBERED: Final = 1 << 18
"""Decoded terms kept, known and unknown ones alike; past that all are forgotten."""
LONGEST_REMEMBERED: Final = 64
"""Characters of a term that is kept, so that what is kept is bounded in bytes too."""

DEFAULT: Final = Path(__file__).parent / "data" / "default.bundle"
"""The bundle that comes with the package."""


class Source(NamedTuple):
    """Where facts of a bundle came from."""

    name: str
    licence: str
    facts: int


class Bundle(dict[str, Term]):
    """A knowledge base in a bundle file: a mapping from any term to what is known of it, or `UNKNOWN`.

    Raises Misconfigured where the file is missing, is no bundle, or is cut short.
    """

    def __init__(self, path: Path = DEFAULT) -> None:
        super().__init__()
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is empty"
            raise Misconfigured(
                f"cannot read the knowledge bundle {path}: {reason}. Make one with 'querymix knowledge build -o FILE'."
            ) from None
        if self._map[: len(MAGIC)] != MAGIC:
            raise Misconfigured(f"{path} is no knowledge bundle. Make one with 'querymix knowledge build -o FILE'.")
        try:
            self._read_header()
        except (struct.error, ValueError, TypeError, KeyError):
            raise Misconfigured(f"{path} is cut short or damaged: copy it again, or build it again.") from None
        if self.header["format"] != FORMAT:
            raise Misconfigured(
                f"{path} has format {self.header['format']}, this querymix reads {FORMAT}. "
                "Build the bundle again with 'querymix knowledge build'."
            )
        if len(self._map) != self._records + self._size:
            raise Misconfigured(f"{path} is cut short or has grown: copy it again, or build it again.")
        with memoryview(self._map) as whole:
            self._slots = whole[self._begin : self._records].cast("I")

    def _read_header(self) -> None:
        start = len(MAGIC) + 4
        (length,) = struct.unpack_from("<I", self._map, len(MAGIC))
        self.header: dict[str, Any] = orjson.loads(self._map[start : start + length])
        self._begin = start + length
        if self.header["format"] != FORMAT:
            return
        self._records = self._begin + 4 * int(self.header["slots"])
        self._size = int(self.header["bytes"])
        self._mask = self.header["slots"] - 1
        self._paths = self._records + self._size - int(self.header["path_bytes"])

    @property
    def version(self) -> str:
        """The bundle's version: a hash of its content."""
        return str(self.header["version"])

    def intact(self) -> bool:
        """Read the whole file and say whether it still has the content that its version names."""
        return hashlib.sha256(self._map[self._begin :]).hexdigest() == self.version

    def close(self) -> None:
        """Let go of the file."""
        self.clear()
        self._slots.release()
        self._map.close()

    def __missing__(self, term: str) -> Term:
        found = self._find(term)
        if len(term) <= LONGEST_REMEMBERED:
            if len(self) >= MOST_REMEMBERED:
                self.clear()
            self[term] = found
        return found

    def terms(self) -> Iterator[tuple[str, Term]]:
        """Yield every term that is known, in the file's order."""
        at, end = self._records, self._paths
        while at < end:
            *_, size, other, references = RECORD.unpack_from(self._map, at)
            at += RECORD.size
            name = self._map[at : at + size].decode()
            yield name, self._find(name)
            at += size + other + (EVIDENCE_BYTES if references & 1 else 0)

    def _find(self, term: str) -> Term:
        key = term.encode("utf-8", "surrogatepass")
        slots, mask, data = self._slots, self._mask, self._map
        place = crc32(key) & mask
        while True:
            slot = slots[place]
            if not slot:
                return UNKNOWN
            at = self._records + slot - 1
            tags, category, span, path, size, other, references = RECORD.unpack_from(data, at)
            at += RECORD.size
            if size == len(key) and data[at : at + size] == key:
                at += size
                recommendation = data[at : at + other].decode() if other else ""
                at += other
                evidence = int.from_bytes(data[at : at + EVIDENCE_BYTES], "little") if references & 1 else 0
                return Term(
                    tags, references >> 1, category - 1, self._path(path), evidence, recommendation, span
                )  # fmt: skip
            place = (place + 1) & mask

    def _path(self, place: int) -> str:
        at = self._paths + place
        (size,) = PATH.unpack_from(self._map, at)
        return sys.intern(self._map[at + PATH.size : at + PATH.size + size].decode())

    def __repr__(self) -> str:
        return f"Bundle({self.version[:16]})"


def pack(terms: Iterable[tuple[str, Term]], sources: Iterable[Source]) -> bytes:
    """Return a bundle's bytes. `terms` must come in a fixed order; each term once."""
    places_of_paths: dict[str, int] = {"": 0}
    paths = bytearray(PATH.pack(0))
    records = bytearray()
    places: list[tuple[int, int]] = []
    known = {"terms": 0, "with a category": 0, "with references": 0, "with a recommendation": 0, "with evidence": 0}
    for name, term in terms:
        key, other = name.encode(), term.recommendation.encode()
        places.append((crc32(key), len(records) + 1))
        path = places_of_paths.get(term.path)
        if path is None:
            path = places_of_paths[term.path] = len(paths)
            text = term.path.encode()
            paths += PATH.pack(len(text)) + text
        references = term.references << 1 | (term.evidence > 0)
        records += RECORD.pack(term.tags, term.category + 1, term.span, path, len(key), len(other), references)
        records += key + other
        if term.evidence:
            records += term.evidence.to_bytes(EVIDENCE_BYTES, "little")
        known["terms"] += 1
        known["with a category"] += term.category >= 0
        known["with references"] += term.references > 0
        known["with a recommendation"] += bool(other)
        known["with evidence"] += term.evidence > 0
    size = 1 << max(3, (len(places) * 3 // 2).bit_length())
    slots = [0] * size
    for code, record in places:
        place = code & (size - 1)
        while slots[place]:
            place = (place + 1) & (size - 1)
        slots[place] = record
    known["category paths"] = len(places_of_paths) - 1
    body = struct.pack(f"<{size}I", *slots) + bytes(records) + bytes(paths)
    header = {
        "format": FORMAT,
        "version": hashlib.sha256(body).hexdigest(),
        "slots": size,
        "bytes": len(records) + len(paths),
        "path_bytes": len(paths),
        "known": known,
        "sources": [source._asdict() for source in sources],
    }
    head = orjson.dumps(header)
    # The slots are read in place as 32-bit numbers, so they must begin on a multiple of four.
    head += b" " * (-(len(MAGIC) + 4 + len(head)) % 4)
    return MAGIC + struct.pack("<I", len(head)) + head + body


def write(path: Path, content: bytes) -> None:
    """Put a bundle in place at once, so that no reader ever maps half of one."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        os.replace(part, path)  # noqa: PTH105 - the same as Path.replace, and says what it is
    except OSError as error:
        raise Misconfigured(f"cannot write the knowledge bundle {path}: {error.strerror}") from None
