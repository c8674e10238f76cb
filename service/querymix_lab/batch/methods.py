"""All batch methods by their names, as methods.toml lists them.

A method's module is imported when it is asked for: numpy is an extra.
"""

import importlib
import tomllib
from collections.abc import Sequence
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
    at: str
    """Where its function is: module:name."""

    def load(self) -> Run:
        """Import the method. Raises ModuleNotFoundError where the extra `lab` is missing."""
        module, name = self.at.split(":")
        return cast(Run, getattr(importlib.import_module(module), name))


_TABLE: Final = tomllib.loads(resources.files(__package__).joinpath("methods.toml").read_text("utf-8"))
METHODS: Final = {
    name: Method(**fields | {"guarantee": fields["guarantee"].format(**_TABLE["promises"])})
    for name, fields in _TABLE["methods"].items()
}
"""Every method of `querymix batch`, by its name."""
