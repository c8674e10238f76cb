"""The checks of numbers of persons of western and southern Europe, up to Germany, Austria and Malta.

Each gets a compact number of one of its scheme's shapes (europe.py).

Sources: the countries' registers, as python-stdnum collects them, which tests hold these against; for
Luxembourg, which it has not, the law of 19 June 2013 on the identification of persons.
"""

from typing import Final

from querymix.core.identifiers.numbers import luhn
from querymix.core.identifiers.recognizers.national.scheme import ALPHABET, dated, mod_11_10, total

DNI_LETTERS: Final = "trwagmyfpdxbnjzsqvhlcke"


def ad_nrt(code: str) -> bool:
    """Andorra: a letter of what the holder is, for some a range; how the last letter is made is not public."""
    number = int(code[1:7])
    if code[0] in "al":
        return 699999 < number < 800000
    return code[0] in "cdegopu" or (code[0] == "f" and number <= 699999)


def at_tin(code: str) -> bool:
    """Austria's tax number: office, subject, Luhn's check digit."""
    return luhn(code)


def at_vnr(code: str) -> bool:
    """Austria's social insurance: serial number, the fourth digit modulo 11, birthday."""
    return code[0] != "0" and total(code, (3, 7, 9, 0, 5, 8, 4, 2, 1, 6)) % 11 == int(code[3])


def at_uid(code: str) -> bool:
    """Austria's VAT: "U", seven digits, a check digit as Luhn's with 4 added."""
    digits = code[1:]
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[1:7:2]) + sum(map(int, digits[0:7:2]))
    return code[0] == "u" and (96 - doubled) % 10 == int(digits[7])


def be_key(code: str) -> bool:
    """Belgium: a key modulo 97, with a 2 before the number for who was born after 1999."""
    return any(97 - int(century + code[:9]) % 97 == int(code[9:]) for century in ("", "2"))


def be_nn(code: str) -> bool:
    """Belgium: birthday (noughts where it is not known), serial number, key."""
    return int(code) > 0 and int(code[2:4]) <= 12 and be_key(code)


def be_bis(code: str) -> bool:
    """Belgium's number of who is not in the register: the month plus 20 or 40."""
    return (20 <= int(code[2:4]) <= 32 or 40 <= int(code[2:4]) <= 52) and be_key(code)


def be_eid(code: str) -> bool:
    """Belgium's identity card: a key modulo 97."""
    return int(code) > 0 and (int(code[:10]) % 97 or 97) == int(code[10:])


def ch_ahv(code: str) -> bool:
    """Switzerland: 756, and the check digit of an EAN."""
    return code.startswith("756") and total(code, (1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1)) % 10 == 0


def ch_uid(code: str) -> bool:
    """Switzerland's number of an enterprise, which may be one person: nine digits modulo 11."""
    return -total(code, (5, 4, 3, 2, 7, 6, 5, 4)) % 11 == int(code[8])


def de_idnr(code: str) -> bool:
    """Germany: of the first ten digits one comes twice or three times, all others once; ISO 7064 check digit."""
    counts = sorted(map(code[:10].count, set(code[:10])))
    return code[0] != "0" and counts[-1] in (2, 3) and counts[-2] == 1 and mod_11_10(code)


def de_stnr(code: str) -> bool:
    """Germany's tax number in the long form: the state, the office, a nought."""
    states = ("28", "11", "30", "24", "22", "26", "40", "23", "27", "10", "32", "31", "21", "41")
    return code[4] == "0" and (code[0] in "59" or code.startswith(states))


def de_vat(code: str) -> bool:
    """Germany's VAT, which persons who trade bear: ISO 7064."""
    return code[0] != "0" and mod_11_10(code)


def de_kvnr(code: str) -> bool:
    """Germany's health insurance: a letter (two digits of its place), eight digits, a check digit as Luhn's."""
    digits = f"{ord(code[0]) - ord('a') + 1:02}{code[1:9]}"
    return sum(sum(divmod(int(digit) * (1 + at % 2), 10)) for at, digit in enumerate(digits)) % 10 == int(code[9])


def de_rvnr(code: str) -> bool:
    """Germany's number of the pension insurance: area, birthday, letter of the name, serial number, check digit."""
    digits = f"{code[:8]}{ord(code[8]) - ord('a') + 1:02}{code[9:11]}"
    products = (int(digit) * weight for digit, weight in zip(digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True))
    return 1 <= int(code[4:6]) <= 12 and sum(sum(divmod(one, 10)) for one in products) % 10 == int(code[11])


def es_dni(code: str) -> bool:
    """Spain: eight digits and a letter modulo 23."""
    return DNI_LETTERS[int(code[:8]) % 23] == code[8]


def es_nie(code: str) -> bool:
    """Spain's number of a foreigner: X, Y or Z for 0, 1 or 2, then as the DNI."""
    return code[0] in "xyz" and es_dni(str("xyz".index(code[0])) + code[1:])


def es_nif(code: str) -> bool:
    """Spain's tax number: K, L or M for persons without DNI, or a letter for what the holder is and a check sign."""
    if code[0] in "klm":
        return DNI_LETTERS[int(code[1:8]) % 23] == code[8]
    rest = sum(sum(divmod(2 * int(digit), 10)) for digit in code[1:8:2]) + sum(map(int, code[2:8:2]))
    digit = -rest % 10
    return code[0] in "abcdefghjnpqrsuvw" and code[8] in (str(digit), "jabcdefghi"[digit])


