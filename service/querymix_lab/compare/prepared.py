"""What MDAV needs of a log whatever k is: the distances of its users, computed once and kept in the study's folder.

They are numbers without the users' names; each file remembers which log it is of.
"""

from pathlib import Path
from time import process_time
from typing import Any, Final, NamedTuple

import numpy as np

from querymix_lab.batch.base import Log
from querymix_lab.batch.mdav import Prepared
from querymix_lab.batch.microaggregation import Distances
from querymix_lab.batch.query_space import QuerySpace

MDAV: Final = "mdav"
"""The method that is prepared."""


class Kept(NamedTuple):
    """Distances between a log's users, n by n, and the processor time that they took."""

    distances: Distances
    seconds: float


def keep(log: Log, file: Path) -> dict[str, Any]:
    """Compute the distances of a log's users into a file, whole or not at all, and return what that cost."""
    start = process_time()
    distances = QuerySpace(log).user_distances()
    seconds = process_time() - start
    part = file.with_suffix(".part.npz")
    np.savez(part, distances=distances, seconds=seconds)
    part.replace(file)
    return {"seconds": seconds}


def load(file: Path) -> Kept:
    """Return what `keep` put into a file."""
    with np.load(file) as arrays:
        return Kept(arrays["distances"], float(arrays["seconds"]))


def prepare(log: Log, file: Path | None) -> tuple[Prepared, float]:
    """Return a log with its users' distances and the seconds that they took, from the file where there is one."""
    if file is None or not file.exists():
        start = process_time()
        made = Prepared(log)
        return made, process_time() - start
    kept = load(file)
    return Prepared(log, distances=kept.distances), kept.seconds
