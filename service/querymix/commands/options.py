"""The options of service/querymix/settings as options of a command."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin

import click
from pydantic.fields import FieldInfo

from querymix.settings import GONE, PREFIX, RENAMED, MethodSettings, RunSettings, Settings
from querymix.settings.values import read_share, show_seconds, show_share, takes_seconds
from querymix.settings.weaker import weaker_help

Command = TypeVar("Command", bound=Callable[..., Any])


def options(kind: type[Settings], *, short: Mapping[str, str] | None = None) -> Callable[[Command], Command]:
    """Return a decorator that gives a command the options of `kind`; those not given arrive as None."""

    def decorate(command: Command) -> Command:
        for name, field in reversed(kind.model_fields.items()):
            names = [name, *(old for old, new in RENAMED.items() if new == name)]
            flags = [*((short or {}).get(name, "").split()), *(f"--{one.replace('_', '-')}" for one in names)]
            command = click.option(*flags, name, default=None, help=_help(field), **_type(field))(command)
        for name in GONE if issubclass(kind, RunSettings) else ():
            command = click.option(f"--{name}", help="Gone.", hidden=True, expose_value=False, callback=_refuse)(
                command
            )
        return click.option(
            "--settings",
            type=click.Path(path_type=Path),
            envvar=f"{PREFIX}SETTINGS",
            help="TOML file with any of these options (underscores in their names).",
        )(command)

    return decorate


def _refuse(_: click.Context, option: click.Parameter, value: str | None) -> None:
    """Say of an option of `GONE` that it is, where it was named."""
    if value is not None and option.name is not None:
        raise click.UsageError(f"--{option.name} is gone: {GONE[option.name]}")


def given_away(settings: MethodSettings) -> list[str]:
    """Return what a weaker choice gives away that its name does not tell."""
    found = []
    if isinstance(settings, RunSettings) and settings.again == "on":
        found.append(
            "--again on: each release of one log draws anew, so that whoever has several names more owners: at k = 20, "
            "with ids that last, 2.5 % with two, 4.8 % with five, 12.5 % with twenty. The profiles count what is "
            "released again. Give it for one command only."
        )
    if settings.time_policy != "query":
        return found
    return [
        *found,
        "--time-policy query lets sessions be put together again: who reads the released log sees when each query was "
        "asked, and of similar texts close in time nearly all have one owner (98 % of those in the AOL log). Give "
        "--time-policy trigger, or a wide --time-precision, where that must not be.",
    ]


def path_option(name: str, *, help: str, default: Path | None = None) -> Callable[[Command], Command]:  # noqa: A002
    """Return the one option of a command that has no other: `--name`, or QUERYMIX_NAME in the environment."""
    # Not default=None: click takes that for a default that was given, and the option for one that need not be.
    needed: dict[str, Any] = {"required": True} if default is None else {"default": default}
    return click.option(
        f"--{name}",
        name,
        type=click.Path(path_type=Path),
        **needed,
        envvar=f"{PREFIX}{name.upper()}",
        help=help,
    )


def _help(field: FieldInfo) -> str:
    text = f"{field.description}{weaker_help(field)}"
    if field.default in (None, [], {}):
        return text
    default = ",".join(field.default) if isinstance(field.default, list) else field.default
    readers = {getattr(part, "func", None) for part in field.metadata}
    if takes_seconds(field):
        default = show_seconds(float(default))
    elif read_share in readers:
        default = show_share(float(default))
    return f"{text}  [default: {default}]"


def _type(field: FieldInfo) -> dict[str, Any]:
    kind = field.annotation
    if get_origin(kind) is UnionType:
        kind = next(one for one in get_args(kind) if one is not type(None))
    if get_origin(kind) is Literal:
        return {"type": click.Choice(get_args(kind))}
    return {"type": str, "metavar": "N" if kind is int else "PATH" if kind is Path else "TEXT"}
