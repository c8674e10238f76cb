"""The knowledge bundle: one read-only file, mapped into memory and so shared between processes.

Rules:
- Little-endian, one format number. Layout: magic; length of the header; header (JSON); slots; records; paths;
  word lists.
- Slots: 32-bit numbers, eight for five terms, an open-addressing hash table by CRC-32 of the term in UTF-8, linear
  probing; 0 is empty, anything else one more than a record's place in the records.
- Record: RECORD, the term, the recommendation, `NARROW_BYTES` of evidence where there is some of its own (evidence that
  only repeats the category, `PLAIN`, takes no bytes), eight bytes each of `Term.follow` and `Term.lead` where they are
  not 0.
- The header holds the bias of the evidence (one weight a category, in steps) and the scale (steps a nat).
- Behind the records the category paths, each with its length in two bytes before it; a record names its place there.
- Behind the paths the word lists: a JSON object from each list's name to its entries in alphabetical order.
- The version is the SHA-256 of bias, scale and what stands behind the header: equal bundles have equal versions.
- A term is decoded when first asked for and then remembered: the hot path is one look-up in a dict.
"""

import hashlib
import mmap
import os
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import orjson

from service.core.errors import Misconfigured
from service.core.knowledge import CATEGORIES, UNKNOWN, Term
from service.core.lanes import LANES, NARROW_BYTES, PLAIN, SCALE, narrow, widen
from service.core.lanes import pack as pack_lanes

MAGIC: Final = b"querymix knowledge\n"
FORMAT: Final = 5
RECORD: Final = struct.Struct("<IIBBQ")
"""Tags, span and category (`tags << 8 | span << 5 | category + 1`), path, bytes of term, bytes of recommendation, and
references with flags (`references << 4 | has Term.lead << 3 | has Term.follow << 2 | kind of evidence`)."""
_SHARED: Final = mmap.MAP_SHARED | getattr(mmap, "MAP_POPULATE", 0)
"""All pages at once where the system can: a page mapped when first met costs as much as decoding a term."""
_BEFORE_KEY: Final = 10
"""Bytes from a record's length of the key to the key."""
_FOLLOWS: Final = 4
_LEADS: Final = 8
_MARKS_BYTES: Final = 8
_REST: Final = tuple(
    NARROW_BYTES * (flags & 3 == 1) + _MARKS_BYTES * ((flags >> 2 & 1) + (flags >> 3)) for flags in range(16)
)
"""Bytes behind the recommendation, by the four lowest bits of the references."""
PATH: Final = struct.Struct("<H")
_NONE, _OWN, _PLAIN = range(3)
"""Kinds of evidence: none; bytes of its own; that of its category."""
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
        self._read_paths: dict[int, str] = {}
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, _SHARED, mmap.PROT_READ)
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
        if self.header["scale"] != SCALE:
            raise ValueError("another scale")
        self.bias = pack_lanes(self.header["bias"])
        self._records = self._begin + 4 * int(self.header["slots"])
        self._size = int(self.header["bytes"])
        self._many = int(self.header["slots"])
        self._lists = self._records + self._size - int(self.header["list_bytes"])
        self._paths = self._lists - int(self.header["path_bytes"])

    @property
    def version(self) -> str:
        """The bundle's version: a hash of its content."""
        return str(self.header["version"])

    def intact(self) -> bool:
        """Read the whole file and say whether it still has the content that its version names."""
        with memoryview(self._map) as whole:
            return _version(self.header["bias"], self.header["scale"], whole[self._begin :]) == self.version

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
            at += size + other + _REST[references & 15]

    def counts(self, least: int = 1) -> Iterator[tuple[str, int]]:
        """Yield every single word that has at least `least` references, and these."""
        data, at, end, size_of, read = self._map, self._records, self._paths, RECORD.size, RECORD.unpack_from
        least <<= 4
        while at < end:
            _, _, size, other, references = read(data, at)
            at += size_of
            if references >= least:
                name = data[at : at + size]
                if b" " not in name:
                    yield name.decode(), references >> 4
            at += size + other + _REST[references & 15]

    def words(self, name: str, /) -> frozenset[str]:
        """Return the word list called `name`; raises Misconfigured where the bundle has none of that name."""
        try:
            return self.word_lists[name]
        except KeyError:
            raise Misconfigured(
                f"the knowledge bundle has no word list {name!r}. Build it again with 'querymix knowledge build'."
            ) from None

    @cached_property
    def word_lists(self) -> dict[str, frozenset[str]]:
        """All word lists by their names."""
        content = orjson.loads(self._map[self._lists : self._records + self._size])
        return {name: frozenset(entries) for name, entries in content.items()}

    def _find(self, term: str) -> Term:
        key = term.encode("utf-8", "surrogatepass")
        slots, many, data = self._slots, self._many, self._map
        length, code = len(key), crc32(key)
        place = code % many
        while slot := slots[place]:
            at = self._records + slot + (RECORD.size - 1)
            if data[at - _BEFORE_KEY] == length and data[at : at + length] == key:
                return self._decode(at, length, code, b" " in key)
            place = (place + 1) % many
        return UNKNOWN

    def _decode(self, at: int, length: int, code: int, longer: bool) -> Term:
        """Return the term whose key of `length` bytes begins at `at`; `code` is the key's CRC-32."""
        data = self._map
        facts, path, _, other, references = RECORD.unpack_from(data, at - RECORD.size)
        at += length
        category = (facts & 31) - 1
        recommendation = ""
        if other:
            recommendation = data[at : at + other].decode()
            at += other
        evidence = follow = lead = 0
        flags = references & 15
        if flags:
            if flags & 3 == _OWN:
                evidence = widen(data[at : at + NARROW_BYTES])
                at += NARROW_BYTES
            elif flags & 3 == _PLAIN:
                evidence = PLAIN[category]
            if flags & _FOLLOWS:
                follow = int.from_bytes(data[at : at + _MARKS_BYTES], "little")
                at += _MARKS_BYTES
            if flags & _LEADS:
                lead = int.from_bytes(data[at : at + _MARKS_BYTES], "little")
        mark = 0 if longer else 1 << code % 63
        path = self._path(path) if path else ""
        # What `Term(...)` does, in a third of the time; a term is decoded for most words of a new query.
        return tuple.__new__(
            Term,
            (facts >> 8, references >> 4, category, path, evidence, recommendation, facts >> 5 & 7, mark, follow, lead),
        )

    def _path(self, place: int) -> str:
        found = self._read_paths.get(place)
        if found is None:
            found = self._read_paths[place] = self._read_path(place)
        return found

    def _read_path(self, place: int) -> str:
        at = self._paths + place
        (size,) = PATH.unpack_from(self._map, at)
        return sys.intern(self._map[at + PATH.size : at + PATH.size + size].decode())

    def __repr__(self) -> str:
        return f"Bundle({self.version[:16]})"


