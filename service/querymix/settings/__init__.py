"""Every option, defined once: as a command-line option, an environment variable, and a key of a settings file.

Owns: the options, a module for each kind, and where they are read from. How the text of one is read stands in
service/querymix/settings/values.py, how a command takes them in service/querymix/commands/options.py.

Rules:
- This is the only reader of the environment, but for querymix.native_path. `--max-hold` is `QUERYMIX_MAX_HOLD` and
  `max_hold` in the file.
- The command line wins over the environment, the environment over the file, the file over a preset, that over the
  defaults.
- A default is the safer choice. A weaker one has to be named, and says what it weakens (querymix.settings.weaker).
- A refused value is not shown back, since it may be a secret.
- A secret is refused where other users of the machine may read it (`_guard`), and is a SecretStr from there on.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo

from querymix.core.errors import ConfigError
from querymix.native_path import SWITCH
from querymix.settings.asking import need_crowd
from querymix.settings.base import PREFIX, Settings, read_secret, read_token
from querymix.settings.crowd import CrowdSettings, PartsSettings
from querymix.settings.method import (
    BundleSettings,
    CheckSettings,
    FileSettings,
    FormSettings,
    KnowledgeSettings,
    LibrarySettings,
    LogSettings,
    MethodSettings,
    OutputSettings,
    ReleaseSettings,
    RunSettings,
)
from querymix.settings.presets import DEFAULT, options_of
from querymix.settings.service import (
    ConnectionSettings,
    GroupSettings,
    LoadSettings,
    MongoSettings,
    TopicSettings,
    WorkerSettings,
)
from querymix.settings.values import holds_secret, read_toml, takes_seconds

__all__ = [
    "GONE", "PREFIX", "RENAMED", "BundleSettings", "CheckSettings", "ConnectionSettings", "CrowdSettings",
    "FileSettings", "FormSettings", "GroupSettings", "KnowledgeSettings", "LibrarySettings", "LoadSettings",
    "LogSettings", "MethodSettings", "MongoSettings", "OutputSettings", "PartsSettings", "ReleaseSettings",
    "RunSettings", "Settings", "TopicSettings", "WorkerSettings", "gone", "load",
    "read_secret", "read_token",
]  # fmt: skip

_KINDS: Final = (RunSettings, CrowdSettings, TopicSettings, WorkerSettings)
"""Classes that together have every option of the product."""
LAB_OPTIONS: Final = frozenset(
    {
        "candidates", "exponent", "first", "ks", "largest", "levels", "methods", "privacy_delta", "privacy_epsilon",
        "processes", "queries", "seed", "seeds", "tasks", "tests", "times", "users", "verifier", "verifier_pairs",
        "verifier_timeout", "window", "wordnet", "zeta",
    }
)  # fmt: skip
"""Options that only commands of the laboratory have: one settings file and one environment may serve both."""

RENAMED: Final = {"json_fields": "fields"}
"""Options by their names of before version 0.4, which are still read."""

GONE: Final = {
    "processes": "a run has one process, which is nearly as fast as several were. Leave it out: what is released is "
    "the same, and a run that was begun with it goes on."
}
"""Options that `querymix run` had, and what to say to whoever still names them."""

_PLAIN: Final = {
    "int_parsing": "give a whole number",
    "int_from_float": "give a whole number",
    "int_type": "give a whole number",
    "string_type": "give a text",
    "float_parsing": "give a number",
    "finite_number": "give a number that is not infinite",
    "greater_than_equal": "give {ge:g} or more",
    "greater_than": "give more than {gt:g}",
    "less_than_equal": "give {le:g} or less",
    "literal_error": "give {expected}",
}
"""pydantic's errors that an operator meets, by their types, in plain words."""

S = TypeVar("S", bound=Settings)


