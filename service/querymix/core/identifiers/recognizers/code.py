"""Long numbers and mixes of letters and digits that nothing explains: parcels, orders, UUIDs, ids of any kind.

Rules:
- Nine digits or more in one run, or in groups with dashes, are a code. Not so: round numbers and runs such as
  123456789, years, an ISBN, UPC or EAN that passes its check (unless a word beside it is about calls or parcels), and
  what stands beside a word such as "isbn" or "toner".
- A mix of letters and digits needs ten characters and five digits, and either few letters or many changes between the
  two, as a random code has and a product's name has not.
- What everyone shares is none (shared.py): a product's number beside its maker, seconds beside a word of dates.
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import (
    BUYING,
    NO_CODE,
    YEARS,
    article,
    of_a_thing,
    only_digits,
    plain_groups,
    plain_number,
    product_code,
    timestamp,
)
from querymix.core.identifiers.recognizers.base import BEGIN, NO_AMOUNT, Recognizer
from querymix.core.identifiers.recognizers.phone import ASKED_WORDS, SURE_WORDS
from querymix.core.identifiers.recognizers.phone import WORDS as PHONE_WORDS
from querymix.core.identifiers.shared import MOMENT_WORDS, a_moment, of_a_product
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

PARCEL: Final = expression(
    r"(?<!\w)1z[ -]?[0-9a-z]{3}[ -]?[0-9a-z]{3}[ -]?[0-9a-z]{2}[ -]?[0-9a-z]{4}[ -]?[0-9a-z]{4}(?!\w)"
)
UUID: Final = expression(r"(?<!\w)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?!\w)")
RUN_OF_NINE: Final = expression(r"[0-9]{9}")
LONG: Final = expression(r"(?<!\w)(?<![0-9]\.)(?<!\$)(?<!(?<![0-9])[0-9],)\d{9,40}(?!\w|\.\d|,\d\d?(?!\d))")
GROUPS: Final = expression(BEGIN + NO_AMOUNT + r"\d{1,12}(?:[- ]\d{1,12}){1,7}(?!\w|-\w|\.\d|/\d)")
SEVEN: Final = expression(r"[0-9]{7}")
SINGLE: Final = expression(r"(?<![0-9])[0-9](?![0-9])")
"""A lone digit goes with a long group, as in many numbers of persons; an ISBN has several short ones."""
PAIRS: Final = expression(r"\d\d(?:[- ]\d\d)*")
SPACED: Final = expression(r"(?<![\w.,$/-])\d(?: \d){8,18}(?![\w/-]|[.,]\d| \d)")
FREE: Final = expression(r"0[89]00\d{5,8}")
"""A telephone number of a service, in Europe; "0800 123 4567" is none either (phone.py)."""
FIVE: Final = expression(r"[0-9]{5}")
LETTERS: Final = expression(r"[a-z]+")
SWITCH: Final = expression(r"\d(?=[a-z])|[a-z](?=\d)")
MIX: Final = expression(r"(?<!\w)(?<!\w-)(?=[\w-]{10,128}(?![\w-]))[a-z0-9](?:-?[a-z0-9]){9,127}(?!-?\w)")
LONG_MIX: Final = expression(r"[0-9a-z]{28}")
"""So long a run with letters and digits in it is no name of anything."""
TEN_DIGITS: Final = expression(r"(?<![0-9])[0-9]{10,19}(?![0-9])")
CARRIERS: Final = word_set("fedex ups usps dhl tracking track shipment")
PHONED: Final = SURE_WORDS | ASKED_WORDS
PERSONAL: Final = PHONED | CARRIERS
"""Beside them a number is somebody's, although it might be a product's."""
SHIPMENT: Final = expression(r"(?<![\w.,$/-])\d{4}(?: \d{4}){2,5}(?: \d{1,3})?(?![\w/-]|[.,]\d| \d)")
DIMENSIONS: Final = expression(r"\d+(?:x\d+)+[a-z]{0,4}")


def find(query: QueryText, finds: Findings) -> None:
    """Add codes."""
    text = query.spaced
    if "1z" in text:
        finds.extend(Identifier("code", *match.span()) for match in PARCEL.finditer(text))
    if "-" in text:
        finds.extend(Identifier("code", *match.span()) for match in UUID.finditer(text))
    if query.says(NO_CODE):
        return
    if query.digits >= 9:
        moments = query.says(MOMENT_WORDS) and not query.says(PHONE_WORDS)
        _numbers(text, finds, moments=moments, personal=query.says(PERSONAL), bought=query.says(BUYING))
        if query.says(CARRIERS):
            finds.extend(Identifier("code", *match.span()) for match in SHIPMENT.finditer(text))
    # The text is in lower case, so `islower` says that there is a letter.
    if query.longest >= 10 and any(len(word) >= 10 and word.islower() for word in query.words):
        finds.extend(
            Identifier("code", *match.span())
            for match in MIX.finditer(text)
            if random_mix(match[0]) and not of_a_thing(text, *match.span()) and not of_a_product(text, *match.span())
        )


def _numbers(text: str, finds: Findings, *, moments: bool, personal: bool, bought: bool) -> None:
    """Add numbers; `moments` tells that seconds since 1970 are none, `personal` that no product's number is one.

    `bought` tells that any number with an EAN's check digit is a product's.

    One in eleven of the numbers that begin with 0 passes.
    """
    if RUN_OF_NINE.search(text):
        for match in LONG.finditer(text):
            if not (
                plain_number(match[0])
                or (not personal and (product_code(match[0]) or article(match[0], bought=bought)))
                or timestamp(match[0])
                or FREE.fullmatch(match[0])
                or of_a_thing(text, *match.span())
                or (moments and a_moment(match[0]))
                or of_a_product(text, *match.span())
            ):
                finds.append(Identifier("code", *match.span()))
    if "-" in text:
        for match in GROUPS.finditer(text):
            digits = only_digits(match[0])
            if (
                "-" in match[0]
                and len(digits) >= 9
                and not PAIRS.fullmatch(match[0])
                and (SEVEN.search(match[0]) or not SINGLE.search(match[0]))
                and not YEARS.search(match[0])
                and not product_code(digits)
                and not plain_groups(match[0])
                and not of_a_thing(text, *match.span())
            ):
                finds.append(Identifier("code", *match.span()))
    for match in SPACED.finditer(text):
        digits = only_digits(match[0])
        if not plain_number(digits) and not product_code(digits):
            finds.append(Identifier("code", *match.span()))


def random_mix(code: str) -> bool:
    """Return whether a mix of letters and digits looks drawn at random."""
    digits = len(only_digits(code))
    letters = sum(char.isalpha() for char in code)
    if not NO_CODE.isdisjoint(LETTERS.findall(code)):
        return False  # "ean4006381333931"
    if digits >= 4 and letters >= 4 and LONG_MIX.search(code):
        return True
    if letters and digits >= 10 and (run := TEN_DIGITS.search(code)) and not _of_product(run[0]):
        return True  # "jo13912345670"
    return (
        digits >= 5
        and letters > 0
        and not DIMENSIONS.fullmatch(code)
        and not (code.startswith("0x") and len(code) <= 18)
        and not code.startswith("nct0")  # a clinical trial
        and (
            (letters <= 4 and (len(code) > 11 or FIVE.search(code) is not None))
            or len(SWITCH.findall(code)) > (4 if len(code) < 16 else 3)
        )
        and not YEARS.search(code)
    )


def _of_product(digits: str) -> bool:
    """Return whether a run of digits in a mix is a product's number, a time or no code at all."""
    return (
        product_code(digits)
        or plain_number(digits)
        or YEARS.match(digits[:4]) is not None
        or digits.startswith("0" * 3)
    )


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=5)
