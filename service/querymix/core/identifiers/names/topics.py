"""Names that are topics and stay: the famous, and names of works, institutions, businesses and places.

Example: "bill clinton", "hope hall elementary school" and "jackson texas" stay, "jennifer brown texas" does not.

Rules:
- A phrase is a topic if the list of famous names holds it, or the base under a tag, a category or `FAMOUS_REFERENCES`
  references, which names of private persons do not reach. For a pair of everyday names a category is not enough.
- A name stays if a topic overlaps it, or if the words beside it speak of a work, an institution or a business. A church
  or a high school is as often where a person went: the name before it goes.
- Names of cities stay, unless a sure given name stands before and a surname is all that they share with it.
"""

from collections.abc import Sequence
from typing import Final

from querymix.core.identifiers.names.roles import ADDRESSES, PARTICLES, VANS
from querymix.core.identifiers.spans import word_set
from querymix.core.identifiers.tables import word_lists
from querymix.core.knowledge import CITY, COMMON, FAMOUS, FIRST_NAME, PLACE, STATE, STREET, SURNAME, Knowledge

FAMOUS_REFERENCES: Final = 100_000
"""Web references from which on a pair of names is a topic."""
_WORDS: Final = word_lists("names.tsv")
SAINTS: Final = _WORDS["saint"] | _WORDS["ruler"]
RULERS: Final = _WORDS["ruler"]
PLACED: Final = _WORDS["before"]
"""Words before a name that make it a street's, a school's or the like's: "rue jean moulin", "liceo dante alighieri"."""
LINKS: Final = _WORDS["link"]
"""What may stand between: "rue du docteur roux"."""
_PARTICLES: Final = PARTICLES | VANS
EVERYDAY: Final = _WORDS["everyday"]
"""Surnames of very many behind a particle, that somebody famous has too: "de vries" alone is none of them."""
ARTICLES: Final = word_set("el la las los lo le")
TOWNS: Final = _WORDS["town"]
"""Towns that are surnames too: behind a trade they are where it is looked for."""
PRONOUNS: Final = word_set("me")
"""Titles cut short that are pronouns in Spanish and Portuguese, where they do not begin a query."""
STREETS: Final = tuple(sorted(_WORDS["street"]))
"""Endings of streets' names in one word: "maria louisalaan"."""
JAILS: Final = word_set("jail jails court courthouse sheriff inmate inmates arrest arrests prison mugshot mugshots")
MODIFIERS: Final = word_set("va veterans regional community general state public")
"""What stands between a name and an institution that has it: "haley veterans hospital"."""
FIRMS: Final = word_set("sons associates co company")


