"""Writing a crowd table (querymix.crowd.layout): whole or not at all, in bounded memory."""

import io
import os
import shutil
import tempfile
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import IO, Any, Final

import orjson

from querymix.crowd.layout import (
    COUNT,
    COUNTED,
    FORMAT,
    KIND_BITS,
    KINDS,
    LENGTH,
    MAGIC,
    MOST_USERS,
    NUMBER,
    Numbers,
    version_of,
)
from querymix.own_files import make_own

_SOME: Final = 1 << 16
"""Items that are written at once."""
_COPY: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Heading:
    """What a table says of itself."""

    least: int
    """Users of the rarest item."""
    first: date
    last: date
    established: float
    """Seconds."""
    least_group: int = 2
    ladders: Mapping[str, Sequence[str]] = field(default_factory=dict)


def write_table(
    path: Path, counts: Mapping[str, int], *, least: int, first: date, last: date, established: float
) -> None:
    """Write a table of items and how many users had each; those that fewer than `least` had are left out.

    Raises OSError.
    """
    key = token_bytes(16)
    number = Numbers(key)
    rows = sorted((number(item), users) for item, users in counts.items() if users >= least)
    write_rows(path, rows, key, Heading(least, first, last, established, least_group=least))


def write_rows(path: Path, rows: Iterable[tuple[int, int]], key: bytes, heading: Heading) -> dict[str, Any]:
    """Write a table of numbers, in ascending order, with their users, and return its header. Raises OSError.

    Of two that are written under one name at once, each is whole, and the later one stays.
    """
    part = path.with_name(f".{path.name}.{token_hex(4)}")
    try:
        header = _write(part, rows, key, heading)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return header


def _write(path: Path, rows: Iterable[tuple[int, int]], key: bytes, heading: Heading) -> dict[str, Any]:
    kinds = Counter[int]()
    with (
        tempfile.TemporaryFile(dir=path.absolute().parent) as numbers,
        tempfile.TemporaryFile(dir=path.absolute().parent) as counts,
    ):
        items = 0
        for some in _some(rows):
            numbers.write(array(NUMBER, [number for number, _ in some]).tobytes())
            counts.write(array(COUNT, [min(users, MOST_USERS) for _, users in some]).tobytes())
            kinds.update([(number & KIND_BITS) - 1 for number, _ in some])
            items += len(some)
        header = _header(key, heading, items, [kinds[place] for place in range(len(KINDS))])
        digest = version_of(header)
        for body in (numbers, counts):
            for block in _blocks(body):
                digest.update(block)
        header["version"] = digest.hexdigest()
        with os.fdopen(make_own(path), "wb") as file:
            head = orjson.dumps(header)
            head += b" " * (-(len(MAGIC) + LENGTH.size + len(head)) % 8)  # the numbers are read in place
            file.write(MAGIC + LENGTH.pack(len(head)) + head)
            for body in (numbers, counts):
                body.seek(0)
                shutil.copyfileobj(body, file, _COPY)
            file.flush()
            os.fsync(file.fileno())
    return header


def _header(key: bytes, heading: Heading, items: int, kinds: list[int]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "counted": COUNTED,
        "key": key.hex(),
        "items": items,
        "kinds": kinds,
        "least": heading.least,
        "least_group": heading.least_group,
        "first": heading.first.isoformat(),
        "last": heading.last.isoformat(),
        "established": float(heading.established),
        "ladders": {name: list(fields) for name, fields in heading.ladders.items()},
    }


def _some(rows: Iterable[tuple[int, int]]) -> Iterable[list[tuple[int, int]]]:
    some: list[tuple[int, int]] = []
    for row in rows:
        some.append(row)
        if len(some) == _SOME:
            yield some
            some = []
    yield some


def _blocks(file: IO[bytes]) -> Iterable[bytes]:
    file.seek(0, io.SEEK_SET)
    while block := file.read(_COPY):
        yield block
