"""Builds the package: in plain Python, or with its core compiled by mypyc where MYPYC=1 says so (`make compiled`).

All else about the package stands in pyproject.toml. What is compiled is the pure part, whose types mypy has checked;
the same files run as they are where no compiler is.
"""

import os
from pathlib import Path

from setuptools import setup

COMPILED = ("core", "codecs", "stages")
PLAIN = ("service/querymix/core/draw.py",)
"""Whose classes others derive from: tests that choose what is drawn."""


def extensions() -> list[object]:
    """Return what is to be compiled."""
    if os.environ.get("MYPYC") != "1":
        return []
    from mypyc.build import mypycify  # noqa: PLC0415 - a plain build needs no mypy

    files = sorted(
        str(path)
        for room in COMPILED
        for path in Path("service/querymix", room).rglob("*.py")
        if str(path) not in PLAIN
    )
    return list(mypycify(files, opt_level="2", debug_level="0", group_name="querymix"))


setup(ext_modules=extensions())
