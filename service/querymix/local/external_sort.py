"""One stable sort by time for what does not fit into memory: local runs, released lines, replays.

Rules:
- Rows are sorted in memory, a run at a time. A run is written as packed blocks to a temporary file without a name, of
  which nothing is left after a kill. Few blocks stay in memory.
- The order of all rows is by key, and where that is the same by the number of the block, which goes by the order of the
  input. So any place parts all rows into two, also where all have the same key.
- The runs are cut into stretches of this order, which are put together one by one.
- Memory: one run while rows are added, then one stretch and the blocks that lie across its ends: one of each run.

A row is a tuple of what `marshal` writes; `column` is the place of its key. Queries without safe fields are packed in
less time by service/native/src/files/queries.rs, and their equal users are one text again.
"""

import marshal
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import accumulate, repeat
from operator import attrgetter, itemgetter
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from querymix.core.bounded_cache import MAX
from querymix.core.errors import TransientError
from querymix.core.records import Query
from querymix.native_path import module

BATCH: Final = 16_384
"""Rows that are handed on at once."""
MAX_IN_MEMORY: Final = 100_000
"""Rows that are sorted in memory."""
BLOCK: Final = 1_024
"""Rows that are packed together."""
_BYTES_IN_MEMORY: Final = 1 << 23
"""Of packed blocks, before they go to the file."""
_NATIVE: Final = b"Q"
"""What the native path packed begins with, and nothing that `marshal` wrote."""
_block: Final = attrgetter("block")

Row = TypeVar("Row", bound=tuple[Any, ...])
Rows = Sequence[tuple[Any, ...]]


class Block(NamedTuple):
    """Some rows of a run, packed."""

    first: Any
    last: Any
    rows: int
    packed: bytes

    def __repr__(self) -> str:
        return f"Block({self.rows} rows)"


class Place(NamedTuple):
    """A place in the order of all rows: by key, and where that is the same by the number of the block."""

    key: Any
    block: int


class _Kept(NamedTuple):
    key: Any
    """That of the first row."""
    block: int
    last: Any
    rows: int
    begin: int
    size: int


class Stretch(NamedTuple):
    """The rows from `begin` to before `end`, None where nothing bounds them: they are in these blocks."""

    blocks: list[_Kept]
    """By number: what is sorted afterwards keeps the order of those of the same key."""
    begin: Place | None
    end: Place | None

    def __repr__(self) -> str:
        return f"Stretch({len(self.blocks)} blocks)"


def _pack(rows: Rows) -> bytes:
    """By column, which is read in half the time of row by row."""
    return marshal.dumps(list(zip(*rows, strict=True)))


def packed(
    rows: Rows, column: int, size: int = BLOCK, pack: Callable[[Rows], bytes | None] | None = None
) -> list[Block]:
    """Return a run, of rows in order, as blocks of `size`; `pack` packs some of them, or answers None."""
    blocks = []
    for start in range(0, len(rows), size):
        some = rows[start : start + size]
        data = (pack(some) if pack else None) or _pack(some)
        blocks.append(Block(some[0][column], some[-1][column], len(some), data))
    return blocks


def unpacked(data: bytes, row: type[tuple[Any, ...]] = tuple) -> Rows:
    """Return a block's rows."""
    columns = zip(*marshal.loads(data), strict=True)  # noqa: S302 - our own bytes
    return list(columns if row is tuple else map(tuple.__new__, repeat(row), columns))


def merged(blocks: Mapping[int, Rows], begin: Place | None, end: Place | None, column: int) -> list[tuple[Any, ...]]:
    """Return the rows of a stretch in order; `blocks` by their number, in its order."""
    rows: list[Any] = []
    key = itemgetter(column)
    for number, some in blocks.items():
        rows += some[_place(some, key, begin, number, 0) : _place(some, key, end, number, len(some))]
    rows.sort(key=key)
    return rows


def _place(rows: Rows, key: Callable[[Any], Any], place: Place | None, number: int, unbounded: int) -> int:
    if place is None:
        return unbounded
    return (bisect_left if number >= place.block else bisect_right)(rows, place.key, key=key)


