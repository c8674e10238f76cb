"""Reading a knowledge bundle: one read-only file, mapped into memory and so shared between processes.

Rules:
- The layout is that of querymix.knowledge.layout; a file of another format is refused.
- The content is checked when the file is opened: in a damaged one a look-up could go on for ever, or find another term.
  A place that leads out of the file, which only a forged one has, is told when it is met.
- A term is decoded when it is first asked for and then remembered: the hot path is one look-up in a dict.
- A term that is not known as it was typed is answered as its folded form, without accents ("münchen hotel").
- service/native/src/classify/bundle.rs reads the same file: what changes here changes there too.
"""

import mmap
import os
import struct
import sys
from array import array
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeVar
from zlib import crc32

import orjson

from querymix.core.bounded_cache import BoundedCache
from querymix.core.errors import ConfigError
from querymix.core.knowledge import PREFILTER_BITS, UNKNOWN, Term
from querymix.core.packed_weights import CATEGORY_ONLY, FIELDS, SCALE, from_bytes, pack
from querymix.core.text import folded
from querymix.knowledge.layout import (
    BITS_BYTES,
    CATEGORY_WEIGHTS,
    FIRST_BITS,
    FLAGS,
    FORMAT,
    HEADER_BEGIN,
    HOSTS,
    LATER_BITS,
    LENGTH,
    MAGIC,
    OWN_WEIGHTS,
    PATH,
    READ,
    RECORD,
    REST,
    is_newer,
    version,
)

_SHARED: Final = mmap.MAP_SHARED | getattr(mmap, "MAP_POPULATE", 0)
"""All pages at once where the system can: a page mapped when first read costs as much as decoding a term."""
_BEFORE_KEY: Final = 10
"""Bytes from a record's length of the key to the key."""
MAX_REMEMBERED: Final = 1 << 18
"""Decoded terms that are remembered, known and unknown ones alike."""
LONGEST_REMEMBERED: Final = 64

_NEAR: Final = 256
"""Slots among which an empty one is looked for first: three of eight are."""
_DAMAGE: Final = (struct.error, ValueError, TypeError, LookupError, AttributeError, OverflowError)

DEFAULT: Final = Path(__file__).parent / "data" / "default.bundle"
"""The bundle that comes with the package."""


def _at_once(path: str, flags: int) -> int:
    """Open a file; a pipe without a writer would be waited for."""
    return os.open(path, flags | os.O_NONBLOCK)


class Places(NamedTuple):
    """Where the parts of a bundle begin in its file; each ends where the next one begins, but for the lists."""

    slots: int
    records: int
    paths: int
    pieces: int
    end: int


class Borrower(Protocol):
    """What uses a bundle's memory, until it is closed."""

    def close(self) -> None:
        """Let go of the memory."""
        ...


B = TypeVar("B", bound=Borrower)


