"""All batch methods by their names. A method's module is imported when it is asked for: numpy is an extra."""

import importlib
from dataclasses import dataclass
from typing import Final, cast

from service.batch.base import Run


@dataclass(frozen=True)
class Method:
    """One batch method."""

    title: str
    """A few words for lists."""
    guarantee: str
    """One sentence: what the method promises to whoever is in the log."""
    source: str
    """Where it is published."""
    uses: tuple[str, ...]
    """The fields of `Options` that it reads."""
    at: str
    """Where its function is: module:name."""

    def load(self) -> Run:
        """Import the method. Raises ModuleNotFoundError where the extra `study` is missing."""
        module, name = self.at.split(":")
        return cast(Run, getattr(importlib.import_module(module), name))


_SAME: Final = "At least k users leave with exactly the same queries, so that no line tells one of them from the others"

METHODS: Final = {
    "odp": Method(
        "semantic microaggregation by shared categories",
        f"{_SAME}; the users were joined by their topics.",
        "Erola et al. 2011; thesis 5.4",
        ("k", "levels", "times"),
        "service.batch.odp:odp",
    ),
    "mdav": Method(
        "microaggregation by the spelling of queries, clicked hosts, ranks and times",
        f"{_SAME}; the users were joined by the spelling of their queries.",
        "Navarro-Arribas et al. 2012; thesis 5.3",
        ("k", "times"),
        "service.batch.mdav:mdav",
    ),
    "semantic": Method(
        "semantic microaggregation by near categories",
        f"{_SAME}; each of these is a random query of the whole log with a category that the users ask about.",
        "Batet et al. 2013; thesis 5.5",
        ("k", "times"),
        "service.batch.semantic:semantic",
    ),
}
"""Every method of `querymix batch`, by its name."""
