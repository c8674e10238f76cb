"""Telephone and fax numbers.

Rules:
- North America: 3-3-4 digits are enough in any grouping; seven digits need a word such as "phone".
- Abroad: "+" or "00" and a country code; the national forms of many countries by their grouping (a leading zero, pairs
  after it, a mobile prefix); what has no such form needs a word such as "phone", or to be the whole query.
- Right behind a word of six further languages ("telefon", "cellulare") six digits are one, and beside one that asks
  whose a number is ("chi chiama") what has the form of a mobile number. Both lists stand in data/phones.tsv.
- Toll-free words, products, lotteries and round numbers are none, nor are numbers of services ("0800", "902").

Source: NANP; ITU-T E.164; national numbering plans as described in ITU-T E.129.
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import (
    NO_CODE,
    YEARS,
    of_a_thing,
    only_digits,
    plain_groups,
    plain_number,
    product_code,
)
from querymix.core.identifiers.recognizers.base import BEGIN, NO_AMOUNT, Recognizer
from querymix.core.identifiers.recognizers.context import FILLERS
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.spellings import mistyped, spelled
from querymix.core.identifiers.tables import word_lists
from querymix.core.identifiers.tokens import QueryText

BORDER: Final = BEGIN + NO_AMOUNT + r"(?<!(?<![0-9])[0-9]/)(?<!(?<![0-9])[0-9][0-9]/)"
"""One or two digits and a slash are a fraction's or a date's."""
_CUE: Final = r"(?<=\btel)|(?<=\bphone)|(?<=\bcall)|(?<=\bfax)|(?<=\bcell)|(?<=\bmobile)"
BEFORE: Final = rf"(?:{BORDER}|(?<=[elx])(?:{_CUE}))"
ANY_MARK: Final = r"[ ./\\|:;~*=+-]{1,3}"
EXTENSION: Final = r"(?: ?(?:x|ext|ext\.|extension|#) ?\d{1,6})?"
THREE: Final = expression("[0-9]{3}")
"""What no number of North America is without."""
PAIR: Final = expression("[0-9]{2}")
"""What no national number is without."""
PHONE: Final = expression(
    r"(?=[0-9+(\[ ./-])(?:"
    + BEFORE
    + r"(?:\+ ?1|001|011 ?1|1)?[ ./-]{0,2}(?:\( ?\d{3} ?\)|\[\d{3}\]|\d{3})"
    + rf"{ANY_MARK}\d{{3}}{ANY_MARK}\d{{4}}"
    + EXTENSION
    + r"(?!\d|[-.]\d)|(?<![\d.$/-])(?:\+ ?1|001|1)?[ .-]?\(\d{3}\) ?\d{3}[ .-]{0,2}\d{4}"
    + EXTENSION
    + r"(?!\d)|"
    + BEFORE
    + r"(?:(?:\+1|001|1)[ .-]?)?[2-9]\d{2}[ .-]?[2-9]\d{2}[ .-]?\d{4}"
    + EXTENSION
    + r"(?!\w|[-.]\d)"
    + r"|(?<![\d,.$/-])(?<!\w)[2-9]\d{2}(, ?)[2-9]\d{2}\1(?!\d*00(?!\d))\d{4}(?!\w|[.,-]\d)"
    + r"|(?<=[a-z])(?:\d{3}([.-])\d{3}\2|[2-9]\d{2}[2-9]\d{2})\d{4}(?![\d_]|[-.]\d)"  # "fax212-555-0147"
    + ")"
)
ABROAD: Final = expression(r"(?<![\w+])(?:\+ ?|00 ?|011 )[1-9]\d{0,2}(?:[ ./-]{0,3}\(?\d{1,5}+\)?){1,8}(?!\w|\.\d)")
"""Each group takes all digits that it can: to part a long run in every way takes as long as a thousand queries."""
NATIONAL: Final = expression(
    r"(?=[0-9(])" + BORDER + r"(?<!\+)(?:"
    r"\(?0[1-9]\d{0,4}\)?[ ./-]{1,3}\d{2,9}(?:[ ./-]{1,3}\d{2,5}){0,4}(?:[ -]\d)?"  # trunk prefix 0: Europe, Asia
    r"|\(0\d{1,4}\) ?\d{2,5}[ -]?\d{3,5}|0\d{1,3}\(\d{2,4}\)\d{4}"
    r"|\(0\) ?[1-9]\d{1,4}[ ./-]{1,3}\d{2,8}(?:[ .-]\d{2,5}){0,4}"  # "(0)20 7946 0958"
    r"|8[ -]?\(?[3-9]\d\d\)?[ -]?\d{3}[ -]?\d\d[ -]?\d\d"  # Russia
    r"|\(?[1-9]\d\)? ?9\d{4}[ -]\d{4}|\([1-9]\d\) ?\d{4}[ -]\d{4}"  # Brazil
    r"|1[3-9]\d[ -]\d{4}[ -]\d{4}"  # China
    r"|[5-9]\d\d(?: \d\d){3}|[1-9]\d \d{3} \d\d \d\d"  # Spain, Poland
    r"|[6-9]\d{4}[ -]\d{5}"  # India
    r")(?!\w|[.-]\d|[/ ](?!0)\d)"
)
BARE_GROUPS: Final = expression(r"(?!\d{5}-\d{4}$|\d\d(?:-\d\d)+$|\d{3}-\d\d-\d{4}$)\(?\d{2,5}\)?(?:[ /-]\d{2,8}){1,4}")
"""A query that is nothing but digits in groups, no ZIP code, pairs with dashes, nor of the form of an SSN."""
LOCAL: Final = expression(r"(?<![\w.$/-])[2-9]\d{2}[ .-]?\d{4}(?![\w]|[-.]\d)")
CUED: Final = expression(r"(?<![\w.$/-])\d{1,5}(?:[ ./-]\d{2,8}){1,4}(?![\w/]|[.,]\d)")
MOBILE: Final = expression(
    BEGIN + NO_AMOUNT + r"(?:"
    r"[2-9]\d\d[ ./-](?:\d{6,7}|\d{3}[ ./-]?\d{3,4}|\d\d[ .-]\d\d[ .-]\d\d\d?)"  # Spain, Portugal, Italy, Colombia
    r"|9[ -]\d{4}[ -]\d{4}|[1-9]\d[ -]\d{4}[ -]\d{4}"  # Chile, Mexico
    r"|[1-9]\d[ .]\d{3}[ .](?:\d\d[ .]\d\d|\d{4})|[1-9]\d 9\d{8}"  # Switzerland, Portugal, Brazil
    r")(?!\w|[.-]\d|[/ ]\d)"
)
"""Forms of mobile numbers, and of some others, that parts and amounts have too."""
SERVICE: Final = expression(
    r"\(?0(?:800|900)|\(?0(?:180\d?|137\d?|801|808|810|820|84[248]|89[0129]|90[169]|300|500)\)?[ ./-]"
    r"|0 8|08([ .])\d\d\1|(?:80[0-9]|90[0-25]|707|76[0-2]|840|199|89[29])[ .-]?"
    r"(?:\d{3}[ .-]?\d{3}|\d\d[ .-]?\d\d[ .-]?\d\d)(?!\d)|[34]00[34][ -]\d{4}$|11[68] ?\d{3}$"
)
"""How numbers begin that everyone shares: of services, free or at a charge.