class Bundle(BoundedCache[Term]):
    """A knowledge base in a bundle file: a mapping from any term to what is known of it, or `UNKNOWN`.

    Raises ConfigError where the file is missing, is no bundle, has another format, is cut short or damaged.
    """

    def __init__(self, path: Path = DEFAULT) -> None:
        super().__init__(MAX_REMEMBERED, LONGEST_REMEMBERED)
        self._read_paths: dict[int, str] = {}
        self._borrowers: list[Borrower] = []
        try:
            with open(path, "rb", opener=_at_once) as file:
                self._map = mmap.mmap(file.fileno(), 0, _SHARED, mmap.PROT_READ)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is empty"
            raise ConfigError(
                f"cannot read the knowledge bundle {path}: {reason}. Make one with 'querymix knowledge build -o FILE'."
            ) from None
        if self._map[: len(MAGIC)] != MAGIC:
            raise ConfigError(f"{path} is no knowledge bundle. Make one with 'querymix knowledge build -o FILE'.")
        self._path_of_file = path
        try:
            self._read_header()
        except _DAMAGE:
            raise self._damaged() from None
        if self.header["format"] not in READ:
            newer = (
                "A newer querymix made it: update this one, or build" if is_newer(self.header["format"]) else "Build"
            )
            raise ConfigError(
                f"{path} has format {self.header['format']}, this querymix reads {' and '.join(map(str, READ))}. "
                f"{newer} the bundle again with 'querymix knowledge build'."
            )
        if len(self._map) != self._end:
            raise ConfigError(f"{path} is cut short or has grown: copy it again, or build it again.")
        with memoryview(self._map) as whole:
            if version(self.header["bias"], self.header["scale"], whole[self._begin :]) != self.version:
                raise self._damaged()
            self._slots = whole[self._begin : self._records].cast("I")
            self.piece_weights = whole[self._pieces : self._end]
            """The table of word pieces (querymix.core.word_pieces), empty where the bundle has none."""
        if array("I", self._slots[:_NEAR]).count(0) == 0 == array("I", self._slots).count(0):
            raise self._damaged()  # a look-up ends at an empty slot

    def _damaged(self) -> ConfigError:
        return ConfigError(f"{self._path_of_file} is cut short or damaged: copy it again, or build it again.")

    def _read_header(self) -> None:
        (length,) = LENGTH.unpack_from(self._map, len(MAGIC))
        self.header: dict[str, Any] = orjson.loads(self._map[HEADER_BEGIN : HEADER_BEGIN + length])
        if self.header["format"] not in READ:
            return
        if self.header["scale"] != SCALE:
            raise ValueError("another scale")
        self.bias = pack(self.header["bias"])
        slots, size, lists, paths = (int(self.header[name]) for name in ("slots", "bytes", "list_bytes", "path_bytes"))
        pieces = int(self.header["piece_bytes"]) if self.header["format"] == FORMAT else 0
        if slots < 1 or min(lists, paths, pieces) < 0 or lists + paths + pieces > size or pieces % FIELDS:
            raise ValueError("sizes that no bundle has")
        self._slot_count = slots
        self._begin = HEADER_BEGIN + length
        self._records = self._begin + 4 * slots
        self._end = self._records + size
        self._pieces = self._end - pieces
        self._lists = self._pieces - lists
        self._paths = self._lists - paths
        dict(self.header["known"])

    @property
    def version(self) -> str:
        """The bundle's version: a hash of its content."""
        return str(self.header["version"])

    @property
    def has_hosts(self) -> bool:
        """Whether a host may have weights: False where none has, True in a bundle from before that was written down."""
        return bool(self.header["known"].get(HOSTS, 1))

    def lend(self, borrow: Callable[[mmap.mmap, Places], B]) -> B:
        """Return what `borrow` makes of the file's memory and the places in it; it is closed with the bundle."""
        places = Places(self._begin, self._records, self._paths, self._pieces, self._end)
        borrower = borrow(self._map, places)
        self._borrowers.append(borrower)
        return borrower

    def close(self) -> None:
        """Forget all terms and close the file."""
        self.clear()
        for borrower in self._borrowers:
            borrower.close()
        self._slots.release()
        self.piece_weights.release()
        self._map.close()

    def __missing__(self, term: str) -> Term:
        try:
            answer = self._find(term)
            if answer is UNKNOWN and not term.isascii():
                answer = self._find(folded(term))
        except _DAMAGE:
            raise self._damaged() from None
        self.keep(term, answer)
        return answer

    def terms(self) -> Iterator[tuple[str, Term]]:
        """Yield every term that is known, in the file's order."""
        at = self._records
        while at < self._paths:
            *_, size, other, references = RECORD.unpack_from(self._map, at)
            at += RECORD.size
            name = self._map[at : at + size].decode()
            yield name, self._find(name)
            at += size + other + REST[references & FLAGS]

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
            at += size + other + REST[references & FLAGS]

    def words(self, name: str, /) -> frozenset[str]:
        """Return the word list called `name`; raises ConfigError where the bundle has none of that name."""
        try:
            return self.word_lists[name]
        except KeyError:
            raise ConfigError(
                f"the knowledge bundle has no word list {name!r}. Build it again with 'querymix knowledge build'."
            ) from None

    @cached_property
    def word_lists(self) -> dict[str, frozenset[str]]:
        """All word lists by their names."""
        try:
            content = orjson.loads(self._map[self._lists : self._pieces])
            return {name: frozenset(entries) for name, entries in content.items()}
        except _DAMAGE:
            raise self._damaged() from None

    def _find(self, term: str) -> Term:
        key = term.encode("utf-8", "surrogatepass")
        slots, count, data = self._slots, self._slot_count, self._map
        length, code = len(key), crc32(key)
        place = code % count
        while slot := slots[place]:
            at = self._records + slot + (RECORD.size - 1)
            if data[at - _BEFORE_KEY] == length and data[at : at + length] == key:
                return self._decode(at, length, code, b" " in key)
            place = (place + 1) % count
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
        weights = later_bits = first_bits = 0
        flags = references & FLAGS
        if flags:
            if flags & 3 == OWN_WEIGHTS:
                weights = from_bytes(data[at : at + FIELDS])
                at += FIELDS
            elif flags & 3 == CATEGORY_WEIGHTS:
                weights = CATEGORY_ONLY[category]
            if flags & LATER_BITS:
                later_bits = int.from_bytes(data[at : at + BITS_BYTES], "little")
                at += BITS_BYTES
            if flags & FIRST_BITS:
                first_bits = int.from_bytes(data[at : at + BITS_BYTES], "little")
        bit = 0 if longer else 1 << code % PREFILTER_BITS
        path = self._path(path) if path else ""
        tags, span, references = facts >> 8, facts >> 5 & 7, references >> 4
        # What `Term(...)` does, in a third of the time; a term is decoded for most words of a new query.
        return tuple.__new__(
            Term, (tags, references, category, path, weights, recommendation, span, bit, later_bits, first_bits)
        )

    def _path(self, place: int) -> str:
        path = self._read_paths.get(place)
        if path is None:
            path = self._read_paths[place] = self._read_path(place)
        return path

    def _read_path(self, place: int) -> str:
        at = self._paths + place
        (size,) = PATH.unpack_from(self._map, at)
        return sys.intern(self._map[at + PATH.size : at + PATH.size + size].decode())

    def __repr__(self) -> str:
        return f"Bundle({self.version[:16]})"
