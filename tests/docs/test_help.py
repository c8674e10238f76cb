"""The help of each command begins with an example that works as it is typed."""

from collections.abc import Iterator

import click
import pytest
from querymix.cli import main

from tests.docs.test_documents import parse, parts


def leaves(group: click.Group, name: str = "querymix") -> Iterator[tuple[str, click.Command]]:
    """Yield each command that does something, by what is typed."""
    context = click.Context(group)
    for part in group.list_commands(context):
        command = group.get_command(context, part)
        assert command is not None
        if isinstance(command, click.Group):
            yield from leaves(command, f"{name} {part}")
        elif not (command.short_help or "").startswith("Unavailable"):  # an extra is missing here
            yield f"{name} {part}", command


@pytest.mark.parametrize(
    ("name", "command"), list(leaves(main)), ids=lambda value: value if isinstance(value, str) else ""
)
def test_the_help_of_each_command_has_an_example_that_can_be_parsed(name: str, command: click.Command) -> None:
    text = (command.help or "").split("\b\n", 1)
    assert len(text) == 2, "no example stands in a paragraph of its own"
    examples = text[1].split("\n\n")[0].splitlines()
    assert any(f"{name} " in f"{example} " for example in examples)
    for example in examples:
        for words in parts(example):
            if words[0] == "querymix":
                parse(words)


@pytest.mark.parametrize(
    ("name", "command"), list(leaves(main)), ids=lambda value: value if isinstance(value, str) else ""
)
def test_each_option_of_a_command_says_what_it_does(name: str, command: click.Command) -> None:
    silent = [part.name for part in command.params if isinstance(part, click.Option) and not part.help]
    assert silent == [], name
