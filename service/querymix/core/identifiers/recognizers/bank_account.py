"""Bank accounts as they were written before the IBAN, and still are: Spain's, France's and the Netherlands'.

Rules:
- Spain's CCC: bank, branch, two check digits and account in four groups. One of 121 random ones passes.
- France's RIB: bank, branch, account (with letters) and key modulo 97 in four groups. One of 97 passes.
- The Netherlands': nine digits in pairs with dots, modulo 11. One of 11 passes; no version or amount has that form.
- One run of digits is a `code` anyway (code.py); what passes no check needs a word (context.py).

Sources: Orden ECO/734/2004 and AEB's Norma 19 (CCC), CFONB (RIB), NVB's elfproef.
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText

CCC: Final = expression(BEGIN + r"\d{4}([ .-])\d{4}\1\d\d\1?\d{10}" + END)
RIB: Final = expression(BEGIN + r"\d{5}([ .-])\d{5}\1[a-z0-9]{11}\1\d\d" + END)
DUTCH: Final = expression(BEGIN + r"\d\d\.\d\d\.\d\d\.\d{3}" + END)
NO_CODE: Final = expression(r"[^a-z0-9]")
WEIGHTS: Final = (1, 2, 4, 8, 5, 10, 9, 7, 3, 6)
VALUES: Final = str.maketrans("abcdefghijklmnopqrstuvwxyz", "12345678912345678923456789")
"""The digits of letters in a RIB."""


def ccc(code: str) -> bool:
    """Return whether the two check digits of a Spanish account are right."""
    return _check("00" + code[:8]) == code[8] and _check(code[10:]) == code[9]


def _check(digits: str) -> str:
    """Return the check digit of ten digits: the weighted sum modulo 11, ten as 1."""
    rest = -sum(int(digit) * weight for digit, weight in zip(digits, WEIGHTS, strict=True)) % 11
    return "1" if rest == 10 else str(rest)


def rib(code: str) -> bool:
    """Return whether the key of a French account is right."""
    digits = code.translate(VALUES)
    return 97 - (89 * int(digits[:5]) + 15 * int(digits[5:10]) + 3 * int(digits[10:21])) % 97 == int(digits[21:])


def dutch(code: str) -> bool:
    """Return whether nine digits pass the eleven test."""
    return sum(int(digit) * weight for digit, weight in zip(code, range(9, 0, -1), strict=True)) % 11 == 0


def find(query: QueryText, finds: Findings) -> None:
    """Add accounts whose check is right."""
    text = query.spaced
    for form, checks in ((CCC, ccc), (RIB, rib), (DUTCH, dutch)):
        for match in form.finditer(text):
            if checks(NO_CODE.sub("", match[0])):
                finds.append(Identifier("account", *match.span()))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=9)