def pack(
    terms: Iterable[tuple[str, Term]],
    sources: Iterable[Source],
    bias: Sequence[int] = (0,) * LANES,
    word_lists: Mapping[str, Iterable[str]] | None = None,
) -> bytes:
    """Return a bundle's bytes. `terms` must come in a fixed order; each term once. `bias` is in steps.

    `word_lists` are the entries of each named list; by default there are no lists.

    Raises ValueError where a term's tags, span or category do not fit a record.
    """
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
        kind = _NONE
        if term.evidence:
            kind = _PLAIN if term.evidence == PLAIN[term.category] else _OWN
        references = term.references << 4 | bool(term.lead) << 3 | bool(term.follow) << 2 | kind
        if not (0 <= term.tags < 1 << 24 and 0 <= term.span < 1 << 3 and -1 <= term.category < len(CATEGORIES)):
            raise ValueError("a term's tags, span or category do not fit a record")
        facts = term.tags << 8 | term.span << 5 | term.category + 1
        records += RECORD.pack(facts, path, len(key), len(other), references)
        records += key + other
        if kind == _OWN:
            records += narrow(term.evidence)
        if term.follow:
            records += term.follow.to_bytes(_MARKS_BYTES, "little")
        if term.lead:
            records += term.lead.to_bytes(_MARKS_BYTES, "little")
        known["terms"] += 1
        known["with a category"] += term.category >= 0
        known["with references"] += term.references > 0
        known["with a recommendation"] += bool(other)
        known["with evidence"] += term.evidence > 0
    size = max(8, len(places) * 8 // 5)
    slots = [0] * size
    for code, record in places:
        place = code % size
        while slots[place]:
            place = (place + 1) % size
        slots[place] = record
    known["category paths"] = len(places_of_paths) - 1
    lists = orjson.dumps({name: sorted(entries) for name, entries in sorted((word_lists or {}).items())})
    known["word lists"] = len(word_lists or {})
    body = struct.pack(f"<{size}I", *slots) + bytes(records) + bytes(paths) + lists
    header = {
        "format": FORMAT,
        "version": _version(list(bias), SCALE, body),
        "bias": list(bias),
        "scale": SCALE,
        "slots": size,
        "bytes": len(records) + len(paths) + len(lists),
        "path_bytes": len(paths),
        "list_bytes": len(lists),
        "known": known,
        "sources": [source._asdict() for source in sources],
    }
    head = orjson.dumps(header)
    # The slots are read in place as 32-bit numbers, so they must begin on a multiple of four.
    head += b" " * (-(len(MAGIC) + 4 + len(head)) % 4)
    return MAGIC + struct.pack("<I", len(head)) + head + body


def _version(bias: list[int], scale: float, body: bytes | memoryview) -> str:
    digest = hashlib.sha256(orjson.dumps([bias, scale]))
    digest.update(body)
    return digest.hexdigest()


def write(path: Path, content: bytes) -> None:
    """Put a bundle in place at once, so that no reader ever maps half of one."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        os.replace(part, path)  # noqa: PTH105 - the same as Path.replace, and says what it is
    except OSError as error:
        raise Misconfigured(f"cannot write the knowledge bundle {path}: {error.strerror}") from None
