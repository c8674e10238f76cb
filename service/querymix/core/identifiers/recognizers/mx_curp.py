"""Mexico's number of a person (CURP): "HEGG560427MVZRRL04".

Letters of the name, date of birth, sex, state, and a check digit; 10 % of random ones pass. Beside "curp" one that does
not, too.
Source: RENAPO, Instructivo normativo para la asignación de la CURP.
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import ID_WORDS
from querymix.core.identifiers.recognizers.base import Recognizer, by_form

FORM: Final = re.compile(r"(?<!\w)[a-z][aeioux][a-z]{2}\d{6}[hmx][a-z]{5}[a-z0-9]\d(?!\w)")
WORDS: Final = ID_WORDS | {"curp"}
VALUES: Final = {char: value for value, char in enumerate("0123456789abcdefghijklmn\u00f1opqrstuvwxyz")}


def checks(code: str) -> bool:
    """Return whether the check digit is right."""
    total = sum(VALUES[char] * weight for char, weight in zip(code, range(18, 1, -1), strict=False))
    return -total % 10 == int(code[17])


RECOGNIZER: Final = Recognizer(by_form("mx_curp", FORM, checks, WORDS), digits=7, stretch=18)
