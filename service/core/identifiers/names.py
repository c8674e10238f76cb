"""Names of persons in lower-case text without grammar.

Rules:
- Every word has a strength as a given name and as a surname: 2 sure, 1 possible, 0 none (see census.py; other words of
  the base are sure where they are tagged as a name, are no dictionary word and have few web references).
- A given name and a surname side by side are a name if their strengths sum to 3: "jennifer brown", "hope martinez".
  Two possible ones ("rose garden", "summer hall") need a private word in the query ("obituary", "phone number"), or a
  city or state after them. An initial between them, or a comma after a leading surname, is proof enough.
- A sure given name before a word that the base does not know at all is a name: "joe zzyzxman".
- Surname first counts where both are sure. Second given names, particles ("de la"), hyphens and suffixes go along.
- A plain honorific ("mr", "dr") makes a possible surname, or an unknown word, a name; a title of office ("judge")
  needs a sure one. A given name or a surname alone is nothing.
- The famous stay. A pair is a topic if the base holds it under a tag, a category or FAMOUS_REFERENCES web references
  (a count that names of private persons do not reach: in a trillion words of web text 262 of the name pairs do, "john
  smith" not among them), if it stands in famous.py, or if the words beside it speak of a work, an institution or a
  business ("lyrics", "elementary school", "perfume"). Names of cities stay, whatever they are made of.

Source: US census frequencies (census.py), spec/streaming.md.
"""

import re
from typing import Final

from service.core.identifiers.census import FAMILY_MAYBE, FAMILY_SURE, GIVEN_MAYBE, GIVEN_SURE
from service.core.identifiers.famous import FAMOUS_NAMES
from service.core.identifiers.patterns import Found
from service.core.identifiers.spans import Identifier
from service.core.knowledge import (
    ADJECTIVE,
    CITY,
    COMMON,
    FAMOUS,
    FIRST_NAME,
    HONORIFIC,
    NOUN,
    PLACE,
    STATE,
    STOP,
    STREET,
    SURNAME,
    Knowledge,
    Term,
)

FAMOUS_REFERENCES: Final = 100_000
"""Web references from which on a pair of names is a topic."""
COMMON_REFERENCES: Final = 3_000_000
"""Web references from which on a word that census.py does not know is a word before it is a name."""
TOPIC_TAGS: Final = NOUN | ADJECTIVE | COMMON | CITY | STATE | PLACE | STREET | FAMOUS
HONORIFICS: Final = frozenset("mr mrs ms miss dr prof professor mister doctor sr sra senor senora".split())
TITLES: Final = frozenset(
    "rev reverend pastor judge attorney atty lawyer officer detective sgt sergeant capt captain lt lieutenant col colonel "
    "maj nurse coach father sister brother rabbi deacon elder uncle aunt hon justice deputy sheriff".split()
)
SUFFIXES: Final = frozenset("jr sr ii iii iv esq md phd dds cpa rn dmd".split())
PARTICLES: Final = frozenset("de del la las los van von der den di da dos du le el al bin san st mc mac o d ter".split())
PRIVATE: Final = frozenset(
    "obituary obituaries obit phone telephone address email myspace facebook divorce arrest arrested mugshot mugshots genealogy "
    "ancestry inmate resume classmates reunion yearbook wedding engagement funeral whitepages lives living born dob "
    "died graduate graduated attorney realtor dentist dds cpa warrant warrants prison jail court indictment "
    "felony background number ssn profile linkedin contact mr mrs ms dr md criminal whereabouts pages accident married maiden "
    "memorial cell".split()
)
WORKS: Final = frozenset(
    "lyrics song songs album albums discography filmography movie movies film films novel novels poem poems poetry painting "
    "paintings quotes quote biography bio tickets ticket concert tour jersey perfume cologne handbag handbags purse purses jeans shoes boots "
    "sunglasses fragrance fragrances cosmetics watches dvd cd mp3 tabs chords lyric soundtrack furniture guitars guitar "
    "wallpaper pics nude naked gossip impersonator autograph poster posters stats hair hairstyles hairstyle nfl nba mlb "
    "nascar show episode episodes sitcom book books game games toys doll dolls cookbook recipes recipe clothing apparel "
    "fanclub scandal fansite memorabilia figurines symphony sonata opera play plays theory theorem law effect syndrome disease".split()
)
INSTITUTIONS: Final = frozenset(
    "county parish elementary middle university college academy institute museum library airport hospital foundation "
    "stadium park bridge dam lake mountain island river creek fort beach bay hills falls inc llc ltd corp corporation "
    "company co brothers bros associates partners motors ford chevrolet toyota honda nissan bank insurance realty hotel "
    "hotels inn resort winery vineyards vineyard publishing press records cathedral tower towers square mall plaza center centre "
    "medical isd prep charter seminary barracks plantation mansion presidential award awards prize scholarship expressway parkway "
    "highway houses homes health hardware electronics products industries international systems group stores store tools seeds "
    "cemetery cancer church parish auditorium arena speedway zoo golf".split()
)
SPLIT_NAME: Final = re.compile(r"[a-z]+(?:['-][a-z]+)+")


