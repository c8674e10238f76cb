"""Whether a street and a number make an address, by what stands beside them.

Rules:
- A number that counts what stands behind it ("3 temporadas"), a day before a month, and a year are no house numbers.
- A floor, a door, a postcode or a city behind the number tells an address, and so does "nr", a comma or a range.
- Else it depends on the street's word (`NOTHING`, `SOME`, `MUCH`): one that means more than streets needs a name that
  streets often have, a person's name, an article ("via dei"), or to be all of the query with its number.
- Beside a word that English has too ("rue", "boulevard") a name of common English words is none.
"""

from typing import Final

from querymix.core.identifiers.recognizers.address import ENDS
from querymix.core.identifiers.recognizers.street.parts import (
    COUNTED,
    JOIN,
    LISTS,
    MONTHS,
    NUMBER_WORDS,
    a_year,
    comma_after,
    is_city,
    tags_of,
    tail,
)
from querymix.core.identifiers.spans import word_set
from querymix.core.identifiers.tokens import QueryText
from querymix.core.knowledge import CITY, COMMON, FIRST_NAME, PLACE, STOP, SURNAME, Knowledge

NOTHING: Final[int] = 0
SOME: Final[int] = 1
MUCH: Final[int] = 2
NEVER: Final[int] = 3
"""What a street and a number need beside them to be an address: nothing, a usual name or to be all of the query, or
what only addresses have; `NEVER` is none."""
_AMBIGUOUS: Final[frozenset[str]] = LISTS["ambiguous"]
USUAL: Final[frozenset[str]] = LISTS["usual"]
LIVES: Final[frozenset[str]] = LISTS["lives"]
_BETWEEN: Final = word_set("in van naar op is te a en im auf von zu au aan")
"""What may stand between a word that says that somebody lives there and the street."""
_ENGLISH: Final = ENDS - {"calle", "avenida"}
_ITALIAN_ARTICLES: Final = word_set("dei degli delle della dello")
_OF_THE: Final = word_set("dei degli delle della dello du des da do das dos del")
_NAMED: Final = FIRST_NAME | SURNAME


def judged(query: QueryText, start: int, last: int, number: int, need: int) -> int:
    """Return where an address ends whose street is found and whose house number is at `number`, or 0.

    Its first word is at `start`; `last` is the one that says that it is a street.
    """
    words, size = query.words, len(query.words)
    follows = words[number + 1] if number + 1 < size else ""
    told = number - 1 != last and words[number - 1] in NUMBER_WORDS
    told = told or comma_after(query, number - 1) or not words[number].isalnum()
    if not told and follows and (follows in COUNTED or follows in MONTHS):
        return 0
    after = tail(query, number + 1)
    if told or after > number + 1 + follows.isdigit():
        return after
    name = words[start + 1 : number] if last == start else words[start:number]
    if a_year(words[number]):
        return 0
    speaks = _speaks(query.knowledge, words[last], name, need, last=after == size, first=start == 0)
    return after if speaks else 0


def _speaks(knowledge: Knowledge, word: str, name: list[str], need: int, *, last: bool, first: bool) -> bool:
    """Return whether a name and a street's word are a street with this `need`.

    `first` and `last` tell that nothing stands before them in the query, and nothing behind their number.
    """
    if need >= MUCH:
        return False
    told = any(usual(knowledge, part) or part in MONTHS or a_year(part) for part in name)
    if told or (of_the(name) and (last or name[0] in _ITALIAN_ARTICLES)):
        return True
    if word in _ENGLISH and word not in name and not plain(knowledge, name):
        return False
    if need == NOTHING:
        return True
    if not last or word in _AMBIGUOUS:
        return last and name[:1] == ["de"] and any(is_city(knowledge, part) for part in name)
    return first or not any(tags_of(knowledge, part) & (COMMON | CITY | PLACE) for part in name if part not in JOIN)


def lived_in(query: QueryText, start: int) -> bool:
    """Return whether a word right before a street says that somebody lives there: "woonachtig", "wohnhaft in"."""
    words = query.words
    place = start - 1 - (start > 1 and words[start - 1] in _BETWEEN)
    return place >= 0 and words[place].rstrip(":.") in LIVES


def plain(knowledge: Knowledge, name: list[str]) -> bool:
    """Return whether no word of a name is a common one of the knowledge base's language."""
    return not any(tags_of(knowledge, part) & COMMON for part in name if part not in JOIN)


def of_the(name: list[str]) -> bool:
    """Return whether a name begins with an article: "via dei Mille", "rue de l'Eglise"."""
    return bool(name) and (name[0] in _OF_THE or "'" in name[0] or name[:2] == ["de", "la"])


def usual(knowledge: Knowledge, word: str) -> bool:
    """Return whether a word of a street's name is one that streets often have, or a person's."""
    return word in USUAL or tags_of(knowledge, word) & (_NAMED | COMMON | CITY | STOP) in (FIRST_NAME, SURNAME, _NAMED)
