"""Names of persons in lower-case text without grammar.

Rules:
- Every word has a strength as a given name and as a surname: 2 sure, 1 possible, 0 none (see census.py; other words of
  the base are sure where they are tagged as a name, are no dictionary word and have few web references).
- A given name and a surname side by side are a name if their strengths sum to 3: "jennifer brown", "hope martinez".
  Two possible ones ("rose garden", "summer hall") need a private word in the query ("obituary", "phone number"), or a
  city after them. Beside a private word any surname of the census does after a sure given name. An initial between the
  two, or a comma after a leading surname, is proof enough.
- A sure given name before a word that the base does not know at all is a name: "joe zzyzxman".
- Surname first counts where both are sure. Second given names, particles ("de la"), hyphens and suffixes go along.
- A plain honorific ("mr", "dr") makes a possible surname, or an unknown word, a name; a title of office ("judge")
  needs a sure one. A given name or a surname alone is nothing.
- The famous stay. A pair is a topic if the base holds it under a tag, a category or FAMOUS_REFERENCES web references
  (a count that names of private persons do not reach: in a trillion words of web text 262 of the name pairs do, "john
  smith" not among them), if it stands in famous.py, or if the words beside it speak of a work, an institution or a
  business ("lyrics", "elementary school", "perfume"). Names of cities stay, whatever they are made of, unless a sure
  given name stands before and a surname is all that they share with it: "jennifer brown texas". A church or a high
  school is as often where a person went as what a person gave the name to: the name before it goes.
- What follows a name of three words may take the third one along ("john smith west virginia"): then two are the name.

Source: US census frequencies (census.py), spec/streaming.md.
"""

import re
from typing import Final