class Names:
    """Finds persons' names in tokens, asking a knowledge base for tags and references."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def find(self, words: list[str], spans: list[tuple[int, int]], commas: set[int], found: Found) -> None:
        """Add names to `found`.

        `words` are the tokens without punctuation and possessive endings, `spans` their places, `commas` the numbers of
        the tokens that a comma follows.
        """
        size = len(words)
        terms = [self._knowledge[word] for word in words]
        given = [self._given(word, term) for word, term in zip(words, terms, strict=True)]
        family = [self._family(word, term) for word, term in zip(words, terms, strict=True)]
        private = any(word in PRIVATE for word in words)
        at = 0
        while at < size:
            end = 0
            if words[at] in HONORIFICS or words[at] in TITLES or terms[at].tags & HONORIFIC:
                end = self._titled(words, terms, given, family, at)
            if not end and (given[at] or family[at]):
                city = self._city(words, at) if terms[at].span > 1 or size < 64 else 0
                if city:
                    at = city
                    continue
                end = self._person(words, terms, given, family, at, commas, private=private)
            if end:
                while end < size and words[end] in SUFFIXES:
                    end += 1
                found.append(Identifier("name", spans[at][0], spans[end - 1][1]))
                at = end
            else:
                at += 1

    @staticmethod
    def _given(word: str, term: Term) -> int:
        """Return how surely a word is a given name."""
        if word in GIVEN_SURE:
            return 2
        if word in GIVEN_MAYBE:
            return 1
        if not term.tags & FIRST_NAME or term.tags & (COMMON | STOP | STATE | PLACE):
            return 0
        return 2 if term.references < COMMON_REFERENCES else 0

    def _family(self, word: str, term: Term) -> int:
        """Return how surely a word is a surname."""
        if word in FAMILY_SURE:
            return 2
        if word in FAMILY_MAYBE:
            return 1
        if SPLIT_NAME.fullmatch(word):
            parts = re.split(r"['-]", word)
            if len(parts[0]) == 1:
                return 2 if len(parts[1]) > 3 else 0
            return min(2, max(self._family(part, self._knowledge[part]) for part in parts)) if len(parts) == 2 else 0
        if not term.tags & SURNAME or term.tags & (COMMON | STOP | STATE | PLACE):
            return 0
        return 2 if term.references < COMMON_REFERENCES else 0

    @staticmethod
    def _unknown(word: str, term: Term) -> bool:
        """Return whether the base knows nothing of a word that could be a surname."""
        return not term.tags and not term.references and term.category < 0 and len(word) > 3 and word.isalpha()

    def _topic(self, phrase: str) -> bool:
        """Return whether the base or the list of the famous holds a phrase as something that many search for."""
        if phrase in FAMOUS_NAMES:
            return True
        term = self._knowledge[phrase]
        return bool(term.tags & TOPIC_TAGS) or term.category >= 0 or term.references >= FAMOUS_REFERENCES

    def _city(self, words: list[str], at: int) -> int:
        """Return the place after a city or place of two or three words that begins at `at`, or 0."""
        for length in (3, 2):
            if at + length <= len(words) and self._knowledge[" ".join(words[at : at + length])].tags & (CITY | PLACE | STATE):
                return at + length
        return 0

    def _titled(self, words: list[str], terms: list[Term], given: list[int], family: list[int], at: int) -> int:
        """Return the place after a name that the honorific at `at` begins, or 0."""
        first = at + 1
        if first >= len(words) or self._topic(f"{words[at]} {words[first]}"):
            return 0
        if self._topic(" ".join(words[first : first + 2])):
            return 0
        plain = words[at] in HONORIFICS
        second = first + 1
        if second < len(words) and given[first] and (family[second] or len(words[second]) == 1):
            third = second + 1
            return third + 1 if third < len(words) and len(words[second]) == 1 and family[third] else third
        if family[first] == 2 or (plain and family[first]) or (plain and words[at] != "ms" and given[first] == 2):
            return second
        return second if plain and words[at] in ("mr", "mrs", "dr") and self._unknown(words[first], terms[first]) else 0

    def _person(
        self,
        words: list[str],
        terms: list[Term],
        given: list[int],
        family: list[int],
        at: int,
        commas: set[int],
        *,
        private: bool,
    ) -> int:
        """Return the place after a name without honorific that begins at `at`, or 0."""
        size = len(words)
        if at + 1 >= size:
            return 0
        end, need = 0, 3
        strength = given[at]
        if strength and at not in commas:
            second = at + 1
            third = at + 2
            if len(words[second]) == 1 and words[second].isalpha() and third < size:
                if family[third] or (strength == 2 and self._unknown(words[third], terms[third])):
                    end, strength = third + 1, 3
            elif words[second] in PARTICLES and third < size and strength == 2:
                last = third
                while last < size - 1 and words[last] in PARTICLES:
                    last += 1
                if family[last] or self._unknown(words[last], terms[last]):
                    end, strength = last + 1, 3
            elif (
                third < size
                and family[third]
                and (given[second] or family[second])
                and strength + max(given[second], family[second]) + family[third] >= 4
                and second not in commas
            ):
                end, strength = third + 1, 3
            elif family[second]:
                end, strength = second + 1, strength + family[second]
            elif strength == 2 and words[at] in GIVEN_SURE and self._unknown(words[second], terms[second]):
                end, strength = second + 1, 3
        if not end and family[at] and given[at + 1]:
            if at in commas or (family[at] == 2 and given[at + 1] == 2):
                end, strength = at + 2, 3
                if end < size and len(words[end]) == 1 and words[end].isalpha():
                    end += 1
        if not end:
            return 0
        if strength < need and not (private or self._local(words, end)):
            return 0
        return 0 if self._harmless(words, at, end) else end

    def _local(self, words: list[str], at: int) -> bool:
        """Return whether a city or state follows."""
        if at >= len(words):
            return False
        tags = self._knowledge[words[at]].tags
        return bool(tags & STATE or (tags & CITY and not tags & COMMON)) and len(words[at]) > 1

    def _harmless(self, words: list[str], at: int, end: int) -> bool:
        """Return whether a name is one of a topic: famous, or of a work, an institution or a business."""
        for start in range(max(0, at - 1), end):
            for stop in range(max(start + 2, at + 2), min(end + 2, len(words), start + 4) + 1):
                if self._topic(" ".join(words[start:stop])):
                    return True
        if end < len(words):
            after = words[end]
            if after in INSTITUTIONS or after in WORKS:
                return True
            if after in ("high", "school", "schools") and not any(
                word in ("reunion", "class", "yearbook", "graduate") for word in words
            ):
                return True
            if after in ("and", "&") and end + 1 < len(words) and words[end + 1] in ("sons", "associates", "co", "company"):
                return True
        return any(word in WORKS for word in words[end : end + 3]) or any(word in WORKS for word in words[max(0, at - 3) : at])
