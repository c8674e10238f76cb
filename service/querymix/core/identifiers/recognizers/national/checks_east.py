"""The checks of numbers of persons of eastern and south-eastern Europe, from Poland, Czechia and Slovenia on.

Each gets a compact number of one of its scheme's shapes (europe.py).

Sources: the countries' registers, as python-stdnum collects them, which tests hold these against; for
those that it has not (Belarus' persons, Hungary's persons, Russia's SNILS) the laws that state them.
"""

from querymix.core.identifiers.numbers import luhn
from querymix.core.identifiers.recognizers.national.scheme import ALPHABET, Check, dated, day, mod_11_10, total


def al_nipt(code: str) -> bool:
    """Albania: a letter for the decade; how the last letter is made is not public."""
    return code[0] <= "m"


def az_voen(code: str) -> bool:
    """Azerbaijan: a check digit in the ninth place, then 1 for firms or 2 for persons."""
    return code[9] in "12" and total(code, (4, 1, 8, 6, 2, 7, 5, 3)) % 11 == int(code[8])


def bg_egn(code: str) -> bool:
    """Bulgaria: birthday (the month tells the century), serial number, check digit."""
    month = int(code[2:4])
    shift, century = next((pair for pair in ((40, 2000), (20, 1800)) if month > pair[0]), (0, 1900))
    right = total(code, (2, 4, 8, 5, 10, 9, 7, 3, 6)) % 11 % 10 == int(code[9])
    return right and day(century + int(code[:2]), month - shift, int(code[4:6]))


def bg_pnf(code: str) -> bool:
    """Bulgaria's number of a foreigner: a weighted sum modulo 10."""
    return total(code, (21, 19, 17, 13, 11, 9, 7, 3, 1)) % 10 == int(code[9])


def by_unp(code: str) -> bool:
    """Belarus' tax number: region, serial number, check digit modulo 11; persons' begin with two letters."""
    second = code[1]
    if not code[0].isdigit():
        if second not in "abcehkmopt":
            return False
        second = str("abcehkmopt".index(second))
    signs = code[0] + second + code[2:8]
    rest = sum(ALPHABET.index(char) * weight for char, weight in zip(signs, (29, 23, 19, 17, 13, 7, 5, 3), strict=True))
    return code[0] in "1234567abcehkm" and rest % 11 == int(code[8])


def by_pin(code: str) -> bool:
    """Belarus' number of a person: sex and century, birthday, region, serial number, nationality, check digit."""
    return (
        code[0] in "123456" and dated(code[1:7], "dmy") and code[7] in "abchkem" and code[11:13] in {"pb", "ba", "bi"}
    )


def cy_tic(code: str) -> bool:
    """Cyprus: eight digits and a letter modulo 26."""
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
    rest = sum(odd[int(digit)] for digit in code[0:8:2]) + sum(map(int, code[1:8:2]))
    return not code.startswith("12") and ord(code[8]) - ord("a") == rest % 26


def cz_rc(code: str) -> bool:
    """Czechia and Slovakia: birthday (a woman's month plus 50, plus 20 in full years), number, divisible by 11.

    Up to 1953 there were three digits behind the birthday, and no check.
    """
    year = 1900 + int(code[:2])
    if len(code) == 9:
        year -= 100 if year >= 1980 else 0
        if year > 1953:
            return False
    else:
        year += 100 if year < 1954 else 0
        if int(code[:9]) % 11 % 10 != int(code[9]):
            return False
    return day(year, int(code[2:4]) % 50 % 20, int(code[4:6]))


def cz_dic(code: str) -> bool:
    """Czechia's VAT: a birth number, eight digits of a firm, or nine that begin with 6."""
    if len(code) == 8:
        return code[0] != "9" and (-total(code, (8, 7, 6, 5, 4, 3, 2)) % 11 or 1) % 10 == int(code[7])
    if len(code) == 9 and code[0] == "6":
        return (8 - (10 - total(code[1:], (8, 7, 6, 5, 4, 3, 2)) % 11) % 11) % 10 == int(code[8])
    return cz_rc(code)


