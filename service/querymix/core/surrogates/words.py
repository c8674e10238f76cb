"""Made-up addresses of e-mail and pages, accounts, dates and ages, in the form of those that they stand for.

Rules:
- An address of e-mail or of a page is under example.com, .net or .org, which are nobody's: a made-up one elsewhere
  could be somebody's. Its words and figures are drawn. No word that is drawn is one of the address or account that it
  stands for: two letters would be the same ones by chance in one of 180 addresses.
- An account is letters that can be spoken and figures; a short one has no substitute, since any is somebody's.
- A date is another day; its month's name, its order and its marks stay as they are written.
- A word that is not understood is never kept: then there is no substitute (None), and it is cut.

Source: RFC 2606 (reserved names).
"""

import re
from collections.abc import Sequence
from typing import Final

from querymix.core.draw import Draw
from querymix.core.identifiers.recognizers.photo import PHOTO
from querymix.core.identifiers.spans import word_set
from querymix.core.identifiers.spellings import spelled
from querymix.core.identifiers.tables import rows
from querymix.core.surrogates.forms import cased_like, digits, spoken, words_of

_ENDS: Final = ("com", "net", "org")
_AT: Final = r"(\s{0,9}(?:@|[(\[{<]\s{0,9}at\s{0,9}[)\]}>])\s{0,9}|\s{1,9}(?:at|arroba)\s{1,9})"
_DOT: Final = r"(\s{0,9}(?:\.|[(\[{<]\s{0,9}dot\s{0,9}[)\]}>])\s{0,9}|\s{1,9}dot\s{1,9})"
_MAIL: Final = re.compile(rf"(mailto:)?(.+?){_AT}(.+)", re.I | re.S)
_FIRST_DOT: Final = re.compile(_DOT, re.I)
_SPOKEN_DOT: Final = re.compile(r"(\bdot\b)", re.I)


def _reserved(draw: Draw) -> str:
    return _ENDS[draw.below(len(_ENDS))]


def email(draw: Draw, text: str) -> str | None:
    """Return an address of e-mail under a reserved name."""
    match = _MAIL.fullmatch(text)
    dot = _FIRST_DOT.search(match[4]) if match else None
    if match is None or dot is None:
        return None
    gone = words_of(text)
    local = "".join(
        part if part.lower() == "dot" else spoken(draw, part, gone) for part in _SPOKEN_DOT.split(match[2]) if part
    )
    host = cased_like(f"example{dot[1].lower()}{_reserved(draw)}", match[4])
    return f"{match[1] or ''}{local}{match[3]}{host}"


_URL: Final = re.compile(r"((?:https?|ftp)\s?:\s?/{1,2})?(www\.)?([^/?#\s:]+)(:[0-9]{1,5})?([/?#].*)?", re.I | re.S)
_PATH_WORDS: Final = word_set(
    "users user u people person profiles profile members member homepages personal faculty students student id uid in "
    "photos index html htm php aspx asp jsp"
)
_PATH_WORD: Final = re.compile(r"[A-Za-z]+|[0-9]+")


def url(draw: Draw, text: str) -> str | None:
    """Return the address of a page under a reserved name."""
    match = _URL.fullmatch(text)
    if match is None or "." not in match[3] or "@" in text:
        return None
    labels = match[3].split(".")
    under = len(labels) > 2 and not match[5]
    gone = words_of(text)
    host = f"{spoken(draw, labels[0], gone)}.example.{_reserved(draw)}" if under else f"example.{_reserved(draw)}"
    path = _PATH_WORD.sub(
        lambda one: one[0] if one[0].lower() in _PATH_WORDS else spoken(draw, one[0], gone), match[5] or ""
    )
    return f"{match[1] or ''}{match[2] or ''}{cased_like(host, match[3])}{match[4] or ''}{path}"


_SHORTEST: Final = 5


def username(draw: Draw, text: str) -> str | None:
    """Return an account's name that can be spoken; of short ones none."""
    begin = re.match(r"/?u/", text, re.I)
    name = text[begin.end() :] if begin else text
    if sum(map(str.isalnum, name)) < _SHORTEST:
        return None
    return (begin[0] if begin else "") + spoken(draw, name, words_of(name))


