"""The numbers of persons of Asia, without Turkey and Cyprus (europe.py).

Sources: the registers that a row names, as python-stdnum collects them; where it has none, the register alone.
"""

from operator import mul
from typing import Final

from querymix.core.identifiers.numbers import luhn
from querymix.core.identifiers.recognizers.national.scheme import Scheme, dated, day, scheme, total
from querymix.core.identifiers.spans import word_set

PRODUCT: Final = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
    "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
)  # fmt: skip
PERMUTED: Final = (
    "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258",
)  # fmt: skip


def verhoeff(digits: str) -> bool:
    """Return whether digits pass the check of J. Verhoeff, Error detecting decimal codes (1969)."""
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = int(PRODUCT[check][int(PERMUTED[place % 8][int(digit)])])
    return check == 0


def in_aadhaar(code: str) -> bool:
    """India's number of a resident, or one that stands for it (UIDAI, VID): Verhoeff, not from 0 or 1 on."""
    return code[0] > "1" and code != code[::-1] and verhoeff(code)


def in_pan(code: str) -> bool:
    """India's tax number: the fourth letter tells what the holder is; how the last is made is not public."""
    return code[3] in "abcfghjklpt" and code[5:9] != "0000"


def in_pan_of_one(code: str) -> bool:
    """India's tax number of a person: the fourth letter is a P; how the last is made is not public."""
    return code[3] == "p" and code[5:9] != "0000"


def in_epic(code: str) -> bool:
    """India's number of a voter (ECI): three letters of the constituency, six digits and one with a Luhn check."""
    return luhn(code[3:])


IN_STATES: Final = word_set(
    "an ap ar as bh br cg ch dd dl dn ga gj hp hr jh jk ka kl la ld mh ml mn mp mz nl od or pb py rj sk tn tr ts tg ua "
    "uk up wb"
)

IN_WORDS: Final = frozenset({"ap", "as", "ga", "hp", "la", "or", "tn", "up"})
"""States that queries have as words too: "hp 15 in 2008"."""


def in_plate(code: str) -> bool:
    """India's plates: a state, its district, letters, and four digits (Motor Vehicles Act, 1988)."""
    words = code[:2] in IN_WORDS and code[4:6] in {
        "in",
        "of",
        "to",
        "by",
        "at",
        "on",
        "am",
        "pm",
        "mm",
        "gb",
        "mb",
        "th",
    }
    return code[:2] in IN_STATES and code[-4:] != "0000" and not words


def in_plate_bh(code: str) -> bool:
    """India's plates of all states: the year, BH, four digits and letters."""
    return code[2:4] == "bh" and code[0] == "2"


PROVINCES: Final = word_set(
    "11 12 13 14 15 16 17 18 19 21 31 32 33 34 35 36 51 52 53 61 62 63 64 65 71 72 73 74 75 76 81 82 91 92 93 94 95 96"
)


def id_nik(code: str) -> bool:
    """Indonesia's number of a person (Dukcapil): province, place, birthday (a woman's day plus 40), serial number."""
    return code[:2] in PROVINCES and dated(f"{int(code[6:8]) % 40:02}{code[8:12]}", "dmy")


def id_npwp(code: str) -> bool:
    """Indonesia's tax number (DJP): a person's own, or nine digits with a Luhn check, office, branch; a 0 before."""
    return luhn(code[:-6]) if len(code) == 15 or code[0] == "0" else id_nik(code)


def il_idnr(code: str) -> bool:
    """Israel's number of a person: nine digits with a Luhn check, zeros before it left out."""
    return luhn(code)


