"""All batch methods by their names, as methods.toml lists them.

A method's module is imported when it is asked for: numpy is an extra.
"""

import importlib
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import resources
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
    uses: Sequence[str]
    """The fields of `Options` that it reads."""
    also: Sequence[str]
    """Further options that it has a use for, beside those of `EVERY`."""
    at: str
    """Where its function is: module:name."""

    def load(self) -> Run:
        """Import the method. Raises ModuleNotFoundError where the extra `lab` is missing."""
        module, name = self.at.split(":")
        return cast(Run, getattr(importlib.import_module(module), name))


_TABLE: Final = tomllib.loads(resources.files(__package__).joinpath("methods.toml").read_text("utf-8"))
EVERY: Final = frozenset[str](_TABLE["every"])
"""The options that every method has a use for."""
PROFILED: Final = frozenset[str](_TABLE["profiled"])
"""Options that every method that keeps profiles has a use for, some only where it does."""
METHODS: Final = {
    name: Method(**fields | {"guarantee": fields["guarantee"].format(**_TABLE["promises"])})
    for name, fields in _TABLE["methods"].items()
}
"""Every method of `querymix batch`, by its name."""


def unused(name: str, options: Collection[str]) -> list[str]:
    """Return which of some options that were named a method has no use for, in alphabetical order."""
    method = METHODS[name]
    used = EVERY.union(method.uses, method.also)
    if "profiles" in used and "profiles" in options:
        used |= PROFILED
    return sorted(set(options) - used)