def load(kind: type[S], given: Mapping[str, Any], file: Path | None = None) -> S:
    """Return the options of `kind` out of what was given on the command line, the environment and `file`.

    Raises ConfigError with the option's name where a value is wrong, and where a preset lacks what it needs.
    """
    known = {f"{PREFIX}{name.upper()}" for name in (*_every_name(), *RENAMED, "settings")} | {SWITCH}
    stray = sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)
    if stray and kind.from_environment:
        raise ConfigError(f"the environment has {stray[0]}, which is no option of querymix: correct or unset it")
    in_file = below = _under_new_names(_read(file), "") if file else {}
    if kind.from_environment:
        _guard(kind, given, below, file)
        given = _under_new_names(os.environ, PREFIX) | {
            name: value for name, value in given.items() if value is not None
        }
    unknown = sorted(below.keys() - _every_name())
    if unknown:
        raise ConfigError(f"{file}: unknown key {unknown[0]!r}: --help of the command shows the options")
    rest: dict[str, Any] = {}
    try:
        above = kind(**{name: value for name, value in given.items() if value is not None or _is_none(kind, name)})
        of_preset = _of_preset(kind, above, below)
        below = of_preset | below
        names = below.keys() & kind.model_fields.keys() - above.model_fields_set
        rest = {name: _as_text(below[name], kind.model_fields[name]) for name in names}
        found = kind(**(above.model_dump(include=above.model_fields_set) | rest)) if rest else above
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "settings"
        shown = f"--{name.replace('_', '-')} ({PREFIX}{name.upper()})" if kind.from_environment else name
        where = f"{file}: {name}" if name in rest and file is not None else shown
        text = _PLAIN.get(first["type"], "{msg}").format(msg=first["msg"], **first.get("ctx", {}))
        raise ConfigError(f"{where}: {text.removeprefix('Value error, ')}") from None
    found.model_fields_set.difference_update(of_preset.keys() - in_file.keys() - above.model_fields_set)
    if kind.complete:
        need_crowd(found)
    return found


def gone(file: Path | None = None) -> dict[str, str]:
    """Return the options of `GONE` that the environment or `file` names, each with what to say.

    They are no error there: the laboratory's commands may read the same environment and the same file.
    """
    named = {*(_read(file) if file else ()), *(name for name in GONE if f"{PREFIX}{name.upper()}" in os.environ)}
    return {name: f"any more: {why}" for name, why in GONE.items() if name in named}


def _of_preset(kind: type[Settings], above: Settings, below: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the preset in force sets; `above` are the values that win over the file's, which are `below`."""
    if not issubclass(kind, MethodSettings):
        return {}
    named = "preset" in above.model_fields_set
    return options_of(getattr(above, "preset", DEFAULT) if named else below.get("preset"))


def _guard(kind: type[Settings], given: Mapping[str, Any], below: Mapping[str, Any], file: Path | None) -> None:
    """Raise ConfigError where a secret stands on the command line, or in a settings file that others may read."""
    for name in (name for name, field in kind.model_fields.items() if field.annotation is SecretStr):
        option = f"--{name.replace('_', '-')}"
        if holds_secret(given.get(name)):
            raise ConfigError(
                f"{option}: a password on the command line is seen by every user of this machine (ps). Put it into a "
                f"file and name that by {option}-uri-file, or set {PREFIX}{name.upper()}; and change the password"
            )
        if file is not None and holds_secret(below.get(name)) and file.stat().st_mode & 0o077:
            raise ConfigError(f"{option}: {file} holds a password, and others may read it: chmod 600 {file}")


def _under_new_names(values: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return all keys of a file, or only those of the environment that have been renamed, under their new names."""
    renamed = {prefix + old.upper() if prefix else old: new for old, new in RENAMED.items()}
    if prefix:
        new_name = {old: prefix + new.upper() for old, new in renamed.items()}
        return {new: values[old] for old, new in renamed.items() if old in values and new_name[old] not in values}
    return {renamed.get(name, name): value for name, value in values.items()}


def _is_none(kind: type[Settings], name: str) -> bool:
    """Say whether None chooses nothing, as a caller in Python means it, and not that nothing was chosen."""
    if kind.from_environment or name not in kind.model_fields:
        return False
    field = kind.model_fields[name]
    return field.default is None or type(None) in get_args(field.annotation)


def _as_text(value: Any, field: FieldInfo) -> Any:
    """Return a value of the file; a number for a time as its text, which lacks a unit there as anywhere."""
    return str(value) if takes_seconds(field) and type(value) in (int, float) else value


def _read(file: Path) -> dict[str, Any]:
    try:
        return read_toml(file.read_bytes())
    except OSError as error:
        raise ConfigError(f"cannot read the settings file {file}: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"the settings file {file} is no TOML: {error}") from None


def _every_name() -> set[str]:
    return {name for kind in _KINDS for name in kind.model_fields} | LAB_OPTIONS
