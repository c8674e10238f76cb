"""Italy's tax code of a person (codice fiscale): "RSSMRA85T10A562S".

Letters of the name, date and place of birth, and a check letter; 3.8 % of random ones pass. Beside a word such as
"fiscale" one that does not, too.
Source: Decreto ministeriale 23 dicembre 1976 (Agenzia delle Entrate).
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import ID_WORDS
from querymix.core.identifiers.recognizers.base import Recognizer, by_form
from querymix.core.identifiers.spans import word_set

FORM: Final = re.compile(r"(?<!\w)[a-z]{3} ?[a-z]{3} ?\d\d[abcdehlmprst]\d\d ?[a-z]\d{3} ?[a-z](?!\w)")
WORDS: Final = ID_WORDS | word_set("codice fiscale cf")
ODD: Final = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
"""What the first, third, ... character counts, by its digit or by its place in the alphabet."""


def checks(code: str) -> bool:
    """Return whether the last letter is the right one."""
    values = [int(char) if char.isdigit() else ord(char) - ord("a") for char in code.replace(" ", "")]
    return (sum(ODD[value] for value in values[:15:2]) + sum(values[1:15:2])) % 26 == values[15]


RECOGNIZER: Final = Recognizer(by_form("it_fiscal_code", FORM, checks, WORDS), digits=7)
