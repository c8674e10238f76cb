"""The shapes of persons' names: one table over what each word can be.

Example: "given initial+ FAMILY" is a possible given name, one to four initials, a sure surname: "hope j r martinez".

Rules:
- A shape names the role (`ROLES`) of each word. Capitals ask for a sure word, small letters take a possible one too.
- "+": one to four times. "?" after the last role: it may be missing. ",": a comma has to follow; no other word but the
  last may have a comma, a possessive or another break after it.
- Of the shapes that begin at a word the longest counts that is no topic (topics.py), and `Shape.counts` says where.
- `BEFORE` and `AFTER` say what goes along at both ends of a name, so that its rarest part never stays behind.

To add a shape, add a line; its example is tested.
"""

from collections.abc import Callable
from itertools import product
from typing import Final, NamedTuple

# How surely a word is a given name, and a surname.
NONE, FAINT, POSSIBLE, SURE, LISTED = range(5)
"""`FAINT` is a surname of the census that is a dictionary word first, `LISTED` a given name of the list given-sure."""

# What else a word can be: one of these.
(PLAIN, UNKNOWN, INITIAL, PARTICLE, VAN, HONORIFIC, TITLE, SUFFIX, HEIR, AND, NICKNAME, UNSPACED) = range(12)
"""`UNKNOWN`: the base knows nothing of it. `UNSPACED`: a whole name written as one word. `HEIR`: "jr". `VAN`: a
particle that nothing but a surname follows."""

# What stands right after a word.
NOTHING, BREAK, COMMA = range(3)

_FIRST: Final = 0x100


_FAMILIES, _GIVENS, _OTHERS = 5, 5, 12


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
    sign(*word): word for word in (Word(*levels) for levels in product(range(5), range(5), range(12), range(3)))
}

ROLES: Final[dict[str, Callable[[Word], bool]]] = {
    "given": lambda word: word.given >= POSSIBLE,
    "GIVEN": lambda word: word.given >= SURE,
    "LISTED": lambda word: word.given == LISTED,
    "family": lambda word: word.family >= POSSIBLE,
    "FAMILY": lambda word: word.family >= SURE,
    "faint": lambda word: word.family >= FAINT,
    "unknown": lambda word: word.other == UNKNOWN,
    "rare": lambda word: word.other == UNKNOWN or word.family >= POSSIBLE,
    "either": lambda word: word.given >= POSSIBLE or word.family >= POSSIBLE,
    "EITHER": lambda word: word.given >= SURE or word.family >= SURE,
    "word": lambda word: word.other in (PLAIN, UNKNOWN),
    "initial": lambda word: word.other == INITIAL,
    "particle": lambda word: word.other in (PARTICLE, VAN),
    "van": lambda word: word.other == VAN,
    "honorific": lambda word: word.other == HONORIFIC,
    "title": lambda word: word.other == TITLE,
    "suffix": lambda word: word.other in (SUFFIX, HEIR),
    "heir": lambda word: word.other == HEIR,
    "and": lambda word: word.other == AND,
    "nickname": lambda word: word.other == NICKNAME,
    "unspaced": lambda word: word.other == UNSPACED,
    "any": lambda _: True,
}
"""What each role asks of a word."""

ALONE, COUPLE, PRIVATE, CUED, PLACED, WEDDING, JOINED = (
    "alone",
    "couple",
    "private",
    "cued",
    "placed",
    "wedding",
    "joined",
)
"""A shape counts everywhere; everywhere, as two people who share a surname; in a query about a private person;
in one that can ask for nothing else ("obituary"); about a private person or before a city; about a wedding; after
another name and "and"."""


class Shape(NamedTuple):
    """One line of the table."""

    roles: str
    counts: str
    """Where it counts: one of the seven above."""
    example: str


