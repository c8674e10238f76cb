"""A made-up log in several processes: each makes the rows of some users; in order they are the log of one process."""

import multiprocessing
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from querymix.core.errors import TransientError

from loadtest.synthesize import synthesize

_ROWS: Final = 400_000
"""Rows of a part, about."""


def synthesize_parts(lines: int, users: int, seed: int, processes: int) -> Generator[tuple[bytes, int], None, None]:
    """Yield the log in the order of its users, in pieces of whole lines: the bytes and the number of lines of each.

    Raises TransientError where a process ends before its end.
    """
    parts = max(processes, lines // _ROWS)
    waiting: deque[Future[tuple[bytes, int]]] = deque()
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        try:
            for part in range(parts):
                waiting.append(pool.submit(_part, lines, users, seed, part, parts))
                if len(waiting) > 2 * processes:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise TransientError("a process that makes up part of the log ended: see whether memory is short") from None
        finally:
            for future in waiting:
                future.cancel()


def _part(lines: int, users: int, seed: int, part: int, parts: int) -> tuple[bytes, int]:
    """Return a part of the log."""
    rows = list(synthesize(lines, users, seed, part=(part, parts)))
    return ("\n".join(rows) + "\n").encode() if rows else b"", len(rows)
