"""Spain's number of a citizen (DNI): "12345678Z".

Eight digits and the letter that they give modulo 23; 4.3 % of random digits and letters pass.
Source: Ministerio del Interior (calculation of the NIF's letter).
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import only_digits
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer, by_form

FORM: Final = re.compile(BEGIN + r"(?:\d{8}|\d{2}[. ]\d{3}[. ]\d{3})[ .]?-? ?[a-hj-np-tv-z]" + END)
LETTERS: Final = "trwagmyfpdxbnjzsqvhlcke"


def checks(code: str) -> bool:
    """Return whether the letter is the right one."""
    return LETTERS[int(only_digits(code)) % 23] == code[-1]


RECOGNIZER: Final = Recognizer(by_form("es_dni", FORM, checks), digits=8)
