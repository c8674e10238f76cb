"""The numbers of persons of Africa and Oceania.

Sources: the registers that a row names, as python-stdnum collects them; where it has none, the register alone.
"""

from typing import Final

from querymix.core.identifiers.numbers import luhn
from querymix.core.identifiers.recognizers.national.scheme import Scheme, dated, scheme, total
from querymix.core.identifiers.spans import word_set


def za_id(code: str) -> bool:
    """South Africa's number of a person (DHA): birthday, serial number, citizenship, Luhn check."""
    return dated(code[:6], "ymd") and code[10] in "01" and luhn(code)


def za_tin(code: str) -> bool:
    """South Africa's tax number (SARS): ten digits with a Luhn check."""
    return code[0] in "01239" and luhn(code)


def ke_pin(code: str) -> bool:
    """Kenya's tax number (KRA): A of a person, P of others, nine digits, a letter."""
    return code[0] in "ap"


def mu_nid(code: str) -> bool:
    """Mauritius's number of a person: first letter of the surname, birthday, serial number, modulo 17."""
    values = [int(char, 36) for char in code]
    weighted = sum(value * weight for value, weight in zip(values, range(14, 1, -1), strict=False))
    return dated(code[1:7], "dmy") and -weighted % 17 == values[13]


def gh_tin(code: str) -> bool:
    """Ghana's tax number (GRA): a letter for what its bearer is, ten digits, the last one modulo 11, X for ten."""
    return code[0] in "pcgqv" and code[1:3] == "00" and "0123456789x"[total(code[1:], range(1, 10)) % 11] == code[10]


def gh_card(code: str) -> bool:
    """Ghana's number of a person (NIA): GHA, nine digits and a further one."""
    return code.startswith("gha")


def dz_nif(code: str) -> bool:
    """Algeria's tax number (DGI): fifteen digits, five more for a branch."""
    return len(set(code)) > 2


def ma_ice(code: str) -> bool:
    """Morocco's number of a business, which may be one person's: fifteen digits, divisible by 97."""
    return int(code) % 97 == 0


def mz_nuit(code: str) -> bool:
    """Mozambique's tax number (AT): eight digits and one modulo 11."""
    return code[8] == "01234567891"[total(code, (8, 9, 4, 5, 6, 7, 8, 9)) % 11]


def tn_mf(code: str) -> bool:
    """Tunisia's tax number: seven digits, a letter, and letters for the tax and its payer, and a branch's number."""
    return (
        code[7] not in "iou"
        and code[8:9] in "apbdn"
        and code[9:10] in "mpcne"
        and (code[10:] in {"", "000"} or code[9] == "e")
    )


def sn_ninea(code: str) -> bool:
    """Senegal's number of a business, which may be one person's (ANSD): seven or nine digits, and what it is."""
    digits, rest = (code[:-3], code[-3:]) if len(code) > 9 else (code, "")
    right = total(digits.zfill(9), (1, 2, 1, 2, 1, 2, 1, 2, 1)) % 10 == 0
    return right and (not rest or (rest[0] in "012" and rest[1] not in "ioxy"))


GOVERNORATES: Final = word_set("01 02 03 04 11 12 13 14 15 16 17 18 19 21 22 23 24 25 26 27 28 29 31 32 33 34 35 88")


def eg_id(code: str) -> bool:
    """Egypt's number of a person: century, birthday, governorate, serial number, a further digit."""
    return code[0] in "23" and dated(code[1:7], "ymd") and code[7:9] in GOVERNORATES


def tz_nida(code: str) -> bool:
    """Tanzania's number of a person (NIDA): birthday, and twelve digits."""
    return code[:2] in {"19", "20"} and dated(code[:8], "Ymd")


def rw_id(code: str) -> bool:
    """Rwanda's number of a person (NIDA): 1 of a citizen, year of birth, 7 or 8 for the sex, serial number."""
    return code[0] in "123" and code[1:3] in {"19", "20"} and code[5] in "78"


def ug_nin(code: str) -> bool:
    """Uganda's number of a person (NIRA): C of a citizen, M or F, year of birth, ten characters."""
    return code[0] in "ca" and code[1] in "mf" and sum(map(str.isdigit, code[4:])) >= 3


