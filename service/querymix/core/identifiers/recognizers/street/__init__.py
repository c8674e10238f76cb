"""Street addresses in German, French, Spanish, Italian, Portuguese and Dutch.

Example: "Hauptstraße 12, 70173 Stuttgart", "12 rue de la Paix", "calle Mayor 5 3º B", "Carrera 7 # 12-34".

Rules (the words of each stand in ../data/streets.tsv):
- A word that begins streets' names, the name and a house number: "via Roma 12". Before a number stands "nr" or the
  like, a comma, or nothing.
- A word that ends so, or is so, and a house number: "Lindenweg 3", "Karl-Marx-Allee 34", "Goethe Str. 7"; or "am", "an
  der" and the like before a place's word: "an der alten Mühle 3".
- A house number, a word that begins streets' names, and the name, in French: "12 bis rue Pasteur".
- In Colombia two numbers; post boxes; two units in a row ("quadra 5 lote 3").
- A number that counts something or is counted by what stands beside it ("folge 12", "3 temporadas"), a date or a year
  is no house number. A word that means more than streets needs further evidence: what follows a house number, a name
  that streets often have, or to be all of the query.
- A street without a number stays.
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.recognizers.street import begun, ended
from querymix.core.identifiers.recognizers.street.parts import (
    CITIES,
    JOIN,
    LISTS,
    NO_NUMBER,
    NUMBER_WORDS,
    POSTCODE,
    UNITS,
    house,
    tail,
    unit,
    unknown_town,
)
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText
from querymix.core.knowledge import CITY

_PAIRS: Final[frozenset[str]] = LISTS["unit-pair"]
_BOXES: Final[frozenset[str]] = LISTS["box"]
_BOX_BEGINS: Final[frozenset[str]] = LISTS["box-begin"]
_BOX_TWO: Final[frozenset[str]] = LISTS["box-two"]
_WITHOUT_SPACE: Final = expression(r"[a-z-]{2,40}(?:str\.|(?:strasse|straat|gasse)\.?)[0-9]{1,4}[a-z]?(?:-[0-9]{1,4})?")
"""As in "Hauptstr.12a"."""
_BOX_NUMBER: Final = expression(r"\d{1,7}")
_FIRST: Final[frozenset[str]] = begun.BEGINS | begun.GRID

CUES: Final[frozenset[str]] = (_FIRST | _BOXES | _BOX_BEGINS | _PAIRS) - begun.MARKED
"""Words that make an address of one short number."""
_BEGINS: Final = CUES | _FIRST | begun.NUMBER_FIRST
_HOUSES: Final = "0123456789n#"
"""What a house number may begin with."""


def find(query: QueryText, finds: Findings) -> None:
    """Add streets' addresses."""
    if (query.digits or query.says(NO_NUMBER)) and possible(query):
        search(query, finds)


def search(query: QueryText, finds: Findings) -> None:
    """Add streets' addresses, without a look at the words before."""
    stop = 0
    for at, word in enumerate(query.words):
        if at < stop:
            continue
        start, after = at, 0
        if word[0] in _HOUSES and house(word):
            after = begun.number_first(query, at)
            if not after and at:
                start, after = ended.ended(query, at, stop)
        elif word in _FIRST or word.startswith("c/"):
            after = begun.begun(query, at)
        elif not word.isalpha() and _WITHOUT_SPACE.fullmatch(word):
            after = tail(query, at + 1)
        if not after and word in CUES:
            after = _box(query, at) or _pair(query, at)
        if after:
            stop = unknown_town(query, after)
            finds.append(Identifier("address", *query.span(_behind_postcode(query, start), stop - 1)))


def possible(query: QueryText) -> bool:
    """Return whether a street can be found: one of the words begins a street's name or ends one."""
    text = query.spaced
    return (
        query.says(_BEGINS) or ended.possible(query.words, _HOUSES) or "c/" in text or "str" in text or "gasse" in text
    )


def _pair(query: QueryText, at: int) -> int:
    """Return the place after two units in a row, or 0."""
    words = query.words
    first = unit(words, at) if words[at] in _PAIRS else at
    second = unit(words, first)
    return tail(query, second) if first > at and second > first and words[first] in UNITS else 0


def _box(query: QueryText, at: int) -> int:
    """Return the place after a post box, or 0."""
    words, size = query.words, len(query.words)
    place = at + 1
    while place < min(at + 3, size) and words[at] in _BOX_BEGINS and (words[place] in JOIN or words[place] in _BOX_TWO):
        place += 1
    place += place < size and words[place] in NUMBER_WORDS
    if place >= size or not _BOX_NUMBER.fullmatch(words[place]):
        return 0
    said = words[at] in ("postfach", "postbus", "b.p") or place > at + 1
    if words[at] not in _BOXES and not said:
        return 0
    stop = place + 1
    while stop < min(place + 3, size) and words[at] == "postfach" and words[stop].isdigit() and len(words[stop]) == 2:
        stop += 1
    after = tail(query, stop)
    return after if said or after > stop or (after == size and at == 0) else 0


def _behind_postcode(query: QueryText, start: int) -> int:
    """Return where a postcode and a city begin that stand right before an address, or `start`."""
    words = query.words
    for place in range(start - 1, max(start - 4, -1), -1):
        if POSTCODE.fullmatch(words[place]):
            named = any(word in CITIES or query.knowledge[word].tags & CITY for word in words[place + 1 : start])
            return place if place + 1 < start and (named or "-" in words[place]) else start
    return start


RECOGNIZER: Final[Recognizer] = Recognizer(find, marks="0/")
