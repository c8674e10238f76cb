"""Writing a knowledge bundle (querymix.knowledge.layout): the same terms and lists give the same bytes."""

import os
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from zlib import crc32

import orjson

from querymix.core.errors import ConfigError
from querymix.core.hosts import host_name
from querymix.core.knowledge import CATEGORIES, Term
from querymix.core.packed_weights import CATEGORY_ONLY, FIELDS, SCALE, to_bytes
from querymix.knowledge import layout
from querymix.knowledge.layout import Source, version
from querymix.own_files import make_own


def bundle_bytes(
    terms: Iterable[tuple[str, Term]],
    sources: Iterable[Source],
    bias: Sequence[int] = (0,) * FIELDS,
    word_lists: Mapping[str, Iterable[str]] | None = None,
    pieces: bytes = b"",
) -> bytes:
    """Return a bundle's bytes. `terms` must come in a fixed order; each term once. `bias` is in steps.

    `word_lists` are the entries of each named list; by default there are no lists. `pieces` is the table of word pieces
    (querymix.core.word_pieces).
    Raises ValueError where a term's tags, span or category do not fit a record, or the table is of no whole rows.
    """
    if len(pieces) % FIELDS:
        raise ValueError(f"a table of word pieces has {FIELDS} bytes a row")
    paths = _Paths()
    records = bytearray()
    places: list[tuple[int, int]] = []
    known = {"terms": 0, "with a category": 0, "with references": 0, "with a recommendation": 0, "with weights": 0}
    known[layout.HOSTS] = 0
    for name, term in terms:
        key = name.encode()
        places.append((crc32(key), len(records) + 1))
        records += _record(key, term, paths.place(term.path))
        known["terms"] += 1
        known["with a category"] += term.category >= 0
        known["with references"] += term.references > 0
        known["with a recommendation"] += bool(term.recommendation)
        known["with weights"] += term.weights > 0
        known[layout.HOSTS] += term.weights > 0 and "." in name and host_name(name) == name
    slots = _slots(places)
    lists = orjson.dumps({name: sorted(entries) for name, entries in sorted((word_lists or {}).items())})
    known["category paths"] = len(paths.places) - 1
    known["word lists"] = len(word_lists or {})
    known["rows of word pieces"] = len(pieces) // FIELDS
    body = struct.pack(f"<{len(slots)}I", *slots) + bytes(records) + bytes(paths.content) + lists + pieces
    header = {
        "format": layout.FORMAT,
        "version": version(list(bias), SCALE, body),
        "bias": list(bias),
        "scale": SCALE,
        "slots": len(slots),
        "bytes": len(records) + len(paths.content) + len(lists) + len(pieces),
        "path_bytes": len(paths.content),
        "list_bytes": len(lists),
        "piece_bytes": len(pieces),
        "known": known,
        "sources": [source._asdict() for source in sources],
    }
    return _head(header) + body


def _head(header: dict[str, object]) -> bytes:
    """Return all before the slots; these are read in place as 32-bit numbers, so they begin on a multiple of four."""
    head = orjson.dumps(header)
    head += b" " * (-(layout.HEADER_BEGIN + len(head)) % 4)
    return layout.MAGIC + layout.LENGTH.pack(len(head)) + head


class _Paths:
    """The category paths, each stored once."""

    def __init__(self) -> None:
        self.content = bytearray(layout.PATH.pack(0))
        self.places: dict[str, int] = {"": 0}

    def place(self, path: str) -> int:
        """Return the place of a path, which is added where it is new."""
        place = self.places.get(path)
        if place is None:
            place = self.places[path] = len(self.content)
            text = path.encode()
            self.content += layout.PATH.pack(len(text)) + text
        return place


def _record(key: bytes, term: Term, path: int) -> bytes:
    if not (0 <= term.tags < 1 << 24 and 0 <= term.span < 1 << 3 and -1 <= term.category < len(CATEGORIES)):
        raise ValueError("a term's tags, span or category do not fit a record")
    if not 0 <= term.references <= layout.MAX_REFERENCES:
        raise ValueError("a term's references do not fit a record")
    kind = layout.NO_WEIGHTS
    if term.weights:
        kind = layout.CATEGORY_WEIGHTS if term.weights == CATEGORY_ONLY[term.category] else layout.OWN_WEIGHTS
    flags = kind | layout.LATER_BITS * bool(term.later_bits) | layout.FIRST_BITS * bool(term.first_bits)
    facts = term.tags << 8 | term.span << 5 | term.category + 1
    recommendation = term.recommendation.encode()
    record = layout.RECORD.pack(facts, path, len(key), len(recommendation), term.references << 4 | flags)
    record += key + recommendation
    if kind == layout.OWN_WEIGHTS:
        record += to_bytes(term.weights)
    for bits in (term.later_bits, term.first_bits):
        if bits:
            record += bits.to_bytes(layout.BITS_BYTES, "little")
    return record


def _slots(places: Sequence[tuple[int, int]]) -> list[int]:
    """Return the hash table of records, given each one's CRC-32 and one more than its place."""
    size = max(8, len(places) * 8 // 5)
    slots = [0] * size
    for code, record in places:
        slot = code % size
        while slots[slot]:
            slot = (slot + 1) % size
        slots[slot] = record
    return slots


def write(path: Path, content: bytes) -> None:
    """Replace a bundle's file in one step, so that no reader ever maps half of one.

    Raises ConfigError where the file cannot be written.
    """
    path = path.resolve()  # a link stays one
    if path.exists() and not path.is_file():
        raise ConfigError(f"cannot write the knowledge bundle {path}: it is no file. Name another output.")
    part = path.with_name(f"{path.name}.{os.getpid()}.part")  # two builds may run at once
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(make_own(part), "wb") as file:
            file.write(content)
        os.replace(part, path)  # noqa: PTH105 - the same as Path.replace, and says what it is
    except OSError as error:
        raise ConfigError(f"cannot write the knowledge bundle {path}: {error.strerror}") from None
