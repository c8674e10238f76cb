"""What an operator chooses for the pools."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Any, Literal, NamedTuple

from service.core.errors import Misconfigured

Mode = Literal["distinct", "paper"]
HoldPolicy = Literal["wait", "suppress", "merge"]
DrawBy = Literal["owner", "entry"]


class Rules(NamedTuple):
    """How pools let queries out."""

    k: int = 20
    mode: Mode = "distinct"
    delta: str = "1.2"
    """The factor by which `paper` mode grows k, as a decimal number so that no rounding error grows it further."""
    max_hold: float | None = None
    """Seconds by the hold clock (service.core.holdclock); None: no bound."""
    hold_policy: HoldPolicy = "wait"
    draw: DrawBy = "owner"
    """What a query is drawn over in `distinct` mode: the owners of pooled queries, each as likely as the others, or
    (weaker) the queries themselves, so that who has more there is the likelier owner. `paper` mode draws entries."""

    @classmethod
    def of(cls, row: Sequence[Any]) -> "Rules":
        """Return the rules that `row`, a state's list, names; before there was a choice, entries were drawn."""
        return cls(*row, *(["entry"] if len(row) < len(cls._fields) else []))

    def check(self) -> "Rules":
        """Return these rules.

        Raises Misconfigured where a value is out of range.
        """
        if self.k < 2:
            raise Misconfigured(f"k must be at least 2, not {self.k}: a pool of one hides nobody")
        try:
            delta = Fraction(self.delta)
        except (ValueError, ZeroDivisionError):
            raise Misconfigured(f"delta must be a decimal number such as 1.2, not {self.delta!r}") from None
        if delta < 1:
            raise Misconfigured(f"delta must be at least 1, not {self.delta}")
        if self.max_hold is not None and not self.max_hold > 0:
            raise Misconfigured("max hold must be more than 0 seconds")
        if self.hold_policy != "wait" and self.max_hold is None:
            raise Misconfigured(f"the hold policy {self.hold_policy} needs a max hold: say after how many seconds")
        return self

    @property
    def owner_named_at_most(self) -> float | None:
        """Probability with which whoever knows a whole pool, but nothing of the texts, names a released query's owner.

        None where there is no such bound.
        """
        return 1 / self.k if self.mode == "distinct" and self.draw == "owner" else None

    def grown(self, k: int) -> int:
        """Return the k that follows `k` where every pooled user is the same."""
        return ceil(k * Fraction(self.delta))

    @property
    def bound(self) -> float | None:
        """Seconds after which something is done about a held query, None where nothing is."""
        return None if self.hold_policy == "wait" else self.max_hold
