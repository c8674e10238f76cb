"""How much this machine has to give just now, against a quiet one: what limits on time are widened by.

Rules:
- As many processes as a deployment has, and one a core at least, work at once for a moment by the clock. What other
  programs take is missing then, and so is what a slower processor does not do.
- The reference is two quiet cores. More than that makes no limit narrower, and less than a fifth none wider.
"""

import json
import subprocess
import sys
import time
from typing import Final

REFERENCE: Final = 16_000.0
"""Pieces of work a second of two quiet virtual cores (EPYC, 2.4 GHz, Python 3.11): what a second of their CPU does."""
SECONDS: Final = 1.5
MOST: Final = 5.0
"""Limits are not made wider than that: a machine with less to give says nothing about the service."""
_PROCESSES: Final = 5
"""Of a small deployment: a worker, a broker, the database, the driver and the follower."""
_LINE: Final = json.dumps({"user": "1234567", "query": "weather in vienna tomorrow", "time": 1141171200, "x": [1, 2]})


def share(cores: int, seconds: float = SECONDS) -> float:
    """Measure the share of the reference that this machine has to give now: 1 as much, 0.5 half of it."""
    command = [sys.executable, "-m", __name__, str(seconds)]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(max(cores, _PROCESSES))]  # noqa: S603 - ours
    return round(sum(float(worker.communicate()[0]) for worker in workers) / REFERENCE, 3)


def wider(measured: float | None) -> float:
    """Return how many times as wide limits are made for that share of the reference; None: it was not measured."""
    return 1.0 if measured is None else round(min(MOST, max(1.0, 1 / max(measured, 1e-9))), 2)


def piece() -> int:
    """Do one piece of work, an eighth of a millisecond: objects, text and tables of them, as a record goes through."""
    seen: dict[str, int] = {}
    for number in range(50):
        line = json.loads(_LINE)
        for word in line["query"].split():
            seen[f"{word}{number}"] = hash((line["user"], word))
    return len(seen)


def _rate(seconds: float) -> float:
    """Return the pieces a second of one process."""
    begin, done = time.perf_counter(), 0
    while (now := time.perf_counter()) < begin + seconds:
        piece()
        done += 1
    return done / (now - begin)


if __name__ == "__main__":
    sys.stdout.write(f"{_rate(float(sys.argv[1]))}\n")
