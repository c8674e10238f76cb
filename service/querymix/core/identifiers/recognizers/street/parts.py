"""Parts of a street's address in languages other than English: the house number, and what follows it.

Rules:
- A house number is up to five digits, with a letter, a range or a staircase ("12a", "3-5", "12/A", "15/3/12"), or says
  that there is none ("s/n").
- Behind it go floor, door and the like (a word with its number, or a side), a district behind its word, the postcode,
  and the city where it is known or stands behind a postcode.

Sources: the addressing guides of the Universal Postal Union for DE, AT, CH, NL, BE, FR, ES, IT, PT, BR, CO, MX.
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.spans import word_set
from querymix.core.identifiers.spellings import spelled_lists
from querymix.core.identifiers.tokens import QueryText
from querymix.core.knowledge import CITY, COMMON, FLAGS, Knowledge

LISTS: Final[dict[str, frozenset[str]]] = spelled_lists("streets.tsv")
JOIN: Final[frozenset[str]] = LISTS["join"]
NUMBER_WORDS: Final[frozenset[str]] = LISTS["number-word"]
NO_NUMBER: Final[frozenset[str]] = LISTS["no-number"]
UNITS: Final[frozenset[str]] = LISTS["unit"]
SIDES: Final[frozenset[str]] = LISTS["side"]
MONTHS: Final[frozenset[str]] = LISTS["month"]
COUNTED: Final[frozenset[str]] = LISTS["counted"]
COUNTED_BY: Final[frozenset[str]] = LISTS["counted-by"]
CITIES: Final[frozenset[str]] = LISTS["city"]
_MORE: Final[frozenset[str]] = LISTS["more"]
_DISTRICTS: Final[frozenset[str]] = LISTS["district"]
_POSTCODE_WORDS: Final[frozenset[str]] = LISTS["postcode-word"]
_CITY_BEGINS: Final[frozenset[str]] = LISTS["city-begin"]
_CITY_JOIN: Final[frozenset[str]] = LISTS["city-join"]
_HOUSE: Final = expression(
    r"(?:n[o°r]\.?|#)?\d{1,5}[a-np-z]?(?:-(?:\d{1,4}[a-z]?|[a-z]|hs|huis|[ivx]{2,4}))?(?:/(?:\d{1,3}[a-z]?|[a-z]|bis|ter)){0,2}"
    r"|\d{1,4}(?:bis|ter|hs)"
)
_PLAIN_YEAR: Final = expression(r"(?:19|20[0-3])\d{1,2}")
_PARTING: Final = ("-", "/")
"""What stands by itself between the parts of an address."""
_LETTER: Final = word_set("a b c d e f g h")
_FLOOR: Final = expression(r"\d{1,2}(?:\.|os?|as?|e|er|eme|ere|ro|do|to|ta|°)")
_FLAT: Final = expression(r"\d{1,2}(?:[oa][a-z]|e?hoog|\.(?:og|stock)|(?:o|a)?(?:izq|dcha|dto|esq))")
_FLOORS: Final = expression(r"\d{1,2}")
_UNIT_CODE: Final = expression(r"#?(?:\d{1,5}[a-z]?|[a-z]\d{0,4}|\d{1,4}[-/.][a-z0-9]{1,3})")
POSTCODE: Final = expression(r"(?:[a-z]{1,2}-)?\d{4,5}|\d{5}-\d{3,4}|\d{4}-\d{3}|\d{6}|\d{8}|\d{4}[a-z]{2}")
_TWO_LETTERS: Final = expression("[a-eg-hj-npr-tv-z][a-eg-hj-npr-tv-z]")
_PART_OF_CITY: Final = expression("[12]?[0-9](?:e|er|eme|o)?")
LONGEST_CITY: Final = 5
"""Words of a city and its region beside a postcode, and one more."""
MOST_UNKNOWN: Final = 2
"""Words at the query's end that belong to an unknown city behind a postcode."""
FEWEST_WITH_DISTRICT: Final = 5
"""Characters of postcodes, beyond which a district stands before and the city behind: in Brazil and Colombia."""
ENGLISH_REFERENCES: Final = 100_000
"""Web references from which on a common word is an English one."""
LONGEST_TOWN: Final = 4
"""Words of a town that nobody knows, at the query's end."""
SHORTEST_TOWN: Final = 3
MOST_PARTS: Final = 6
"""Units, floors and districts behind one house number."""


