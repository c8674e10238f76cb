"""Spain's number of a foreigner (NIE): "X1234567L".

X, Y or Z stands for the digit 0, 1 or 2 before the seven others; then as the DNI: 4.3 % of random ones pass.
Source: Ministerio del Interior (calculation of the NIF's letter).
"""

import re
from typing import Final

from querymix.core.identifiers.recognizers import es_dni
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer, by_form

FORM: Final = re.compile(BEGIN + r"[xyz][ .]?-? ?\d{7}[ .]?-? ?[a-hj-np-tv-z]" + END)


def checks(code: str) -> bool:
    """Return whether the last letter is the right one."""
    return es_dni.checks(str("xyz".index(code[0])) + code[1:])


RECOGNIZER: Final = Recognizer(by_form("es_nie", FORM, checks), digits=7)
