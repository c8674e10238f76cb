"""India's tax number (PAN), beside a word of a person's number: "pan ABCPE1234F".

How its last letter is made is not public, so the form alone counts.
Source: Income Tax Department (the fourth letter tells what the holder is).
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import ID_WORDS
from querymix.core.identifiers.recognizers.base import Recognizer, by_form

FORM: Final = re.compile(r"(?<!\w)[a-z]{3}[abcfghljpt][a-z]\d{4}[a-z](?!\w)")

RECOGNIZER: Final = Recognizer(by_form("in_pan", FORM), digits=4, words=ID_WORDS)
