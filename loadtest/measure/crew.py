"""The load test's own processes, as one: drivers that share the rate, and the follower."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from loadtest.measure.child import Child
from loadtest.measure.plan import Piece
from loadtest.measure.resource_usage import Processes

_PATIENCE = 30.0


class Crew:
    """Drivers and follower; `close` ends them."""

    def __init__(self, drivers: Sequence[Child], follower: Child) -> None:
        self._drivers = drivers
        self._follower = follower
        self._sent = self._due = 0
        """Of the replays that are done."""
        self._driving = False
        self.reports: list[dict[str, Any]] = []

    @classmethod
    async def start(
        cls, drivers: Sequence[dict[str, Any]], follower: dict[str, Any], folder: Path, processes: Processes
    ) -> Self:
        """Start them and wait until they are ready. Raises TransientError."""
        started = [await Child.start("loadtest.measure.driver", config, folder) for config in drivers]
        following = await Child.start("loadtest.measure.follower", follower, folder)
        for number, child in enumerate(started, 1):
            processes.watch("driver", f"driver {number}", child.pid)
        processes.watch("follower", "follower", following.pid)
        crew = cls(started, following)
        try:
            await asyncio.gather(*(child.next("ready") for child in (*started, following)))
        except BaseException:
            await crew.close()
            raise
        return crew

    async def drive(self, pieces: Sequence[Piece]) -> list[dict[str, Any]]:
        """Send at these rates and return each driver's report. Raises TransientError where one ends."""
        number = len(self._drivers)
        shares = [(seconds, low / number, high / number) for seconds, low, high in pieces]
        reports = [asyncio.ensure_future(driver.next("report")) for driver in self._drivers]
        for driver in self._drivers:
            driver.latest.pop("progress", None)
            driver.tell({"run": shares})
        self._driving = True
        try:
            found = await asyncio.gather(*reports)
        finally:
            self._driving = False
        self._due += sum(report["sent"] + report["owed"] for report in found)
        self.reports += found
        return found

    def stop(self) -> None:
        """Have the drivers end what they do."""
        for driver in self._drivers:
            driver.tell({"stop": True})

    def progress(self) -> dict[str, Any]:
        """Return what drivers and follower said last."""
        now = [driver.latest.get("progress", {}) for driver in self._drivers] if self._driving else []
        seen = self._follower.latest.get("seen", {})
        return {
            "due": self._due + sum(one.get("due", 0) for one in now),
            "lateness": round(max((one.get("lateness", 0.0) for one in now), default=0.0), 3),
            "released": seen.get("released", 0),
            "beyond": seen.get("beyond", {}),
        }

    async def mark(self) -> dict[str, Any]:
        """Return what the follower saw since the last mark. Raises TransientError where it does not say so."""
        answer = asyncio.ensure_future(self._follower.next("mark"))
        await asyncio.sleep(0)
        self._follower.tell({"mark": True})
        async with asyncio.timeout(_PATIENCE):
            found: dict[str, Any] = await answer
        return found

    async def close(self) -> None:
        """End them."""
        await asyncio.gather(*(child.close() for child in (*self._drivers, self._follower)))
