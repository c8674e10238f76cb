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

from service.core.identifiers.numbers import luhn, only_digits
from service.core.identifiers.recognizers.base import Recognizer
from service.core.identifiers.spans import Finds, Identifier, word_set
from service.core.identifiers.tokens import QueryText

CPF: Final = re.compile(r"(?<![\w.-])\d{3}\.\d{3}\.\d{3}[-/. ]\d{2}(?![\w]|[.-]\d)")
CNPJ: Final = re.compile(r"(?<![\w.-])\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}(?![\w]|[.-]\d)")
DNI: Final = re.compile(r"(?<![\w.-])(?:\d{8}|\d{2}\.\d{3}\.\d{3}|[xyz] ?-?\d{7}) ?-?[a-hj-np-tv-z](?![\w]|[.-]\d)")
FISCALE: Final = re.compile(r"(?<!\w)[a-z]{6}\d\d[abcdehlmprst]\d\d[a-z]\d{3}[a-z](?!\w)")
CURP: Final = re.compile(r"(?<!\w)[a-z][aeioux][a-z]{2}\d{6}[hmx][a-z]{5}[a-z0-9]\d(?!\w)")
CHINA: Final = re.compile(r"(?<!\w)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dx](?!\w)")
NINO: Final = re.compile(
    r"(?<!\w)(?!bg|gb|kn|nk|nt|tn|zz)[abceghj-prstw-z][abceghj-npr-tw-z] ?\d{2} ?\d{2} ?\d{2} ?[a-d](?!\w)"
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


def cpf_checks(digits: str) -> bool:
    """Return whether the eleven digits of a CPF pass both their checks."""
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


def verhoeff(digits: str) -> bool:
    """Return whether digits pass the Verhoeff check."""
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = int(VERHOEFF[check][int(PERMUTED[place % 8][int(digit)])])
    return check == 0


def find(query: QueryText, finds: Finds) -> None:
    """Add the numbers of persons in other countries."""
    text, digits = query.text, query.digits
    for pattern in (NINO, FISCALE, CURP, CHINA):
        finds.extend(Identifier("ssn", *match.span()) for match in pattern.finditer(text))
    finds.extend(Identifier("ssn", *one.span()) for one in DNI.finditer(text) if digits >= 7 and dni_checks(one[0]))
    if digits >= 11 and "." in text:
        finds.extend(Identifier("ssn", *one.span()) for one in CPF.finditer(text) if cpf_checks(only_digits(one[0])))
        finds.extend(Identifier("ssn", *one.span()) for one in CNPJ.finditer(text))
    if digits >= 13:
        finds.extend(
            Identifier("ssn", *one.span())
            for one in NIR.finditer(text)
            if " " in one[0] and (" " not in one[0].strip() or len(only_digits(one[0])) in (13, 15))
        )
    if query.says(WORDS):
        if digits >= 9:
            for match in GROUPED.finditer(text):
                inner = only_digits(match[0])
                if verhoeff(inner) if len(inner) == 12 else luhn(inner):
                    finds.append(Identifier("ssn", *match.span()))
        finds.extend(Identifier("ssn", *match.span()) for match in PAN.finditer(text))


RECOGNIZER: Final = Recognizer(find, digits=4)
