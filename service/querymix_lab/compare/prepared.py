"""What MDAV needs of a log whatever k is: the distances of its users, computed once and kept in the study's folder.

They are numbers without the users' names; the folder belongs to one log.
"""

from pathlib import Path
from time import process_time
from typing import Any, Final

import numpy as np

from querymix_lab.batch.base import Log
from querymix_lab.batch.mdav import Prepared
from querymix_lab.batch.query_space import QuerySpace

MDAV: Final = "mdav"
"""The method that is prepared."""


def keep(log: Log, file: Path) -> dict[str, Any]:
    """Compute the distances of a log's users into a file, whole or not at all, and return what that cost."""
    start = process_time()
    distances = QuerySpace(log).user_distances()
    seconds = process_time() - start
    part = file.with_suffix(".part.npz")
    np.savez(part, distances=distances, seconds=seconds)
    part.replace(file)
    return {"seconds": seconds}


def prepare(log: Log, file: Path | None) -> tuple[Prepared, float]:
    """Return a log with its users' distances and the seconds that they took, from the file where there is one."""
    if file is None or not file.exists():
        start = process_time()
        made = Prepared(log)
        return made, process_time() - start
    with np.load(file) as arrays:
        return Prepared(log, distances=arrays["distances"]), float(arrays["seconds"])