def au_medicare(code: str) -> bool:
    """Australia's health insurance: 2 to 6, the ninth digit checks the eight before, the tenth counts the cards."""
    return code[0] in "23456" and total(code, (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(code[8]) and code[9] != "0"


def au_tfn(code: str) -> bool:
    """Australia's tax file number (ATO): eight or nine digits modulo 11."""
    return total(code, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def nz_ird(code: str) -> bool:
    """New Zealand's tax number (IRD): eight or nine digits modulo 11, two rows of weights."""
    digits = code.zfill(9)
    rest = -total(digits, (3, 2, 7, 6, 5, 4, 3, 2)) % 11
    if rest == 10:
        rest = -total(digits, (7, 4, 3, 2, 5, 2, 7, 6)) % 11
    return 10_000_000 < int(code) < 150_000_000 and rest == int(digits[8])


NHI_LETTERS: Final = "abcdefghjklmnpqrstuvwxyz"


def nz_nhi(code: str) -> bool:
    """New Zealand's number of a patient (HISO 10046): letters without I and O, digits, a check modulo 11, or 23."""
    if not set(code).isdisjoint("io"):
        return False
    values = [NHI_LETTERS.index(char) + 1 if char.isalpha() else int(char) for char in code]
    weighted = sum(value * weight for value, weight in zip(values, (7, 6, 5, 4, 3, 2), strict=False))
    if code[6].isdigit():
        return weighted % 11 != 0 and (11 - weighted % 11) % 10 == values[6]
    return 23 - weighted % 23 == values[6]


SCHEMES: Final[tuple[Scheme, ...]] = (
    scheme("za_id", "d13", za_id, 0.00073, "6~4~3|6~4~2~1|6~7|10~3"),
    scheme("za_tin", "d10", za_tin, 0.05, "9-1|4/3/2/1|4~3~3"),
    scheme("ke_pin", "l1d9l1", ke_pin, 0.077),
    scheme("mu_nid", "l1d13|l1d12l1", mu_nid, 0.0022),
    scheme("gh_tin", "l1d10|l1d9l1", gh_tin, 0.0005),
    scheme("gh_card", "l3d10", gh_card, 0.0005, "3~9~1|3~10"),
    scheme("gn_nifp", "d9", luhn, 0.1, "3~3~3"),
    scheme("dz_nif", "d15|d20", dz_nif, 1, "3 3 3 3 3|3 3 3 3 3 5"),
    scheme("ma_ice", "d15", ma_ice, 0.0103, "2 2 2 2 2 2 3|3 3 3 3 3|9 4 2"),
    scheme("ma_cin", "l1d5|l1d6|l2d5|l2d6", None, 1, shared=True),
    scheme("mz_nuit", "d9", mz_nuit, 0.1, "3~3~3"),
    scheme("tn_cin", "d8", None, 1),
    scheme("tn_mf", "d7l1", tn_mf, 0.885, "7/1|7~1", shared=True),
    scheme("tn_mf", "d7l3d3", tn_mf, 0.0066, "7~1~1~1~3|8~1~1~3|8~2~3"),
    scheme("sn_ninea", "d7|d9", sn_ninea, 0.1, "3~4|7~2"),
    scheme("sn_ninea", "d8l1d1|d10l1d1", sn_ninea, 0.026, "7~3|9~3"),
    scheme("eg_id", "d14", eg_id, 0.002),
    scheme("eg_tn", "d9", None, 1, "3~3~3"),
    scheme("ng_nin", "d11", None, 1, "4~3~4|3~4~4"),
    scheme("tz_nida", "d20", tz_nida, 0.00072, "8~5~5~2"),
    scheme("rw_id", "d16", rw_id, 0.0012, "1~4~1~7~1~2"),
    scheme("ug_nin", "l2d2x10", ug_nin, 0.0033),
    scheme("zm_nrc", "d9", None, 1, "6/2/1"),
    scheme("au_medicare", "d10|d11", au_medicare, 0.045, "4 5 1|4-5-1|4 5 1 1|4-5-1-1|4 5 1/1|4-5-1/1|4 5 1-1"),
    scheme("au_tfn", "d8|d9", au_tfn, 0.092, "3~3~3|3~3~2|2~3~3"),
    scheme("nz_ird", "d8", nz_ird, 0.09, "2-3-3|2~3~3|7~1"),
    scheme("nz_ird", "d9", nz_ird, 0.0142, "3-3-3|3~3~3|8-1"),
    scheme("nz_nhi", "l3d4", nz_nhi, 0.071, shared=True),
    scheme("nz_nhi", "l3d2l2", nz_nhi, 0.028, shared=True),
)  # fmt: skip