def es_nss(code: str) -> bool:
    """Spain's social insurance: province, number, and what both leave modulo 97."""
    number = int(code[2:10])
    whole = int(code[:2]) * 10_000_000 + number if number < 10_000_000 else int(code[:10])
    return whole % 97 == int(code[10:])


def es_letter(code: str) -> bool:
    """Spain's numbers that begin and end with a letter."""
    return es_nie(code) or es_nif(code)


def fr_nif(code: str) -> bool:
    """France's tax number: ten digits of which the first is 0 to 3, and what they leave modulo 511."""
    return code[0] in "0123" and int(code[:10]) % 511 == int(code[10:])


def fr_nir(code: str) -> bool:
    """France: sex, year and month of birth, place, serial number, a key modulo 97 (2A and 2B of Corsica are 19, 18)."""
    place = {"2a": "19", "2b": "18"}.get(code[5:7], code[5:7])
    return place.isdigit() and 97 - int(code[:5] + place + code[7:13]) % 97 == int(code[13:])


def fr_no_key(code: str) -> bool:
    """France's number without its key: sex and month are left."""
    return code[0] in "12" and 1 <= int(code[3:5]) <= 12 and (code.isdigit() or code[5:7] in ("2a", "2b"))


CF_ODD: Final = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
"""What the first, third, ... character counts, by its digit or by its place in the alphabet."""
CF_DIGITS: Final = str.maketrans("lmnpqrstuv", "0123456789")
"""Letters that stand for digits where two persons would have the same code (omocodia)."""


def it_fiscal_code(code: str) -> bool:
    """Italy: letters of the name, date (a woman's day plus 40) and place of birth, a check letter modulo 26."""
    digits = (code[6:8] + code[9:11] + code[12:15]).translate(CF_DIGITS)
    month = "abcdehlmprst".find(code[8]) + 1
    if not (digits.isdigit() and month):
        return False
    values = [int(char) if char.isdigit() else ord(char) - ord("a") for char in code]
    right = (sum(CF_ODD[value] for value in values[:15:2]) + sum(values[1:15:2])) % 26 == values[15]
    return right and dated(f"{digits[:2]}{month:02}{int(digits[2:4]) % 40:02}", "ymd")


def it_iva(code: str) -> bool:
    """Italy's VAT: a number, the province, Luhn's check digit."""
    return (
        code[:7] != "0000000"
        and luhn(code)
        and ("001" <= code[7:10] <= "100" or code[7:10] in {"120", "121", "888", "999"})
    )


def lu_matricule(code: str) -> bool:
    """Luxembourg: birthday, serial number, a check digit by Luhn (and one by Verhoeff, which is not looked at)."""
    return dated(code, "Ymd") and "18" <= code[:2] <= "20" and luhn(code[:12])


def mt_id(code: str) -> bool:
    """Malta's identity card: up to seven digits, a letter for where and when (no check digit)."""
    return code[7] in "mgaplhbz"


def mt_vat(code: str) -> bool:
    """Malta's VAT: eight digits modulo 37."""
    return code[0] != "0" and total(code, (3, 4, 6, 7, 8, 9, 10, 1)) % 37 == 0


def eleven_test(code: str) -> int:
    """Return what nine digits of the Netherlands leave modulo 11."""
    return total(code, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11


def nl_bsn(code: str) -> bool:
    """The Netherlands: nine digits modulo 11; a first nought is often left out."""
    return int(code) > 0 and eleven_test(code.zfill(9)) == 0


def nl_btw(code: str) -> bool:
    """The Netherlands' VAT: a BSN, a B, two digits; or a key modulo 97 over all of it (since 2020)."""
    if code[9] != "b" or int(code[:9]) == 0 or int(code[10:]) == 0:
        return False
    return eleven_test(code) == 0 or int("2321" + code[:9] + "11" + code[10:]) % 97 == 1  # "NL...B.."


def nl_short_btw(code: str) -> bool:
    """The same with the country before it, where a first nought is often left out."""
    return nl_btw(code.zfill(12))


def nl_document(code: str) -> bool:
    """The Netherlands' passports and identity cards: two letters, six letters or digits, a digit; never an O."""
    return "o" not in code


def nl_onderwijsnummer(code: str) -> bool:
    """The Netherlands' number of a pupil: it begins with 10 and leaves 5 modulo 11."""
    return code.startswith("10") and eleven_test(code) == 5


def pt_cc(code: str) -> bool:
    """Portugal's citizen card: nine digits, two signs of the version, a check digit as Luhn's with letters as 10 on."""
    values = [ALPHABET.index(char) for char in code]
    doubled = [2 * value - (9 if 2 * value > 9 else 0) for value in values[-2::-2]]
    return (sum(doubled) + sum(values[-1::-2])) % 10 == 0


def pt_niss(code: str) -> bool:
    """Portugal's social insurance: a 1 or 2, digits weighed by primes, modulo 10."""
    return code[0] in "12" and 9 - total(code, (29, 23, 19, 17, 13, 11, 7, 5, 3, 2)) % 10 == int(code[10])


def pt_nif(code: str) -> bool:
    """Portugal: nine digits modulo 11."""
    return code[0] != "0" and -total(code, (9, 8, 7, 6, 5, 4, 3, 2)) % 11 % 10 == int(code[8])


def sm_coe(code: str) -> bool:
    """San Marino: up to five digits, noughts before them."""
    return len(code) == 5 or code[0] == "0"
