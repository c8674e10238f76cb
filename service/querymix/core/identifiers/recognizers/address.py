"""English street addresses, post boxes and the like, with the city beside them; those of other languages: street/.

Rules:
- A street address is a house number, up to four words, and a word that ends street names; then a unit, city, state and
  ZIP code where they follow. The words that end streets and much else ("park", "lake", "drive" after "hard") need a
  single name between, a direction, or a unit, city or state after. PO boxes, military and rural boxes count.
- A city or a state alone stays.

Source: USPS publication 28, appendix C (suffixes, units); 45 CFR 164.514(b)(2)(i)(B).
"""

from bisect import bisect_left
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.recognizers.city import city_after
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tables import word_lists
from querymix.core.identifiers.tokens import QueryText
from querymix.core.knowledge import COMMON, FIRST_NAME, STOP, SURNAME, Knowledge

FAMOUS_ADDRESSES: Final = frozenset(
    {"1600 pennsylvania", "21 jump", "221b baker", "10 downing", "77 sunset", "12 oaks", "8 mile", "1313 mockingbird"}
)
"""House number and first word of addresses that are works or offices."""

_WORDS: Final = word_lists("address.tsv")
SURE_ENDS: Final = _WORDS["sure-end"]
MAYBE_ENDS: Final = _WORDS["maybe-end"]
ENDS: Final = SURE_ENDS | MAYBE_ENDS
DIRECTIONS: Final = word_set("n s e w ne nw se sw north south east west northeast northwest southeast southwest no so")
NOT_STREETS: Final = _WORDS["no-street"]
ROADS_BEFORE: Final = word_set("highway hwy route rt rte interstate i us sr exit mile chapter section area model")
UNITS: Final = word_set("apt apartment suite ste unit lot bldg building fl floor rm room no number trlr spc space box")
UNIT_CODE: Final = expression(r"#?(?:\d{1,5}[a-z]?|[a-z]\d{0,4}|\d{1,4}-?[a-z]?)")
NAMED_AFTER: Final = word_set("avenue ave calle camino avenida rue via")
HOUSE: Final = expression(r"\d{1,6}(?:-?[a-z]|-\d{1,5}|1/2)?")
ORDINAL: Final = expression(r"\d{1,3}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth")
BOXES: Final = expression(
    r"(?<!\w)(?:p\.? ?o\.? ?(?:box|bx)|post office box|pobox) ?#? ?\d{1,7}"
    r"|(?<!\w)(?:psc|unit|cmr) ?\d{1,6},? box ?\d{1,6}|(?<!\w)rr ?#? ?\d{1,3},? box ?\d{1,5}"
    r"|(?<!\w)(?:uss|usns|usnv|usnn|uscgc) \w{2,20},? (?=[adf]po\b)|(?<!\w)[adf]po,? a[aep](?: \d{5}(?:-\d{4})?)?(?!\w)"
    r"|(?<![\w$.-])\d{2,6} (?:[nsew] )?(?:us |state |county |old )?"
    r"(?:highway|hwy|route|rte|county road|cr|fm|farm road|county rd) \d{1,4}[a-z]?(?: [nsew])?(?!\w)"
)
MODEL_YEAR: Final = expression(r"(?:19|20)\d\d \w+ \d")
"""A year before what could be a road: "2003 cr 250" is a motorcycle."""
BOX_WORDS: Final = word_set("box pobox p.o.box psc apo fpo dpo highway hwy route rte road rd cr fm")


def find(query: QueryText, finds: Findings) -> None:
    """Add addresses."""
    if query.digits < 2 and not finds:
        return  # "7 main street" is no one's yet
    words, knowledge = query.words, query.knowledge
    if query.says(BOX_WORDS):
        for match in BOXES.finditer(query.text):
            start, end = match.span()
            first = bisect_left(range(len(words)), end, key=lambda at: query.span(at, at)[0])
            last = city_after(knowledge, words, first)
            if last <= first and MODEL_YEAR.match(match[0]):
                continue
            finds.append(Identifier("address", start, query.span(last - 1, last - 1)[1] if last > first else end))
    if query.says(ENDS):
        at = 0
        for place, word in enumerate(words):
            if place >= at and "0" <= word[0] <= "9":
                end = _address(knowledge, words, place)
                if end:
                    finds.append(Identifier("address", *query.span(place, end - 1)))
                    at = end


