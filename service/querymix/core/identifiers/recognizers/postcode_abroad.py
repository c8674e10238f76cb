"""Postcodes of figures outside the USA, with the town beside them.

Example: "plz 10115", "75011 paris", "d-80331", "cep 01310-100", "4000-123 porto".

Rules:
- After "PLZ", "code postal" and the like four or five figures are a postcode; after "CAP" and "CP" no year is one.
  So are those right before such a word.
- Beside a town of their country five figures are one, before it also four (years are none). The town goes with them.
- Germany's and France's sign and a dash make five figures one ("D-10115"); other countries' signs do so beside a town,
  alone, or beside what is looked for near by ("wetter A-1010").
- Portugal's four and three figures and Brazil's five and three need a town, a word, what is looked for near by, or
  to be the whole query: numbers of parts have the form too.

Source: the Universal Postal Union's addressing systems of the countries.
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import of_a_thing
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.recognizers.context import FILLERS
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.spellings import mistyped, spellings
from querymix.core.identifiers.tables import word_lists
from querymix.core.identifiers.tokens import QueryText

_LISTS: Final = word_lists("postcodes.tsv")


def _phrases(*names: str) -> frozenset[str]:
    """Return the spellings of the words of lists, with spaces where the table has dots."""
    words = frozenset[str]().union(*(_LISTS[name] for name in names))
    return frozenset(spelling for word in words for spelling in spellings(word.replace(".", " ")))


def _first(phrases: frozenset[str]) -> frozenset[str]:
    """Return the first words of phrases, by which a query is known that may hold one."""
    return frozenset(phrase.split()[0] for phrase in phrases)


SAID: Final = mistyped(_phrases("said"))
WEAK: Final = _phrases("weak") | {"c.p", "c.a.p"}
BETWEEN: Final = FILLERS | _phrases("between")
NEAR: Final = _phrases("near")
FIVE: Final = _phrases("five")
FOUR: Final = _phrases("four")
DASHED: Final = _phrases("dashed")
SAID_WORDS: Final = frozenset(word for phrase in SAID | WEAK for word in phrase.split()[-1:])
PHRASED: Final = frozenset(word for phrase in SAID | WEAK for word in phrase.split()[:-1]) - SAID_WORDS
"""How such phrases begin."""
CAPPED: Final = word_set("salary market price debt wage spending bottle rate")
"""What has an English cap."""
ENGLISH: Final = word_set(
    "nice tours nancy leon orleans como pau latina santos natal rio mons halle valence reus palma"
)
"""Towns whose names are other words, too, or names: of those the code stands before."""
LONGEST: Final = 4
"""Words of a town's name."""
FIGURES: Final = expression(r"[0-9]{4,5}|[0-9]{5}-[0-9]{3}|[0-9]{8}|[1-9][0-9]{3}-[0-9]{3}")
YEAR: Final = expression(r"19[0-9]{2}|20(?:0[1-9]|[1-3][0-9])")
OLD: Final = expression(r"1[3-9][0-9]{2}|20[0-9]{2}")
"""What is a year behind a town's name: "basel 1356"."""
SIGNED: Final = expression(
    r"(?<![\w.$/-])(?:(?P<sure>(?:de?|fr?)-[0-9]{5})|(?:it?|es?)-[0-9]{5}|(?:a|at|ch|be?|lu?|fl)-[1-9][0-9]{3})(?![\w/-]|[.,][0-9])"
)
DASHES: Final = expression(r"(?<![\w.$/-])(?:[1-9][0-9]{3}|[0-9]{5})-[0-9]{3}(?![\w/-]|[.,][0-9])")
"""Portugal's and Brazil's."""


