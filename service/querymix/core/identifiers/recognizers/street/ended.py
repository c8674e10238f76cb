"""Streets whose name ends as streets' names do: "Lindenweg 3", "Karl-Marx-Allee 34", "an der alten Mühle 3".

Rules:
- A word that ends so surely, or so behind a usual beginning ("Lindenhof"), is a street; what else ends so needs more.
- A word of its own that ends a name takes the word before along; titles, initials and given names before go with both.
- Behind "am", "an der", "op de" and the like, or an adjective ("Lange Voorhout"), a place's word is a street.
"""

from collections.abc import Sequence
from typing import Final

from querymix.core.identifiers.recognizers.street.begun import NO_NAME
from querymix.core.identifiers.recognizers.street.judging import (
    LIVES,
    MUCH,
    NEVER,
    NOTHING,
    SOME,
    judged,
    lived_in,
)
from querymix.core.identifiers.recognizers.street.parts import JOIN, LISTS, NUMBER_WORDS, tags_of
from querymix.core.identifiers.spans import word_set
from querymix.core.identifiers.tokens import QueryText
from querymix.core.knowledge import CITY, COMMON, FAMOUS, FIRST_NAME, STOP, SURNAME, Knowledge

_ENDS: Final[frozenset[str]] = LISTS["end"]
_ENDING: Final = tuple(sorted(_ENDS))
_MAYBE_ENDING: Final = tuple(sorted(LISTS["maybe-end"], key=len, reverse=True))
ENDINGS: Final = (*_ENDING, *_MAYBE_ENDING)
_NO_COMPOUND: Final[frozenset[str]] = LISTS["no-compound"]
_STEMS: Final[frozenset[str]] = LISTS["stem"]
_LEAD: Final[frozenset[str]] = LISTS["lead"]
_LEAD_TWO: Final[frozenset[str]] = LISTS["lead-two"]
_ARTICLES: Final[frozenset[str]] = LISTS["article"]
_OLD_NEW: Final[frozenset[str]] = LISTS["old-new"]
_PLACES: Final[frozenset[str]] = LISTS["place-noun"]
_TITLES: Final[frozenset[str]] = LISTS["title"]
BEFORE_NUMBERS: Final = NUMBER_WORDS | _PLACES
_PLACE_ON_PLACE: Final = word_set("weg platz plein singel allee laan dreef kade gracht steeg")
"""Words that end streets' names and are no word of streets alone."""
_BEHIND_NAMES: Final = word_set("ring hof pad baan park boulevard plantsoen lei")
"""Endings of streets' names behind a given name, as in "Jenniferpad"."""
_BEHIND_ER: Final = word_set(
    "anlage anlagen wall tor damm ufer berg markt graben hohe hoehe landstrasse landstr hauptstrasse hauptstr"
)
"""Behind an adjective of a place: "Eschenheimer Anlage", "Neuer Wall", "Tegernseer Landstr."."""
_BEHIND_UNKNOWN: Final = word_set("damm dijk brink akker akkers burgwal twiete wiese halde")
"""Those that make a street's name of a word that is not known, where nothing else stands beside."""
_BEHIND_ANY: Final = (
    _BEHIND_NAMES
    | _BEHIND_UNKNOWN
    | word_set("anlage zijde steig stieg garten wiese siedlung kamp brink erf akker hoek dijk")
)
"""Those that make a street's name of a word that is not known, where what follows a house number stands there."""
LONG_ALONE: Final = 6
"""Letters of a word that is a street's name without another one: "Singel 14", not "Platz 1"."""
_NAMED: Final = FIRST_NAME | SURNAME


def possible(words: Sequence[str], begins: str = "0123456789") -> bool:
    """Return whether a house number may stand in a query behind a word that ends as streets' names do.

    It begins with one of the characters `begins`.
    """
    before = ""
    for word in words:
        if word[0] in begins and (before in BEFORE_NUMBERS or before.endswith(ENDINGS)):
            return True
        before = word
    return False


def ended(query: QueryText, at: int, begin: int) -> tuple[int, int]:
    """Return where the address whose house number is at `at` begins, and the place after it; 0, 0 if it is none."""
    words = query.words
    last = at - 1 - (words[at - 1] in NUMBER_WORDS)
    if last < begin:
        return 0, 0
    word = words[last]
    start, need = _led(words, last, begin), NOTHING
    if start >= 0:
        after = judged(query, start, last, at, need)
        return (start, after) if after > at + 1 or after == len(words) or lived_in(query, start) else (0, 0)
    if word in _ENDS:
        start, need = _apart(query, last, begin)
    elif word.endswith(ENDINGS):
        need = _compound(query.knowledge, word)
        start = _name_begins(query, last, begin)
    if start >= 0 and need < NEVER and lived_in(query, start):
        need = NOTHING
    after = judged(query, start, last, at, need) if start >= 0 and need < NEVER else 0
    return (start, after) if after else (0, 0)