SHAPES: Final = (
    # A given name and a surname.
    Shape("GIVEN family", ALONE, "jennifer brown"),
    Shape("given FAMILY", ALONE, "hope martinez"),
    Shape("given family", PLACED, "rose hall obituary"),
    Shape("given family heir", ALONE, "rose hall jr"),
    Shape("GIVEN faint heir", ALONE, "jennifer power iii"),
    Shape("GIVEN faint", PRIVATE, "jennifer power obituary"),
    Shape("GIVEN unknown", ALONE, "genoveva zyzzxman"),
    Shape("given unknown", PRIVATE, "rose zyzzxman phone number"),
    # More words between the two.
    Shape("given initial+ family", ALONE, "hope j r hall"),
    Shape("GIVEN initial+ faint", ALONE, "jennifer j power"),
    Shape("GIVEN initial+ unknown", ALONE, "jennifer j zyzzxman"),
    Shape("given nickname rare", ALONE, 'jennifer "skip" zyzzxman'),
    Shape("GIVEN particle+ rare", ALONE, "maria de la zyzzxman"),
    Shape("GIVEN van word", ALONE, "mary van carpet"),
    Shape("given particle+ FAMILY", ALONE, "rose de la cruz"),
    Shape("GIVEN particle+ GIVEN", ALONE, "mary de john"),
    Shape("GIVEN EITHER family", ALONE, "mary jennifer hall"),
    Shape("GIVEN either FAMILY", ALONE, "mary rose martinez"),
    Shape("given EITHER FAMILY", ALONE, "rose mary martinez"),
    Shape("given GIVEN family", ALONE, "rose jennifer hall"),
    Shape("GIVEN given unknown", ALONE, "mary rose zyzzxman"),
    Shape("given GIVEN unknown", ALONE, "rose mary zyzzxman"),
    Shape("GIVEN initial initial word", ALONE, "jennifer j r carpet"),
    Shape("GIVEN particle particle+ word", ALONE, "maria van der carpet"),
    Shape("GIVEN family unknown", ALONE, "jennifer hall zyzzxman"),
    Shape("GIVEN EITHER particle+ rare", ALONE, "maria jennifer van der zyzzxman"),
    Shape("GIVEN initial+ particle+ rare", ALONE, "maria j van der zyzzxman"),
    # Initials before the surname.
    Shape("initial initial FAMILY", PRIVATE, "j r martinez obituary"),
    Shape("initial FAMILY", PRIVATE, "j martinez obituary"),
    # The surname first.
    Shape("FAMILY GIVEN", ALONE, "kowalczyk jennifer"),
    Shape("family GIVEN", PRIVATE, "hall jennifer phone number"),
    Shape("family GIVEN initial", ALONE, "kowalczyk jennifer r"),
    Shape("family GIVEN family", ALONE, "hall jennifer martinez"),
    Shape("family, given initial?", ALONE, "hall, hope j"),
    Shape("faint, GIVEN initial?", ALONE, "power, jennifer j"),
    Shape("unknown, GIVEN initial?", ALONE, "zyzzxman, jennifer j"),
    Shape("family, GIVEN either", ALONE, "hall, mary rose"),
    Shape("family suffix, given initial?", ALONE, "hall jr, hope j"),
    Shape("particle+ rare, given initial?", ALONE, "van der zyzzxman, hope"),
    Shape("FAMILY GIVEN given", ALONE, "kowalczyk jennifer rose"),
    Shape("FAMILY FAMILY GIVEN", ALONE, "martinez brown jennifer"),
    Shape("FAMILY initial initial", PRIVATE, "kowalczyk j r attorney"),
    Shape("family, initial", PRIVATE, "hall, j phone number"),
    # Honorifics ("mr") and titles of office ("judge").
    Shape("honorific family", ALONE, "dr hall"),
    Shape("honorific GIVEN", ALONE, "mr jennifer"),
    Shape("honorific unknown", ALONE, "mr zyzzxman"),
    Shape("honorific initial+ rare", ALONE, "mr j hall"),
    Shape("honorific particle+ rare", ALONE, "mr van der zyzzxman"),
    Shape("honorific van particle+ word", ALONE, "dr van der carpet"),
    Shape("title FAMILY", ALONE, "judge martinez"),
    Shape("title given initial", ALONE, "judge rose j"),
    Shape("title GIVEN initial+ word", ALONE, "judge jennifer j carpet"),
    # One word.
    Shape("unspaced", ALONE, "#jennifermartinez"),
    # Couples.
    Shape("given and GIVEN family", COUPLE, "rose and jennifer hall"),
    Shape("GIVEN and given FAMILY", COUPLE, "jennifer and rose martinez"),
    Shape("GIVEN and GIVEN unknown", COUPLE, "john and jennifer zyzzxman"),
    Shape("GIVEN and GIVEN EITHER family", COUPLE, "john and mary jennifer hall"),
    Shape("GIVEN and GIVEN initial rare", COUPLE, "john and mary j hall"),
    Shape("GIVEN and GIVEN", WEDDING, "jennifer and john wedding"),
    Shape("FAMILY FAMILY", WEDDING, "martinez kowalczyk wedding"),
    Shape("FAMILY and FAMILY", WEDDING, "martinez and kowalczyk wedding"),
    # Words that nobody knows.
    Shape("unknown rare", CUED, "zyzzx zyzzxman obituary"),
    Shape("unknown GIVEN", CUED, "zyzzxman jennifer obituary"),
    Shape("FAMILY unknown", CUED, "martinez zyzzxman obituary"),
    Shape("unknown rare", JOINED, "jennifer brown and zyzzx zyzzxman"),
    Shape("GIVEN faint", JOINED, "jennifer brown and jennifer power"),
)
"""All shapes."""

BEFORE: Final = (
    "GIVEN",
    "GIVEN,",
    "GIVEN and",
    "unknown and",
    "GIVEN particle",
    "GIVEN particle particle",
    "initial",
    "title",
    "honorific",
    "honorific and",
)
"""What goes along before a name."""

AFTER: Final = ("suffix", "FAMILY", "initial family", "initial unknown", "particle+ rare", "particle particle+ word")
"""What goes along after a name."""
