"""The command line: the composition root. Each command lives in a file of its own in `commands`."""

import importlib
from typing import Final

import click

from service.extras import advice

COMMANDS: Final = {
    "run": "service.commands.run:run",
    "classify": "service.commands.classify:classify",
    "profiles": "service.commands.profiles:profiles",
    "study": "service.commands.study:study",
    "worker": "service.commands.worker:worker",
    "topics": "service.commands.topics:topics",
    "account": "service.commands.account:account",
    "deadletter": "service.commands.deadletter:deadletter",
    "knowledge": "service.commands.knowledge:knowledge",
}


class Lazy(click.Group):
    """A group that imports a command when it is asked for, so that `querymix classify` does not wait for Kafka."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        try:
            command = getattr(importlib.import_module(module), name)
        except ModuleNotFoundError as error:
            raise click.UsageError(f"{cmd_name}: {advice(error) or error}") from None
        assert isinstance(command, click.Command)  # noqa: S101 - a wrong entry above is a mistake in this file
        return command


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="querymix", prog_name="querymix")
def main() -> None:
    """Turn a web search engine's query log into one that can be released."""