def said(query: QueryText, finds: Findings) -> None:
    """Add postcodes behind, or right before, a word that says so."""
    words = query.words
    for at, word in enumerate(words):
        if word in SAID_WORDS and not (at and words[at - 1] in CAPPED):
            weak = word in WEAK
            code = at + 1
            while code < len(words) and code < at + 6 and words[code] in BETWEEN:
                code += 1
            if code >= len(words) or not FIGURES.fullmatch(words[code]):
                code = at - 1
                while code > 0 and words[code] in PHRASED:
                    code -= 1
                if code < 0 or not FIGURES.fullmatch(words[code]) or (weak and at + 1 < len(words)):
                    continue
            if not (weak and _amount(words[code])):
                after = _town(words, code + 1, FIVE | FOUR | DASHED) if code > at else 0
                finds.append(Identifier("zip", *query.span(code, code + after)))


def _amount(word: str) -> bool:
    """Return whether figures may be a year or a round number."""
    return YEAR.fullmatch(word) is not None or word.endswith("000")


def beside_town(query: QueryText, finds: Findings) -> None:
    """Add five figures beside a town."""
    words = query.words
    for at, word in enumerate(words):
        if len(word) == len("10115") and word.isdigit() and not word.endswith("0000"):
            before, after = _town_before(words, at, FIVE), _town(words, at + 1, FIVE)
            if (before or after) and not of_a_thing(query.text, *query.span(at, at)):
                finds.append(Identifier("zip", *query.span(at - before, at + after)))


def beside_small_town(query: QueryText, finds: Findings) -> None:
    """Add four figures beside a town of a country whose postcodes have so many."""
    words = query.words
    for at, word in enumerate(words):
        if len(word) == len("1010") and word.isdigit() and word[0] != "0":
            after = 0 if YEAR.fullmatch(word) else _town(words, at + 1, FOUR)
            before = 0 if OLD.fullmatch(word) or word.endswith("00") else _town_before(words, at, FOUR)
            if (before or after) and not of_a_thing(query.text, *query.span(at, at)):
                finds.append(Identifier("zip", *query.span(at - before, at + after)))


def _town(words: list[str], at: int, towns: frozenset[str]) -> int:
    """Return how many words from token `at` on are a town's name."""
    return next(
        (size for size in range(min(LONGEST, len(words) - at), 0, -1) if " ".join(words[at : at + size]) in towns), 0
    )


def _town_before(words: list[str], at: int, towns: frozenset[str]) -> int:
    """Return how many words right before token `at` are a town's name, and no English word."""
    if at and words[at - 1] in ENGLISH:
        return 0
    return next((size for size in range(min(LONGEST, at), 0, -1) if " ".join(words[at - size : at]) in towns), 0)


def dashed(query: QueryText, finds: Findings) -> None:
    """Add postcodes with a dash."""
    text = query.spaced
    whole = text.strip()
    for match in SIGNED.finditer(text):
        if match["sure"] or match[0] == whole or query.says(NEAR) or _before_town(text, match.end(), FOUR):
            finds.append(Identifier("zip", match.start(), match.end() + _before_town(text, match.end(), FIVE | FOUR)))
    for match in DASHES.finditer(text):
        town = _before_town(text, match.end(), DASHED)
        alone = match[0] == whole and not YEAR.match(whole)
        if town or alone or query.says(NEAR) or not DASHED.isdisjoint(query.words):
            finds.append(Identifier("zip", match.start(), match.end() + town))


def _before_town(text: str, at: int, towns: frozenset[str]) -> int:
    """Return how many characters from `at` on go to the end of a town's name that follows, 0 where none does."""
    words = text[at:].replace(",", " ").split()[:LONGEST]
    size = _town(words, 0, towns)
    if not size:
        return 0
    last = words[size - 1]
    return text.index(last, text.index(words[0], at) if size == 1 else at) + len(last) - at


BEHIND_A_WORD: Final[Recognizer] = Recognizer(said, digits=4, words=SAID_WORDS)
BESIDE_TOWNS: Final[Recognizer] = Recognizer(beside_town, digits=5, words=_first(FIVE))
BESIDE_SMALL_TOWNS: Final[Recognizer] = Recognizer(beside_small_town, digits=4, words=_first(FOUR))
DASHED_ONES: Final[Recognizer] = Recognizer(dashed, digits=4, marks="-")
