"""ZIP codes, with the city and state beside them.

Rules:
- A ZIP code is five digits beside a city or a state, beside the word "zip", or after "weather", "near" and the like;
  nine digits need nothing. The city and state beside it go with it. Round numbers and impossible prefixes do not count.
- A city or a state alone stays.

Source: 45 CFR 164.514(b)(2)(i)(B).
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import of_a_thing
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.recognizers.city import ZIP, state_words
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText
from querymix.core.knowledge import CITY, COMMON, FIRST_NAME, PLACE, STATE, SURNAME, Knowledge

FAMOUS_ZIPS: Final = frozenset({"beverly hills 90210"})
"""What is a work, not a place where somebody lives."""

FURTHER: Final = expression(r"(?!19|20)[0-9]{4}")
"""Behind a city and its ZIP code the four further digits, where a space stands for their dash; a year is none."""
ZIP_WORDS: Final = word_set("zip zips zipcode zipcodes postal postcode")
ZIP_BEFORE: Final = word_set("weather near in around postal forecast movies theaters theatres")
NOT_STATES: Final = word_set("in or me hi ok as de la al id ma pa co oh mo us no")
CITY_PREFIX: Final = word_set("north south east west new port lake saint st fort mount")
CITY_SUFFIX: Final = expression(
    r"[a-z]{2,20}(?:ton|ville|berg|burgh|borough|bury|view|port|mouth|stad|furt|chester|side|shire|haven|fort|land|"
    r"town|burg|field|wood|ford|dale)"
)


def find(query: QueryText, finds: Findings) -> None:
    """Add ZIP codes with the city and state beside them."""
    words, knowledge = query.words, query.knowledge
    said = query.says(ZIP_WORDS)
    for place, word in enumerate(words):
        if len(word) not in (5, 10) or not ZIP.fullmatch(word):
            continue
        long = len(word) == 10
        if not (said or long) and (word.endswith("000") or word < "00501" or word > "99950"):
            continue
        if of_a_thing(query.text, *query.span(place, place)):
            continue
        start = _before(knowledge, words, place)
        if " ".join(words[start : place + 1]) in FAMOUS_ZIPS:
            continue
        further = place + 1 < len(words) and not long and start < place and FURTHER.fullmatch(words[place + 1])
        follows = 1 if further else _after(knowledge, words, place + 1)
        cued = place > 0 and words[place - 1] in ZIP_BEFORE
        if said or long or start < place or follows or cued:
            finds.append(Identifier("zip", *query.span(start, place + follows)))


def _before(knowledge: Knowledge, words: list[str], place: int) -> int:
    """Return where the city and state that end right before token `place` begin, or `place`."""
    at = place
    sure = False
    if at >= 2 and knowledge[f"{words[at - 2]} {words[at - 1]}"].tags & STATE:
        at, sure = at - 2, True
    elif at >= 1 and state_words(knowledge, words, at - 1) == 1:
        at, sure = at - 1, words[at - 1] not in NOT_STATES
    for length in (3, 2, 1):
        if at < length:
            continue
        phrase = words[at - length : at]
        tags = knowledge[" ".join(phrase)].tags
        if tags & CITY or (length == 2 and phrase[0] in CITY_PREFIX and phrase[1].isalpha()):
            if length > 1 or not tags & COMMON or at < place or words[0] == phrase[0]:
                return at - length
        elif length == 1 and CITY_SUFFIX.fullmatch(phrase[0]) and not tags & (COMMON | PLACE):
            return at - 1
    return at if sure else place


def _after(knowledge: Knowledge, words: list[str], at: int) -> int:
    """Return how many words after a ZIP code name its city or state."""
    for length in (3, 2, 1):
        phrase = words[at : at + length]
        if len(phrase) == length:
            tags = knowledge[" ".join(phrase)].tags
            if tags & STATE and (length > 1 or phrase[0] not in NOT_STATES):
                return length
            state = state_words(knowledge, words, at + length)
            if tags & CITY:
                city = length > 1 or not tags & COMMON
            elif length == 2:
                city = _prefixed(knowledge, phrase) and at + 2 + state == len(words)
            else:
                city = length == 1 and bool(CITY_SUFFIX.fullmatch(phrase[0])) and not tags & (COMMON | PLACE)
            if city:
                return length + state
    return 0


def _prefixed(knowledge: Knowledge, phrase: list[str]) -> bool:
    """Return whether two words after a ZIP code are a city's name by the first: "north zyzzyx", not "new songs"."""
    first, second = phrase
    tags = knowledge[second].tags
    return first in CITY_PREFIX and second.isalpha() and bool(not tags & COMMON or tags & (FIRST_NAME | SURNAME))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=5)
