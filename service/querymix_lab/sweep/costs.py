"""What each process of the method costs: time a log and peak memory, each measured in a process of its own.

Source: Pàmies-Estrems et al. 2016, section 4.5, tables 2 and 3.
"""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final, NamedTuple

from querymix.core.profiles import evidence
from querymix.core.records import Query, Release
from querymix.stores.sqlite import SqliteProfiles

from querymix_lab.attacks import paper
from querymix_lab.attacks.logs import Log
from querymix_lab.memory import peak_mib
from querymix_lab.sweep import measuring
from querymix_lab.sweep.grid import Setting
from querymix_lab.task_processes import alone

_BATCH: Final = 10_000
"""Releases whose profile counts are written together, about as many as the service does."""


class Cost(NamedTuple):
    """What one process took."""

    microseconds: float
    """Processor time a log."""
    mebibytes: float
    """Largest resident memory, Python and its libraries included."""


def anonymize(log: Log, setting: Setting) -> Cost:
    """Pool a classified log."""
    return cost(measuring.release(log, setting).seconds, len(log))


def profile(log: Log, setting: Setting) -> Cost:
    """Write the profiles of a log, released at a setting, into SQLite."""
    outcome = measuring.release(log, setting)
    nobody = Query("", "", "", 0.0)
    releases = [Release(str(user), origin, nobody, origin, nobody, 1) for user, origin in outcome.origins]
    with TemporaryDirectory() as folder:
        start = process_time()
        asyncio.run(_write(releases, Path(folder) / "profiles.db"))
        spent = process_time() - start
    return cost(spent, max(1, len(releases)))


async def _write(releases: list[Release], file: Path) -> None:
    store = SqliteProfiles(file)
    for first in range(0, len(releases), _BATCH):
        await store.apply("study", {first + 1: evidence(releases[first : first + _BATCH])})
    await store.finish()
    await store.close()


def attack(log: Log, setting: Setting, method: str) -> Cost:
    """Attack what a setting releases of a log by one of the paper's methods."""
    released = measuring.release(log, setting).log
    start = process_time()
    paper.deanonymize(method, released, setting.k, setting.delta, setting.seed)
    return cost(process_time() - start, max(1, len(released)))


def measure(log: Log, setting: Setting) -> dict[str, Cost]:
    """Return the costs of the anonymizer, the profiler and the paper's attacks by name; one process after another."""
    found = {"anonymizer": alone(anonymize, log, setting), "profiler": alone(profile, log, setting)}
    return found | {method: alone(attack, log, setting, method) for method in paper.METHODS}


def cost(seconds: float, lines: int) -> Cost:
    """Return the cost of this process so far, which took `seconds` of processor time for `lines` logs."""
    return Cost(1e6 * seconds / lines, peak_mib())