def _apart(query: QueryText, last: int, begin: int) -> tuple[int, int]:
    """Return where a name begins whose last word ends streets' names, -1 if nowhere, and what it needs beside it."""
    words = query.words
    before = words[last - 1] if last > begin else ""
    named = len(before) > 1 and before.replace("-", "").isalpha() and before not in NO_NAME and before not in JOIN
    stop = before not in _OLD_NEW and query.knowledge[before].tags & STOP
    if not named or before in _LEAD or before in _LEAD_TWO or before in LIVES or stop:
        return (last, MUCH) if len(words[last]) >= LONG_ALONE else (-1, NEVER)
    adjective = before in _OLD_NEW or before in _STEMS or (before.endswith("er") and len(before) > 5)
    need = NOTHING if adjective or words[last] not in _PLACE_ON_PLACE else MUCH
    if need == MUCH and tags_of(query.knowledge, before) & (_NAMED | COMMON) in (FIRST_NAME, SURNAME, _NAMED):
        need = SOME
    return _name_begins(query, last - 1, begin), need


def _compound(knowledge: Knowledge, word: str) -> int:
    """Return what one word needs beside it to be a street's name by how it ends: `NOTHING`, `MUCH`, or `NEVER` is."""
    tags = tags_of(knowledge, word)
    if word in _NO_COMPOUND or tags & (CITY | COMMON | FAMOUS) or not word[0].isalpha():
        return NEVER
    for ending in _ENDING:
        if word.endswith(ending) and len(word) > len(ending) + 1 + (len(ending) < 5):
            return NOTHING if ending != "gasse" or len(word) > 8 or word[:-5] in _STEMS else NEVER
    if tags & _NAMED:
        return NEVER
    for ending in _MAYBE_ENDING:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)].rstrip("-")
            links = [stem[: -len(link)] for link in ("s", "n", "en", "er", "es") if stem.endswith(link)]
            if "-" in stem or not _STEMS.isdisjoint((stem, *links)):
                return NOTHING
            return _behind_stem(knowledge, stem, ending)
    return NEVER


def _behind_stem(knowledge: Knowledge, stem: str, ending: str) -> int:
    """Return what a word needs beside it that ends as some streets' names do, behind no usual stem."""
    named = tags_of(knowledge, stem) & (FIRST_NAME | COMMON) == FIRST_NAME
    if ending == "ring" and stem[-1] in "aeiou" and not named:
        return NEVER  # "regering", "aflevering"
    if ending not in _BEHIND_ANY:
        return NEVER
    if ending == "baan" and stem.endswith("se") and knowledge[stem[:-2]].tags & CITY:
        return NOTHING  # "turnhoutsebaan"
    longer = (1 + (stem[-1] in "aeiou")) * (ending == "ring")
    if named and len(stem) > 2 + longer and ending in _BEHIND_NAMES:
        return NOTHING
    return SOME if ending in _BEHIND_UNKNOWN and len(stem) > 3 else MUCH


def _led(words: list[str], last: int, begin: int) -> int:
    """Return where a name such as "an der alten Mühle" begins whose last word is at `last`, or -1."""
    if words[last] not in _PLACES and not words[last].endswith(ENDINGS):
        return -1
    place = last
    while place > begin and words[place - 1] in _OLD_NEW:
        place -= 1
    before = words[place - 1] if place > begin else ""
    if place == last and before.endswith("er") and len(before) > 4 and words[last] in _BEHIND_ER:
        return place - 1
    if before in _LEAD or (before == "het" and words[last] in _PLACES):
        return place - 1
    if before in _ARTICLES and place - 2 >= begin and words[place - 2] in _LEAD_TWO:
        return place - 2
    return place if place < last and words[last] in _PLACES else -1


def _name_begins(query: QueryText, first: int, begin: int) -> int:
    """Return where a name begins of which the last words begin at `first`: "burgemeester de Vlugtlaan"."""
    words, knowledge = query.words, query.knowledge
    place = first
    while place > max(begin, first - 4):
        before = words[place - 1]
        named = knowledge[before].tags & (FIRST_NAME | COMMON | CITY | STOP) == FIRST_NAME
        town = words[place].startswith("haupt") and before.endswith("er") and len(before) > 5  # "Landstrasser ..."
        if not (before in _TITLES or before in _OLD_NEW or _initials(before) or named or town):
            break
        place -= 1
    return place


def _initials(word: str) -> bool:
    """Return whether a token is one letter, or letters with dots."""
    return all(len(part) == 1 and part.isalpha() for part in word.split("."))
