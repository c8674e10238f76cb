"""What a record costs `querymix run` and what memory it takes, over the number of records and over the number of users.

Each point is a run of its own over a made-up log: it reads, sorts, classifies, pools, profiles and writes. The cost is
CPU (user and system) a record without the start, which a run over a few records tells. Memory is the process's peak.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from querymix.commands.common import PARTIAL
from querymix.core.errors import TransientError

from loadtest.measure.tables import Table

FEW: Final = 1000
"""Logs of the run that tells what the start costs."""
LOGS_A_USER: Final = 50
"""Records of a user while records grow, as in AOL's log. Were the users the same, each would ask more."""
STEPS: Final = (1, 3)
"""Steps within a power of ten of records."""


class Point(NamedTuple):
    """One run."""

    logs: int
    users: int
    microseconds: float
    """CPU a record."""
    logs_per_second: float
    memory_bytes: int
    """Peak."""


def sizes(logs: int, users: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return (records, users) of the runs over growing records, and of those over growing users, up to both."""
    by_logs = [step * 10**power for power in range(5, 12) for step in STEPS if step * 10**power < logs]
    many = min(logs, max(users, 1_000_000))
    most = min(users, many)
    by_users = [10**power for power in range(3, 12) if 10**power < most]
    return [(number, min(users, max(1, number // LOGS_A_USER))) for number in [*by_logs, logs]], [
        (many, number) for number in [*by_users, most]
    ]


def measure(pairs: list[tuple[int, int]], folder: Path) -> Iterator[Point]:
    """Run over a made-up log for each pair. Raises TransientError where a run fails."""
    start = _run(_made(FEW, 100, folder), folder)[0]
    for logs, users in pairs:
        spent, summary = _run(_made(logs, users, folder), folder)
        cost = max(0.0, 1e6 * (spent - start) / logs)
        yield Point(logs, users, round(cost, 2), summary["logs_per_second"], summary["peak_memory_bytes"])


def _made(logs: int, users: int, folder: Path) -> Path:
    """Make a log up."""
    path = folder / "log.tsv"
    command = [sys.executable, "-m", "loadtest", "synthesize", "--lines", str(logs), "--users", str(users)]
    processes = "1" if logs <= FEW else str(min(4, os.cpu_count() or 1))
    subprocess.run([*command, "--seed", "1", "--processes", processes, "-o", str(path)], check=True)  # noqa: S603 - our own
    return path


def _run(log: Path, folder: Path) -> tuple[float, dict[str, int]]:
    """Return the CPU seconds and the summary of a run."""
    command = [sys.executable, "-m", "querymix", "run", str(log), "-o", str(folder / "out.tsv"), "--json"]
    command += ["--profiles", str(folder / "profiles.db")]
    (folder / "profiles.db").unlink(missing_ok=True)
    before = os.times()
    # In a session of its own, so that a Ctrl-C comes to this process alone, which then ends it.
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False, start_new_session=True)  # noqa: S603 - our own
    after = os.times()
    if done.returncode not in (0, PARTIAL):  # of a short log little is released, which costs as much
        raise TransientError(f"querymix run ended with {done.returncode}")
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent, json.loads(done.stdout)


def table(title: str, points: list[Point]) -> Table:
    """Return points as a table."""
    rows = [
        (f"{one.logs:,}", f"{one.users:,}", f"{one.microseconds:.1f}", f"{one.logs_per_second:,.0f}",
         f"{one.memory_bytes / 2**20:,.0f}")
        for one in points
    ]  # fmt: skip
    return Table(title, ("records", "users", "CPU, µs a record", "records/s", "memory, MiB"), rows, texts=0)