def jp_in(code: str) -> bool:
    """Japan's number of a person (My Number): eleven digits and one modulo 11."""
    return -total(code, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11 % 10 == int(code[11])


def kr_rrn(code: str) -> bool:
    """South Korea's number of a resident: birthday, century and sex, place, a digit modulo 11 (not since 2020)."""
    century = {"9": 18, "0": 18, "1": 19, "2": 19, "5": 19, "6": 19}.get(code[6], 20)
    rest = (11 - total(code, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10
    born = day(century * 100 + int(code[:2]), int(code[2:4]), int(code[4:6]))
    return born and int(code[7:9]) <= 96 and rest == int(code[12])


def my_nric(code: str) -> bool:
    """Malaysia's number of a person (JPN): birthday, place of birth, serial number."""
    return dated(code[:6], "ymd") and code[6:8] not in {
        "00",
        "17",
        "18",
        "19",
        "20",
        "69",
        "70",
        "73",
        "80",
        "81",
        "94",
        "95",
        "96",
        "97",
    }


def pk_cnic(code: str) -> bool:
    """Pakistan's number of a person (NADRA): place, serial number, a digit for the sex."""
    return code[0] in "1234567" and code[12] != "0"


SG_LETTERS: Final = {
    "s": "jzihgfedcba", "t": "jzihgfedcba", "f": "xwutrqpnmlk", "g": "xwutrqpnmlk", "m": "xwutrqpnjlk"
}  # fmt: skip


def sg_nric(code: str) -> bool:
    """Singapore's number of a resident (ICA): S, T, F, G or M, seven digits and a check letter."""
    rest = total(code[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"t": 4, "g": 4, "m": 3}.get(code[0], 0)
    return code[0] in SG_LETTERS and code[8] == SG_LETTERS[code[0]][rest % 11]


def sg_form(code: str) -> bool:
    """Singapore's number of a resident by its letters alone: those that a check may give."""
    return code[0] in SG_LETTERS and code[8] in SG_LETTERS[code[0]]


def th_pin(code: str) -> bool:
    """Thailand's number of a person, or of a firm as a tax payer (0): thirteen digits, the last one modulo 11."""
    return code[0] != "9" and (11 - total(code, range(13, 1, -1)) % 11) % 10 == int(code[12])


def tw_id(code: str) -> bool:
    """Taiwan's number of a person or a resident: a letter, nine digits, modulo 10."""
    number = "abcdefghjklmnpqrstuvxywzio".index(code[0]) + 10
    return code[1] in "1289" and (number // 10 + number * 9 + total(code[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))) % 10 == 0


def vn_mst(code: str) -> bool:
    """Vietnam's tax number (GDT): nine digits and one modulo 11; three more for a branch."""
    rest = 10 - total(code, (31, 29, 23, 19, 17, 13, 7, 5, 3)) % 11
    return code[2:9] != "0000000" and str(rest) == code[9] and code[10:] != "000"


def cn_resident_id(code: str) -> bool:
    """China's number of a resident (GB 11643-1999): place, birthday, serial number, ISO 7064's MOD 11-2."""
    rest = 0
    for digit in code[:17]:
        rest = (rest + int(digit)) * 2 % 11
    return (
        code[0] in "1234568"
        and code[6:8] in {"18", "19", "20"}
        and dated(code[6:14], "Ymd")
        and code[17] == "10x98765432"[rest]
    )


def hk_hkid(code: str) -> bool:
    """Hong Kong's number of a person: one or two letters, six digits and a check digit, A for ten."""
    values = [36, *(int(char, 36) for char in code)][-9:]
    return code[-1] in "0123456789a" and sum(map(mul, values, range(9, 0, -1))) % 11 == 0


def ae_id(code: str) -> bool:
    """The Emirates' number of a person (ICP): 784, year of birth, seven digits and a further one."""
    return code.startswith("784") and code[3:5] in {"19", "20"}


def sa_id(code: str) -> bool:
    """Saudi Arabia's number of a citizen (1) or a resident (2, iqama): ten digits with a Luhn check."""
    return code[0] in "12" and luhn(code)


def ir_code(code: str) -> bool:
    """Iran's number of a person (kod-e melli): nine digits and one modulo 11."""
    rest = total(code, range(10, 1, -1)) % 11
    return len(set(code)) > 1 and int(code[9]) == (rest if rest < 2 else 11 - rest)


def kw_civil(code: str) -> bool:
    """Kuwait's civil number (PACI): century, birthday, serial number, a digit modulo 11."""
    rest = 11 - total(code, (2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11
    return code[0] in "123" and dated(code[1:7], "ymd") and rest == int(code[11])


def kz_iin(code: str) -> bool:
    """Kazakhstan's number of a person: birthday, century and sex, serial number, a digit modulo 11."""
    rest = total(code, range(1, 12)) % 11
    if rest == 10:
        rest = total(code, (3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2)) % 11
    return dated(code[:6], "ymd") and code[6] in "0123456" and rest == int(code[11])


def uz_pinfl(code: str) -> bool:
    """Uzbekistan's number of a person: century and sex, birthday, place, serial number, a further digit."""
    return code[0] in "123456" and dated(code[1:7], "dmy")


def lk_nic(code: str) -> bool:
    """Sri Lanka's number of a person: year and day of birth (a woman's plus 500), serial number, once V or X."""
    old = len(code) == 10
    born = int(code[2:5] if old else code[4:7])
    return 1 <= born % 500 <= 366 and (code[9] in "vx" if old else code[:2] in {"19", "20"})


SCHEMES: Final[tuple[Scheme, ...]] = (
    scheme("in_aadhaar", "d12", in_aadhaar, 0.08, "4~4~4"),
    scheme("in_aadhaar", "d16", in_aadhaar, 0.08, "4~4~4~4"),
    scheme("in_pan", "l5d4l1", in_pan_of_one, 0.038, "10|5~4~1"),
    scheme("in_pan", "l5d4l1", in_pan, 0.42, "10|5~4~1", shared=True),
    scheme("in_epic", "l3d7", in_epic, 0.1, "3~7", shared=True),
    scheme("plate", "l2d2l2d4", in_plate, 0.06, "2~2~2~4|4~2~4|4~6|2~2~6", shared=True),
    scheme("plate", "l2d2l1d4|l2d1l2d4", in_plate, 0.06, "2~2~1~4|2~1~2~4", shared=True),
    scheme("plate", "l2d2l3d4|l2d1l3d4", in_plate, 0.06, "2~2~3~4|2~2~2~4", shared=True),
    scheme("plate", "d2l2d4l1|d2l2d4l2", in_plate_bh, 0.0005, "2~2~4~1|2~2~4~2|4~4~1|4~4~2"),
    scheme("id_nik", "d16", id_nik, 0.038, "4~4~4~4|6~6~4|2~2~2~6~4"),
    scheme("id_npwp", "d15", id_npwp, 0.1, "2.3.3.1-3.3|2.3.3.1.3.3|2~3~3~1~3~3"),
    scheme("id_npwp", "d16", id_npwp, 0.048, "3.3.3.1-3.3"),
    scheme("il_idnr", "d8|d9", il_idnr, 0.1, "8-1|7~1|1~7~1|3~3~3"),
    scheme("jp_in", "d12", jp_in, 0.1, "4~4~4"),
    scheme("kr_rrn", "d13", kr_rrn, 0.0036, "6~7"),
    scheme("my_nric", "d12", my_nric, 0.032, "6-2-4|6 2 4"),
    scheme("pk_cnic", "d13", pk_cnic, 0.63, "5-7-1|5~7~1"),
    scheme("sg_nric", "l1d7l1", sg_nric, 0.0077, "1~7~1|8~1|1~8"),
    scheme("sg_nric", "l1d7l1", sg_form, 0.081, "1~7~1|8~1|1~8", shared=True),
    scheme("th_pin", "d13", th_pin, 0.091, "1-4-5-2-1|1 4 5 2 1|1-2-1-3-5-1|1 2 1 3 5 1"),
    scheme("tw_id", "l1d9", tw_id, 0.04, "1~9"),
    scheme("vn_mst", "d10|d13", vn_mst, 0.092, "10-3|2.2.3.3|4~6|4 2 2 2 - 3|4 2 2 2-3|4~2~2~2"),
    scheme("vn_cccd", "d12", None, 1, "3~3~3~3|4~4~4"),
    scheme("cn_resident_id", "d18|d17l1", cn_resident_id, 0.0005, "6~8~4|6~4~4~4"),
    scheme("hk_hkid", "l1d7", hk_hkid, 0.091, "1-6-1|1 6 1|7-1|1 6-1|7(1|1 6(1", shared=True),
    scheme("hk_hkid", "l1d6l1", hk_hkid, 0.0035, "1-6-1|1 6 1|7-1|1 6-1|7(1|1 6(1"),
    scheme("hk_hkid", "l2d7|l2d6l1", hk_hkid, 0.091, "8-1|8(1|2 6(1", shared=True),
    scheme("mo_bir", "d8", None, 1, "7(1|7~1"),
    scheme("ae_id", "d15", ae_id, 0.0005, "3~4~7~1"),
    scheme("sa_id", "d10", sa_id, 0.02),
    scheme("ir_code", "d10", ir_code, 0.1, "3-6-1"),
    scheme("kw_civil", "d12", kw_civil, 0.00082),
    scheme("qa_qid", "d11", None, 1),
    scheme("kz_iin", "d12", kz_iin, 0.0026, "6~6"),
    scheme("uz_pinfl", "d14", uz_pinfl, 0.022),
    scheme("lk_nic", "d9l1", lk_nic, 0.056),
    scheme("lk_nic", "d12", lk_nic, 0.015),
    scheme("ph_id", "d9|d10|d12", None, 1, "3~3~3|3~3~3~3|2~7~1|2~9~1|4~7~1|4~4~4"),
    scheme("bd_nid", "d10|d13|d17", None, 1, "3~3~4"),
)  # fmt: skip
