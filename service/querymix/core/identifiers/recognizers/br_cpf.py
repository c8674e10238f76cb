"""Brazil's number of a person (CPF): "529.982.247-25".

Nine digits with dots and two check digits; 1 % of random digits pass.
Source: Receita Federal.
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import mod11, only_digits
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer, by_form

FORM: Final = re.compile(BEGIN + r"\d{3}([. -]?)\d{3}\1\d{3}[-/. ]\d{2}" + END)


def checks(code: str) -> bool:
    """Return whether both check digits are right; eleven times the same digit is none."""
    digits = only_digits(code)
    return len(set(digits)) > 1 and all(
        digits[size] == mod11(digits[:size], range(size + 1, 1, -1)) for size in (9, 10)
    )


RECOGNIZER: Final = Recognizer(by_form("br_cpf", FORM, checks), digits=11)
