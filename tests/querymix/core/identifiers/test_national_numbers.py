"""Numbers that countries give to persons are found by form and check digit. All data is made up.

python-stdnum is the oracle: what it says of a number with right or wrong check digits, the recognizers say too.
"""

import random
from collections.abc import Callable
from typing import Final

import pytest
from querymix.core.identifiers import KINDS, kinds_but
from querymix.core.identifiers.recognizers import (
    br_cnpj,
    br_cpf,
    ca_sin,
    cn_resident_id,
    es_dni,
    es_nie,
    fr_nir,
    in_aadhaar,
    it_fiscal_code,
    mx_curp,
)
from querymix.core.identifiers.recognizers.countries import SCHEMES as TABLE
from stdnum import luhn, verhoeff
from stdnum.br import cnpj, cpf
from stdnum.cn import ric
from stdnum.es import dni, nie
from stdnum.fr import nir
from stdnum.it import codicefiscale
from stdnum.mx import curp

from tests.querymix.core.identifiers.kit import kept

BY_TABLE: Final = frozenset(row.kind for row in TABLE) - {"plan"}
FOUND: Final = [
    ("br_cpf", "cpf 529.982.247-25", "cpf"),
    ("br_cnpj", "11.222.333/0001-81", ""),
    ("es_dni", "dni 12345678Z", "dni"),
    ("es_nie", "nie X1234567L", "nie"),
    ("it_fiscal_code", "codice fiscale RSSMRA85T10A562S", "codice fiscale"),
    ("cn_resident_id", "11010519491231002X", ""),
    (
        "cn_resident_id",
        "\u8eab\u4efd\u8bc1\u53f7110105194912310021\u67e5\u8be2",
        "\u8eab\u4efd\u8bc1\u53f7 \u67e5\u8be2",
    ),
    ("mx_curp", "HEGG560427MVZRRL04", ""),
    ("gb_nino", "nino AB 12 34 56 C", "nino"),
    ("gb_nino", "ab12 3456c", ""),
    ("gb_nino", "jt527718b", ""),
    ("gb_nino", "AB-12-34-56-C", ""),
    ("in_pan", "abcpe1234f", ""),
    ("it_fiscal_code", "rss mra 85t10 a562s", ""),
    ("br_cpf", "529 982 247 25 receita", "receita"),
    ("fr_nir", "2-95-10-99-126-111-93", ""),
    ("in_aadhaar", "aadhaar 2341 2341 2346", "aadhaar"),
    ("ca_sin", "sin 046 454 286", "sin"),
    ("in_pan", "pan ABCPE1234F", "pan"),
    ("fr_nir", "2 95 10 99 126 111 93", ""),
    ("fr_nir", "1 85 05 78 006 084", ""),
]


@pytest.mark.parametrize(("kind", "text", "left"), FOUND)
def test_it_is_found_whole(kind: str, text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert kinds in ([kind], ["code"])


@pytest.mark.parametrize("text", ["12345678A", "tv 32 55 65 a", "model ab 12 34 56 z", "11.222.333/0001-82"])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("it_fiscal_code", "codice fiscale rssmra85t10a562x"),
        ("mx_curp", "curp hegg560427mvzrrl05"),
        ("br_cnpj", "cnpj 11.222.333/0001-82"),
        ("fr_nir", "nir 2 95 10 99 126 111 94"),
        ("cn_resident_id", "identity 110105194912310029"),
    ],
)
def test_a_mistyped_number_beside_its_word_is_cut(kind: str, text: str) -> None:
    assert kept(text)[1] == [kind]


def test_ssn_names_all_of_them() -> None:
    assert set(KINDS) - set(kinds_but(["ssn"])) == {"us_ssn", "nz_nhi", *(kind for kind, _, _ in FOUND), *BY_TABLE}
    with pytest.raises(ValueError, match="'iris' is no kind of identifier"):
        kinds_but(["iris"])


Draw = random.Random
SCHEMES: Final[dict[str, tuple[str, str, Callable[[str], bool], Callable[[str], bool], float]]] = {
    # kind: a form ("#" any digit, "@" any letter, "^" x to z, "?" the last place), what stands in the last place, our
    # check, the oracle's, the share that passes
    "br_cpf": ("###.###.###-##", "0123456789", br_cpf.checks, cpf.is_valid, 0.01),
    "br_cnpj": ("##.###.###/####-##", "0123456789", br_cnpj.checks, cnpj.is_valid, 0.01),
    "es_dni": ("########?", es_dni.LETTERS, es_dni.checks, dni.is_valid, 1 / 23),
    "es_nie": ("^#######?", es_dni.LETTERS, es_nie.checks, nie.is_valid, 1 / 23),
    "it_fiscal_code": (
        "@@@@@@##t10a###?", "abcdefghijklmnopqrstuvwxyz", it_fiscal_code.checks,
        lambda code: codicefiscale.calc_check_digit(code.upper()[:-1]) == code.upper()[-1], 1 / 26,
    ),
    "mx_curp": (
        "@a@@560427mvz@@@0?", "0123456789", mx_curp.checks,
        lambda code: curp.calc_check_digit(code.upper()) == code[-1], 0.1,
    ),
    "cn_resident_id": (
        "11010519491231###?", "0123456789x", cn_resident_id.checks,
        lambda code: ric.calc_check_digit(code) == code.upper()[-1], 1 / 11,
    ),
    "fr_nir": (
        "2 ## 10 ## ### ### ##", "0123456789", fr_nir.checks,
        lambda code: nir.calc_check_digits(code.replace(" ", "")) == code[-2:], 0.01,
    ),
    "in_aadhaar": ("#### #### ####", "", in_aadhaar.checks, lambda code: verhoeff.is_valid(code.replace(" ", "")), 0.1),
    "ca_sin": ("### ### ###", "", ca_sin.checks, lambda code: luhn.is_valid(code.replace(" ", "")), 0.1),
}  # fmt: skip
COUNT: Final = 10_000


def drawn(form: str, last: str, random: Draw) -> str:
    """Return a code in a form."""
    places = {"#": "0123456789", "@": "abcdefghijklmnopqrstuvwxyz", "^": "xyz", "?": last}
    return "".join(random.choice(places.get(place, place)) for place in form)


@pytest.mark.parametrize("kind", SCHEMES)
def test_random_codes_pass_where_the_oracle_says_so_and_as_often_as_documented(kind: str) -> None:
    form, last, checks, oracle, share = SCHEMES[kind]
    random = Draw(17)
    codes = [drawn(form, last, random) for _ in range(COUNT)]
    assert [code for code in codes if checks(code)] == [code for code in codes if oracle(code)]
    assert sum(map(checks, codes)) / COUNT == pytest.approx(share, rel=0.2)


@pytest.mark.parametrize("kind", SCHEMES)
def test_a_valid_number_is_found_and_with_one_character_changed_it_is_not_taken_for_one(kind: str) -> None:
    form, last, checks, oracle, _ = SCHEMES[kind]
    random = Draw(18)
    word = {"in_aadhaar": "aadhaar ", "ca_sin": "sin "}.get(kind, "")
    valid = [code for code in (drawn(form, last, random) for _ in range(COUNT)) if oracle(code)][:12]
    for code in valid:
        assert kept(word + code) == (word.strip(), [kind])
        at = random.choice([place for place, char in enumerate(form) if char in "#?" and code[place].isdigit()])
        changed = f"{code[:at]}{(int(code[at]) + random.randint(1, 9)) % 10}{code[at + 1 :]}"
        assert checks(changed) == oracle(changed)
        assert (kind in kept(word + changed)[1]) == oracle(changed)
