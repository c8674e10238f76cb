"""A bound on the memory that a package of somebody else's takes, for data that says itself how much it needs.

Linux alone counts a process's address space against a limit; elsewhere nothing is bounded.
"""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_OWN: Final = Path("/proc/self/statm")


class MemoryLimit:
    """Lets what is done inside of it keep and use `most` bytes more than the process had; then MemoryError is raised.

    Nothing else of the process should take much memory meanwhile: the limit is the whole process's.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept = 0

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Bound the body."""
        before = _address_space()
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = before + max(0, self._most - self._kept)
        bound = before > 0 and (soft == resource.RLIM_INFINITY or limit < soft)
        if bound:
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
        try:
            yield
        finally:
            if bound:
                resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
            self._kept = max(0, self._kept + _address_space() - before)


def _address_space() -> int:
    """Return the bytes of the process's address space, 0 where the system does not tell."""
    with suppress(OSError):
        return int(_OWN.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 0
