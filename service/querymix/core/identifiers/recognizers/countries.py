"""Countries' numbers of persons that a form and one check give away: one table.

Rules:
- A form with a check digit needs the right one, or one of the country's own words beside it (a mistyped number).
- A form that other things have too counts beside its words only, or where it is the whole query and its check is right.
- One run of digits alone is a `code` anyway (code.py); here are the forms with letters, marks or spaces.
- A number with more to its check, or its own rules, has a file of its own (es_dni.py).

Sources: the countries' registers, as python-stdnum collects them; tests hold the checks against it.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Final, NamedTuple

from querymix.core.identifiers.numbers import NO_CODE, gs1, luhn
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer
from querymix.core.identifiers.shared import of_a_product
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

Check = Callable[[str], bool]


def total(code: str, weights: Sequence[int]) -> int:
    """Return the sum of the digits of `code`, each times its weight."""
    return sum(int(digit) * weight for digit, weight in zip(code, weights, strict=False))


def dated(code: str, order: str) -> bool:
    """Return whether the first six digits are a date in an order such as "ymd"; which century is not told."""
    part = {name: int(code[at : at + 2]) for name, at in zip(order, (0, 2, 4), strict=True)}
    try:
        date(2000 + part["y"], part["m"], part["d"])
    except ValueError:
        return part == {"y": part["y"], "m": 2, "d": 29}
    return True


def ar_cuil(code: str) -> bool:
    """Argentina: eleven digits modulo 11, the first two for persons and firms."""
    rest = -total(code, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return code[:2] in {"20", "23", "24", "25", "26", "27", "30", "33", "34"} and code[10] == "01234567899"[rest]


def au_medicare(code: str) -> bool:
    """Australia: the ninth digit checks the first eight, the tenth counts the cards."""
    return total(code, (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(code[8])


def au_tfn(code: str) -> bool:
    """Australia's tax file number: nine digits modulo 11."""
    return total(code, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def be_nn(code: str) -> bool:
    """Belgium: birthday, serial number, and a key modulo 97, with a 2 before it for who was born after 1999."""
    return any((97 - int(century + code[:9]) % 97) == int(code[9:]) for century in ("", "2"))


def cl_rut(code: str) -> bool:
    """Chile: digits modulo 11, a K for ten."""
    return code[-1] == "0123456789k"[-total(code[-2::-1], (2, 3, 4, 5, 6, 7, 2, 3)) % 11]


def cz_rc(code: str) -> bool:
    """Czechia and Slovakia: birthday (a woman's month plus 50) and four digits; the whole is divisible by 11."""
    month = int(code[2:4]) % 50
    return 1 <= month % 20 <= 12 and 1 <= int(code[4:6]) <= 31 and int(code[:9]) % 11 % 10 == int(code[9])


def de_rvnr(code: str) -> bool:
    """Germany's number of the pension insurance: area, birthday, letter of the name, serial number, check digit."""
    digits = f"{code[:8]}{ord(code[8]) - ord('a') + 1:02}{code[9:11]}"
    products = (int(digit) * weight for digit, weight in zip(digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True))
    return 1 <= int(code[4:6]) <= 12 and sum(sum(divmod(one, 10)) for one in products) % 10 == int(code[11])


def dk_cpr(code: str) -> bool:
    """Denmark: birthday and four digits, modulo 11 (those given out since 2007 need not pass)."""
    return dated(code, "dmy") and total(code, (4, 3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def hk_hkid(code: str) -> bool:
    """Hong Kong: one or two letters, six digits and a check digit, A for ten; a lone letter has a space before it."""
    values = [36, *(int(char, 36) for char in code)][-9:]
    return sum(value * weight for value, weight in zip(values, range(9, 0, -1), strict=True)) % 11 == 0


def ie_pps(code: str) -> bool:
    """Ireland: seven digits, a check letter modulo 23; a further letter counts nine times."""
    further = "wabcdefghi".find(code[8:9] or "w")
    rest = (total(code, (8, 7, 6, 5, 4, 3, 2)) + 9 * max(further, 0)) % 23
    return code[7] == "wabcdefghijklmnopqrstuv"[rest]


def mx_rfc(code: str) -> bool:
    """Mexico's tax number of a person: four letters, a day, and three characters."""
    return dated(code[4:10], "ymd")


def my_nric(code: str) -> bool:
    """Malaysia: birthday, place of birth, serial number."""
    return dated(code, "ymd") and code[6:8] not in {"00", "17", "18", "19", "20"}


def nl_bsn(code: str) -> bool:
    """The Netherlands: nine digits modulo 11."""
    return total(code, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def no_fnr(code: str) -> bool:
    """Norway: birthday (a day plus 40 for guests), individual number, two check digits modulo 11."""
    return all(
        total(code, weights) % 11 == 0
        for weights in ((3, 7, 6, 1, 8, 9, 4, 5, 2, 1), (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1))
    )


def nz_nhi(code: str) -> bool:
    """New Zealand: three letters without I and O, three digits and a check digit modulo 11."""
    letters = "abcdefghjklmnpqrstuvwxyz"
    values = [letters.index(char) + 1 if char.isalpha() else int(char) for char in code]
    rest = sum(value * weight for value, weight in zip(values, (7, 6, 5, 4, 3, 2), strict=False)) % 11
    return rest != 0 and (11 - rest) % 10 == values[6]


def pl_pesel(code: str) -> bool:
    """Poland: birthday (the month tells the century), serial number, check digit."""
    return 1 <= int(code[2:4]) % 20 <= 12 and total(code, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0


def pt_nif(code: str) -> bool:
    """Portugal: nine digits modulo 11."""
    return -total(code, (9, 8, 7, 6, 5, 4, 3, 2)) % 11 % 10 == int(code[8])


def sg_nric(code: str) -> bool:
    """Singapore: S, T, F, G or M, seven digits and a check letter."""
    rest = total(code[1:], (2, 7, 6, 5, 4, 3, 2)) + {"t": 4, "g": 4, "m": 3}.get(code[0], 0)
    letters = {"s": "jzihgfedcba", "t": "jzihgfedcba", "m": "xwutrqpnjlk"}.get(code[0], "xwutrqpnmlk")
    return code[8] == letters[rest % 11]


def th_pin(code: str) -> bool:
    """Thailand: thirteen digits, the last one a check digit modulo 11."""
    return (11 - total(code, range(13, 1, -1)) % 11) % 10 == int(code[12])


def za_id(code: str) -> bool:
    """South Africa: birthday, serial number, citizenship, Luhn check."""
    return dated(code, "ymd") and luhn(code)


SEPARATOR_BEGIN: Final = "[ "
THREES: Final = r"\d{3}([ .-])\d{3}\1\d{3}"
MBI: Final = r"[1-9]A[0-9A]\d([ -]?)A[0-9A]\d\1AA\d\d".replace("[0-9A]", "[0-9a-z]").replace("A", "[ac-hj-km-np-rt-y]")
"""Medicare's numbers in the USA have no letter that looks like a digit."""


class Scheme(NamedTuple):
    """One country's numbers: `form` has no borders, `checks` gets lower-case letters and digits only."""

    kind: str
    form: str
    checks: Check | None = None
    words: frozenset[str] = frozenset()
    """Beside one of them a number counts whose check is wrong."""
    shared: bool = False
    """Whether other things have the form, so that a right check is not enough."""


def scheme(kind: str, form: str, checks: Check | None = None, words: str = "", *, shared: bool = False) -> Scheme:
    """Return one row of `SCHEMES`; "~" in a form stands for a space, a dot, a dash or nothing."""
    return Scheme(kind, form.replace("~", "[ .-]?"), checks, word_set(words), shared)


SCHEMES: Final = (
    scheme("ae_id", r"784([ -])\d{4}\1\d{7}\1\d"),
    scheme("ar_cuil", r"\d{2}([ .-])\d{8}\1\d", ar_cuil, "cuil cuit"),
    scheme("au_medicare", r"[2-6]\d{3}([ -])\d{5}\1\d(?:[ /-]\d)?", au_medicare, "medicare"),
    scheme("au_tfn", THREES, au_tfn, "tfn", shared=True),
    scheme("be_nn", r"\d\d([ .])\d\d\1\d\d[ -]\d{3}[ .]\d\d", be_nn, "rijksregisternummer rijksregister nrn niss insz"),
    scheme("ch_ahv", r"756([ .-])\d{4}\1\d{4}\1\d\d", gs1, "ahv avs"),
    scheme("cl_rut", r"\d{1,2}\.\d{3}\.\d{3}-[\dk]"),
    scheme("cl_rut", r"(?:\d{7,8}|\d{1,2} \d{3} \d{3}) ?- ?[\dk]", cl_rut, "rut"),
    scheme("cz_rc", r"\d{6}[ /]\d{4}", cz_rc, "rc rodne cislo"),
    scheme("de_rvnr", r"\d\d~\d{6}~[a-z]~\d{3}", de_rvnr, "rentenversicherungsnummer sozialversicherungsnummer"),
    scheme("dk_cpr", r"\d{6}([ -])\d{4}", dk_cpr, "cpr"),
    scheme("hk_hkid", r"[a-z]{1,2}~\d{6} ?\([\da]\)"),
    scheme("hk_hkid", r"[a-z]\d{6}~[\da]", hk_hkid, "hkid"),
    scheme("hk_hkid", r"(?!kb)[a-z]{2}\d{6}~[\da]", hk_hkid, "hkid", shared=True),
    scheme("ie_pps", r"\d{7}~[a-w][abhitw]?", ie_pps, "pps ppsn"),
    scheme("mx_rfc", r"[a-z]{4}~\d{6}~[a-z0-9]{3}", mx_rfc),
    scheme("my_nric", r"\d{6}([ -])\d{2}\1\d{4}", my_nric),
    scheme("nl_bsn", r"\d{4}\.\d\d\.\d{3}", nl_bsn, "bsn burgerservicenummer"),
    scheme("nl_bsn", THREES, nl_bsn, "bsn burgerservicenummer", shared=True),
    scheme("no_fnr", r"\d{6} \d{5}", no_fnr, "fodselsnummer"),
    scheme("pl_pesel", r"\d{6} \d{5}", pl_pesel, "pesel"),
    scheme("pt_nif", THREES, pt_nif, "nif contribuinte", shared=True),
    scheme("sg_nric", r"[stfgm]~\d{7}~[a-z]", sg_nric, "nric fin singpass"),
    scheme("th_pin", r"\d([ -])\d{4}\1\d{5}\1\d{2}\1\d", th_pin),
    scheme("plan", MBI),
    scheme("za_id", r"\d{6}([ -])\d{4}\1\d{3}", za_id),
)  # fmt: skip


def any_of(forms: Sequence[str]) -> re.Pattern[str]:
    """Return one expression for all of `forms`; each has one group at most, its separator."""
    parts = [
        form.replace("(" + SEPARATOR_BEGIN, f"(?P<mark{row}>" + SEPARATOR_BEGIN).replace(r"\1", f"(?P=mark{row})")
        for row, form in enumerate(forms)
    ]
    return re.compile(f"{BEGIN}(?=(?:{'|'.join(parts)}){END})")


ANY: Final = any_of([row.form for row in SCHEMES])
"""Finds where any of them begins. Most queries with digits hold none, and one search costs less than one for each."""
FORMS: Final = tuple(re.compile(BEGIN + row.form + END) for row in SCHEMES)
NHI: Final = re.compile(BEGIN + r"[a-hj-np-z]{3}(?:\d{4}|\d\d[a-hj-np-z]{2})" + END)
"""Plates and models have this form too."""
LENGTH_OF_NHI: Final = 7
NO_MARKS: Final = re.compile(r"[^a-z0-9]")


def find(query: QueryText, finds: Findings) -> None:
    """Add the numbers of `SCHEMES`."""
    text = query.spaced
    begins = [match.start() for match in ANY.finditer(text)]
    if not begins:
        return
    harmless, whole = query.says(NO_CODE), text.strip()
    for (kind, _, checks, words, shared), form in zip(SCHEMES, FORMS, strict=True):
        end = 0
        for begin in begins:
            match = form.match(text, begin) if begin >= end else None
            if match is None:
                continue
            end = match.end()
            alone = match[0] == whole
            right = not (shared and not alone) and (checks is None or checks(NO_MARKS.sub("", match[0])))
            if (words and query.says(words)) or (right and not harmless and not of_a_product(text, *match.span())):
                finds.append(Identifier(kind, *match.span()))


def patients(query: QueryText, finds: Findings) -> None:
    """Add New Zealand's numbers of patients beside their word."""
    finds.extend(Identifier("nz_nhi", *match.span()) for match in NHI.finditer(query.spaced))


def patient_alone(query: QueryText, finds: Findings) -> None:
    """Add such a number with a right check that is the whole query."""
    text = query.text
    if len(text) == LENGTH_OF_NHI and NHI.fullmatch(text) and text[3:].isdigit() and nz_nhi(text):
        finds.append(Identifier("nz_nhi", 0, LENGTH_OF_NHI))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=5)
PATIENTS: Final[Recognizer] = Recognizer(patients, digits=2, words=frozenset({"nhi"}))
PATIENT_ALONE: Final[Recognizer] = Recognizer(patient_alone, digits=4)
