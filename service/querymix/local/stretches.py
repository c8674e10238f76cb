"""Runs of queries in time order, cut into stretches of time that can be put together one by one.

Rules:
- The order of all queries is by time, and where that is the same by the number of the block, which goes by the order of
  the input. So any place parts them into two, also where all have the same time.
- The packed blocks stay in memory while they are few; then they go to a temporary file without a name.
- A stretch holds about as many queries as are asked for; what of a block lies beyond it is left out by its reader.
"""

from collections.abc import Iterable, Iterator
from math import inf
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import Final, NamedTuple, Self

from querymix.local.working import BLOCK, Block, Place

IN_MEMORY: Final = 1 << 25
"""Bytes of packed blocks that stay in memory."""
MIN: Final = 8_192
"""Queries of a stretch, at least: about those of a batch."""
MAX: Final = 131_072
"""Queries of a stretch, at most, but for those of blocks that lie across its ends."""
_RUNS: Final = 2 * BLOCK
"""Queries of a stretch for each run: then two of three that are read are its own, if the runs lie side by side."""


class _Kept(NamedTuple):
    first: Place
    last: Place
    queries: int
    begin: int
    size: int


class Stretch(NamedTuple):
    """The queries from `begin` to before `end`: they are in these blocks, each with its number."""

    blocks: list[tuple[int, bytes]]
    begin: Place
    end: Place

    def __repr__(self) -> str:
        return f"Stretch({len(self.blocks)} blocks)"


class Runs:
    """Keeps runs. All of them are added before the first stretch is read. Raises OSError where the disk fails."""

    def __init__(self, in_memory: int = IN_MEMORY, least: int = MIN) -> None:
        self._file = SpooledTemporaryFile(max_size=in_memory)  # noqa: SIM115 - `__exit__` closes it
        self._least = least
        self._kept: list[_Kept] = []
        self._runs = 0
        self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def add(self, run: Iterable[Block]) -> None:
        """Add a run, all of which comes after those before it where times are the same."""
        self._runs += 1
        for block in run:
            number = len(self._kept)
            size = len(block.packed)
            first, last = Place(block.first, number), Place(block.last, number)
            self._kept.append(_Kept(first, last, block.queries, self._size, size))
            self._file.write(block.packed)
            self._size += size

    def stretches(self) -> Iterator[Stretch]:
        """Yield all queries, a stretch at a time, in order."""
        self._kept.sort()
        most = min(MAX, max(self._least, _RUNS * self._runs))
        begin, queries = Place(-inf, 0), 0
        across: list[_Kept] = []
        for kept in self._kept:
            if queries >= most:
                yield self._stretch(across, begin, kept.first)
                begin, queries = kept.first, 0
                across = [one for one in across if one.last >= begin]
            across.append(kept)
            queries += kept.queries
        if across:
            yield self._stretch(across, begin, Place(inf, 0))

    def _stretch(self, kept: Iterable[_Kept], begin: Place, end: Place) -> Stretch:
        # By number: what is sorted afterwards keeps the order of those of the same time.
        return Stretch([(one.first.block, self._read(one)) for one in sorted(kept, key=_number)], begin, end)

    def _read(self, kept: _Kept) -> bytes:
        self._file.seek(kept.begin)
        return self._file.read(kept.size)


def _number(kept: _Kept) -> int:
    return kept.first.block
