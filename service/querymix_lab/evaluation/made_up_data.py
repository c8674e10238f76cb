"""Templates and harmless queries of the made-up logs: `data/templates.toml`, and lists with one query a line."""

import tomllib
from collections.abc import Iterator, Sequence
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


def in_turn(kinds: Sequence[str], n: int) -> Iterator[str]:
    """Yield the kinds of `n` rows in turn; every third is "", a look-alike."""
    for number in range(n):
        yield "" if number % 3 == 2 else kinds[(number - number // 3) % len(kinds)]
