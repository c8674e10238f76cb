"""Numbers that other countries give to each person, by form and check digit.

Rules:
- A form of its own with a check digit is enough: Brazil's CPF, Spain's DNI and NIE, Italy's codice fiscale, China's
  and Mexico's numbers; the United Kingdom's number has a form that nothing else has.
- Forms that are only digits in groups need their check digit and a word, or groups that nothing else has: India's
  Aadhaar, Canada's SIN, France's NIR.

Source: the issuers' descriptions of their check digits (Receita Federal, BOE, Agenzia delle Entrate, GB 11643, RENAPO,
HMRC NIM39110, UIDAI: Verhoeff, Service Canada: Luhn, INSEE).
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import luhn, only_digits
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

CPF: Final = re.compile(r"(?<![\w.-])\d{3}\.\d{3}\.\d{3}[-/. ]\d{2}(?![\w]|[.-]\d)")
CNPJ: Final = re.compile(r"(?<![\w.-])\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}(?![\w]|[.-]\d)")
DNI: Final = re.compile(r"(?<![\w.-])(?:\d{8}|\d{2}\.\d{3}\.\d{3}|[xyz] ?-?\d{7}) ?-?[a-hj-np-tv-z](?![\w]|[.-]\d)")
FISCALE: Final = re.compile(r"(?<!\w)[a-z]{6}\d\d[abcdehlmprst]\d\d[a-z]\d{3}[a-z](?!\w)")
CURP: Final = re.compile(r"(?<!\w)[a-z][aeioux][a-z]{2}\d{6}[hmx][a-z]{5}[a-z0-9]\d(?!\w)")
CHINA: Final = re.compile(r"(?<!\w)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dx](?!\w)")
NINO: Final = re.compile(
    r"(?<!\w)(?!bg|gb|kn|nk|nt|tn|zz)[abceghj-prstw-z][abceghj-npr-tw-z] \d{2} ?\d{2} ?\d{2} ?[a-d](?!\w)"
)
GROUPED: Final = re.compile(
    r"(?<![\w.,$-])\d{4} \d{4} \d{4}(?![\w]|[ .,-]\d)|(?<![\w.,$-])\d{3}([ -])\d{3}\1\d{3}(?![\w]|[ .,-]\d)"
)
NIR: Final = re.compile(r"(?<!\w)[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}|2[ab]) ?\d{3} ?\d{3}(?: ?\d{2})?(?!\w)")
PAN: Final = re.compile(r"(?<!\w)[a-z]{3}[abcfghljpt][a-z]\d{4}[a-z](?!\w)")
WORDS: Final = word_set(
    "aadhaar aadhar uidai sin social insurance nir insee pan tax nhs tfn medicare national id identity"
)
DNI_LETTERS: Final = "trwagmyfpdxbnjzsqvhlcke"
VERHOEFF: Final = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
    "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
)  # fmt: skip
PERMUTED: Final = (
    "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258",
)  # fmt: skip


def cpf_checks(code: str) -> bool:
    """Return whether the eleven digits of a CPF pass both their checks."""
    digits = only_digits(code)
    for size in (9, 10):
        rest = sum(int(digit) * weight for digit, weight in zip(digits, range(size + 1, 1, -1), strict=False)) * 10 % 11
        if rest % 10 != int(digits[size]):
            return False
    return len(set(digits)) > 1


def dni_checks(code: str) -> bool:
    """Return whether the letter of a DNI or NIE is the right one."""
    number = only_digits(
        code.replace("x", "0", 1).replace("y", "1", 1).replace("z", "2", 1) if code[0] in "xyz" else code
    )
    return DNI_LETTERS[int(number) % 23] == code[-1]


def nir_groups(code: str) -> bool:
    """Return whether a French number is whole, and in groups: one run of digits is a `code` anyway."""
    return " " in code and len(only_digits(code)) + ("a" in code or "b" in code) in (13, 15)


def verhoeff(digits: str) -> bool:
    """Return whether digits pass the Verhoeff check."""
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = int(VERHOEFF[check][int(PERMUTED[place % 8][int(digit)])])
    return check == 0


def find(query: QueryText, finds: Findings) -> None:
    """Add the numbers of persons in other countries."""
    text = query.text
    for pattern in (NINO, FISCALE, CURP, CHINA) if query.longest >= 16 else (NINO,):
        for match in pattern.finditer(text):
            finds.append(Identifier("ssn", *match.span()))
    for pattern, check in CHECKED:
        for match in pattern.finditer(text):
            if check(match[0]):
                finds.append(Identifier("ssn", *match.span()))


def beside_word(query: QueryText, finds: Findings) -> None:
    """Add numbers of few features, which need a word beside them."""
    text = query.text
    for match in GROUPED.finditer(text):
        digits = only_digits(match[0])
        if verhoeff(digits) if len(digits) == 12 else luhn(digits):
            finds.append(Identifier("ssn", *match.span()))
    finds.extend(Identifier("ssn", *match.span()) for match in PAN.finditer(text))


CHECKED: Final = ((DNI, dni_checks), (CPF, cpf_checks), (CNPJ, bool), (NIR, nir_groups))
RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=6)
BESIDE_WORD: Final[Recognizer] = Recognizer(beside_word, digits=4, words=WORDS)
