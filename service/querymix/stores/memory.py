"""Profiles in memory: for tests, studies, and runs that keep none."""

from collections.abc import AsyncIterator, Collection

from querymix.ports import Counts, Frames


class MemoryProfiles:
    """A ProfileStore that lives as long as the process."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[int, int]] = {}
        self._applied: dict[str, int] = {}
        self._former: dict[str, str] = {}

    async def apply(self, source: str, frames: Frames) -> None:
        """Add counts by (user, category), once for each offset of a source."""
        source = self._former.get(source, source)
        for offset, evidence in frames.items():
            if offset <= self._applied.get(source, -1):
                continue
            for (user, category), count in evidence.items():
                counts = self._counts.setdefault(user, {})
                counts[category] = counts.get(category, 0) + count
            self._applied[source] = offset

    async def reached(self, source: str) -> int | None:
        """Return the offset of the last evidence of a source that was applied."""
        return self._applied.get(self._former.get(source, source))

    async def has_applied(self, source: str, offset: int, users: Collection[str]) -> bool:
        """Say whether evidence up to an offset was applied; that is known of all users together."""
        reached = await self.reached(source)
        return reached is not None and reached >= offset

    async def carry_over(self, source: str, former: str) -> None:
        """Take a source for the one that was called `former`: it goes by that name."""
        reached = [self._applied[name] for name in (source, former) if name in self._applied]
        self._former[source] = former
        self._applied |= {former: max(reached)} if reached else {}

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
