"""Canada's Social Insurance Number, beside a word of a person's number: "sin 046 454 286".

Nine digits in groups of three that pass the Luhn check; 10 % of random digits do.
Source: Service Canada.
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import ID_WORDS, luhn, only_digits
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer, by_form

FORM: Final = re.compile(BEGIN + r"(?<![,$])\d{3}([ .-])\d{3}\1\d{3}(?![ ,]\d)" + END)


def checks(code: str) -> bool:
    """Return whether the digits pass the Luhn check."""
    return luhn(only_digits(code))


RECOGNIZER: Final = Recognizer(by_form("ca_sin", FORM, checks), digits=9, words=ID_WORDS)
