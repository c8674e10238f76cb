"""Groups of commands that import a command when it is asked for, and the laboratory's where that is installed.

Rules:
- `querymix classify` does not wait for Kafka, and no command of the product for the laboratory.
- The product knows the names of the laboratory's commands and nothing else of it: `COMMANDS` of `querymix_lab.commands`
  says where they are, and which packages they cannot do without.
- The options of a command that begins with much stand apart from its work, which is imported when it is called: its
  --help does not wait for the work either (`late`).
- A command that cannot run here is listed with what to install, and says the same and exits with 2 when it is called.
"""

import gc
import importlib
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from types import ModuleType
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


def late(module: str, name: str) -> Callable[..., Any]:
    """Return what calls `name` of a module, which is imported then."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(_imported(module), name)(*args, **kwargs)

    return call


def _imported(name: str) -> ModuleType:
    """Import a module. What that makes stays, so nobody looks for garbage in it, then or later: a fifth of the time."""
    if name in sys.modules:
        return sys.modules[name]
    collects = gc.isenabled()
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        gc.freeze()
        if collects:
            gc.enable()


def _found(place: Place, name: str) -> click.Command:
    """Import a command. Raises ModuleNotFoundError where a package that it needs is missing."""
    if place is LAB:
        place = getattr(_imported(LAB.module), LAB.name)[name]
    for package in place.needs:
        if sys.modules.get(package) is None and find_spec(package) is None:
            raise ModuleNotFoundError(name=package)
    command = getattr(_imported(place.module), place.name)
    assert isinstance(command, click.Command)  # noqa: S101 - a wrong place is a mistake in the code
    return command


def _unavailable(name: str, missing: str) -> click.Command:
    """Return a command that says which extra has to be installed for it."""

    @reporting
    def refuse(**_: Any) -> None:
        raise ConfigError(f"{name}: {missing}")

    anything = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    return click.Command(name, callback=refuse, short_help=f"Unavailable: {missing}", context_settings=anything)
