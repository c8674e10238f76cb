"""Licence plates: up to three short groups of letters and digits beside a word for plate."""

from typing import Final

from querymix.core.identifiers.numbers import only_digits
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.recognizers.context import FILLERS, YEAR
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

PLATE_WORDS: Final = word_set("plate plates tag tags")
PLATE_STOP: Final = word_set("the is my on in tx ca ny fl for of and car tag no id")


def find(query: QueryText, finds: Findings) -> None:
    """Add plates: up to three short groups of letters and digits beside a word for plate."""
    words = query.words
    size = len(words)
    for at, word in enumerate(words):
        if word not in PLATE_WORDS:
            continue
        first = at + 1
        while first < size and first < at + 4 and words[first] in FILLERS:
            first += 1
        last = first
        while last < size and last < first + 3 and plate_group(words, last):
            last += 1
        if not plate(finds, query, first, last):
            last = at - (1 if at and words[at - 1] in ("license", "licence", "number") else 0)
            first = last
            while first > 0 and first > last - 3 and plate_group(words, first - 1):
                first -= 1
            plate(finds, query, first, last)


def plate_group(words: list[str], at: int) -> bool:
    """Return whether the token can be part of a plate: short, with a digit or beside one that has."""
    word = words[at]
    if not only_digits(word):
        beside = "".join(words[max(0, at - 1) : at + 2])
        return len(word) <= 3 and word.isalpha() and word not in PLATE_STOP and bool(only_digits(beside))
    return len(word) <= 9 and all(char.isalnum() or char == "-" for char in word)


def plate(finds: Findings, query: QueryText, first: int, last: int) -> bool:
    """Add tokens `first` to `last` (not included) if together they make a plate; return whether they do."""
    code = "".join(query.words[first:last])
    letters = sum(char.isalpha() for char in code)
    digits = len(only_digits(code))
    if not (4 <= len(code) <= 10 and digits >= 1 and (letters >= 1 or digits >= 4)) or YEAR.fullmatch(code):
        return False
    finds.append(Identifier("plate", *query.span(first, last - 1)))
    return True


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=1, words=PLATE_WORDS)
