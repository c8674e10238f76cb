"""Writes docs/options.md, every option of every command, from the commands and the settings: `python -m docs.options`.

An option with one default and one meaning stands once, under all the commands that have it.
"""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Final

import click
from querymix.cli import main

FILE: Final = Path(__file__).with_name("options.md")
HEAD: Final = """\
# Options

Written by `python -m docs.options`, from the program itself. Every option is a flag of the commands that have it; those
that are written down as settings are also an environment variable and a key of a TOML file (`--settings FILE`):
`--max-hold 10m` is `QUERYMIX_MAX_HOLD=10m` is `max_hold = "10m"`. The command line wins, then the environment, then the
file. A default is the safer choice; a weaker one has to be named, and says WEAKER.

k: how many user ids, not people, a released query's owner is hidden among at one draw. A pool: users and queries of one
category that wait for each other. Evidence: counts of (user, category), which profiles are made of. A time has a unit:
250ms, 10s, 10m, 10h or 10d.
"""


def commands(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command below `group` with the words that call it."""
    context = click.Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {word}")
        elif command:
            yield f"{name} {word}", command


def rows() -> dict[tuple[str, ...], list[str]]:
    """Return a row for each option, by the commands that have it in just this form."""
    found: dict[str, list[str]] = {}
    for name, command in commands(main, "querymix"):
        for option in command.params:
            if isinstance(option, click.Option) and option.name != "help" and not option.hidden:
                found.setdefault(_row(option), []).append(name)
    sections: dict[tuple[str, ...], list[str]] = {}
    for row, names in found.items():
        sections.setdefault(tuple(names), []).append(row)
    return sections


def _row(option: click.Option) -> str:
    flags = " ".join(f"`{flag}`" for flag in [*option.opts, *option.secondary_opts])
    text, _, default = str(option.help or "").partition("  [default: ")
    default = default.removesuffix("]")
    no_default = (None, False, (), inf, -inf)
    if not default and option.default not in no_default and isinstance(option.default, str | int | float | Path):
        default = str(option.default).removeprefix(f"{FILE.parents[1]}/")  # the same wherever this stands
    values = f" ({', '.join(option.type.choices)})" if isinstance(option.type, click.Choice) else ""
    required = " Required." if option.required else ""
    return f"| {flags} | {default.replace('|', '/')} | {text.replace('|', '/')}{values}{required} |"


def page() -> str:
    """Return the whole page; what most commands have comes first."""
    parts = [HEAD]
    for names, lines in sorted(rows().items(), key=lambda item: -len(item[0])):
        title = ", ".join(name.removeprefix("querymix ") for name in names)
        parts.append("\n".join([f"## {title}\n", "| option | default | what it does |", "|---|---|---|", *lines, ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
