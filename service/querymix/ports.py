"""What the stages and runners ask of the outside: one Protocol a need, one contract suite over all adapters of each."""

from collections.abc import AsyncIterator, Collection, Mapping
from typing import Protocol

Counts = Mapping[int, int]
"""How often a user was seen under each category, by the category's place in `knowledge.CATEGORIES`."""

Evidence = Mapping[tuple[str, int], int]
"""Counts by (user, category)."""
Frames = Mapping[int, Evidence]
"""Evidence of one source by its offset, in ascending order."""


class ProfileStore(Protocol):
    """Keeps every user's counts.

    Evidence comes in order from named sources (an input, a partition); the store remembers per source how far it
    got, in the same transaction as the counts, so that evidence that comes again changes nothing.
    """

    async def apply(self, source: str, frames: Frames) -> None:
        """Add counts by (user, category), those of each offset once: what is not past the last one applied is left out.

        Raises TransientError where the store failed. Some or all was added then, and the same frames may come again,
        alone or with others.
        """
        ...

    async def reached(self, source: str) -> int | None:
        """Return the offset of the last evidence of a source that was applied, None where the source is unknown."""
        ...

    async def has_applied(self, source: str, offset: int, users: Collection[str]) -> bool:
        """Say whether evidence of a source up to an offset was applied to these users, as far as the store can tell."""
        ...

    async def carry_over(self, source: str, former: str) -> None:
        """Take a source for the one that was called `former`.

        From now on evidence that was applied under either name is applied, also where others go on applying some under
        the former one.
        """
        ...

    async def get(self, user: str) -> Counts | None:
        """Return a user's counts, or None where the user is unknown."""
        ...

    def export(self) -> AsyncIterator[tuple[str, Counts]]:
        """Yield every user with its counts, in the order of the users' bytes."""
        ...

    async def close(self) -> None:
        """Close the store."""
        ...