from service.core.identifiers.census import FAMILY_MAYBE, FAMILY_SURE, GIVEN_MAYBE, GIVEN_SURE
from service.core.identifiers.famous import FAMOUS_NAMES
from service.core.identifiers.spans import Finds, Identifier, word_set
from service.core.identifiers.tokens import QueryText
from service.core.knowledge import (
    ADJECTIVE,
    CITY,
    COMMON,
    FAMOUS,
    FIRST_NAME,
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
HONORIFICS: Final = word_set("mr mrs ms miss dr prof professor mister doctor sr sra senor senora")
TITLES: Final = word_set(
    "rev reverend pastor judge attorney atty lawyer officer detective sgt sergeant capt lt lieutenant col colonel maj "
    "nurse coach father sister brother rabbi deacon hon justice deputy sheriff"
)
SUFFIXES: Final = word_set("jr sr ii iii iv esq md phd dds cpa rn dmd")
PARTICLES: Final = word_set("de del la las los van von der den di da dos du le el al bin san st mc mac o d ter")
PRIVATE: Final = word_set(
    "obituary obituaries obit phone telephone address email myspace facebook divorce arrest arrested mugshot mugshots "
    "genealogy ancestry inmate resume classmates reunion yearbook wedding engagement funeral whitepages lives living "
    "born dob died graduate graduated attorney realtor dentist dds cpa warrant warrants prison jail court indictment "
    "felony background number ssn profile linkedin contact mr mrs ms dr md criminal whereabouts pages accident "
    "married maiden memorial cell birth"
)
ASKING: Final = frozenset({("who", "is"), ("where", "does"), ("where", "is"), ("what", "happened")})
WORKS: Final = word_set(
    "lyrics song songs album albums discography filmography movie movies film films novel novels poem poems poetry "
    "painting paintings quotes quote biography bio tickets ticket concert tour jersey perfume cologne handbag "
    "handbags purse purses jeans shoes boots sunglasses fragrance fragrances cosmetics watches dvd cd mp3 tabs chords "
    "lyric soundtrack furniture guitars guitar wallpaper pics nude naked gossip impersonator autograph poster posters "
    "stats hair hairstyles hairstyle nfl nba mlb nascar show episode episodes sitcom book books game games toys doll "
    "dolls cookbook recipes recipe clothing apparel fanclub scandal fansite memorabilia figurines symphony sonata "
    "opera play plays theory theorem law effect syndrome disease"
)
INSTITUTIONS: Final = word_set(
    "county elementary middle university college academy institute museum library airport hospital foundation "
    "stadium park bridge dam lake mountain island river creek fort beach bay hills falls inc llc ltd corp corporation "
    "company co brothers bros associates partners motors ford chevrolet toyota honda nissan bank insurance realty "
    "hotel hotels inn resort winery vineyards vineyard publishing press records cathedral tower towers square mall "
    "plaza center centre medical isd prep charter seminary barracks plantation mansion presidential award awards "
    "prize scholarship expressway parkway highway houses homes health hardware electronics products industries "
    "international systems group stores store tools seeds act trio quartet band orchestra wildlife refuge ira "
    "galleries program civic data estate plant cemetery cancer auditorium arena speedway zoo golf"
)
BEFORE_NAMES: Final = HONORIFICS | TITLES
EVERYDAY_GIVEN: Final = word_set(
    "james john robert michael william david richard charles joseph thomas mary patricia linda barbara elizabeth "
    "jennifer maria susan margaret dorothy jane ann sarah george paul mark daniel brian kevin"
)
EVERYDAY_FAMILY: Final = word_set(
    "smith johnson williams jones brown davis miller wilson moore taylor anderson thomas jackson white harris martin "
    "thompson garcia martinez robinson clark rodriguez lewis lee walker hall allen young king"
)
"""An encyclopedia holds a "john smith": pairs of these are famous by FAMOUS, references or famous.py only."""
SPLIT: Final = re.compile(r"['-]")
SPLIT_NAME: Final = re.compile(r"[a-z]+(?:['-][a-z]+)+")


class Names:
    """Finds persons' names in tokens, asking a knowledge base for tags and references."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def find(self, query: QueryText, finds: Finds) -> None:
        """Add the names of persons to `finds`."""
        knowledge, words = self._knowledge, query.words
        size = len(words)
        if size == 1:
            return
        terms = [knowledge[word] for word in words]
        given = [
            self._given(word, term) if term.tags & FIRST_NAME or "-" in word else 0
            for word, term in zip(words, terms, strict=True)
        ]
        titled = not BEFORE_NAMES.isdisjoint(words)
        if not (titled or any(given)):
            return
        family = [self._family(word, term) for word, term in zip(words, terms, strict=True)]
        private = not PRIVATE.isdisjoint(words) or (size > 2 and (words[0], words[1]) in ASKING)
        at = done = 0
        while at < size:
            end = 0
            if titled and words[at] in BEFORE_NAMES:
                end = self._titled(words, terms, given, family, at)
            if not end and (given[at] or (at + 1 < size and given[at + 1] and family[at])):
                end = self._person(words, terms, given, family, at, query, private=private)
            if end:
                if end < size and end - at == 2 and given[end - 1] and self._unknown(words[end], terms[end]):
                    end += 1  # "mary rose zzyzxman": the second was a given name too
                while end < size and words[end] in SUFFIXES:
                    end += 1
                first = at - 1 if at > done and given[at - 1] == 2 else at
                finds.append(Identifier("name", *query.span(first, end - 1)))
                done = end
                at = end
            else:
                at += 1

    @staticmethod
    def _given(word: str, term: Term) -> int:
        """Return how surely a word is a given name; only what the base tags so is one."""
        if not term.tags & FIRST_NAME:
            return 2 if "-" in word and word.partition("-")[0] in GIVEN_SURE else 0
        if word in GIVEN_SURE:
            return 2
        if word in GIVEN_MAYBE:
            return 1
        if term.tags & (COMMON | STOP | STATE | PLACE):
            return 0
        return 2 if term.references < COMMON_REFERENCES else 0

    def _family(self, word: str, term: Term) -> int:
        """Return how surely a word is a surname."""
        if word in FAMILY_SURE:
            return 2
        if word in FAMILY_MAYBE:
            return 1
        if ("'" in word or "-" in word) and SPLIT_NAME.fullmatch(word):
            parts = SPLIT.split(word)
            if len(parts[0]) == 1:
                return 2 if len(parts[1]) > 3 else 0
            return max(self._family(part, self._knowledge[part]) for part in parts) if len(parts) == 2 else 0
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
        if term.references >= FAMOUS_REFERENCES or term.tags & (FAMOUS | CITY | STATE | PLACE | STREET):
            return True
        if term.tags or term.category >= 0:
            first, _, last = phrase.partition(" ")
            return not (first in EVERYDAY_GIVEN and last in EVERYDAY_FAMILY)
        return False

    def _only_city(self, phrase: str) -> bool:
        """Return whether a phrase is a city's name and no other topic's."""
        tags = self._knowledge[phrase].tags
        return bool(tags & CITY) and not tags & (FAMOUS | STATE | PLACE | STREET) and phrase not in FAMOUS_NAMES

    def _titled(self, words: list[str], terms: list[Term], given: list[int], family: list[int], at: int) -> int:
        """Return the place after a name that the honorific at `at` begins, or 0."""
        first = at + 1
        size = len(words)
        if first >= size or self._topic(f"{words[at]} {words[first]}"):
            return 0
        if first + 1 < size and self._topic(f"{words[first]} {words[first + 1]}"):
            return 0
        plain = words[at] in HONORIFICS
        if plain and len(words[first]) == 1 and first + 1 < size and family[first + 1] + given[first + 1]:
            first += 1
        second = first + 1
        if second < size and given[first] and (family[second] or len(words[second]) == 1):
            third = second + 1
            return third + 1 if third < size and len(words[second]) == 1 and family[third] else third
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
        query: QueryText,
        *,
        private: bool,
    ) -> int:
        """Return the place after a name without honorific that begins at `at`, or 0."""
        size = len(words)
        commas = query.commas
        if at + 1 >= size or at in query.owners:
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
                and second not in query.owners
            ):
                end, strength = third + 1, 3
            elif family[second]:
                end, strength = second + 1, strength + family[second]
            elif strength == 2 and (
                (words[at] in GIVEN_SURE and self._unknown(words[second], terms[second]))
                or (
                    private
                    and terms[second].tags & SURNAME
                    and not terms[second].tags & STOP
                    and words[second] not in PRIVATE
                )
            ):
                end, strength = second + 1, 3
        reverse = given[at + 1] and family[at]
        if not end and reverse and (at in commas or family[at] + given[at + 1] == 4 or (private and reverse == 2)):
            end, strength = at + 2, 3
            if end < size and len(words[end]) == 1 and words[end].isalpha():
                end += 1
        if not end:
            return 0
        if strength < need and not (private or self._local(words, end)):
            return 0
        sure = given[at] == 2
        if not self._harmless(words, at, end, sure=sure):
            return end
        if end == at + 3 and sure and family[at + 1] and not self._harmless(words, at, at + 2, sure=sure):
            return at + 2  # "john smith west virginia": the third word is no second surname
        return 0

    def _local(self, words: list[str], at: int) -> bool:
        """Return whether a city follows."""
        if at >= len(words):
            return False
        tags = self._knowledge[words[at]].tags
        if tags & CITY and not tags & COMMON:
            return True
        return at + 1 < len(words) and self._knowledge[f"{words[at]} {words[at + 1]}"].tags & CITY != 0

    def _harmless(self, words: list[str], at: int, end: int, *, sure: bool) -> bool:
        """Return whether a name is one of a topic: famous, or of a work, an institution or a business.

        `sure` tells that it begins with a sure given name: then a city that shares only its last word is no topic
        ("jennifer brown texas").
        """
        for start in range(max(0, at - 1), end):
            for stop in range(max(start + 2, at + 2), min(end + 2, len(words), start + 4) + 1):
                phrase = " ".join(words[start:stop])
                if self._topic(phrase) and not (sure and start == end - 1 and self._only_city(phrase)):
                    return True
        if end - at == 3 and len(words[at + 1]) == 1 and self._topic(f"{words[at]} {words[at + 2]}"):
            return True
        if at and words[at - 1] in ("st", "saint", "santa", "san", "&"):
            return True
        if end < len(words):
            after = words[end]
            if after in INSTITUTIONS or after in WORKS:
                return True
            if after in ("school", "schools"):
                return end + 1 == len(words) or self._local(words, end + 1)
            if (
                after in ("and", "&")
                and end + 1 < len(words)
                and words[end + 1] in ("sons", "associates", "co", "company")
            ):
                return True
        return any(word in WORKS for word in words[end : end + 3]) or any(
            word in WORKS for word in words[max(0, at - 3) : at]
        )
