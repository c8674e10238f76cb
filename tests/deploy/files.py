"""Where the files under test are, and how they are read."""

from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def documents(file: Path) -> list[dict[str, Any]]:
    """Return all documents of a YAML file."""
    return list(yaml.safe_load_all(file.read_text()))


def document(file: Path) -> dict[str, Any]:
    """Return a YAML file's only document."""
    (only,) = documents(file)
    return only
