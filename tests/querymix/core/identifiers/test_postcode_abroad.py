"""Postcodes of figures outside the USA. The tables of languages are in test_languages.py. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept, lines

FOUND = [
    ("plz 10115", "plz"),
    ("pizza 80331 m\u00fcnchen", "pizza"),
    ("berlin 10115 wetter", "wetter"),
    ("1010 wien caf\u00e9", "caf\u00e9"),
    ("z\u00fcrich 8001", ""),
    ("06600 ciudad de m\u00e9xico", ""),
    ("vila nova de gaia", "vila nova de gaia"),
    ("4400-123 vila nova de gaia", ""),
    ("d-80331 m\u00fcnchen", ""),
    ("a-5020 salzburg hotel", "hotel"),
    ("cep 01310-100", "cep"),
    ("cap 20121", "cap"),
    ("pizza 1012 ab", "pizza"),
    ("1012ab", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_goes_with_the_town_beside_it(text: str, left: str) -> None:
    assert kept(text)[0] == left


STAYS = """
paris 2024 olympics
expo 2000 hannover
salary cap 12500
market cap 25000
nice 10000 euro
berlin 1945
porto 2004
mons 1914
basel 1356
pizza 2000 cal
pizza 1500 kg
f-150 2020
b-52 bomber
a-10 warthog
12345-678 bearing
4100-200 bolts
1150-021 toner
pc 4060 ti
pc 1080 hd
2023-001 cve
1939-194 war
10000 berlin marathon
cp 1936
cap 2024
"""


@pytest.mark.parametrize("text", lines(STAYS))
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
