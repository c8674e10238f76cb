"""A small knowledge base, and what is left of a text where the detector asks it."""

from functools import cache

from querymix.core.identifiers import KINDS, Detector, cut
from querymix.core.knowledge import (
    CITY,
    COMMON,
    FAMOUS,
    FIRST_NAME,
    HONORIFIC,
    NOUN,
    PLACE,
    STATE,
    STOP,
    SURNAME,
    Knowledge,
    Term,
)
from querymix.core.text import words
from querymix.knowledge.bundle import Bundle

from tests.known import Known, word_lists


def base() -> Known:
    terms = Known()
    for tags, such in (
        (FIRST_NAME, "jennifer john hope mary maria tom rose peter yolanda amber jose"),
        (SURNAME, "brown martinez smith garden kowalczyk mcclain cruz flowers stone woods"),
        (HONORIFIC, "mr mrs dr judge " + " ".join(word_lists()["name-cues"] | word_lists()["name-trades"])),
        (
            COMMON | NOUN,
            "rose garden hope stone amber flowers house pizza weather mail power water kitchen woods maple "
            "church lyrics",
        ),
        (STATE, "texas tx ohio il"),
        (CITY, "springfield dallas"),
        (STOP, "the of in for at"),
    ):
        for word in such.split():
            terms[word] = Term(terms[word].tags | tags, 1000)
    terms["peter garden"] = Term(FAMOUS)
    terms["yolanda kowalczyk"] = Term(0, 250_000)
    terms["san tomas"] = Term(CITY)
    terms["brown texas"] = Term(CITY)
    terms["west virginia"] = Term(STATE)
    terms["thailand"] = Term(PLACE)
    terms["woodland"] = Term(COMMON)
    terms["stone park"] = Term(CITY | FAMOUS)
    terms["stone texas"] = Term(CITY | PLACE)
    return terms


@cache
def _of_base(kinds: tuple[str, ...]) -> Detector:
    return Detector(base(), kinds)


def passes(text: str, detector: Detector, terms: Knowledge) -> bool:
    """Return whether the first look says that a text may hold an identifier."""
    found = words(text)
    return detector.suspicious(text, found, [terms[word] for word in found])


def suspicious(text: str) -> bool:
    """Return the same, with the small knowledge base."""
    return passes(text, _of_base(KINDS), base())


def kept(text: str, kinds: tuple[str, ...] = KINDS) -> tuple[str, list[str]]:
    """Return the text that is left, and the kinds found."""
    finds = _of_base(kinds).find(text)
    return cut(text, finds), [item.kind for item in finds]


@cache
def _default() -> tuple[Bundle, Detector]:
    bundle = Bundle()
    return bundle, Detector(bundle)


def released(text: str) -> tuple[str, list[str]]:
    """Return the text that is left with the default bundle, behind the first look, and the kinds found."""
    bundle, detector = _default()
    finds = detector.find(text) if passes(text, detector, bundle) else []
    return cut(text, finds), [item.kind for item in finds]


def lines(table: str) -> list[str]:
    """Return the lines of a table, outer blanks off."""
    return [line.strip() for line in table.strip().split("\n")]


def goes(line: str) -> tuple[str, list[str]]:
    """Return the text of a line "text => part | part", and its parts of which nothing may be left."""
    text, _, parts = line.rpartition(" => ")
    return text, parts.split(" | ")
