"""Profiles in memory: for tests, studies, and runs that keep none."""

from collections.abc import AsyncIterator

from querymix.ports import Counts, Frames


class MemoryProfiles:
    """A ProfileStore that lives as long as the process."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[int, int]] = {}
        self._applied: dict[str, int] = {}

    async def apply(self, source: str, frames: Frames) -> None:
        """Add counts by (user, category), once for each offset of a source."""
        for offset, evidence in frames.items():
            if offset <= self._applied.get(source, -1):
                continue
            for (user, category), count in evidence.items():
                counts = self._counts.setdefault(user, {})
                counts[category] = counts.get(category, 0) + count
            self._applied[source] = offset

    async def finish(self) -> None:
        """Nothing waits for the end."""

    async def get(self, user: str) -> Counts | None:
        """Return a user's counts, or None."""
        counts = self._counts.get(user)
        return None if counts is None else dict(sorted(counts.items()))

    async def export(self) -> AsyncIterator[tuple[str, Counts]]:
        """Yield every user with its counts, in the order of the users' bytes."""
        for user, counts in sorted(self._counts.items(), key=lambda item: item[0].encode("utf-8", "surrogateescape")):
            yield user, dict(sorted(counts.items()))

    async def close(self) -> None:
        """Nothing is held."""
