"""The command line. Each command lives in a file of its own in `commands`."""

import importlib
from collections.abc import Mapping
from typing import Any, Final

try:
    import click

    from querymix.commands.common import (
        FAILED,
        INTERRUPTED,
        UNUSABLE_STREAM,
        drop_unwritable_errors,
        fail,
        flush,
        output_failure,
        prepare_streams,
        reporting,
    )
    from querymix.core import errors
    from querymix.core.errors import ConfigError
except KeyboardInterrupt:  # they take long enough to be interrupted in
    raise SystemExit(130) from None

from querymix.extras import advice

BUILD: Final = "plain Python" if str(errors.__file__).endswith(".py") else "core compiled by mypyc"
"""How the code that runs was built."""
COMMANDS: Final = {
    "run": "querymix.commands.run:run",
    "classify": "querymix.commands.classify:classify",
    "profiles": "querymix.commands.profiles:profiles",
    "batch": "querymix_lab.commands.batch:batch",
    "compare": "querymix_lab.commands.compare:compare",
    "attack": "querymix_lab.commands.attack:attack",
    "match": "querymix_lab.commands.attack:match",
    "study": "querymix_lab.commands.study:study",
    "worker": "querymix.commands.worker:worker",
    "topics": "querymix.commands.topics:topics",
    "account": "querymix.commands.account:account",
    "deadletter": "querymix.commands.deadletter:deadletter",
    "knowledge": "querymix_lab.commands.knowledge:knowledge",
}


class ErrorReportingGroup(click.Group):
    """A group whose commands end without a traceback where a standard stream fails or the user interrupts."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line with standard streams that can be used."""
        prepare_streams()
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # --help and usage errors, which are printed outside of any command
            told = error.__context__
            fail(str(output_failure(error)), told.exit_code if isinstance(told, click.ClickException) else FAILED)
        except SystemExit:
            reporting(flush)()
            raise
        finally:
            drop_unwritable_errors()

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an error of the system that it did not foresee is told by its reason."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            fail("interrupted: give the same command again", INTERRUPTED)
        except OSError as error:
            if error.filename is None and error.errno in UNUSABLE_STREAM:
                fail(str(output_failure(error)), FAILED)
            fail(
                f"{error.filename or 'the system'}: {error.strerror}. See to that and give the same command again.",
                FAILED,
            )


class Lazy(ErrorReportingGroup):
    """A group that imports a command when it is asked for, so that `querymix classify` does not wait for Kafka."""

    places: Mapping[str, str] = COMMANDS
    """The module and the name of each command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in self.places:
            return None
        module, name = self.places[cmd_name].split(":")
        try:
            command = getattr(importlib.import_module(module), name)
        except ModuleNotFoundError as error:
            if (missing := advice(error)) is None:
                raise
            return _unavailable(cmd_name, missing)
        assert isinstance(command, click.Command)  # noqa: S101 - a wrong entry above is a mistake in this file
        return command


def _unavailable(name: str, missing: str) -> click.Command:
    """Return a command that says which extra has to be installed for it."""

    @reporting
    def refuse(**_: Any) -> None:
        raise ConfigError(f"{name}: {missing}")

    anything = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    return click.Command(name, callback=refuse, short_help=f"Unavailable: {missing}", context_settings=anything)


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="querymix", prog_name="querymix", message=f"%(prog)s, version %(version)s ({BUILD})")
def main() -> None:
    """Turn a web search engine's query log into one that can be released."""