class Topics:
    """Tells which names stay, asking a knowledge base."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        words = knowledge.words
        self._famous = words("famous-names")
        self._trades = words("name-trades")
        self._private = words("name-private") | words("name-cues") | self._trades
        self._works, self._institutions = words("name-works"), words("name-institutions")
        self._everyday_given, self._everyday_family = words("everyday-given"), words("everyday-family")

    def holds(self, phrase: str) -> bool:
        """Return whether a phrase is something that many search for."""
        if phrase in self._famous:
            return True
        term = self._knowledge[phrase]
        if term.references >= FAMOUS_REFERENCES or term.tags & (FAMOUS | CITY | STATE | PLACE | STREET):
            return True
        if term.tags or term.category >= 0:
            first, _, last = phrase.partition(" ")
            return not (first in self._everyday_given and last in self._everyday_family)
        return False

    def keep(
        self,
        words: Sequence[str],
        at: int,
        end: int,
        *,
        sure: bool,
        double: bool,
        rare: bool,
        broken: bool,
        titled: bool,
    ) -> bool:
        """Return whether the name from word `at` to `end` (not included) stays.

        `double` tells that it begins with two given names, which are no topic before a surname: "juan carlos rojas".
        `rare` tells that it ends in no surname that is known: "hugo poeme" is none behind "victor".
        `sure` tells that it begins with a sure given name, `broken` that no phrase goes on after it,
        `titled` that a title stands before it: "judge john r adams" is not the president.
        """
        last = end if broken or (end < len(words) and words[end] in self._private) else min(end + 2, len(words))
        if words[at] in self._trades and words[at] not in ADDRESSES and self._a_place(words, at + 1, end):
            return True
        if at and words[at] in PRONOUNS:
            return True
        if end - at == 3 and len(words[at + 1]) == 1 and not titled and self.holds(f"{words[at]} {words[end - 1]}"):
            return True
        if rare and end - at == 2 and self._inside(words, at):
            return True
        return self._overlap(words, at, end, last, sure=sure, double=double) or self._beside(words, at, end)

    def _a_place(self, words: Sequence[str], at: int, end: int) -> bool:
        """Return whether a place is all that stands behind a trade ("notario de soria"), or "de" and a given name."""
        no_surname = CITY | STATE | PLACE | FIRST_NAME
        last = words[end - 1]
        if end - at == 2 and words[at] not in LINKS:
            return False
        return end - at <= 2 and (last in TOWNS or (end - at == 2 and self._knowledge[last].tags & no_surname != 0))

    def _inside(self, words: Sequence[str], at: int) -> bool:
        """Return whether word `at` ends the name of somebody famous."""
        if not at or not self._knowledge[words[at - 1]].tags & FIRST_NAME:
            return False
        return self.holds(f"{words[at - 1]} {words[at]}")

    def ends_before(self, words: Sequence[str], at: int, end: int) -> bool:
        """Return whether the words from `at` to `end` belong to what follows, not to the name before them."""
        if end >= len(words):
            return False
        return words[end] in self._institutions or self.holds(f"{words[end - 1]} {words[end]}")

    def keep_couple(self, words: Sequence[str], at: int, end: int) -> bool:
        """Return whether two people stay who share the surname that ends before `end`: "bill and hillary clinton".

        Both of them have to be famous under it, or the second by a name that is not everyday.
        """
        one, two, last = words[at], words[at + 2], words[end - 1]
        if self.holds(" ".join(words[at : at + 3])) or self._beside(words, at, end):
            return True
        everyday = two in self._everyday_given and last in self._everyday_family
        return self.holds(f"{two} {last}") and (not everyday or self.holds(f"{one} {last}"))

    def before_city(self, words: Sequence[str], at: int) -> bool:
        """Return whether a city begins at word `at`."""
        if at >= len(words):
            return False
        tags = self._knowledge[words[at]].tags
        if tags & CITY and not tags & COMMON:
            return True
        return at + 1 < len(words) and self._knowledge[f"{words[at]} {words[at + 1]}"].tags & CITY != 0

    def _overlap(self, words: Sequence[str], at: int, end: int, last: int, *, sure: bool, double: bool) -> bool:
        """Return whether a topic that ends before word `last` shares words with the name."""
        for start in range(max(0, at - 1), end):
            for stop in range(max(start + 2, at + 2), min(last, start + 4) + 1):
                phrase = " ".join(words[start:stop])
                if double and start == at and stop == at + 2:
                    continue
                if at < start and stop <= end and words[start] in ARTICLES and self._only_city(phrase):
                    continue  # "rose de la cruz" is of no town
                if sure and at < start and stop <= end and not self._knowledge[phrase].tags & (CITY | STATE | PLACE):
                    continue  # "david joseph smith" is no "joseph smith"
                if not self.holds(phrase) or (sure and start == end - 1 and self._only_city(phrase)):
                    continue
                if start > at and words[start - 1] in VANS and words[start] in PARTICLES:
                    continue  # "mr van den berg" is no "den berg"
                everyday = words[stop - 1] in _PARTICLES or words[stop - 1] in EVERYDAY
                if not (everyday and _PARTICLES.issuperset(words[start : stop - 1])):  # "van den" is no topic
                    return True
        return bool(at and self._knowledge[f"{words[at - 1]} {words[at]}"].tags & (CITY | STATE | PLACE))

    def _work(self, words: Sequence[str]) -> bool:
        """Return whether one of the words speaks of a work; the "jersey" of "new jersey" does not."""
        return not self._works.isdisjoint(words) and any(
            word in self._works and not (at and self._knowledge[f"{words[at - 1]} {word}"].tags & STATE)
            for at, word in enumerate(words)
        )

    def _only_city(self, phrase: str) -> bool:
        tags = self._knowledge[phrase].tags
        return bool(tags & CITY) and not tags & (FAMOUS | STATE | PLACE | STREET) and phrase not in self._famous

    def _beside(self, words: Sequence[str], at: int, end: int) -> bool:
        """Return whether the words around the name speak of a work, an institution or a business."""
        if words[at] in RULERS and not (at + 1 < end and self._only_family(words[at + 1])):
            return True
        if at and (words[at - 1] in SAINTS or words[at - 1 - (at > 1 and words[at - 1] in LINKS)] in PLACED):
            return True
        if words[end - 1].endswith(STREETS) and self._is_street(words[end - 1]):
            return True
        if at and self._work(words[max(0, at - 3) : at]):
            return True
        return end < len(words) and (
            (words[end].endswith(STREETS) and self._is_street(words[end]))
            or self._work(words[end : end + 3])
            or (words[at] not in self._trades and self._before_institution(words, end))
        )

    def _only_family(self, word: str) -> bool:
        """Return whether a word is a surname and no given name, or not known: "regina" before one is no queen."""
        tags = self._knowledge[word].tags
        return not tags or tags & (SURNAME | FIRST_NAME) == SURNAME

    def _is_street(self, word: str) -> bool:
        return word not in STREETS and not self._knowledge[word].tags & SURNAME

    def _before_institution(self, words: Sequence[str], end: int) -> bool:
        after = words[end]
        following = words[end + 1] if end + 1 < len(words) else ""
        if after in ("school", "schools"):
            return not following or self.before_city(words, end + 1)
        if after in ("and", "&") and following in FIRMS:
            return True
        if after in MODIFIERS and following in self._institutions:
            return True
        return after in self._institutions and following not in JAILS
