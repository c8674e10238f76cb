"""No core dumps: what a process of ours holds in memory are raw queries, and a dump lies around in a file or a log.

Rules:
- The limit holds for all processes that are begun from here. A handler of dumps, as systemd has one, takes no notice of
  it, so Linux is told too that this process is not to be dumped; nobody but root attaches a debugger to it then.
- `python -X cores -m querymix ...` leaves both as they are, for whoever has to look into a process.
"""

import ctypes
import resource
import sys
from contextlib import suppress
from typing import Final

_SET_DUMPABLE: Final = 4
"""PR_SET_DUMPABLE of prctl(2)."""


def no_cores() -> None:
    """Let this process, and those that it begins, leave no core dump."""
    if "cores" in sys._xoptions:  # noqa: SLF001 - documented, and the only way to ask for them
        return
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)
