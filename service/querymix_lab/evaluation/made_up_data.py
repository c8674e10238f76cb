"""Templates and harmless queries of the made-up logs: `data/templates.toml`, and lists with one query a line."""

import tomllib
from importlib import resources
from typing import Any, Final

_FOLDER: Final = resources.files(__package__).joinpath("data")


def templates(part: str) -> dict[str, Any]:
    """Return one part of the templates: tuned, codes or people."""
    parts: dict[str, dict[str, Any]] = tomllib.loads(_FOLDER.joinpath("templates.toml").read_text("utf-8"))
    return parts[part]


def queries(name: str) -> list[str]:
    """Return the queries of a list."""
    lines = _FOLDER.joinpath(f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]