def photo(draw: Draw, text: str) -> str | None:
    """Return a camera's name of a picture with other figures; a name with other words has none."""
    return digits(draw, text) if PHOTO.fullmatch(text.lower()) else None


MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_SHORT: Final = tuple([name[:3] for name in MONTHS])
_FULL: Final = frozenset({*MONTHS, "febuary"}) - {"may"}
_ABROAD: Final = tuple(spelled(names) for kind, names in rows("dates.tsv") if kind == "month")
"""Months in each of the other languages, with short forms."""
_SHORTENED: Final = 4
"""Letters up to which a month's name counts as a short form."""
_PART: Final = re.compile(r"[^\W\d_]+|[0-9]+")
_ENDINGS: Final = frozenset({"st", "nd", "rd", "th"})
_LINKS: Final = frozenset({"of", "de", "del", "di", "do"})
_YEAR_DIGITS, _WHOLE = 4, 8


def date(draw: Draw, text: str) -> str | None:
    """Return another day in the same form."""
    parts = list(_PART.finditer(text))
    numbers = [match[0] for match in parts if match[0].isdigit()]
    named = len(numbers) < len([match for match in parts if match[0].lower() not in _ENDINGS | _LINKS])
    made: list[str] = []
    at = seen = day = 0  # `seen` counts numbers, of which a day comes first, a year last
    for match in parts:
        word, low = match[0], match[0].lower()
        new = word
        if word.isdigit():
            year = len(word) == _YEAR_DIGITS or (len(numbers[0]) < _YEAR_DIGITS and seen == (1 if named else 2))
            new = _figure(draw, word, year=year, named=named)
            day = day if year else int(new)
            seen += 1
        elif low in _ENDINGS:
            new = cased_like("th" if day // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th"), word)
        elif low in ("er", "o"):
            new = ""  # of a first day
        elif low not in _LINKS:
            names = _months(low)
            if not names:
                return None
            new = cased_like(names[draw.below(len(names))], word)
        made += (text[at : match.start()], new)
        at = match.end()
    return "".join([*made, text[at:]]) if numbers else None


def _months(name: str) -> Sequence[str]:
    """Return the names of months that one may stand for: as long or short, in its language. Empty for another word."""
    if name in _FULL:
        return MONTHS
    if name in _SHORT or name == "sept":
        return _SHORT
    language = next((names for names in _ABROAD if name in names), frozenset[str]())
    return sorted(one for one in language if (len(one) > _SHORTENED) == (len(name) > _SHORTENED))


def _figure(draw: Draw, word: str, *, year: bool, named: bool) -> str:
    """Return another year, day or month in as many figures."""
    size = len(word)
    if size == _WHOLE:
        new = f"{1930 + draw.below(80)}", f"{1 + draw.below(12):02}{1 + draw.below(28):02}"
        return "".join(new if word[:2] in ("19", "20") and "01" <= word[4:6] <= "12" else new[::-1])
    if year:
        return str(1930 + draw.below(80)) if size == _YEAR_DIGITS else str(30 + draw.below(70))
    if size == 1:
        return str(1 + draw.below(9))
    if named:
        return f"{10 + draw.below(19)}" if word[0] != "0" else f"0{1 + draw.below(9)}"
    return f"{13 + draw.below(16)}" if int(word) > 12 else f"{1 + draw.below(12):02}"


_ONES: Final = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_NINETY: Final = re.compile(r"(ninety[ -]?)(one|two|three|four|five|six|seven|eight|nine)(.*)", re.I | re.S)
_AGE_WORDS: Final = word_set(
    "year years yr yrs old of age y o yo jahre alt jaar oud ar gammal gammel lat ma ans anos anni"
)


def age(draw: Draw, text: str) -> str | None:
    """Return another high age, in figures or in words."""
    ninety = _NINETY.fullmatch(text)
    figures = re.fullmatch(r"([0-9]+)(.*)", text, re.S)
    rest = ninety[3] if ninety else figures[2] if figures else "?"
    if not _AGE_WORDS.issuperset(re.findall(r"[^\W\d_]+", rest.lower())) or rest == "?":
        return None
    if ninety:
        return ninety[1] + cased_like(_ONES[draw.below(9)], ninety[2]) + rest
    return (f"9{draw.below(10)}" if text[0] == "9" else f"1{draw.below(2)}{draw.below(10)}") + rest
