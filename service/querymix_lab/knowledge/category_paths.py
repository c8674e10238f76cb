"""Paths of categories: what several have in common, and how deep they are certain. "A/B" lies below "A"."""

from collections.abc import Mapping
from itertools import takewhile
from typing import Final

CERTAIN: Final = 2 / 3
"""Share of all that has to lie in a path."""


def certain(weights: Mapping[str, float], first: str) -> str:
    """Return the deepest path, `first` or below it, in which `CERTAIN` of all `weights` lie."""
    least = CERTAIN * sum(weights.values())
    path = first
    while True:
        below: dict[str, float] = {}
        for name, weight in weights.items():
            if name.startswith(path + "/"):
                part = "/".join(name.split("/")[: path.count("/") + 2])
                below[part] = below.get(part, 0.0) + weight
        if not below or max(below.values()) < least:
            return path
        path = max(below, key=below.__getitem__)


def shared(one: str, other: str) -> str:
    """Return the path that two paths have in common, empty where there is none."""
    both = zip(one.split("/"), other.split("/"), strict=False)
    return "/".join(part for part, _ in takewhile(lambda pair: pair[0] == pair[1], both))


def named(name: str) -> str:
    """Return a name as one part of a path: "golden retriever" -> "Golden_Retriever"."""
    return "_".join(word.capitalize() for word in name.replace("/", " ").split())