def _address(knowledge: Knowledge, words: list[str], at: int) -> int:
    """Return the place after the address that begins at token `at`, or 0."""
    if (
        not HOUSE.fullmatch(words[at])
        or at + 1 >= len(words)
        or (at and words[at - 1] in ROADS_BEFORE)
        or f"{words[at]} {words[at + 1]}" in FAMOUS_ADDRESSES
    ):
        return 0
    first = at + 1
    directed = words[first] in DIRECTIONS and first + 1 < len(words)
    if directed:
        first += 1
    for end in range(first, min(first + 4, len(words))):
        word = words[end]
        if word in ENDS:
            if not _goes_on(words, first, end, sure=directed and (word in SURE_ENDS or len(words[at]) >= 3)):
                return _judged(knowledge, words, at, words[first:end], end, directed=directed)
            if end == first and word in NAMED_AFTER and end + 1 < len(words) and words[end + 1] not in SURE_ENDS:
                return _tail(knowledge, words, end + 2)  # "12 avenue b", "8 calle luna"
        elif word in NOT_STREETS or (word.isdigit() and not directed):
            return 0
    return 0


def _goes_on(words: list[str], first: int, end: int, *, sure: bool) -> bool:
    """Return whether the street's name, begun at `first`, does not end with the ending word at `end`."""
    if end + 1 < len(words) and words[end + 1] in SURE_ENDS and end - first < 3:
        return True  # "12 park st", "5 lake view dr"
    return end == first and not sure


def _judged(knowledge: Knowledge, words: list[str], at: int, middle: list[str], end: int, *, directed: bool) -> int:
    """Return where the address ends if house number, middle and suffix make one, else 0."""
    if any(word in NOT_STREETS for word in middle):
        return 0
    tail = _tail(knowledge, words, end + 1)
    more = tail > end + 1
    number = words[at]
    year = len(number) == 4 and number.startswith(("19", "200", "201", "202"))
    tags = [knowledge[word].tags for word in middle]
    named = bool(tags) and all(tag & (FIRST_NAME | SURNAME) or not tag & (COMMON | STOP) for tag in tags)
    plain = bool(tags) and all(tag & COMMON and not tag & (FIRST_NAME | SURNAME) for tag in tags)
    if words[end] in MAYBE_ENDS and len(number) < 3 and not named:
        return 0
    if (
        more
        or (directed and (middle or words[end] in SURE_ENDS or not year))
        or (middle and ORDINAL.fullmatch(middle[-1]))
    ):
        return tail
    if words[end] in SURE_ENDS:
        weak = words[end] in ("way", "drive", "court", "place", "square", "circle", "trail", "close", "loop")
        return 0 if (year and not named) or (weak and plain and (len(number) < 3 or len(middle) > 1)) else tail
    return tail if named and len(middle) == 1 and len(number) >= 3 and not year else 0


def _tail(knowledge: Knowledge, words: list[str], at: int) -> int:
    """Return the place after a direction, a unit, a city, a state and a ZIP code that follow an address."""
    size = len(words)
    if at < size and words[at] in DIRECTIONS:
        at += 1
    if at < size and words[at] in UNITS and at + 1 < size and UNIT_CODE.fullmatch(words[at + 1]):
        at += 2
    elif at < size and words[at].startswith("#"):
        at += 1 + (words[at] == "#")
    return max(at, min(city_after(knowledge, words, at), size)) if at < size else size


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=1, words=ENDS | BOX_WORDS)
