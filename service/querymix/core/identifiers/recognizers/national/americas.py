"""The numbers of persons of the Americas; those of the USA's social security have rules of their own (us_ssn.py).

Sources: the registers that a row names, as python-stdnum collects them; where it has none, the register alone.
"""

from typing import Final

from querymix.core.identifiers.numbers import luhn
from querymix.core.identifiers.recognizers.national.scheme import Scheme, dated, scheme, total
from querymix.core.identifiers.spans import word_set


def us_ptin(code: str) -> bool:
    """The USA's number of who prepares tax returns (IRS): a P and eight digits."""
    return code[0] == "p"


def mbi(code: str) -> bool:
    """Medicare's number of a person in the USA (CMS): no letter that looks like a digit, the second place a letter."""
    letters = "acdefghjkmnpqrtuvwxy"
    kinds = zip(code, "1abdabdaadd", strict=True)
    return code[0] != "0" and all(
        char in {"1": "123456789", "a": letters, "b": letters + "0123456789", "d": "0123456789"}[kind]
        for char, kind in kinds
    )


def ca_sin(code: str) -> bool:
    """Canada's Social Insurance Number (Service Canada): Luhn; none begins with 0 or 8."""
    return code[0] not in "08" and luhn(code)


def ca_phn(code: str) -> bool:
    """British Columbia's Personal Health Number: a 9, eight digits and one modulo 11."""
    weighted = sum(int(digit) * weight % 11 for digit, weight in zip(code[1:], (2, 4, 8, 5, 10, 9, 7, 3), strict=False))
    return code[0] == "9" and (11 - weighted) % 11 == int(code[9])


def ca_ohip(code: str) -> bool:
    """Ontario's health number: ten digits with a Luhn check, and letters for the card's version."""
    return code[0] != "0" and luhn(code[:10])


def ca_ramq(code: str) -> bool:
    """Quebec's number of the health insurance (RAMQ): four letters of the name, birthday (a woman's month plus 50)."""
    return 1 <= int(code[6:8]) % 50 <= 12 and 1 <= int(code[8:10]) <= 31


STATES: Final = word_set(
    "as bc bs cc ch cl cm cs df dg gr gt hg jc mc mn ms ne nl nt oc pl qr qt sl sp sr tc tl ts vz yn zs"
)
VALUES: Final = {char: value for value, char in enumerate("0123456789abcdefghijklmn&opqrstuvwxyz \u00f1")}


def mx_curp(code: str) -> bool:
    """Mexico's number of a person (RENAPO): letters of the name, birthday, sex, state, and a check digit."""
    weighted = sum(VALUES[char] * weight for char, weight in zip(code, range(18, 1, -1), strict=False))
    return dated(code[4:10], "ymd") and code[10] in "hmx" and code[11:13] in STATES and -weighted % 10 == int(code[17])


def mx_rfc(code: str) -> bool:
    """Mexico's tax number (SAT): a person's four letters and birthday, a firm's three and its day, three characters."""
    at = 3 if code[3].isdigit() else 4
    return dated(code[at : at + 6], "ymd") and code[:4] not in {"june", "july", "sept", "from", "till", "date"}


def mx_rfc_checked(code: str) -> bool:
    """The same with a last character that may be a check digit; of some persons it is not the right one."""
    return mx_rfc(code) and code[-1] in "0123456789a"


def mx_rfc_firm(code: str) -> bool:
    """Mexico's tax number of a firm: three letters, a day, and three characters, the last one modulo 11."""
    weighted = sum(VALUES[char] * weight for char, weight in zip(" " + code, range(13, 1, -1), strict=False))
    return dated(code[3:9], "ymd") and "0123456789a"[-weighted % 11] == code[11]


def two_digits(values: list[int], first: int) -> bool:
    """Return whether two check digits of Brazil are right, whose weights go from 2 on, after `first` from 2 again."""
    for size in (len(values) - 2, len(values) - 1):
        weighted = sum(value * (2 + place % first) for place, value in enumerate(reversed(values[:size])))
        if -weighted % 11 % 10 != values[size]:
            return False
    return True


