"""Codes of exact places, and map links that are one: plus codes, grid references, three words, short links.

Rules:
- Plus codes and MGRS references go by their form, with ten metres or less. What looks like much else (geohashes, the
  British grid, three words with dots) needs a word or a mark that says what it is.
- Of a link goes the part that names the place; its host stays.

Source: the Open Location Code specification, NGA.STND.0037 (MGRS, UTM), the Ordnance Survey's National Grid.
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer, by_form
from querymix.core.identifiers.seen import PLUS_CODE
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

_ZONE: Final = r"(?<![\w.-])(?:[1-9]|[1-5]\d|60)"
GRID: Final = expression(
    rf"{_ZONE}[c-hj-np-x] ?[a-hj-np-z][a-hj-np-v] ?(?:\d{{8}}|\d{{10}}|\d{{4}} \d{{4}}|\d{{5}} \d{{5}})(?!\w)"
    rf"|{_ZONE} ?[c-hj-np-xs],? \d{{6}}(?:\.\d{{1,4}})?(?: ?m ?e)?,? \d{{7}}(?:\.\d{{1,4}})?(?: ?m ?n)?(?!\w)"
)
BRITISH_GRID: Final = expression(r"(?<!\w)[hnost][a-hj-z] ?(?:\d{4} ?\d{4}|\d{5} ?\d{5})(?!\w)")
GEOHASH: Final = expression(r"(?<![\w.-])(?=[a-z]*\d)(?=\d*[a-z])[0-9b-hjkmnp-z]{7,12}(?![\w-])")
_THREE: Final = r"([^\W\d_]{2,24}\.[^\W\d_]{2,24}\.[^\W\d_]{2,24})(?![\w.])"
THREE_WORDS: Final = expression(rf"(?:///|w3w\.co/|what3words\.com/){_THREE}")
THREE_SAID: Final = expression(rf"(?<![\w./@-]){_THREE}")
SHORT_LINK: Final = expression(
    r"(?<![\w-])(?:maps\.app\.goo\.gl/|goo\.gl/maps/|waze\.com/ul/|(?:osm\.org|openstreetmap\.org)/go/|geohash\.org/|"
    r"maps\.apple/p/|yandex\.[a-z]{2,3}/maps/-/|plus\.codes/)(?=\S{9}|\S{0,8}\d)([\w~@=!+-]{4,60})"
)
GRID_WORDS: Final = word_set("grid os ngr gridref mgrs utm")


def find(query: QueryText, finds: Findings) -> None:
    """Add codes of places."""
    text = query.text
    if "+" in text:
        finds.extend(Identifier("location", *match.span()) for match in PLUS_CODE.finditer(text))
    if "/" in text:
        for pattern in (SHORT_LINK, THREE_WORDS):
            finds.extend(Identifier("location", *match.span(1)) for match in pattern.finditer(text))


def grid(query: QueryText, finds: Findings) -> None:
    """Add references of grids."""
    finds.extend(Identifier("location", *match.span()) for match in GRID.finditer(query.spaced))
    if query.says(GRID_WORDS):
        finds.extend(Identifier("location", *match.span()) for match in BRITISH_GRID.finditer(query.spaced))


LINKED: Final = Recognizer(find, marks="+/")
SQUARE: Final = Recognizer(by_form("location", THREE_SAID), marks=".", words=frozenset({"what3words", "w3w"}))
IN_GRIDS: Final = Recognizer(grid, digits=8)
HASHED: Final = Recognizer(by_form("location", GEOHASH), digits=1, stretch=7, words=frozenset({"geohash", "geohashes"}))