class Runs(AbstractContextManager["Runs"]):
    """Keeps runs. All of them are added before the first stretch is read. Raises TransientError where the disk fails.

    A stretch has `least` rows or more, a block `block`. Beyond `in_memory` bytes of blocks there is a file. `sorting`
    and `remedy` say in that error what was sorted, and what to do.
    """

    def __init__(
        self,
        *,
        least: int = BATCH,
        block: int = BLOCK,
        in_memory: int = _BYTES_IN_MEMORY,
        sorting: str = "the log",
        remedy: str = "or give --order input for a log that is in order already",
    ) -> None:
        self._file = SpooledTemporaryFile(max_size=in_memory)  # noqa: SIM115 - `__exit__` closes it
        self._least = least
        self.block = block
        self._advice = sorting, remedy
        self._kept: list[_Kept] = []
        self._size = 0
        self.number = 0
        """Of runs."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with suppress(OSError):  # of a full disk, which has told already
            self._file.close()

    def add(self, run: Iterable[Block]) -> None:
        """Add a run, all of which comes after those before it where keys are the same."""
        self.number += 1
        with self._on_disk():
            for first, last, rows, data in run:
                self._kept.append(_Kept(first, len(self._kept), last, rows, self._size, len(data)))
                self._file.write(data)
                self._size += len(data)
            self._file.flush()

    def stretches(self) -> Iterator[Stretch]:
        """Yield all rows, a stretch at a time, in order."""
        begin, rows = None, 0
        across: list[_Kept] = []
        for kept in sorted(self._kept):
            if rows >= self._least:
                end = Place(kept.key, kept.block)
                yield Stretch(sorted(across, key=_block), begin, end)
                begin, rows = end, 0
                across = [one for one in across if (one.last, one.block) >= begin]
            across.append(kept)
            rows += kept.rows
        if across:
            yield Stretch(sorted(across, key=_block), begin, None)

    def read(self, kept: _Kept) -> bytes:
        """Return a block as it was packed."""
        with self._on_disk():
            self._file.seek(kept.begin)
            return self._file.read(kept.size)

    def up_to(self) -> tuple[list[Any], list[int], list[Any], list[int]]:
        """Return the blocks' first keys and how many rows there are up to each block, the same for last keys."""
        sums: list[list[Any]] = []
        for key in (itemgetter(0), itemgetter(2)):
            blocks = sorted(self._kept, key=key)
            sums += [[key(one) for one in blocks], list(accumulate((one.rows for one in blocks), initial=0))]
        return sums[0], sums[1], sums[2], sums[3]

    @contextmanager
    def _on_disk(self) -> Iterator[None]:
        sorting, remedy = self._advice
        try:
            yield
        except OSError as error:
            raise TransientError(
                f"cannot put {sorting} in time order: {error.strerror}. Free the temporary folder, name another one in "
                f"TMPDIR, {remedy}."
            ) from None


class ExternalSort(Generic[Row], AbstractContextManager["ExternalSort[Row]"]):
    """Takes rows in any order and gives them by the key in `column`; a context manager that frees the disk.

    More than `most` rows go to `runs`; `row` is the named tuple that is made of them again. Raises TransientError where
    the disk fails.
    """

    def __init__(
        self, column: int, runs: Runs | None = None, *, row: type[Row] | None = None, most: int = MAX_IN_MEMORY
    ) -> None:
        self._column = column
        self._runs = runs or Runs()
        self._row: type[Any] = row or tuple
        self._native = module() if row is Query else None
        self._users: dict[str, str] = {}
        self._most = most
        self._rows: list[Any] = []
        self._bounds: tuple[list[Any], list[int], list[Any], list[int]] | None = None
        self.count = 0
        """Rows taken."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._runs.__exit__(kind, error, at)

    def add(self, rows: Sequence[Row]) -> None:
        """Take rows."""
        self._rows += rows
        self.count += len(rows)
        if len(self._rows) > self._most:
            self._write()

    def end(self) -> None:
        """Take no more."""
        if self._runs.number and self._rows:
            self._write()
        self._rows.sort(key=itemgetter(self._column))

    def batches(self, size: int = BATCH) -> Iterator[list[Row]]:
        """Yield all rows by key, `size` at a time, after `end`; as often as asked."""
        waiting: list[Any] = self._rows[:]
        for rows in self._merged():
            waiting += rows
            if len(waiting) >= size:
                whole = len(waiting) // size * size
                yield from (waiting[start : start + size] for start in range(0, whole, size))
                waiting = waiting[whole:]
        yield from (waiting[start : start + size] for start in range(0, len(waiting), size))

    def before(self, key: Any) -> float:
        """Return about how many rows have a key up to `key`, after `end`: half of a block of each run is uncertain."""
        if not self._runs.number:
            return bisect_right(self._rows, key, key=itemgetter(self._column))
        self._bounds = self._bounds or self._runs.up_to()
        firsts, begun, lasts, ended = self._bounds
        return (begun[bisect_right(firsts, key)] + ended[bisect_right(lasts, key)]) / 2

    def _write(self) -> None:
        self._rows.sort(key=itemgetter(self._column))
        pack = self._native.pack_queries if self._native else None
        self._runs.add(packed(self._rows, self._column, self._runs.block, pack))
        self._rows = []

    def _merged(self) -> Iterator[list[Any]]:
        blocks: dict[int, Rows] = {}
        for kept, begin, end in self._runs.stretches():
            blocks = {one.block: blocks.get(one.block) or self._unpacked(self._runs.read(one)) for one in kept}
            yield merged(blocks, begin, end, self._column)

    def _unpacked(self, data: bytes) -> Rows:
        if self._native is None or not data.startswith(_NATIVE):
            return unpacked(data, self._row)
        if len(self._users) > MAX:
            self._users.clear()
        rows: list[Query] = self._native.unpack_queries(data, self._users, Query)
        return rows