No area's code is here: "0821" is Augsburg's, "0825" Avellino's.
"""
GROUP: Final = expression(r"\(?\d{1,12}\)?(?:[./-]\d{1,8}){0,4}")
SHORTEST: Final = 6
FEWEST: Final = 9
LONGEST: Final = 12
"""Digits of national numbers with their zero."""
DATE: Final = expression(r"\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d\d")
WORDS: Final = word_set(
    "phone telephone tel cell cellphone mobile fax call called calling caller pager number numbers reverse text "
    "voicemail landline ph whatsapp telefon telefono telefone handy portable movil celular nummer rufnummer "
    "telefonnummer telefoonnummer telefoon anruf appel numero cellulare chiamata numer dzwonil dzwoni ringde ringte "
    "ringer mobil mobiel gsm tlf viber sms phones"
)
_ABROAD: Final = {name: spelled(" ".join(words)) for name, words in word_lists("phones.tsv").items()}
SAID_WORDS: Final = mistyped(_ABROAD["said"])
ASKED_WORDS: Final = _ABROAD["asked"] | SAID_WORDS
SURE_WORDS: Final = WORDS - word_set(
    "number numbers text call called calling portable handy appel numero numer nummer mobil gsm phones"
)


def find(query: QueryText, finds: Findings) -> None:
    """Add telephone and fax numbers."""
    text, digits = query.spaced, query.digits
    harmless = query.says(NO_CODE)
    if digits >= 10 and THREE.search(text):
        for match in PHONE.finditer(text):
            if not _a_product(match, text, harmless=harmless):
                finds.append(Identifier("phone", *match.span()))
    if digits >= 8 and ("+" in text or "00" in text or "011" in text):
        for match in ABROAD.finditer(text):
            if 8 <= len(only_digits(match[0])) <= 17 and (
                match[0][0] == "+" or not (harmless or match[0].isdigit() or plain_groups(match[0]))
            ):
                finds.append(Identifier("phone", *match.span()))
    if digits >= 8 and not harmless and PAIR.search(text):
        _national(query, finds)
    if query.says(WORDS):
        finds.extend(Identifier("phone", *match.span()) for match in LOCAL.finditer(text))


def _a_product(match: re.Match[str], text: str, *, harmless: bool) -> bool:
    """Return whether digits in a telephone's grouping are a product's number or an amount."""
    digits = only_digits(match[0])
    if match[0][0].isdigit() and plain_groups(match[0]):
        return True
    if digits == match[0]:
        return harmless or product_code(digits) or plain_number(digits) or of_a_thing(text, *match.span())
    return digits == match[0].replace(" ", "") and (harmless or of_a_thing(text, *match.span()))


def _national(query: QueryText, finds: Findings) -> None:
    """Add numbers in the national forms of other countries."""
    text = query.spaced
    sure = query.says(SURE_WORDS)
    at = 0
    while match := NATIONAL.search(text, at):
        start, at = match.span()
        while len(only_digits(text[start:at])) > LONGEST and (next_one := text.rfind(" 0", start, at)) > start:
            at = next_one  # the next number begins there
        if FEWEST <= len(only_digits(text[start:at])) <= LONGEST and not (
            SERVICE.match(match[0])
            or DATE.match(match[0])
            or (not sure and match[0][0] in "123456789" and plain_groups(match[0]))
        ):
            finds.append(Identifier("phone", start, at))
    cued, fewest = (CUED, 8) if sure else (BARE_GROUPS, 9)
    if sure or BARE_GROUPS.fullmatch(text.strip()):
        for match in cued.finditer(text):
            digits = only_digits(match[0])
            if fewest <= len(digits) <= 12 and not (
                YEARS.search(match[0])
                or plain_number(digits)
                or (not sure and plain_groups(match[0]))
                or SERVICE.match(match[0])
            ):
                finds.append(Identifier("phone", *match.span()))
    if query.says(ASKED_WORDS):
        for match in MOBILE.finditer(text):
            digits = only_digits(match[0])
            plain = plain_number(digits) or plain_groups(match[0])
            if not (plain or SERVICE.match(match[0]) or of_a_thing(text, *match.span())):
                finds.append(Identifier("phone", *match.span()))


def said(query: QueryText, finds: Findings) -> None:
    """Add the groups of digits right behind a word for telephones in another language."""
    words = query.words
    size = len(words)
    for at, word in enumerate(words):
        if word in SAID_WORDS:
            first = at + 1
            while first < size and first < at + 4 and (words[first] in FILLERS or words[first] in SAID_WORDS):
                first += 1
            last = first
            while last < size and last < first + 5 and GROUP.fullmatch(words[last]):
                last += 1
            if last > first:
                start, end = query.span(first, last - 1)
                number = query.spaced[start:end]
                if SHORTEST <= len(only_digits(number)) <= LONGEST and not (
                    YEARS.search(number)
                    or SERVICE.match(number)
                    or of_a_thing(query.text, start, end)
                    or only_digits(number).endswith("0000")
                ):
                    finds.append(Identifier("phone", start, end))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=7)
SAID: Final[Recognizer] = Recognizer(said, digits=SHORTEST, words=SAID_WORDS)
