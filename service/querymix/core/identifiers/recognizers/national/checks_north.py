"""The checks of numbers of persons of northern Europe and the British Isles.

Each gets a compact number of one of its scheme's shapes (europe.py).

Sources: the countries' registers, as python-stdnum collects them, which tests hold these against.
"""

from typing import Final

from querymix.core.identifiers.numbers import luhn
from querymix.core.identifiers.recognizers.national.scheme import dated, day, total


def dk_cpr(code: str) -> bool:
    """Denmark: birthday and four digits. Those given out since 2007 have no check digit."""
    return dated(code, "dmy")


def fi_hetu(code: str) -> bool:
    """Finland: birthday, century (a letter, or a mark that is left out), serial number, check sign modulo 31."""
    digits = code[:6] + code[-4:-1]
    letter = code[6] if len(code) == 11 else "u"
    century = 2000 if letter in "abcdef" else 1900 if letter in "uvwxy" else 0
    right = "0123456789abcdefhjklmnprstuvwxy"[int(digits) % 31] == code[-1]
    return right and 2 <= int(digits[6:]) < 900 and bool(century) and dated(code, "dmy")


def fo_ptal(code: str) -> bool:
    """The Faroe Islands: birthday and three digits."""
    return dated(code, "dmy")


def gb_nhs(code: str) -> bool:
    """England's number of a patient: ten digits modulo 11."""
    return total(code, (10, 9, 8, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def gb_nino(code: str) -> bool:
    """The United Kingdom's National Insurance: two letters of those given out, six digits, A to D (no check digit)."""
    return (
        code[0] in "abceghjklmnoprstwxyz"
        and code[1] in "abceghjklmnprstwxyz"
        and code[8] in "abcd"
        and code[:2] not in {"bg", "gb", "kn", "nk", "nt", "tn", "zz"}
    )


UPN_SIGNS: Final = "abcdefghjklmnpqrtuvwxyz0123456789"


def gb_upn(code: str) -> bool:
    """England's number of a pupil: a check letter modulo 23, the authority (200 on, 300 on, or 800 on), digits."""
    if code[12] not in UPN_SIGNS or not code[1:4].startswith(("20", "21", "3", "420", "8", "9")):
        return False
    rest = sum(UPN_SIGNS.index(sign) * weight for weight, sign in enumerate(code[1:], 2))
    return UPN_SIGNS[rest % 23] == code[0]


def gb_utr(code: str) -> bool:
    """The United Kingdom's tax number: a check digit modulo 11 before nine others; a K may follow."""
    return code[10:] in ("", "k") and "21987654321"[total(code[1:10], (6, 7, 8, 9, 10, 5, 4, 3, 2)) % 11] == code[0]


IE_LETTERS: Final = "wabcdefghijklmnopqrstuv"


def ie_pps(code: str) -> bool:
    """Ireland: seven digits, a check letter modulo 23; a further A, B or H counts nine times."""
    further = code[8:9] or "w"
    add = IE_LETTERS.index(further) if further in "abh" else 0
    return further in "abhwtx" and IE_LETTERS[(total(code, (8, 7, 6, 5, 4, 3, 2)) + 9 * add) % 23] == code[7]


def ie_vat(code: str) -> bool:
    """Ireland's VAT: as the PPS number with any further letter, or a letter in the second place."""
    if code[1].isdigit():
        add = IE_LETTERS.find(code[8:9] or "w")
        return add >= 0 and IE_LETTERS[(total(code, (8, 7, 6, 5, 4, 3, 2)) + 9 * add) % 23] == code[7]
    return len(code) == 8 and IE_LETTERS[total("0" + code[2:7] + code[0], (8, 7, 6, 5, 4, 3, 2)) % 23] == code[7]


def is_kennitala(code: str) -> bool:
    """Iceland: birthday (a firm's day plus 40), serial number, check digit modulo 11, the century."""
    century = {"9": 1900, "0": 2000}.get(code[9], 0)
    first = int(code[:2])
    return (
        century > 0
        and total(code, (3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0
        and day(century + int(code[4:6]), int(code[2:4]), first - (40 if first >= 40 else 0))
    )


def no_fnr(code: str) -> bool:
    """Norway: birthday (a day or a month plus 40 for some), individual number, two check digits modulo 11."""
    number, year = int(code[6:9]), int(code[4:6])
    first, month = int(code[:2]), int(code[2:4])
    centuries = ((number < 500, 1900), (number < 750 and year >= 54, 1800), (year < 40, 2000), (number >= 900, 1900))
    century = next((century for holds, century in centuries if holds), 0)
    return (
        total(code, (3, 7, 6, 1, 8, 9, 4, 5, 2, 1)) % 11 == 0
        and total(code, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0
        and century > 0
        and day(century + year, month - (40 if month > 40 else 0), first - (40 if first > 40 else 0))
    )


def se_pnr(code: str) -> bool:
    """Sweden: birthday, serial number, Luhn's check digit; a coordination number's day plus 60."""
    first = int(code[-6:-4])
    number = f"{code[:-6]}{first - (60 if first > 60 else 0):02}"
    return luhn(code[-10:]) and dated(number, "Ymd" if len(code) == 12 else "ymd")
