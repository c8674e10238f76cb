"""Numbers that countries give to persons are found by form and check digit. All data is made up."""

from typing import Final

import pytest
from querymix.core.identifiers import KINDS, kinds_but
from querymix.core.identifiers.recognizers.national import SCHEMES as NATIONAL

from tests.querymix.core.identifiers.kit import kept

BY_TABLE: Final = frozenset(row.kind for row in NATIONAL) - {"plan", "plate"}
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
        ("cn_resident_id", "\u8eab\u4efd\u8bc1 110105194912310029"),
    ],
)
def test_a_mistyped_number_beside_its_word_is_cut(kind: str, text: str) -> None:
    assert kept(text)[1] == [kind]


def test_ssn_names_all_of_them() -> None:
    assert set(KINDS) - set(kinds_but(["ssn"])) == {"us_ssn", *BY_TABLE}
    with pytest.raises(ValueError, match="'iris' is no kind of identifier") as refused:
        kinds_but(["iris"])
    assert "docs/national-numbers.md" in str(refused.value)
    assert "pl_pesel" not in str(refused.value)
