"""Places smaller than a state: street addresses and ZIP codes, with the city beside them.

Rules:
- A street address is a house number, up to four words, and a word that ends street names; then a unit, city, state and
  ZIP code where they follow. The words that end streets and much else ("park", "lake", "drive" after "hard") need a
  single name between, a direction, or a unit, city or state after. PO boxes, military and rural boxes count.
- A ZIP code is five digits beside a city or a state, beside the word "zip", or after "weather", "near" and the like;
  nine digits need nothing. The city and state beside it go with it. Round numbers and impossible prefixes do not count.
- A city or a state alone stays.

Source: USPS publication 28, appendix C (suffixes, units); 45 CFR 164.514(b)(2)(i)(B).
"""

import re
from bisect import bisect_left
from typing import Final

from service.core.identifiers.spans import Found, Identifier, word_set
from service.core.identifiers.tokens import Query
from service.core.knowledge import CITY, COMMON, FIRST_NAME, PLACE, STATE, STOP, SURNAME, Knowledge

SURE_ENDS: Final = word_set(
    "street st avenue ave av aven boulevard blvd blvrd road rd lane ln drive dr court ct circle cir place pl parkway "
    "pkwy pky terrace ter terr trail trl highway hwy turnpike tpke alley aly loop cove cv square sq crescent cres "
    "expressway expy freeway fwy esplanade plaza plz mews causeway cswy close bypass calle camino avenida rue way"
)
MAYBE_ENDS: Final = word_set(
    "annex arcade bayou beach bend bluff bluffs bottom branch bridge brook brooks burg burgs camp canyon cape center "
    "centers circles cliff cliffs club common commons corner corners course courts coves creek crest crossing "
    "crossroad crossroads curve dale dam divide drives estate estates extension extensions fall falls ferry field "
    "fields flat flats ford fords forest forge forges fork forks fort garden gardens gateway glen glens green greens "
    "grove groves harbor harbors haven heights hill hills hollow inlet island islands isle junction junctions key "
    "keys knoll knolls lake lakes land landing light lights loaf lock locks lodge mall manor manors meadow meadows "
    "mill mills mission motorway mount mountain mountains neck orchard oval overpass park parks parkways pass passage "
    "path pike pine pines plain plains point points port ports prairie radial ramp ranch rapid rapids rest ridge "
    "ridges river roads route row run shoal shoals shore shores skyway spring springs spur spurs squares station "
    "stravenue stream streets summit throughway trace track trafficway tunnel underpass union unions valley valleys "
    "via viaduct view views village villages ville vista walk walks wall ways well wells"
)
ENDS: Final = SURE_ENDS | MAYBE_ENDS
DIRECTIONS: Final = word_set("n s e w ne nw se sw north south east west northeast northwest southeast southwest no so")
NOT_STREETS: Final = word_set(
    "hard flash wheel thumb usb external internal disk tape zip dvd cd test line belt gear blood fund food toy "
    "supreme district circuit county federal superior municipal tennis basketball first second third last best top "
    "star year day week month hour minute mile miles gb mb tb inch foot feet ft lb pound dollar percent in for of to "
    "on at with and or by from step easy free ways the a an is how what super all two three four five six seven way "
    "person 2d 3d cir v vs people man men women kids player points pin piece point amp volt watt degree degrees"
)
ROADS_BEFORE: Final = word_set("highway hwy route rt rte interstate i us sr exit mile chapter section area model")
UNITS: Final = word_set("apt apartment suite ste unit lot bldg building fl floor rm room no number trlr spc space box")
UNIT_CODE: Final = re.compile(r"#?(?:\d{1,5}[a-z]?|[a-z]\d{0,4}|\d{1,4}-?[a-z]?)")
HOUSE: Final = re.compile(r"\d{1,6}(?:-?[a-z]|-\d{1,5}|1/2)?")
ORDINAL: Final = re.compile(r"\d{1,3}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth")
BOXES: Final = re.compile(
    r"(?<!\w)(?:p\.? ?o\.? ?(?:box|bx)|post office box|pobox) ?#? ?\d{1,7}"
    r"|(?<!\w)(?:psc|unit|cmr) ?\d{1,6},? box ?\d{1,6}|(?<!\w)rr ?#? ?\d{1,3},? box ?\d{1,5}"
    r"|(?<!\w)(?:uss|usns|usnv|usnn|uscgc) \w{2,20},? (?=[adf]po\b)|(?<!\w)[adf]po,? a[aep](?: \d{5}(?:-\d{4})?)?(?!\w)"
    r"|(?<![\w$.-])\d{2,6} (?:[nsew] )?(?:us |state |county |old )?"
    r"(?:highway|hwy|route|rte|county road|cr|fm|farm road|county rd) \d{1,4}[a-z]?(?: [nsew])?(?!\w)"
)
BOX_WORDS: Final = word_set("box pobox p.o.box psc apo fpo dpo highway hwy route rte road rd cr fm")
ZIP: Final = re.compile(r"(?<![\w$.,#/-])\d{5}(?:[- ]\d{4})?(?![\w%/]|[.,-]\d)")
ZIP_WORDS: Final = word_set("zip zips zipcode zipcodes postal postcode")
ZIP_BEFORE: Final = word_set("weather near in around postal forecast movies theaters theatres")
NOT_STATES: Final = word_set("in or me hi ok as de la al id ma pa co oh mo us no")
CITY_PREFIX: Final = word_set("north south east west new port lake saint st fort mount")
CITY_SUFFIX: Final = re.compile(
    r"[a-z]{2,20}(?:ton|ville|berg|burgh|borough|bury|view|port|mouth|stad|furt|chester|side|shire|haven|fort|land|"
    r"town|burg|field|wood|ford|dale)"
)


