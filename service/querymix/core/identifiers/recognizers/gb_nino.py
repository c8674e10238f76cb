"""The United Kingdom's National Insurance number: "AB 12 34 56 C".

It has no check digit, but a form that nothing else has: two letters of those given out, six digits, A to D.
Source: HMRC, NIM39110.
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import ID_WORDS
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer, by_form

FORM: Final = re.compile(
    BEGIN + r"(?!bg|gb|kn|nk|nt|tn|zz)[abceghj-prstw-z][abceghj-npr-tw-z](?:[ .-]?\d{2}){3}[ .-]?[a-d]" + END
)

RECOGNIZER: Final = Recognizer(by_form("gb_nino", FORM, words=ID_WORDS | {"nino"}, products=True), digits=6)
