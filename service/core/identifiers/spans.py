"""What an identifier is, and how overlapping finds become one.

Rules:
- A find is a kind and a character span; it never holds text, so no repr, log line or error can show any.
- Finds that overlap become one span, named by the kind that comes first in `KINDS`: no part of either remains.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

KINDS: Final[tuple[str, ...]] = (
    "email",
    "url",
    "ssn",
    "card",
    "vehicle",
    "device",
    "ip",
    "phone",
    "medical",
    "plan",
    "account",
    "licence",
    "plate",
    "photo",
    "address",
    "zip",
    "date",
    "age",
    "name",
    "code",
)
"""The identifiers of 45 CFR 164.514(b)(2)(i) as they show in queries, the most telling first. Fax numbers are `phone`,
certificate numbers `licence`, a city is cut with the street (`address`) or the ZIP code (`zip`) beside it."""

RANK: Final = {kind: rank for rank, kind in enumerate(KINDS)}


class Identifier(NamedTuple):
    """One find: `text[start:end]` is an identifier of this kind."""

    kind: str
    start: int
    end: int


Found = list[Identifier]
"""Where the finders put what they find."""


def merged(found: Iterable[Identifier]) -> list[Identifier]:
    """Return the finds sorted and disjoint, overlapping ones united under the kind of the better rank."""
    result: list[Identifier] = []
    for kind, start, end in sorted(found, key=lambda one: one[1:]):
        if result and start < result[-1].end:
            last = result.pop()
            result.append(Identifier(min(last.kind, kind, key=RANK.__getitem__), last.start, max(last.end, end)))
        else:
            result.append(Identifier(kind, start, end))
    return result


def word_set(text: str) -> frozenset[str]:
    """Return the set of the words in `text`, which is easier to read than a list of literals."""
    return frozenset(text.split())


def cut(text: str, found: Sequence[Identifier]) -> str:
    """Return `text` without the spans of `found` (sorted and disjoint), single spaces between what is left."""
    if not found:
        return text
    parts = []
    at = 0
    for _, start, end in found:
        parts.append(text[at:start])
        at = end
    parts.append(text[at:])
    return " ".join(" ".join(parts).split())
