"""What each word of a query can be in a person's name.

Example: "jennifer" is a sure given name, "hope" a possible one, "hall" a possible surname, "brown" a sure one.

Rules:
- A word's roles depend on the word alone, so they are worked out once and remembered, a bounded number of them.
- The lists say how sure given names and surnames are that are words, places or brands too. Any other that the base tags
  as one is sure, unless the base has it as another word or has many references of it: no given name, a faint surname.
- "smith-jones" and "o'brien" are as sure as their parts. An unknown word of `MIN_UNSPACED` letters that is a sure given
  name and a sure surname written as one is a whole name.

Source: US census 1990, by the lists and tags of the knowledge base.
"""

from collections.abc import Sequence
from typing import Final

from querymix.core.bounded_cache import BoundedCache
from querymix.core.expressions import expression
from querymix.core.identifiers.names.parts import Parts
from querymix.core.identifiers.names.shapes import (
    ADDRESSED,
    AND,
    FAINT,
    HEIR,
    HONORIFIC,
    INITIAL,
    JOINING,
    LISTED,
    MIDDLE,
    NICKNAME,
    NONE,
    PARTICLE,
    PLAIN,
    POSSIBLE,
    SHORT,
    STRANGER,
    SUFFIX,
    SURE,
    SYLLABLE,
    TITLE,
    TRADE,
    UNKNOWN,
    UNSPACED,
    VAN,
    followed,
    sign,
)
from querymix.core.identifiers.spans import word_set
from querymix.core.identifiers.tables import word_lists
from querymix.core.knowledge import CITY, COMMON, FIRST_NAME, FLAGS, PLACE, STATE, STOP, SURNAME, Knowledge, Term

COMMON_REFERENCES: Final = 3_000_000
"""Web references from which on a word that no list holds is a word before it is a name."""
UNKNOWN_REFERENCES: Final = 400_000
"""Web references below which a word without tags, or a given name, can be anybody's rare surname."""
RARE_REFERENCES: Final = 100_000
"""The same for a word that only the dictionary has, and for a whole name that is written as one word."""
MIN_UNSPACED: Final = 9
HALF: Final = 3
"""Letters of each half of a name that is written as one word, at least."""
MAX_REMEMBERED: Final = 1 << 17
LONGEST_REMEMBERED: Final = 32
"""Characters of a word that is remembered, so that what is remembered is bounded in bytes too."""

_LISTS: Final = word_lists("names.tsv")
NEVER: Final = _LISTS["never"]
"""Words of other languages that are rare names."""
SHORTS: Final = _LISTS["short"]
"""Titles cut short that are other words as often."""
ADDRESSES: Final = _LISTS["addressed"]
"""Those of the list `name-trades` by which somebody is addressed."""
SOUGHT: Final = _LISTS["sought"]
"""Those that are looked for by town: a surname alone behind one is none. They tell of private persons all the same."""
NOUN_ENDS: Final = tuple(sorted(_LISTS["noun-end"]))
"""How words of other languages end that are nouns, of which no base holds all: "arbeidsrecht"."""
HEIRS: Final = word_set("jr sr ii iii iv")
SUFFIXES: Final = word_set("esq esquire md phd dds dmd dvm cpa rn lpn jd mba med dent")
PARTICLES: Final = word_set(
    "de del della di da dos das du des do la las le los der den ter ten zu zum el al bin bint ibn "
    "ben abu san st mac mc af av lo dello degli dei dalla dal op aan freiherr freifrau grafin"
)
ELIDED: Final = word_set("dell dall")
"""What stands before an apostrophe of an Italian surname: "dell'orto"."""
FREQUENT: Final = word_set("zhang xu feng zeng ryu")
"""Surnames of tens of millions of people, which have the references of words that are no names."""
SYLLABLES: Final = word_set(
    "hua jun hyun seung ji jin joon woo hoon eun hee soo kyung sung min wei ming ling ping qing ying xin yun fang fei "
    "hui jie jing juan lan lei li mei ning qiang rong shu ting wen xia xiang xiao xiu xue yi yong yu yuan yue zhen zhi "
    "chao cheng dong hao jian kai liang lin peng tao yan yang hye hyung jae jeong jung ju kyu mi myung seo seok sik su "
    "won yeon yoo yoon ho"
)
"""Syllables of given names in China and Korea, of which two stand behind a surname."""
MIDDLES: Final = frozenset({"thi"})
VANS: Final = word_set("van von vom vander vanden")
ANDS: Final = word_set("and & + or vs versus / und et en y")
JOININGS: Final = word_set("e")
NICK: Final = sign(NONE, NONE, NICKNAME)
ORDINARY: Final = sign(NONE, NONE, PLAIN)
WHOLE: Final = sign(NONE, NONE, UNSPACED)
CORE: Final = frozenset({HONORIFIC, TITLE, TRADE, ADDRESSED, SYLLABLE, MIDDLE})
"""What else than a given name makes a name everywhere: no shape that counts without a proof is without one of these."""
CORE_WORDS: Final = SYLLABLES | MIDDLES
"""Such words that are no knowledge base's."""
FIGURES: Final = frozenset("0123456789")
_SPLIT: Final = expression(r"['-]")
_SPLIT_NAME: Final = expression(r"[a-z]+(?:['-][a-z]+)+")
_NAMED: Final = FIRST_NAME | SURNAME
_NO_STRANGER: Final = FLAGS & ~(COMMON | _NAMED)
"""A word with one of these tags is known too well for the rare part of a name."""
_OTHER_WORDS: Final = COMMON | STOP | STATE | PLACE


