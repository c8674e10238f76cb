"""France's number of a person (NIR): "2 95 10 99 126 111 93".

Sex, year and month of birth, place and serial number, in groups, and a key modulo 97, which may be left out; with it,
1 % of random digits pass. Beside a word such as "nir" one that does not, too. One run of digits is a `code` anyway.
Source: INSEE (Répertoire national d'identification des personnes physiques).
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import ID_WORDS
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

FORM: Final = re.compile(
    BEGIN + r"[12][ .-]?\d{2}[ .-]?(?:0[1-9]|1[0-2])[ .-]?(?:\d{2}|2[ab])(?:[ .-]?\d{3}){2}(?:[ .-]?\d{2})?" + END
)
SEPARATORS: Final = re.compile("[ .-]")
WORDS: Final = ID_WORDS | word_set("securite secu")


def checks(code: str) -> bool:
    """Return whether the key is right, where there is one."""
    digits = SEPARATORS.sub("", code).replace("2a", "19").replace("2b", "18")
    return len(digits) == 13 or 97 - int(digits[:13]) % 97 == int(digits[13:])


def find(query: QueryText, finds: Findings) -> None:
    """Add numbers in groups."""
    for match in FORM.finditer(query.spaced):
        if SEPARATORS.search(match[0]) and (checks(match[0]) or query.says(WORDS)):
            finds.append(Identifier("fr_nir", *match.span()))


RECOGNIZER: Final = Recognizer(find, digits=12)
