"""China's number of a resident: "11010519491231002X".

Place, date of birth, serial number, and a check digit or X; 9.1 % of random ones pass. Beside a word such as "identity"
one that does not, too.
Source: GB 11643-1999, ISO 7064 (MOD 11-2).
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import ID_WORDS
from querymix.core.identifiers.recognizers.base import Recognizer, by_form

FORM: Final = re.compile(r"(?<!\w)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dx](?!\w)")


def checks(code: str) -> bool:
    """Return whether the last character is the right one."""
    rest = 0
    for digit in code[:17]:
        rest = (rest + int(digit)) * 2 % 11
    return code[17] == "10x98765432"[rest]


RECOGNIZER: Final = Recognizer(by_form("cn_resident_id", FORM, checks, ID_WORDS), digits=17, stretch=18)
