"""The shapes of persons' names: one table over what each word can be.

Example: "given initial+ FAMILY" is a possible given name, one to four initials, a sure surname: "hope j r martinez".

Rules:
- A shape names the role (`ROLES`) of each word. Capitals ask for a sure word, small letters take a possible one too.
- "+": one to four times. "?" after the last role: it may be missing. ",": a comma has to follow; no other word but the
  last may have a comma, a possessive or another break after it.
- Of the shapes that begin at a word the longest counts that is no topic (topics.py), and `Shape.counts` says where.
- `BEFORE` and `AFTER` say what goes along at both ends of a name, so that its rarest part never stays behind.

To add a shape, add a line to data/shapes.tsv; its example is tested.
"""

from collections.abc import Callable
from itertools import product
from typing import Final, NamedTuple

from querymix.core.identifiers.tables import rows

# How surely a word is a given name, and a surname.
NONE, FAINT, POSSIBLE, SURE, LISTED = range(5)
"""`FAINT` is a name of the census that is a dictionary word first, `LISTED` a given name of the list given-sure."""

# What else a word can be: one of these.
(PLAIN, UNKNOWN, INITIAL, PARTICLE, VAN, HONORIFIC, TITLE, SUFFIX, HEIR, AND, NICKNAME, UNSPACED, MIDDLE, SYLLABLE,
 JOINING, STRANGER, TRADE, ADDRESSED, SHORT) = range(19)  # fmt: skip
"""`UNKNOWN`: the base has it as no other word. `STRANGER`: it does not have it at all. `TRADE`: a title in another
language than English, which a surname follows that nobody knows ("notaris"). `ADDRESSED`: one by which somebody is
addressed, so that a possible surname follows it too ("juf"). `SHORT`: a title cut short that is another word as often
("ra", "me"). `UNSPACED`: a whole name written as one word. `HEIR`: "jr". `VAN`: a particle that nothing but a surname
follows. `MIDDLE`: the "thi" of Vietnamese women, which a given name follows. `SYLLABLE`: half of a given name in China
or Korea. `JOINING`: an initial that is "and" in another language, "e"."""

# What stands right after a word.
NOTHING, BREAK, COMMA = range(3)

_FIRST: Final = 0x100
_FAMILIES, _GIVENS, _OTHERS = 5, 5, 19


def sign(given: int, family: int, other: int, after: int = NOTHING) -> str:
    """Return the character that stands for a word of these roles in the texts that the shapes are matched with."""
    return chr(_FIRST + ((after * _OTHERS + other) * _GIVENS + given) * _FAMILIES + family)


def followed(one: str, after: int) -> str:
    """Return the sign of a word that had nothing after it with `after` after it."""
    return chr(ord(one) + after * _OTHERS * _GIVENS * _FAMILIES)


class Word(NamedTuple):
    given: int
    family: int
    other: int
    after: int


WORDS: Final = {
    sign(*word): word for word in (Word(*levels) for levels in product(range(5), range(5), range(_OTHERS), range(3)))
}

ROLES: Final[dict[str, Callable[[Word], bool]]] = {
    "given": lambda word: word.given >= POSSIBLE,
    "perhaps": lambda word: word.given >= FAINT,
    "GIVEN": lambda word: word.given >= SURE,
    "LISTED": lambda word: word.given == LISTED,
    "family": lambda word: word.family >= POSSIBLE,
    "FAMILY": lambda word: word.family >= SURE,
    "faint": lambda word: word.family >= FAINT,
    "unknown": lambda word: word.other in (UNKNOWN, UNSPACED, STRANGER),
    "stranger": lambda word: word.other == STRANGER,
    "rare": lambda word: word.other in (UNKNOWN, UNSPACED, STRANGER) or word.family >= POSSIBLE,
    "surname": lambda word: word.other == STRANGER or word.family >= SURE,
    "either": lambda word: word.given >= POSSIBLE or word.family >= POSSIBLE,
    "EITHER": lambda word: word.given >= SURE or word.family >= SURE,
    "word": lambda word: word.other in (PLAIN, UNKNOWN, STRANGER, SYLLABLE),
    "letter": lambda word: word.other == INITIAL,
    "initial": lambda word: word.other in (INITIAL, JOINING),
    "particle": lambda word: word.other in (PARTICLE, VAN),
    "van": lambda word: word.other == VAN,
    "honorific": lambda word: word.other == HONORIFIC,
    "title": lambda word: word.other in (TITLE, TRADE, ADDRESSED),
    "trade": lambda word: word.other in (TRADE, ADDRESSED),
    "addressed": lambda word: word.other == ADDRESSED,
    "short": lambda word: word.other == SHORT,
    "suffix": lambda word: word.other in (SUFFIX, HEIR),
    "heir": lambda word: word.other == HEIR,
    "and": lambda word: word.other in (AND, JOINING),
    "nickname": lambda word: word.other == NICKNAME,
    "unspaced": lambda word: word.other == UNSPACED,
    "syllable": lambda word: word.other == SYLLABLE,
    "middle": lambda word: word.other == MIDDLE,
    "any": lambda _: True,
}
"""What each role asks of a word."""

COUNTS: Final = ("alone", "couple", "private", "cued", "placed", "wedding", "joined", "traded")
ALONE, COUPLE, PRIVATE, CUED, PLACED, WEDDING, JOINED, TRADED = COUNTS
"""A shape counts everywhere; everywhere, as two people who share a surname; in a query about a private person;
in one that can ask for nothing else ("obituary"); about a private person or before a city; about a wedding; after
another name and "and"; beside somebody's trade in another language than English."""


class Shape(NamedTuple):
    """One line of the table."""

    roles: str
    counts: str
    """Where it counts: one of the eight above."""
    example: str


SHAPES: Final = tuple(Shape(*row) for row in rows("shapes.tsv"))
"""All shapes."""

BEFORE: Final = (
    "GIVEN", "GIVEN,", "GIVEN and", "unknown and", "GIVEN particle", "GIVEN particle particle", "van particle",
    "initial", "title", "honorific", "honorific and",
)  # fmt: skip
"""What goes along before a name."""

AFTER: Final = ("suffix", "FAMILY", "initial family", "initial unknown", "particle+ rare", "particle particle+ word")
"""What goes along after a name."""
