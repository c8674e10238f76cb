"""CPU and memory of the processes of a deployment, their children included, and of the machine.

Rules:
- A process that ends keeps the CPU time that it was last seen with: what was spent is spent.
- Each process has a kind (worker, broker, database, driver, follower); costs are counted by kind.
- The machine's other work is told too: on a shared machine it takes part of what the deployment could have had.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

import psutil


@dataclass
class Usage:
    """One process, over all that it was seen with."""

    kind: str
    name: str
    cpu: float = 0.0
    """Seconds of CPU, its children's included."""
    memory: int = 0
    """Resident bytes now."""
    peak: int = 0
    seen: dict[tuple[int, float], float] = field(default_factory=dict)
    """CPU seconds by process id and start: an id may be used again."""


class Processes:
    """The processes that are watched."""

    def __init__(self) -> None:
        self._watched: dict[int, Usage] = {}
        self._usages: list[Usage] = []

    def watch(self, kind: str, name: str, pid: int) -> None:
        """Watch a process from now on; one of the same name goes on where that one's costs stand."""
        usage = next((one for one in self._usages if one.name == name), None)
        if usage is None:
            usage = Usage(kind, name)
            self._usages.append(usage)
        # At once, since another thread may sample meanwhile.
        self._watched = {one: other for one, other in self._watched.items() if other is not usage} | {pid: usage}

    def sample(self) -> list[Usage]:
        """Return all processes as they are now."""
        for pid, usage in self._watched.items():
            usage.memory = 0
            for process in family(pid):
                try:
                    with process.oneshot():
                        times, began = process.cpu_times(), process.create_time()
                        usage.memory += process.memory_info().rss
                except psutil.Error:
                    continue
                usage.seen[process.pid, began] = times.user + times.system
            usage.cpu = sum(usage.seen.values())
            usage.peak = max(usage.peak, usage.memory)
        return self._usages

    def by_kind(self) -> dict[str, float]:
        """Return CPU seconds by kind, as last sampled."""
        total: dict[str, float] = {}
        for usage in self._usages:
            total[usage.kind] = total.get(usage.kind, 0.0) + usage.cpu
        return total


def family(pid: int) -> Iterable[psutil.Process]:
    """Return a process and all its children, none where it has ended."""
    try:
        process = psutil.Process(pid)
    except psutil.Error:
        return []
    try:
        return [process, *process.children(recursive=True)]
    except psutil.Error:  # a child that ended meanwhile takes the others with it
        return [process]


def busy_seconds() -> float:
    """Return the CPU seconds that this machine has worked, over all cores and programs."""
    times = psutil.cpu_times()
    # What a virtual machine's host took away, or what waited for a disk, is no work of this machine.
    return float(times.user + times.system + times.nice + getattr(times, "irq", 0) + getattr(times, "softirq", 0))


def machine() -> dict[str, str | int | float]:
    """Return what a reader of a report wants to know of the machine."""
    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else psutil.cpu_count() or 1,
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "system": os.uname().sysname,
        "release": os.uname().release,
        "processor": os.uname().machine,
    }
