"""Options that belong together, under one name."""

from collections.abc import Mapping
from typing import Final

STRICT: Final = {"established": "7d", "dedupe": "24h", "time_precision": "1h"}
"""What `--preset strict` sets, below every option that is named."""


def as_options(preset: Mapping[str, str]) -> str:
    """Write a preset as the options that it sets."""
    return ", ".join(f"--{name.replace('_', '-')} {value}" for name, value in preset.items())
