"""Numbers of persons in other countries are found by form and check digit. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("cpf 529.982.247-25", "cpf"),
    ("dni 12345678Z", "dni"),
    ("nie X1234567L", "nie"),
    ("codice fiscale RSSMRA85T10A562S", "codice fiscale"),
    ("11010519491231002X", ""),
    ("\u8eab\u4efd\u8bc1\u53f7110105194912310021\u67e5\u8be2", "\u8eab\u4efd\u8bc1\u53f7 \u67e5\u8be2"),
    ("curp HEGG560427MVZRRL04", "curp"),
    ("nino AB 12 34 56 C", "nino"),
    ("aadhaar 2341 2341 2346", "aadhaar"),
    ("sin 046 454 286", "sin"),
    ("pan ABCPE1234F", "pan"),
    ("1 85 05 78 006 084 36", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "ssn" in kinds


STAYS = """
12345678A; tv 32 55 65 a; model ab 12 34 56 z
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
