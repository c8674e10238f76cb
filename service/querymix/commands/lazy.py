"""Groups of commands that import a command when it is asked for, and the laboratory's where that is installed.

Rules:
- `querymix classify` does not wait for Kafka, and no command of the product for the laboratory.
- The product knows the names of the laboratory's commands and nothing else of it: `COMMANDS` of `querymix_lab.commands`
  says where they are, and which packages they cannot do without.
- A command that cannot run here is listed with what to install, and says the same and exits with 2 when it is called.
"""

import importlib
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

import click

from querymix.commands.common import reporting
from querymix.core.errors import ConfigError
from querymix.extras import advice


class Place(NamedTuple):
    """Where a command is."""

    module: str
    name: str
    needs: tuple[str, ...] = ()
    """Packages of an extra that it imports late, and cannot do without."""


LAB: Final = Place("querymix_lab.commands", "COMMANDS")
"""Stands for a command of the laboratory."""


class LazyGroup(click.Group):
    """A group that imports a command when it is asked for."""

    def __init__(self, *args: Any, places: Mapping[str, Place], within: str = "", **kwargs: Any) -> None:
        """Make a group out of the commands' places; `within` is the group's own name, empty for the top."""
        super().__init__(*args, **kwargs)
        self.places = places
        self._within = within

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in self.places:
            return None
        try:
            return _found(self.places[cmd_name], f"{self._within} {cmd_name}".strip())
        except ModuleNotFoundError as error:
            if (missing := advice(error)) is None:
                raise
            return _unavailable(cmd_name, missing)


def _found(place: Place, name: str) -> click.Command:
    """Import a command. Raises ModuleNotFoundError where a package that it needs is missing."""
    if place is LAB:
        place = getattr(importlib.import_module(LAB.module), LAB.name)[name]
    for package in place.needs:
        if find_spec(package) is None:
            raise ModuleNotFoundError(name=package)
    command = getattr(importlib.import_module(place.module), place.name)
    assert isinstance(command, click.Command)  # noqa: S101 - a wrong place is a mistake in the code
    return command


def _unavailable(name: str, missing: str) -> click.Command:
    """Return a command that says which extra has to be installed for it."""

    @reporting
    def refuse(**_: Any) -> None:
        raise ConfigError(f"{name}: {missing}")

    anything = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    return click.Command(name, callback=refuse, short_help=f"Unavailable: {missing}", context_settings=anything)
