"""The native path: see service/native. The module is absent where it was not built."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from typing_extensions import Buffer

from querymix.core.pools import Pools
from querymix.core.records import Classification, Query, Release

def read_records(
    data: bytes, at: int, end: int, most: int, after: int, about: tuple[Any, ...], class_: type[Any], /
) -> tuple[list[Any], int] | None: ...
def read_classified(frame: bytes, query: type[Query], /) -> tuple[int, list[Query], str, list[int]] | None: ...
def evidence_frames(
    releases: list[Release], partitions: int, unclassified: int, /
) -> list[tuple[int, bytes, int]] | None: ...
def add_lines(
    releases: list[Release],
    texts: list[str],
    partitions: int,
    headers: dict[int, Any],
    lines: dict[int, Any],
    /,
) -> int: ...

class Records:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[bytes, bytes, list[tuple[str, bytes]]]]: ...
    def pack(self, start: int, room: int) -> tuple[bytearray, int, int]: ...

class Engine:
    def __init__(
        self,
        content: Buffer,
        places: tuple[int, int, int, int, int],
        bias: list[int],
        confidence: float,
        gate: tuple[Any, ...],
        categories: list[str],
        classification: type[Classification],
    ) -> None: ...
    def decide(
        self, texts: list[str], hosts: list[str] | None = None, /
    ) -> tuple[list[Classification | None], list[int]]: ...
    def each(
        self,
        queries: list[Query],
        remembered: dict[Any, Classification],
        hosts: Mapping[str, str] | None,
        longest: int,
        finish: Callable[[str, str, Classification | None], Classification],
        /,
    ) -> tuple[list[Classification], dict[Any, Classification]]: ...
    def reduce(self, word: str, /) -> list[str] | None: ...
    def likeliest(self, word: str, /) -> list[str] | None: ...
    def guess(self, word: str, /) -> tuple[bytes, int | None] | None: ...
    def close(self) -> None: ...

def read_aol(
    lines: list[str], users: dict[str, str], urls: dict[str, str] | None, longest: int, query: type[Query], /
) -> tuple[list[Query | None], list[int]]: ...
def write_aol(releases: list[Release], own: bool, /) -> list[str] | None: ...
def pack_queries(rows: list[Query], /) -> bytes | None: ...
def unpack_queries(data: bytes, users: dict[str, str], query: type[Query], /) -> list[Query]: ...
def with_ids(releases: list[Release], ids: Mapping[str, str], release: type[Release], /) -> list[Release]: ...

class Thinned:
    def __init__(self, ats: list[float], users: list[int], state: Sequence[int], /) -> None: ...
    def taken(
        self, k: int, most: int, hold: float, since: float | None, paper: bool, by_owner: bool, both: bool, /
    ) -> int: ...

def take_timed(
    pools: Pools, release: type[Release], rows: Sequence[tuple[int, Query]], times: Sequence[float], /
) -> list[Release] | None: ...
def take_frames(
    pools: Pools, release: type[Release], frames: Iterable[tuple[Any, ...]], now: float, reading: float, /
) -> list[Release]: ...
def settle(pools: Pools, release: type[Release], reading: float, /) -> list[Release]: ...