def house(word: str) -> bool:
    """Return whether a token has the form of a house number."""
    return word[0] in "0123456789n#" and _HOUSE.fullmatch(word) is not None


def a_year(number: str) -> bool:
    """Return whether a house number may be a year instead."""
    return len(number) == 4 and _PLAIN_YEAR.fullmatch(number) is not None


def comma_after(query: QueryText, place: int) -> bool:
    """Return whether a comma stands behind a token."""
    end = query.span(place, place)[1] if "," in query.marks else len(query.text)
    return query.text[end : end + 1] == ","


def tags_of(knowledge: Knowledge, word: str) -> int:
    """Return the tags of a word, COMMON only of an English one: other languages' words are rare in the web's counts."""
    term = knowledge[word]
    return term.tags if term.references >= ENGLISH_REFERENCES else term.tags & ~COMMON


def is_city(knowledge: Knowledge, word: str) -> bool:
    """Return whether a word alone is a city's name."""
    return word in CITIES or knowledge[word].tags & (CITY | COMMON) == CITY


def tail(query: QueryText, at: int) -> int:
    """Return the place after all that follows a house number, whose next token is `at`."""
    words, size = query.words, len(query.words)
    if at + 1 < size and words[at] == "-" and house(words[at + 1]):
        at += 2
    if at < size and (words[at] in _LETTER or words[at] in _MORE):
        at += 1
    if at < size and words[at].isdigit() and len(words[at]) < 4 and (at + 1 == size or comma_after(query, at)):
        at += 1
    for _ in range(MOST_PARTS):
        place = at + (at < size and words[at] in _PARTING)
        after = _part(query, place)
        if after == place:
            break
        at = after
    place = at + (at < size and words[at] in _PARTING)
    after = min(_city(query, place), size)
    return after if after > place else at


def unit(words: list[str], at: int) -> int:
    """Return the place after a unit's word and its code, or `at`."""
    if at + 1 < len(words) and words[at] in UNITS and _UNIT_CODE.fullmatch(words[at + 1]):
        return at + 2
    return at


def _part(query: QueryText, at: int) -> int:
    """Return the place after a unit, a floor, a side or a district, or `at`."""
    words, size = query.words, len(query.words)
    if at >= size:
        return at
    word = words[at]
    follows = words[at + 1] if at + 1 < size else ""
    lettered = len(follows) == 1 and follows.isalpha()
    after = unit(words, at)
    if after > at:
        return after
    if word in NUMBER_WORDS and follows and house(follows):
        after = at + 2
    elif _FLAT.fullmatch(word):
        after = at + 1
    elif word in SIDES:
        after = at + 1 + lettered
    elif _FLOOR.fullmatch(word) or (_FLOORS.fullmatch(word) and follows in SIDES):
        after = at + 1 + (follows in SIDES or lettered)
    elif word in _DISTRICTS:
        after = at + 1
        while after < min(at + 4, size) and words[after].isalpha() and not comma_after(query, after - 1):
            after += 1
    return after


def _city(query: QueryText, at: int) -> int:
    """Return the place after a postcode and a city in either order, or `at`."""
    words, size = query.words, len(query.words)
    place = coded = at
    while place < min(at + LONGEST_CITY, size):
        coded = postcode(words, place)
        if coded > place or words[place] in UNITS or words[place] in COUNTED or not words[place][0].isalpha():
            break
        place += 1
    if coded > place:
        ahead = place == at or len(words[place]) > FEWEST_WITH_DISTRICT
        return _rest(query, _city_behind_code(query, coded) if ahead else coded)
    named = city(query, at)
    return named + (at < named < size and _PART_OF_CITY.fullmatch(words[named]) is not None)


