"""The account: what became of every record that came in.

Rules:
- in = released + held + suppressed (by identifiers, by hold, as repeats, as rare, as long) + unclassified + empty +
  refused + lost + waiting, always.
- A record is one row: a query with several clicks counts as often as it has rows.
- `waiting` are records that were classified and have not reached a pool, `lost` are those that never will, since they
  are gone from the topic between. Only a stream service has some.
- Accounts add up: over pools, partitions, stages and workers.
"""

from dataclasses import astuple, dataclass


@dataclass(frozen=True, slots=True)
class Account:
    """Records by what became of them; as a difference, a field may be negative."""

    released: int = 0
    held: int = 0
    suppressed_by_identifiers: int = 0
    """Nothing was left of the query once its identifiers were cut."""
    suppressed_by_hold: int = 0
    """Held for longer than `max_hold` under the hold policies `trim` and `suppress`."""
    unclassified: int = 0
    """Dropped since the query has no category."""
    refused: int = 0
    """Could not be read."""
    waiting: int = 0
    """A stage's own share of it: what it passed on is added, what it took in is taken off."""
    suppressed_as_repeats: int = 0
    """Asked by its user within `dedupe` already, or one of too many rows of one query."""
    empty: int = 0
    """Asked for nothing: an empty or blank query, or a lone "-"."""
    lost: int = 0
    """Gone from the topic between two stages before the second one read them."""
    suppressed_as_rare: int = 0
    """Too few users share what it says (querymix.stages.screening)."""
    suppressed_as_long: int = 0
    """It has more words or characters than may leave."""

    def __add__(self, other: "Account") -> "Account":
        return Account(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))

    def __sub__(self, other: "Account") -> "Account":
        return Account(*(mine - theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))

    @property
    def total(self) -> int:
        """All records that came in."""
        return sum(astuple(self))

    @property
    def suppressed(self) -> int:
        """Suppressed for any reason."""
        by_rules = self.suppressed_as_rare + self.suppressed_as_long
        return self.suppressed_by_identifiers + self.suppressed_by_hold + self.suppressed_as_repeats + by_rules

    def figures(self) -> dict[str, int]:
        """Return the account under the names that users see; `suppressed` is the sum of its reasons."""
        reasons = (
            "suppressed", "suppressed_by_identifiers", "suppressed_by_hold", "suppressed_as_repeats",
            "suppressed_as_rare", "suppressed_as_long",
        )  # fmt: skip
        names = ("released", "held", *reasons, "unclassified", "empty", "refused", "lost", "waiting")
        return {"in": self.total, **{name: getattr(self, name) for name in names}}
