"""India's tax number (PAN), beside a word of a person's number: "pan ABCPE1234F".

How its last letter is made is not public, so the form alone counts: with a P for a person in the fourth place anywhere,
with another letter beside a word of a person's number.
Source: Income Tax Department (the fourth letter tells what the holder is).
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import ID_WORDS
from querymix.core.identifiers.recognizers.base import Recognizer, by_form

FORM: Final = re.compile(r"(?<!\w)[a-z]{3}[abcfghljpt][a-z]\d{4}[a-z](?!\w)")


def checks(code: str) -> bool:
    """Return whether the fourth letter says that the holder is a person."""
    return code[3] == "p"


RECOGNIZER: Final = Recognizer(by_form("in_pan", FORM, checks, ID_WORDS, products=True), digits=4, stretch=10)
