"""Vehicle identification numbers.

Rules:
- 17 characters of digits and letters other than I, O and Q, with a right check digit, whatever the last ones are.
- Any 17 characters after "vin", "carfax" and the like, also with a wrong check digit, or with I, O or Q in them.

Source: 49 CFR 565 (check digit), ISO 3779.
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import only_digits
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

VIN: Final = expression(r"(?:(?<!\w)(?<!\w-)|(?<=\bvin)|(?<=\bvin-))[0-9a-z](?:[ -]?[0-9a-z]){16}(?!-?\w)")
WORDS: Final = word_set("vin vin# vins vehicle chassis carfax autocheck title recall")
VALUE: Final = dict(
    zip("0123456789abcdefghjklmnprstuvwxyz", map(int, "012345678912345678123457923456789"), strict=True)
)
WEIGHT: Final = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def checks(code: str) -> bool:
    """Return whether a lower-case 17-character VIN carries its own check digit."""
    if not VALUE.keys() >= set(code):
        return False
    rest = sum(VALUE[char] * weight for char, weight in zip(code, WEIGHT, strict=True)) % 11
    return code[8] == ("x" if rest == 10 else str(rest))


def find(query: QueryText, finds: Findings) -> None:
    """Add VINs that pass their check."""
    for match in VIN.finditer(query.spaced):
        if " " not in match[0] and checks(match[0].replace("-", "")):
            finds.append(Identifier("vehicle", *match.span()))


def said(query: QueryText, finds: Findings) -> None:
    """Add what stands beside a word such as "vin"."""
    for match in VIN.finditer(query.spaced):
        code = match[0].replace(" ", "").replace("-", "")
        groups = len(match[0].replace("-", " ").split())
        if only_digits(code) and (groups == 1 or (groups <= 5 and checks(code))):
            finds.append(Identifier("vehicle", *match.span()))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=1, stretch=17)
SAID: Final[Recognizer] = Recognizer(said, digits=1, words=WORDS)
