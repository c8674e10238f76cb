"""All batch methods by their names. A method's module is imported when it is asked for: numpy is an extra."""

import importlib
from dataclasses import dataclass
from typing import Final, cast

from querymix_lab.batch.base import Run


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
        """Import the method. Raises ModuleNotFoundError where the extra `lab` is missing."""
        module, name = self.at.split(":")
        return cast(Run, getattr(importlib.import_module(module), name))


_SAME: Final = "At least k users leave with exactly the same queries, so that no line tells one of them from the others"
_TERMS: Final = "At least k users leave with exactly the same generalized terms, in lines that differ in the user alone"

METHODS: Final = {
    "odp": Method(
        "semantic microaggregation by shared categories",
        f"{_SAME}; the users were joined by their topics.",
        "Erola et al. 2011; thesis 5.4",
        ("k", "levels", "times"),
        "querymix_lab.batch.odp:odp",
    ),
    "mdav": Method(
        "microaggregation by the spelling of queries, clicked hosts, ranks and times",
        f"{_SAME}; the users were joined by the spelling of their queries.",
        "Navarro-Arribas et al. 2012; thesis 5.3",
        ("k", "times"),
        "querymix_lab.batch.mdav:mdav",
    ),
    "clump": Method(
        "generalization of nouns over WordNet, users of like queries together",
        f"{_TERMS}.",
        "Milani Fard and Wang 2010",
        ("k", "candidates", "wordnet"),
        "querymix_lab.batch.clump:clump",
    ),
    "partition": Method(
        "generalization of nouns over WordNet, from the root down",
        f"{_TERMS}.",
        "He and Naughton 2009, as in Milani Fard and Wang 2010",
        ("k", "wordnet"),
        "querymix_lab.batch.partition:partition",
    ),
    "korolova": Method(
        "the commonest queries and clicks with noisy counts, under no user",
        "Whatever one user asks changes the chance of any released log by a factor of e^epsilon at most, but for a "
        "chance of delta: (epsilon, delta)-differential privacy, the user being the unit.",
        "Korolova et al. 2009",
        ("first", "privacy_epsilon", "privacy_delta"),
        "querymix_lab.batch.korolova:korolova",
    ),
    "poblete": Method(
        "queries that no clicked document ties to another query",
        "Every text that leaves was asked by at least k users, names no site that was clicked for it, and shares "
        "no clicked host with another text that leaves.",
        "Poblete et al. 2007 and 2010",
        ("k", "times"),
        "querymix_lab.batch.poblete:poblete",
    ),
    "threshold": Method(
        "texts that many users asked, as search engines release them today",
        "Every text that leaves was asked by at least --users users within the window, and every clicked host was "
        "clicked by as many; which of these one user asked is not hidden.",
        "Google's search data under the EU Digital Markets Act: 30 users in 13 months",
        ("users", "window", "times"),
        "querymix_lab.batch.threshold:threshold",
    ),
    "semantic": Method(
        "semantic microaggregation by near categories",
        f"{_SAME}; each of these is a random query of the whole log with a category that the users ask about.",
        "Batet et al. 2013; thesis 5.5",
        ("k", "times"),
        "querymix_lab.batch.semantic:semantic",
    ),
}
"""Every method of `querymix batch`, by its name."""
