"""Plates of cars.

Rules:
- Beside "plate" or "tag": up to three short groups of letters and digits.
- Right beside such a word of six other languages, before or behind it: what has the form of a plate in one of their
  countries. Long words count with a slip, too ("kenzeichen").
- In a query with a word for cars, their owners or fines: the forms in force in Spain, France, Italy, Portugal, the
  Netherlands, Belgium, Switzerland and Brazil. Models and parts have such forms too, so that they are none without it.
- Alone: Germany's with a district that there is ("m-xy 123"), France's with its dashes, India's with a state.

Source: the countries' registers, as their laws and offices describe the forms.
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import only_digits
from querymix.core.identifiers.recognizers.base import Recognizer, by_form
from querymix.core.identifiers.recognizers.context import FILLERS, YEAR
from querymix.core.identifiers.shared import of_a_product
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.spellings import mistyped, spelled
from querymix.core.identifiers.tables import word_lists
from querymix.core.identifiers.tokens import ELIDED, QueryText

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


def _separated(*groups: str) -> str:
    """Return the form of groups that a space, a dash or nothing parts."""
    return "[ -]?".join(groups)


_WORDS: Final = {name: spelled(" ".join(words)) for name, words in word_lists("plates.tsv").items()}
SAID_WORDS: Final = mistyped(_WORDS["said"])
IBERIAN_WORDS: Final = _WORDS["iberian"] | SAID_WORDS
CAR_WORDS: Final = _WORDS["car"] | IBERIAN_WORDS
BETWEEN: Final = _WORDS["car"] | _WORDS["iberian"] | _WORDS["between"]
OTHER_WORDS: Final = _WORDS["other"]
DISTRICTS: Final = _WORDS["german"]
CANTONS: Final = "ag|ai|ar|be|bl|bs|fr|ge|gl|gr|ju|lu|ne|nw|ow|sg|sh|so|sz|tg|ti|ur|vd|vs|zg|zh"
BORDERS: Final = r"(?<![\w.$/-])(?:{})(?![\w-]|[.,][0-9])"
_TWO: Final = "[a-z]{2}"


def _three_groups(gap: str) -> str:
    """Return the form of six letters and digits in three groups of one kind each, with the same `gap` between them."""
    group = r"(?:[a-z]{1,3}|\d{1,3})"
    mixed = r"(?=[\d -]{0,7}[a-z])(?=[a-z -]{0,7}\d)(?=[a-z\d -]{8}(?![\w]))"
    return rf"{mixed}{group}(?P<gap>{gap}){group}(?P=gap){group}"


FORMS: Final = expression(
    BORDERS.format(
        "|".join((
            r"[a-z]{1,3}[ -]{1,2}[a-z]{1,2}[ -]?\d{1,4}[eh]?", r"[a-z]{3,5}\d{3,4}[eh]?",  # Germany
            rf"(?:{CANTONS})[ -]?(?:\d{{1,3}}[ .']\d{{3}}|\d{{3,6}})", r"[a-z]{1,2}[ -]\d{1,6}[ -]?[a-z]{1,3}",  # both
            _separated(_TWO, r"\d{3}", _TWO),  # France, Italy, Argentina
            _separated(r"\d{1,4}", "[a-z]{2,3}", r"(?:\d{2,3}|2[ab])"),  # France before 2009
            _separated("[1-9]", "[a-z]{3}", r"\d{3}"), _separated("[a-z]{3}", r"\d{3}", "[a-z]?"),  # Belgium, Mexico
            _separated(r"\d{4}", "[b-df-hj-np-tv-z]{3}"), _separated("[a-z]{1,2}", r"\d{4}", "[a-z]{1,2}"),  # Spain
            _separated("(?:roma|[a-z]{2})", r"[a-z\d][a-z\d]\d{4}"), r"roma ?(?:[a-z]\d{5}|\d{5}[a-z\d])",  # Italy
            _separated("[a-z]{3}", r"\d[a-z\d]\d\d"), r"[a-z]{3}[ -]\d\d[ -]\d\d",  # Brazil, Mexico
            r"[a-z]\d\d[a-z]{3}", r"[a-z]{2} ?\d{5}", r"[a-z]\d[a-z]{4}",  # Mexico City, Italy's motorcycles
            _separated("[a-z]{4}", r"\d\d"), _separated(_TWO, r"\d{4}"),  # Chile
            _separated(_TWO, r"\d\d", "[a-z]{2,3}"), _separated(_TWO, r"\d{1,2}", "[a-z]{1,3}", r"\d{4}"),  # UK, India
            _three_groups("[ -]"), r"\d\d[a-z]{3}\d", r"[a-z]{2}\d{3}[a-z]",  # the Netherlands, Portugal
        ))
    )
)  # fmt: skip
"""What plates look like, beside a word for them."""
STRICT: Final = expression(
    BORDERS.format(
        rf"[a-hj-np-tv-z]{{2}}[ -]?\d{{3}}[ -]?[a-hj-np-tv-z]{{2}}|{_three_groups('-')}|[1-9]-[a-z]{{3}}-\d{{3}}"
        rf"|(?:{CANTONS})[ -]?(?!\d{{1,3}}000|\d{{3}}[ .']000|\d{{3,4}}00)(?:\d{{5,6}}|\d{{3}}[ .']\d{{3}})"
    )
)
"""The forms in force in France, Italy, Portugal, the Netherlands, Belgium and Switzerland."""
IBERIAN: Final = expression(
    BORDERS.format(r"(?!\d{4} ?rpm|\d{3}0 )\d{4}[ -]?[b-df-hj-np-tv-z]{3}|[a-z]{3}-?\d[a-z\d]\d\d")
)
"""Those in force in Spain and Brazil, which engines and models have too."""
GERMAN: Final = expression(BORDERS.format(r"([a-z]{1,3})-[a-z]{1,2}[ -]?(\d{2,4})[eh]?"))
FRENCH: Final = expression(BORDERS.format(r"[a-hj-np-tv-z]{2}-\d{3}-[a-hj-np-tv-z]{2}"))
INDIAN: Final = expression(BORDERS.format(rf"(?:{'|'.join(sorted(_WORDS['indian']))})\d{{1,2}}[a-z]{{1,3}}\d{{4}}"))
OF_A_YEAR: Final = expression(r"[a-z]{1,5}[ -]?(?:19[5-9]|20[0-3])\d")
RECENT: Final = expression(r"(?:19[5-9]|20[0-3])\d")
NO_PLATES: Final = ("a-ha", "e-nv", "j-lo")
"""A band, a car and a singer."""
THREE: Final = 3
TOKEN: Final = re.compile(r"[^\s,;:=!?\"()]{1,40}")
NEAR: Final = 48
"""Characters before a plate in which its word is looked for."""


def said(query: QueryText, finds: Findings) -> None:
    """Add what has the form of a plate right beside a word for plates in another language."""
    text = query.spaced
    at = 0
    while match := FORMS.search(text, at):
        at = match.end()
        first = match[0].split()[0]
        if first != match[0] and first in FILLERS and (later := FORMS.match(text, match.start() + len(first) + 1)):
            match, at = later, later.end()  # "es" of "la matricula es 1234 bcd"
        code = match[0]
        other = OF_A_YEAR.fullmatch(code) or not OTHER_WORDS.isdisjoint(code.split())
        if not (other or SAID_WORDS.isdisjoint(_beside(text, *match.span()))):
            finds.append(Identifier("plate", *match.span()))


def _beside(text: str, start: int, end: int) -> list[str]:
    """Return the words before and behind a plate that can say what it is."""
    before = [word.strip(".-") for word in TOKEN.findall(text, max(0, start - NEAR), start)]
    while before and (before[-1] in FILLERS or before[-1] in BETWEEN or not before[-1]):
        before.pop()
    if len(before) > 1 and before[-1].isalpha() and before[-1] not in SAID_WORDS | OTHER_WORDS:
        before.pop()  # a country or a kind of car: "placa colombia abc123"
    behind = [ELIDED.sub("", word).strip(".-") for word in TOKEN.findall(text, end, end + NEAR)]
    while behind and (behind[0] in FILLERS or behind[0] in BETWEEN or not behind[0]):
        behind.pop(0)
    return [ELIDED.sub("", word) for word in before[-1:]] + behind[:1]


def of_cars(query: QueryText, finds: Findings) -> None:
    """Add plates in force, beside a word for cars."""
    text = query.spaced
    for pattern, words in ((STRICT, CAR_WORDS), (IBERIAN, IBERIAN_WORDS)):
        for match in pattern.finditer(text) if query.says(words) else ():
            if not (RECENT.match(match[0]) or OF_A_YEAR.fullmatch(match[0]) or of_a_product(text, *match.span())):
                finds.append(Identifier("plate", *match.span()))


def bare(query: QueryText, finds: Findings) -> None:
    """Add German and French plates, which their form gives away."""
    text = query.spaced
    for match in GERMAN.finditer(text):
        telling = len(match[2]) >= THREE or match[0] == text.strip()
        if telling and match[1] in DISTRICTS and not RECENT.fullmatch(match[2]) and not match[0].startswith(NO_PLATES):
            finds.append(Identifier("plate", *match.span()))
    for match in FRENCH.finditer(text):
        if not of_a_product(text, *match.span()):
            finds.append(Identifier("plate", *match.span()))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=1, words=PLATE_WORDS)
SAID: Final[Recognizer] = Recognizer(said, digits=1, words=SAID_WORDS)
OF_CARS: Final[Recognizer] = Recognizer(of_cars, digits=2, words=CAR_WORDS)
BARE: Final[Recognizer] = Recognizer(bare, digits=2, marks="-")
INDIAN_ONES: Final[Recognizer] = Recognizer(by_form("plate", INDIAN), digits=5, stretch=9)
