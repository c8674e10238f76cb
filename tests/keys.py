"""Pseudonym keys of tests: made up, and strong enough to be taken."""

from pathlib import Path
from typing import Final

KEY: Final = b"made up: q7v2 0xkd 93bz mf1w h8tj"
OTHER_KEY: Final = b"and another: 5rz8 yw2c 1pn6 b0gs d4"


def key_file(path: Path, key: bytes = KEY) -> Path:
    """Write a key to a file for its owner only, and return its path."""
    path.write_bytes(key + b"\n")
    path.chmod(0o600)
    return path