def _rest(query: QueryText, at: int) -> int:
    """Return the place after a region or a country behind a city and its postcode, or `at`."""
    words, size = query.words, len(query.words)
    if at >= size:
        return at
    mark = (
        words[at]
        if not words[at].isalnum()
        else query.text[query.span(at - 1, at - 1)[1] : query.span(at, at)[0]].strip()
    )
    if mark in (",", "(", "/", "-") and size - at <= LONGEST_CITY:
        return size
    return at + (len(words[at]) == 2 and at + 1 == size)


def postcode(words: list[str], at: int) -> int:
    """Return the place after a postcode at `at`, or `at`; four digits that may be a year need a word behind them."""
    size = len(words)
    said = at < size and words[at] in _POSTCODE_WORDS
    place = at + said
    if place >= size or not POSTCODE.fullmatch(words[place]):
        return at
    code = words[place]
    four = len(code) == 4
    if four and place + 1 < size and _TWO_LETTERS.fullmatch(words[place + 1]) and words[place + 1] not in JOIN:
        return place + 2
    if a_year(code) and not said and (place + 1 == size or not words[place + 1][0].isalpha()):
        return at
    return place + 1


def city(query: QueryText, at: int) -> int:
    """Return the place after the name of a known city at `at`, or `at`."""
    words, size = query.words, len(query.words)
    for length in (3, 2):
        if at + length <= size and query.knowledge[" ".join(words[at : at + length])].tags & CITY:
            return at + length
    if at < size and is_city(query.knowledge, words[at]):
        last = at + 1 < size and words[at] in _CITY_BEGINS and words[at + 1].isalpha() and words[at + 1] not in COUNTED
        return at + 1 + last
    return at


def unknown_town(query: QueryText, at: int) -> int:
    """Return the place after a town that nobody knows, which stands behind an address at `at`, or `at`.

    It is all that is left ("dorpsstraat 123 herdersem"), or one word that no list and no document has ("dorpsstraat 123
    herdersem te koop"); not "dorpsstraat 123 openingstijden".
    """
    left, knowledge = query.words[at : at + LONGEST_TOWN + 1], query.knowledge
    if not left or not left[0].replace("-", "").isalpha():
        return at
    if len(left[0]) > SHORTEST_TOWN and knowledge[left[0]].references == 0 and _strange(knowledge, left[0]):
        at, left = at + 1, left[1:]
    if not 0 < len(left) <= LONGEST_TOWN or not all(word.replace("-", "").isalpha() for word in left):
        return at
    named = [word for word in left if word not in _CITY_JOIN and word not in _CITY_BEGINS]
    town = 0 < len(named) <= MOST_UNKNOWN and left[-1] not in _CITY_JOIN and COUNTED.isdisjoint(left)
    return len(query.words) if town and all(_strange(knowledge, word) for word in named) else at


def _strange(knowledge: Knowledge, word: str) -> bool:
    """Return whether the base knows nothing of a word that few documents hold."""
    term = knowledge[word]
    return not (term.tags & FLAGS or term.weights) and term.category < 0 and term.references < ENGLISH_REFERENCES


def _city_behind_code(query: QueryText, at: int) -> int:
    """Return the place after a city behind a postcode, where any word is one."""
    words, size = query.words, len(query.words)
    for place in range(at + 1, min(at + LONGEST_CITY, size)) if "(" in query.marks else ():
        if len(words[place]) == 2 and query.text[query.span(place, place)[0] - 1] == "(":
            return place + 1  # the province: "Vivaro (PN)"
    stop = city(query, at)
    if stop == at:
        while stop < min(at + 3, size) and (words[stop] in _CITY_BEGINS or words[stop] in _CITY_JOIN):
            stop += 1
        stop += stop < size and words[stop][0].isalpha()
        if 0 < size - stop <= MOST_UNKNOWN and all(word[0].isalpha() for word in words[stop:]):
            return size
    if stop < size and words[stop] == "cedex":
        return stop + 1 + (stop + 1 < size and words[stop + 1].isdigit())
    joins = stop
    while joins < min(stop + 3, size) and words[joins] in _CITY_JOIN:
        joins += 1
    if stop < joins < size and words[joins][0].isalpha():
        stop = joins + 1
    if stop < size and _PART_OF_CITY.fullmatch(words[stop]):
        stop += 1
    return unknown_town(query, stop)