def br_cpf(code: str) -> bool:
    """Brazil's number of a person (Receita Federal); eleven times the same digit is none."""
    return len(set(code)) > 1 and two_digits([int(digit) for digit in code], 10)


def br_cnpj(code: str) -> bool:
    """Brazil's number of a company, which may be one person's (Receita Federal; since 2026 with letters)."""
    values = [ord(char.upper()) - 48 for char in code]
    return sum(map(str.isdigit, code)) >= 3 and len(set(code)) > 1 and two_digits(values, 8)


def br_pis(code: str) -> bool:
    """Brazil's number of a worker (PIS, PASEP, NIS): eleven digits modulo 11."""
    return -total(code, (3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) % 11 % 10 == int(code[10])


def br_voter(code: str) -> bool:
    """Brazil's number of a voter (TSE): eight digits, state, two check digits modulo 11; 0 is 1 in the first two."""
    rests = total(code, (2, 3, 4, 5, 6, 7, 8, 9)) % 11, total(code[8:], (7, 8, 9)) % 11
    marks = [str(rest % 10 or int(rest == 0 and code[8:10] in {"01", "02"})) for rest in rests]
    return 1 <= int(code[8:10]) <= 28 and code[10:] == "".join(marks)


def br_sus(code: str) -> bool:
    """Brazil's number of a patient (CNS, Ministério da Saúde): fifteen digits modulo 11."""
    return code[0] in "12789" and total(code, range(15, 0, -1)) % 11 == 0


AR_BEGIN: Final = word_set("20 23 24 25 26 27 30 33 34 50 51 55")


def ar_cuil(code: str) -> bool:
    """Argentina's number of a worker or tax payer (ANSES, AFIP): two digits for what it is, eight, one modulo 11."""
    rest = -total(code, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return code[:2] in AR_BEGIN and code[10] == "01234567899"[rest]


def cl_rut(code: str) -> bool:
    """Chile's number of a person or tax payer (SII): digits modulo 11, a K for ten."""
    return code[-1] == "0123456789k"[-total(code[-2::-1], (2, 3, 4, 5, 6, 7, 2, 3)) % 11]


def co_nit(code: str) -> bool:
    """Colombia's tax number (DIAN): a person's is that of the cédula and a digit modulo 11."""
    rest = total(code[-2::-1], (3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71)) % 11
    return code[-1] == "01987654321"[rest]


def cr_cpf(code: str) -> bool:
    """Costa Rica's number of a person (TSE): province, volume, entry, their zeros often left out."""
    return len(code) < 10 or code[0] == "0"


def cu_ni(code: str) -> bool:
    """Cuba's number of a person: birthday, a digit for the century, serial number."""
    return dated(code[:6], "ymd")


def ec_ci(code: str) -> bool:
    """Ecuador's number of a person (Registro Civil): province, a digit below 6, Luhn; as a tax payer 001 behind it."""
    province = int(code[:2])
    return (
        (1 <= province <= 24 or province in {30, 50}) and code[2] < "7" and luhn(code[:10]) and code[10:] in {"", "001"}
    )


def gt_nit(code: str) -> bool:
    """Guatemala's tax number (SAT): digits modulo 11, a K for ten."""
    return code[-1] == "0123456789k"[-total(code[-2::-1], range(2, 14)) % 11]


def gt_dpi(code: str) -> bool:
    """Guatemala's number of a person (RENAP): eight digits, one modulo 11, and one of 22 departments."""
    return total(code, range(2, 10)) % 11 == int(code[8]) and 1 <= int(code[9:11]) <= 22 and 1 <= int(code[11:]) <= 33


def hn_dni(code: str) -> bool:
    """Honduras's number of a person (RNP): one of 18 departments, municipality, year of birth, serial number."""
    return 1 <= int(code[:2]) <= 18 and 1 <= int(code[2:4]) <= 28 and code[4:6] in {"19", "20"}


def ni_cedula(code: str) -> bool:
    """Nicaragua's number of a person: municipality, birthday, serial number, a letter modulo 23."""
    return dated(code[3:9], "dmy") and code[13] == "abcdefghjklmnpqrstuvwxy"[int(code[:13]) % 23]


def pe_cui(code: str) -> bool:
    """Peru's number of a person (RENIEC): eight digits, and a digit or letter modulo 11."""
    rest = total(code[:8], (3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return code[8] in ("65432110987"[rest], "kjihgfedcba"[rest])


def pe_ruc(code: str) -> bool:
    """Peru's tax number (SUNAT): a person's is 10, that of the DNI, and a digit modulo 11."""
    weighted = total(code, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2))
    return code[:2] in {"10", "15", "17", "20"} and (11 - weighted % 11) % 10 == int(code[10])


def py_ruc(code: str) -> bool:
    """Paraguay's tax number (SET): a person's is that of the cédula and a digit modulo 11."""
    return -total(code[-2::-1], range(2, 11)) % 11 % 10 == int(code[-1])


def sv_nit(code: str) -> bool:
    """El Salvador's tax number: municipality, day, serial number, a digit modulo 11."""
    old = code[10:13] <= "100"
    weighted = total(code, range(14, 1, -1) if old else (2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2))
    return code[0] in "019" and (weighted if old else -weighted) % 11 % 10 == int(code[13])


def sv_dui(code: str) -> bool:
    """El Salvador's number of a person (RNPN): eight digits and one modulo 10."""
    return -total(code, range(9, 1, -1)) % 10 == int(code[8])


def uy_rut(code: str) -> bool:
    """Uruguay's tax number (DGI): register, serial number, 001, a digit modulo 11."""
    rest = -total(code, (4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return 1 <= int(code[:2]) <= 22 and code[2:8] != "000000" and code[8:11] == "001" and rest == int(code[11])


def uy_ci(code: str) -> bool:
    """Uruguay's number of a person (DNIC): seven digits, or six, and one modulo 10."""
    return -total(code.zfill(8), (2, 9, 8, 7, 6, 3, 4)) % 10 == int(code[-1])


def ve_rif(code: str) -> bool:
    """Venezuela's tax number (SENIAT): a letter for what its bearer is, eight digits, one modulo 11."""
    kind = {"v": 4, "e": 8, "j": 12, "p": 16, "g": 20}.get(code[0])
    return kind is not None and code[9] == "00987654321"[(kind + total(code[1:], (3, 2, 7, 6, 5, 4, 3, 2))) % 11]


def ve_cedula(code: str) -> bool:
    """Venezuela's number of a person (SAIME): V, or E of who came from abroad, and seven or eight digits."""
    return code[0] in "ve"


SCHEMES: Final[tuple[Scheme, ...]] = (
    scheme("us_ptin", "l1d8", us_ptin, 0.039, "1-8", shared=True),
    scheme("plan", "d1l1x1d1l1x1d1l2d2", mbi, 0.22, "4~3~4"),
    scheme("ca_sin", "d9", ca_sin, 0.08, "3~3~3"),
    scheme("ca_phn", "d10", ca_phn, 0.009, "4~3~3"),
    scheme("ca_ohip", "d10", ca_ohip, 0.09, "4~3~3"),
    scheme("ca_ohip", "d10l2", ca_ohip, 0.09, "4~3~3~2|10~2"),
    scheme("ca_ramq", "l4d8", ca_ramq, 0.074, "4~4~4|4~8", shared=True),
    scheme("mx_curp", "l4d6l6x1d1", mx_curp, 0.0005, "4~6~6~2|4~6~8|10~8"),
    scheme("mx_rfc", "l3d6x3|l4d6x3", mx_rfc, 0.037),
    scheme("mx_rfc", "l4d6x3", mx_rfc_checked, 0.011, "4~6~3"),
    scheme("mx_rfc", "l3d6x3", mx_rfc_firm, 0.001, "3~6~3"),
    scheme("mx_rfc", "l4d6", mx_rfc, 0.037, "4~6", shared=True),
    scheme("br_cpf", "d11", br_cpf, 0.01, "3.3.3-2|3.3.3/2|3 3 3-2|9-2|3~3~3~2"),
    scheme("br_cnpj", "d14", br_cnpj, 0.01, "2.3.3/4-2|2.3.3/4 2|2 3 3/4-2|8/4-2|8/4 2|2~3~3~4~2"),
    scheme("br_cnpj", "x12d2", br_cnpj, 0.01, "2.3.3/4-2|8/4-2"),
    scheme("br_pis", "d11", br_pis, 0.1, "3.5.2-1|3.4.3-1|3~5~2~1|3~4~3~1"),
    scheme("br_voter", "d12", br_voter, 0.0029, "4~4~4"),
    scheme("br_sus", "d15", br_sus, 0.046, "3 4 4 4|3~4~4~4"),
    scheme("br_rg", "d8|d9|d7l1|d8l1", None, 1, "2.3.3-1|1.3.3-1|2~3~3~1"),
    scheme("ar_cuil", "d11", ar_cuil, 0.012, "2-8-1|2 8 1|2~8~1|2-2.3.3-1"),
    scheme("ar_dni", "d7|d8", None, 1, "2~3~3|1~3~3"),
    scheme("cl_rut", "d8|d9|d7l1|d8l1", cl_rut, 0.091, "8-1!|7-1!|2.3.3-1|1.3.3-1|2 3 3-1|1 3 3-1"),
    scheme("co_nit", "d9|d10|d11", co_nit, 0.1, "8-1|9-1|10-1|2.3.3-1|3.3.3-1|1.3.3.3-1|3 3 3-1"),
    scheme("co_cc", "d7|d8|d9|d10", None, 1, "1~3~3|2~3~3|1~3~3~3"),
    scheme("cr_cpf", "d7|d8|d9|d10", cr_cpf, 1, "1-4-4|2-4-4|1~3~3|1~3~4|1~4~3"),
    scheme("cr_cr", "d11|d12", None, 1),
    scheme("cu_ni", "d11", cu_ni, 0.037),
    scheme("do_cedula", "d11", luhn, 0.1, "3-7-1|3~7~1"),
    scheme("ec_ci", "d10", ec_ci, 0.0184, "9-1"),
    scheme("ec_ci", "d13", ec_ci, 0.0005, "10-3|9-1-3|10~3"),
    scheme("gt_nit", "d6|d7|d8|d9|d5l1|d6l1|d7l1|d8l1", gt_nit, 0.091, "8-1|5~1|6~1|7~1"),
    scheme("gt_dpi", "d13", gt_dpi, 0.0066, "4~5~4"),
    scheme("hn_dni", "d13", hn_dni, 0.001, "4~4~5"),
    scheme("ni_cedula", "d13l1", ni_cedula, 0.0015, "3~6~5|3~6~4~1"),
    scheme("pa_cedula", "d7|d8|d9|d10", None, 1, "1~3~3|1~2~4|1~3~4|1~4~5|1~3~5|2~3~4"),
    scheme("pe_cui", "d8", None, 1),
    scheme("pe_cui", "d9|d8l1", pe_cui, 0.1, "8-1"),
    scheme("pe_ruc", "d11", pe_ruc, 0.0042),
    scheme("py_ruc", "d6|d7|d8|d9", py_ruc, 0.1, "8-1|5~1|6~1"),
    scheme("sv_nit", "d14", sv_nit, 0.03, "4-6-3-1"),
    scheme("sv_dui", "d9", sv_dui, 0.1, "8-1"),
    scheme("uy_rut", "d12", uy_rut, 0.0005, "2~6~3~1"),
    scheme("uy_ci", "d7|d8", uy_ci, 0.1, "1.3.3-1|3.3-1"),
    scheme("ve_rif", "l1d9", ve_rif, 0.019, "1-8-1|9-1|1~9|1~8~1"),
    scheme("ve_cedula", "l1d7|l1d8", ve_cedula, 0.077, "1~8|1~7|1-2.3.3|1-1.3.3|3.3.3|2.3.3", shared=True),
    scheme("bo_ci", "d7|d8", None, 1),
    scheme("jm_trn", "d9", None, 1, "3~3~3"),
)  # fmt: skip
