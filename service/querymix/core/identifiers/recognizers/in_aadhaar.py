"""India's number of a resident (Aadhaar), beside a word of a person's number: "aadhaar 2341 2341 2346".

Twelve digits in groups of four, the last one a check digit; 10 % of random digits pass.
Source: UIDAI; J. Verhoeff, Error detecting decimal codes (1969).
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import ID_WORDS, only_digits
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer, by_form

FORM: Final = re.compile(BEGIN + r"(?<![,$])\d{4}([ .-])\d{4}\1\d{4}(?![ ,]\d)" + END)
PRODUCT: Final = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
    "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
)  # fmt: skip
PERMUTED: Final = (
    "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258",
)  # fmt: skip


def checks(code: str) -> bool:
    """Return whether the digits pass the Verhoeff check."""
    check = 0
    for place, digit in enumerate(reversed(only_digits(code))):
        check = int(PRODUCT[check][int(PERMUTED[place % 8][int(digit)])])
    return check == 0


RECOGNIZER: Final = Recognizer(by_form("in_aadhaar", FORM, checks), digits=12, words=ID_WORDS)
