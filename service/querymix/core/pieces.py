"""Long work in pieces, between which others may have their turn: an event loop that is held too long loses partitions.

A state is frozen with an iterator for each list that may be long, and restored by a generator that yields now and then.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, TypeVar

T = TypeVar("T")

PIECE: Final = 4096
"""Entries of a piece: 2.5 microseconds each, to restore a query of a pool."""


def pieces(items: Iterable[T], most: int = PIECE) -> Iterator[list[T]]:
    """Yield items in their order, in lists of `most`."""
    iterator = iter(items)
    while piece := list(islice(iterator, most)):
        yield piece


def whole(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a frozen state with a list for each of its iterators."""
    return {name: list(value) if isinstance(value, Iterator) else value for name, value in state.items()}