def baltic(code: str) -> bool:
    """Estonia's and Lithuania's check digit: weights 1 to 9, then 3 on where that leaves 10."""
    rest = total(code[:10], (1, 2, 3, 4, 5, 6, 7, 8, 9, 1)) % 11
    if rest == 10:
        rest = total(code[:10], (3, 4, 5, 6, 7, 8, 9, 1, 2, 3)) % 11
    return rest % 10 == int(code[10])


def ee_ik(code: str) -> bool:
    """Estonia and Lithuania: sex and century, birthday, serial number, check digit."""
    return (
        code[0] in "12345678"
        and baltic(code)
        and day(1800 + 100 * ((int(code[0]) - 1) // 2) + int(code[1:3]), int(code[3:5]), int(code[5:7]))
    )


def lt_nine(code: str) -> bool:
    """Lithuania's numbers of who has no birthday in them."""
    return code[0] == "9" and baltic(code)


def gr_amka(code: str) -> bool:
    """Greece's social insurance: birthday, serial number, Luhn's check digit."""
    return luhn(code) and dated(code, "dmy")


def gr_vat(code: str) -> bool:
    """Greece's VAT: the tax number behind EL or GR."""
    return code[:2] in {"el", "gr"} and gr_afm(code[2:])


def gr_afm(code: str) -> bool:
    """Greece's tax number: powers of two modulo 11."""
    return total(code, (256, 128, 64, 32, 16, 8, 4, 2)) % 11 % 10 == int(code[8])


def hr_oib(code: str) -> bool:
    """Croatia: ISO 7064."""
    return mod_11_10(code)


def hu_anum(code: str) -> bool:
    """Hungary's VAT: eight digits modulo 10."""
    return total(code, (9, 7, 3, 1, 9, 7, 3, 1)) % 10 == 0


def hu_adoazonosito(code: str) -> bool:
    """Hungary's tax number of a person: an 8, days since 1867, serial number, check digit modulo 11."""
    return code[0] == "8" and total(code, (1, 2, 3, 4, 5, 6, 7, 8, 9)) % 11 == int(code[9])


def hu_taj(code: str) -> bool:
    """Hungary's social insurance: eight digits, a check digit modulo 10."""
    return total(code, (3, 7, 3, 7, 3, 7, 3, 7)) % 10 == int(code[8])


def lv_pk(code: str) -> bool:
    """Latvia: birthday and century, or 32 without one (since 2017), serial number, check digit."""
    right = (1 + total(code, (10, 5, 8, 4, 2, 1, 6, 3, 7, 9))) % 11 % 10 == int(code[10])
    birthday = code[0] < "4" and day(1800 + 100 * int(code[6]) + int(code[4:6]), int(code[2:4]), int(code[:2]))
    return right and (birthday or code.startswith("32"))


def lv_pvn(code: str) -> bool:
    """Latvia's VAT: a person's number, or a firm's, which begins with more than 3."""
    if code[0] > "3":
        return total(code, (9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1)) % 11 == 3
    return lv_pk(code)


def md_idnp(code: str) -> bool:
    """Moldova: thirteen digits modulo 10."""
    return total(code, (7, 3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1)) % 10 == int(code[12])


def me_pib(code: str) -> bool:
    """Montenegro's tax number: eight digits modulo 11."""
    return -total(code, (8, 7, 6, 5, 4, 3, 2)) % 11 % 10 == int(code[7])


def mk_edb(code: str) -> bool:
    """North Macedonia's tax number: thirteen digits modulo 11."""
    return -total(code, (7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11 % 10 == int(code[12])


def pl_pesel(code: str) -> bool:
    """Poland: birthday (the month tells the century), serial number, check digit."""
    century, month = divmod(int(code[2:4]), 20)
    return total(code, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0 and day(
        (1900, 2000, 2100, 2200, 1800)[century] + int(code[:2]), month, int(code[4:6])
    )


def pl_nip(code: str) -> bool:
    """Poland's tax number: nine digits, a check digit modulo 11."""
    return total(code, (6, 5, 7, 2, 3, 4, 5, 6, 7, -1)) % 11 == 0


def ro_cnp(code: str) -> bool:
    """Romania: sex and century, birthday, county, serial number, check digit."""
    century = {"1": 1900, "2": 1900, "3": 1800, "4": 1800, "5": 2000, "6": 2000}.get(code[0], 1900)
    county = int(code[7:9])
    rest = total(code, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return (
        code[0] != "0"
        and (1 <= county <= 48 or county in (51, 52, 70, 80, 81, 82, 83))
        and (1 if rest == 10 else rest) == int(code[12])
        and day(century + int(code[1:3]), int(code[3:5]), int(code[5:7]))
    )


def ro_cui(code: str) -> bool:
    """Romania's VAT, also of persons who trade: up to nine digits and a check digit."""
    weighted = total(code[:-1].zfill(9), (7, 5, 3, 2, 1, 7, 5, 3, 2))
    return code[0] != "0" and 10 * weighted % 11 % 10 == int(code[-1])


def rs_pib(code: str) -> bool:
    """Serbia's tax number: ISO 7064."""
    return mod_11_10(code)


def ru_inn(code: str) -> bool:
    """Russia's tax number: two check digits modulo 11 for persons, one for firms."""
    weights = (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)
    ends = ((9, weights[2:]),) if len(code) == 10 else ((10, weights[1:]), (11, weights))
    return all(total(code[:size], some) % 11 % 10 == int(code[size]) for size, some in ends)


def ru_ogrn(code: str) -> bool:
    """Russia's register of firms (13 digits) and of persons who trade (15, the first a 3 or 4)."""
    if len(code) == 13:
        return code[0] != "0" and int(code[:12]) % 11 % 10 == int(code[12])
    return code[0] in "34" and f"{int(code[:14]) % 13}" == code[14]


def ru_snils(code: str) -> bool:
    """Russia's pension insurance: nine digits and what their weighted sum leaves modulo 101."""
    return total(code[:9], (9, 8, 7, 6, 5, 4, 3, 2, 1)) % 101 % 100 == int(code[9:])


def emso(code: str) -> bool:
    """The countries that were Yugoslavia: birthday (three digits of the year), region, serial number, modulo 11."""
    year = int(code[4:7])
    return mk_edb(code) and day(year + (2000 if year < 800 else 1000), int(code[2:4]), int(code[:2]))


def emso_of(*regions: str) -> Check:
    """Return the check of one country's, whose region begins with one of these digits."""

    def check(code: str) -> bool:
        return code[7] in regions and emso(code)

    return check


def si_ddv(code: str) -> bool:
    """Slovenia's tax number: eight digits modulo 11."""
    rest = 11 - total(code, (8, 7, 6, 5, 4, 3, 2)) % 11
    return code[0] != "0" and (0 if rest == 10 else rest) == int(code[7])


def sk_dph(code: str) -> bool:
    """Slovakia's VAT: ten digits that are divisible by 11, or a birth number."""
    return cz_rc(code) or (code[0] != "0" and code[2] in "234789" and int(code) % 11 == 0)


def tr_tckn(code: str) -> bool:
    """Turkey: nine digits and two check digits."""
    first = -total(code, (3, 1, 3, 1, 3, 1, 3, 1, 3)) % 10
    return code[0] != "0" and code[9:] == f"{first}{(first + sum(map(int, code[:9]))) % 10}"


def tr_vkn(code: str) -> bool:
    """Turkey's tax number: nine digits, each shifted by its place and times a power of two modulo 9."""
    rest = 0
    for place, digit in enumerate(code[8::-1], 1):
        shifted = (int(digit) + place) % 10
        rest += (shifted * 2**place % 9 or 9) if shifted else 0
    return -rest % 10 == int(code[9])


def ua_rnokpp(code: str) -> bool:
    """Ukraine's tax number: days since 1900, serial number, check digit modulo 11."""
    return total(code, (-1, 5, 7, 9, 4, 6, 10, 5, 7)) % 11 % 10 == int(code[9])