class Vocabulary(BoundedCache[str]):
    """The sign of every word's roles (shapes.py), worked out when first asked for."""

    def __init__(self, knowledge: Knowledge) -> None:
        super().__init__(MAX_REMEMBERED, LONGEST_REMEMBERED)
        self._knowledge = knowledge
        words = knowledge.words
        self._private = words("name-private") | words("name-cues") | words("name-trades")
        self._given_sure, self._given_possible = words("given-sure"), words("given-possible")
        self._family_sure = words("family-sure")
        self._listed_family = dict.fromkeys(words("family-possible"), POSSIBLE) | dict.fromkeys(
            self._family_sure | FREQUENT, SURE
        )
        self._others: dict[str, int] = {}
        """What else the words are that can only be one thing; the last of these that has a word counts."""
        for kind, such in (
            (AND, ANDS),
            (VAN, VANS),
            (MIDDLE, MIDDLES),
            (SYLLABLE, SYLLABLES),
            (PARTICLE, PARTICLES),
            (SUFFIX, SUFFIXES),
            (HEIR, HEIRS),
            (SHORT, SHORTS),
            (TITLE, words("name-titles")),
            (TRADE, words("name-trades") - SOUGHT),
            (ADDRESSED, words("name-trades") & ADDRESSES),
            (HONORIFIC, words("name-honorifics")),
        ):
            self._others.update(dict.fromkeys(such, kind))

        self._cores = frozenset(word for word, kind in self._others.items() if kind in CORE)
        self._cores |= words("name-cues") | words("name-weddings") | words("name-trades")
        self._asking = words("name-asking")

    def speak(self, words: Sequence[str]) -> bool:
        """Return whether words may hold a name: without one of these no shape counts.

        They are a given name, a word of `CORE`, a whole name, a word that asks for a person or tells of a wedding, and
        an initial beside a word of private persons.
        """
        if not self._cores.isdisjoint(words) or " ".join(words[:2]) in self._asking:
            return True
        initials = False
        for word in words:
            tags = self._knowledge[word].tags
            size = len(word)
            if tags & FIRST_NAME or (size >= MIN_UNSPACED and not tags & _NO_STRANGER and self[word] == WHOLE):
                return True
            initials = initials or size == 1
        return initials and not self._private.isdisjoint(words)

    def __missing__(self, word: str) -> str:
        term = self._knowledge[word]
        ordinary = word in NEVER or (not term.tags & _NAMED and self._is_ordinary(word, term))
        roles = ORDINARY if ordinary else self._roles(word, term)
        self.keep(word, roles)
        return roles

    def _is_ordinary(self, word: str, term: Term) -> bool:
        """Return whether no list, sign or ending speaks of a name: true of most words, which need no closer look.

        The word has no tag of a name. It can be the rare part of one only where few documents hold it.
        """
        size = len(word)
        if size == 1 or word in self._others or word in self._listed_family or _small_town(term):
            return False
        if word[-1] == "s" and word[:-1] in self._family_sure:
            return False
        if not word.isalpha():
            return word[-1] in FIGURES or not ("'" in word or "-" in word)
        many = RARE_REFERENCES if term.tags & COMMON else UNKNOWN_REFERENCES
        return size <= 3 or term.tags & _NO_STRANGER > 0 or term.references >= many

    def _roles(self, word: str, term: Term) -> str:
        # Without the tag the detector's gate would not open for the word.
        given = self._given(word, term) if term.tags & FIRST_NAME else NONE
        family = self._family(word, term)
        return sign(given, family, self._other(word, term, named=family > NONE or given in (POSSIBLE, LISTED)))

    def _given(self, word: str, term: Term) -> int:
        if word in self._given_sure:
            return LISTED
        if word in self._given_possible:
            return POSSIBLE
        return FAINT if term.tags & _OTHER_WORDS or term.references >= COMMON_REFERENCES else SURE

    def _family(self, word: str, term: Term) -> int:
        listed = self._listed_family.get(word)
        if listed is not None:
            return listed
        if not word.isalpha() and _SPLIT_NAME.fullmatch(word):
            return self._double(_SPLIT.split(word))
        if _small_town(term) and word not in self._private:
            return FAINT  # "maria villavicencio": as many are called after a town
        if not term.tags & SURNAME or term.tags & STOP or word in self._private:
            plural = bool(term.tags) and word[-1:] == "s" and word[:-1] in self._family_sure
            return FAINT if plural else NONE  # "jennifer browns phone"
        return FAINT if term.tags & _OTHER_WORDS or term.references >= COMMON_REFERENCES else SURE

    def _double(self, parts: list[str]) -> int:
        """Return how sure a surname of several parts is: "smith-jones", "o'brien"."""
        if len(parts[0]) == 1 or parts[0] in ELIDED:
            return SURE if len(parts[1]) > 3 else NONE
        return max(self._family(part, self._knowledge[part]) for part in parts) if len(parts) == 2 else NONE

    def _other(self, word: str, term: Term, *, named: bool) -> int:
        if len(word) == 1:
            if word in ANDS or not word.isalpha():
                return AND if word in ANDS else PLAIN
            return JOINING if word in JOININGS else INITIAL
        kind = self._others.get(word)
        if kind is not None:
            return kind
        return PLAIN if named else self._strange(word, term)

    def _strange(self, word: str, term: Term) -> int:
        if word in self._private or len(word) <= 3 or not _is_rare(term) or not word.isalpha():
            return PLAIN
        if self.is_whole(word, term):
            return UNSPACED
        known = term.tags or term.references or term.weights or word.endswith(NOUN_ENDS)
        return UNKNOWN if known else STRANGER

    def is_whole(self, word: str, term: Term) -> bool:
        """Return whether a word may be a whole name: "jennifermartinez". It is one if it can be nothing else.

        A word of a dictionary is something else ("mikroskop"), and one that many documents hold ("resizable").
        service/native/src/classify/unspaced.rs says the same.
        """
        if not (MIN_UNSPACED <= len(word) <= LONGEST_REMEMBERED and word.isalpha()):
            return False
        if term.tags & COMMON or term.references >= RARE_REFERENCES or not _is_rare(term):
            return False
        given = self._given_sure
        for at in range(HALF, len(word) - HALF):
            if word[:at] in given and self._family(word[at:], self._knowledge[word[at:]]) == SURE:
                return True
        return False


def _is_rare(term: Term) -> bool:
    """Return whether few know a word, and no other sense of it."""
    tags = term.tags & FLAGS & ~FIRST_NAME
    most = RARE_REFERENCES if tags == COMMON else UNKNOWN_REFERENCES if not tags else 0
    return term.references < most and term.category < 0 and not term.recommendation


def _small_town(term: Term) -> bool:
    """Return whether a word is a town's name and nothing else, and few documents hold it."""
    return term.tags & (CITY | SURNAME | _OTHER_WORDS) == CITY and term.references < UNKNOWN_REFERENCES


def signs(vocabulary: Vocabulary, parts: Parts) -> str:
    """Return the signs of words with what stands after them, one character a word."""
    roles = map(vocabulary.__getitem__, parts.words)
    if parts.nickname < 0 and not any(parts.after):
        return "".join(roles)
    found = [followed(one, after) if after else one for one, after in zip(roles, parts.after, strict=True)]
    if parts.nickname >= 0:
        found[parts.nickname] = NICK
    return "".join(found)