class Places:
    """Finds addresses and ZIP codes in tokens, asking a knowledge base for cities and states."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._famous_names = knowledge.words("famous-names")
        self._famous_addresses = knowledge.words("famous-addresses")

    def find(self, query: Query, found: Found) -> None:
        """Add addresses and ZIP codes to `found`."""
        words, vocabulary = query.words, query.vocabulary
        if not vocabulary.isdisjoint(BOX_WORDS):
            for match in BOXES.finditer(query.text):
                start, end = match.span()
                first = bisect_left(range(len(words)), end, key=lambda at: query.span(at, at)[0])
                last = self._city(words, first)
                found.append(Identifier("address", start, query.span(last - 1, last - 1)[1] if last > first else end))
        if not vocabulary.isdisjoint(ENDS):
            at = 0
            for place, word in enumerate(words):
                if place >= at and "0" <= word[0] <= "9":
                    end = self._address(words, place)
                    if end:
                        found.append(Identifier("address", *query.span(place, end - 1)))
                        at = end
        if query.digits >= 5:
            self._zips(query, found)

    def _address(self, words: list[str], at: int) -> int:
        """Return the place after the address that begins at token `at`, or 0."""
        if not HOUSE.fullmatch(words[at]) or at + 1 >= len(words):
            return 0
        if at and words[at - 1] in ROADS_BEFORE:
            return 0
        if f"{words[at]} {words[at + 1]}" in self._famous_addresses:
            return 0
        first = at + 1
        directed = words[first] in DIRECTIONS and first + 1 < len(words)
        if directed:
            first += 1
        for end in range(first, min(first + 4, len(words))):
            word = words[end]
            if word in SURE_ENDS or word in MAYBE_ENDS:
                middle = words[first:end]
                if end + 1 < len(words) and words[end + 1] in SURE_ENDS and len(middle) < 3:
                    continue  # "12 park st", "5 lake view dr"
                if not middle and not (directed and (word in SURE_ENDS or len(words[at]) >= 3)):
                    if word in ("avenue", "ave", "calle", "camino", "avenida", "rue", "via") and end + 1 < len(words):
                        return self._tail(words, end + 2)  # "12 avenue b", "8 calle luna"
                    continue
                return self._judged(words, at, middle, end, directed=directed)
            if word in NOT_STREETS or (word.isdigit() and not directed):
                return 0
        return 0

    def _judged(self, words: list[str], at: int, middle: list[str], end: int, *, directed: bool) -> int:
        """Return where the address ends if house number, middle and suffix make one, else 0."""
        if any(word in NOT_STREETS for word in middle):
            return 0
        tail = self._tail(words, end + 1)
        more = tail > end + 1
        number = words[at]
        year = len(number) == 4 and number.startswith(("19", "200", "201", "202"))
        tags = [self._knowledge[word].tags for word in middle]
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

    def _tail(self, words: list[str], at: int) -> int:
        """Return the place after a direction, a unit, a city, a state and a ZIP code that follow an address."""
        size = len(words)
        if at < size and words[at] in DIRECTIONS:
            at += 1
        if at < size and words[at] in UNITS and at + 1 < size and UNIT_CODE.fullmatch(words[at + 1]):
            at += 2
        elif at < size and words[at].startswith("#"):
            at += 1 + (words[at] == "#")
        return max(at, min(self._city(words, at), size)) if at < size else size

    def _city(self, words: list[str], at: int) -> int:
        """Return the place after a city, state or ZIP code that begins at `at`, or `at`."""
        size = len(words)
        for length in (3, 2, 1, 0):
            stop = at + length
            if stop > size:
                continue
            state = self._state(words, stop)
            after = stop + state
            coded = after < size and len(words[after]) in (5, 10) and ZIP.fullmatch(words[after]) is not None
            if state or coded:
                return after + coded
            if (
                length
                and self._knowledge[" ".join(words[at:stop])].tags & CITY
                and length > (self._knowledge[words[at]].tags & COMMON and length == 1)
            ):
                return stop
        return at

    def _state(self, words: list[str], at: int) -> int:
        """Return how many words (0 to 2) at `at` name a state."""
        if at >= len(words):
            return 0
        if at + 1 < len(words) and self._knowledge[f"{words[at]} {words[at + 1]}"].tags & STATE:
            return 2
        return (
            1
            if self._knowledge[words[at]].tags & STATE
            or words[at] in ("dc", "pr", "as", "gu", "vi", "mh", "fm", "pw", "mp")
            else 0
        )

    def _zips(self, query: Query, found: Found) -> None:
        """Add ZIP codes with the city and state beside them."""
        words = query.words
        said = not query.vocabulary.isdisjoint(ZIP_WORDS)
        for place, word in enumerate(words):
            if len(word) not in (5, 10) or not ZIP.fullmatch(word):
                continue
            long = len(word) == 10
            if not (said or long) and (word.endswith("000") or word < "00501" or word > "99950"):
                continue
            start = self._before(words, place)
            if " ".join(words[start : place + 1]) in self._famous_names:
                continue
            follows = self._after(words, place + 1)
            cued = place > 0 and words[place - 1] in ZIP_BEFORE
            if said or long or start < place or follows or cued:
                found.append(Identifier("zip", *query.span(start, place + follows)))

    def _before(self, words: list[str], place: int) -> int:
        """Return where the city and state that end right before token `place` begin, or `place`."""
        at = place
        sure = False
        if at >= 2 and self._knowledge[f"{words[at - 2]} {words[at - 1]}"].tags & STATE:
            at, sure = at - 2, True
        elif at >= 1 and self._state(words, at - 1) == 1:
            at, sure = at - 1, words[at - 1] not in NOT_STATES
        for length in (3, 2, 1):
            if at < length:
                continue
            phrase = words[at - length : at]
            tags = self._knowledge[" ".join(phrase)].tags
            if tags & CITY or (length == 2 and phrase[0] in CITY_PREFIX and phrase[1].isalpha()):
                if length > 1 or not tags & COMMON or at < place or words[0] == phrase[0]:
                    return at - length
            elif length == 1 and CITY_SUFFIX.fullmatch(phrase[0]) and not tags & (COMMON | PLACE):
                return at - 1
        return at if sure else place

    def _after(self, words: list[str], at: int) -> int:
        """Return how many words after a ZIP code name its city or state."""
        for length in (3, 2, 1):
            phrase = words[at : at + length]
            if len(phrase) == length:
                tags = self._knowledge[" ".join(phrase)].tags
                if tags & STATE and (length > 1 or phrase[0] not in NOT_STATES):
                    return length
                state = self._state(words, at + length)
                if tags & CITY:
                    city = length > 1 or not tags & COMMON
                elif length == 2:
                    city = self._prefixed(phrase) and at + 2 + state == len(words)
                else:
                    city = length == 1 and bool(CITY_SUFFIX.fullmatch(phrase[0])) and not tags & (COMMON | PLACE)
                if city:
                    return length + state
        return 0

    def _prefixed(self, phrase: list[str]) -> bool:
        """Return whether two words after a ZIP code are a city's name by the first: "north zyzzyx", not "new songs"."""
        first, second = phrase
        tags = self._knowledge[second].tags
        return first in CITY_PREFIX and second.isalpha() and bool(not tags & COMMON or tags & (FIRST_NAME | SURNAME))
