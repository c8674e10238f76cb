"""Brazil's number of a company, which may be one person's (CNPJ): "11.222.333/0001-81".

Twelve digits with their marks and two check digits; 1 % of random digits pass. Beside "cnpj" one that does not, too.
Source: Receita Federal.
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import ID_WORDS, mod11, only_digits
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer, by_form

FORM: Final = re.compile(BEGIN + r"\d{2}[. ]?\d{3}[. ]?\d{3} ?/ ?\d{4}[- ]?\d{2}" + END)
WEIGHTS: Final = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
WORDS: Final = ID_WORDS | {"cnpj"}


def checks(code: str) -> bool:
    """Return whether both check digits are right."""
    digits = only_digits(code)
    return all(digits[size] == mod11(digits[:size], WEIGHTS[-size:]) for size in (12, 13))


RECOGNIZER: Final = Recognizer(by_form("br_cnpj", FORM, checks, WORDS), digits=14, marks="/")
