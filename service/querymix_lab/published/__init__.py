"""What the papers print, to stand beside our figures: a TOML file for each, with its source."""

import tomllib
from importlib import resources
from typing import Any, Final


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath(f"{name}.toml").read_text("utf-8"))


BATCH: Final = _read("batch")
PROTOCOL: Final = _read("protocol")
STREAM: Final = _read("stream")
