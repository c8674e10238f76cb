"""Presets: sets of options to begin with, each a settings file with the reason for every option and its sources.

Rules:
- A preset lies below every other source: what the command line, the environment or a settings file names wins.
- What a preset sets was not named: nothing says of it that it has no effect, and another preset replaces it.
- `default` names defaults alone, so that they can be read in one place. It was called `none` up to 0.6.0.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

from querymix.settings.values import read_toml

Preset = Literal["default", "strict", "sessions", "shared-search-data", "threshold", "none"]
DEFAULT: Final = "default"
OLD_NAME: Final = "none"
"""What `default` was called: old states and settings files have it."""
PRESETS: Final = tuple(name for name in get_args(Preset) if name != OLD_NAME)


def new_name(name: object) -> object:
    """Return a preset's name of today."""
    return DEFAULT if name == OLD_NAME else name


def old_name(name: str) -> str:
    """Return a preset's name as states have it that 0.6.0 and before wrote."""
    return OLD_NAME if name == DEFAULT else name


@cache
def text_of(name: str) -> str:
    """Return a preset as it is written: a settings file with comments."""
    return (Path(__file__).parent / f"{name}.toml").read_text("utf-8")


def options_of(name: object) -> dict[str, Any]:
    """Return what a preset sets, as a settings file's values; nothing for `default` and for what is no preset."""
    known = name in PRESETS and name != DEFAULT
    return dict(read_toml(text_of(str(name)).encode())) if known else {}


def told(name: str) -> str:
    """Return the first line of a preset's file, which says in a sentence what it is for."""
    return text_of(name).partition("\n")[0].removeprefix("#").strip()
